// The classes that this device organises or is a member of: one entry in its storage for each, listed on the start
// page.
/** @typedef {"organiser" | "member"} Role */

const MAX_CLASSES = 60;

/**
 * @param {Role} role
 * @param {string} club
 */
const entry = (role, club) => `tablee-${role}-${club}`;

/**
 * Whether the device has this role in this class.
 *
 * @param {Role} role
 * @param {string} club
 */
export const hasRole = (role, club) => localStorage.getItem(entry(role, club)) !== null;

/**
 * @param {Role} role
 * @param {string} club
 */
export const remember = (role, club) => localStorage.setItem(entry(role, club), "yes");

/**
 * @param {Role} role
 * @param {string} club
 */
export const forget = (role, club) => localStorage.removeItem(entry(role, club));

/**
 * The ids of the classes in which the device has this role.
 *
 * @param {Role} role
 */
export const classesAs = (role) =>
  Object.keys(localStorage)
    .filter((name) => name.startsWith(entry(role, "")))
    .map((name) => name.slice(entry(role, "").length))
    .slice(0, MAX_CLASSES);
