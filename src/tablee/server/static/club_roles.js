// The classes that this device organises or is a member of: one entry in its storage for each, listed on the start
// page.
const MOST = 60;
const entry = (role, club) => `tablee-${role}-${club}`;

/** Whether the device is this class's "organiser", or a "member" of it. */
export const hasRole = (role, club) => localStorage.getItem(entry(role, club)) !== null;

export const remember = (role, club) => localStorage.setItem(entry(role, club), "yes");

export const forget = (role, club) => localStorage.removeItem(entry(role, club));

/** The ids of the classes in which the device has this role. */
export const classesAs = (role) =>
  Object.keys(localStorage)
    .filter((name) => name.startsWith(entry(role, "")))
    .map((name) => name.slice(entry(role, "").length))
    .slice(0, MOST);
