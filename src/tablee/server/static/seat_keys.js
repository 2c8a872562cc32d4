// Keys (tokens) of the seats that this device holds: stored for the tab first, since two tabs may hold two seats, then
// for the device.
import { byId } from "./dom.js";
import { emit } from "./events.js";

const TABLES_KEY = "tablee-tables";
const MAX_TABLES = 60;
const REASON_KEY = "tablee-why";
const FINGERPRINT_PREFIX = "tablee-fingerprint-";
export const ITEM_PREFIX = "tablee-at-"; // of what a table's page stores; the id follows, as after the other

/** @typedef {{ keys: string, at: number, hidden?: boolean }} HeldSeats */

/** @returns {Record<string, HeldSeats>} by table */
const read = () => JSON.parse(localStorage.getItem(TABLES_KEY) ?? "{}");
const tabKey = (/** @type {string} */ table) => `tablee-keys-${table}`;

/**
 * @param {[string, HeldSeats]} one
 * @param {[string, HeldSeats]} other
 */
const newestFirst = ([, one], [, other]) => other.at - one.at;

/**
 * Stores the newest tables, and removes everything about those that drop out of the list.
 *
 * @param {Record<string, HeldSeats>} tables
 */
function write(tables) {
  const newest = Object.fromEntries(Object.entries(tables).sort(newestFirst).slice(0, MAX_TABLES));
  for (const table of Object.keys(read()))
    if (!(table in newest)) document.cookie = `tablee_keys=; path=/t/${table}; max-age=0`;
  for (const prefix of [FINGERPRINT_PREFIX, ITEM_PREFIX])
    for (const name of Object.keys(localStorage))
      if (name.startsWith(prefix) && !(name.slice(prefix.length).split("-")[0] in newest))
        localStorage.removeItem(name);
  localStorage.setItem(TABLES_KEY, JSON.stringify(newest));
}

/** A new key, for a seat that this device asks for. */
export const newKey = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))))
    .replaceAll("+", "-")
    .replaceAll("/", "_");

/**
 * The keys of this screen's seats, joined by dots.
 *
 * @param {string} table
 */
export const keysAt = (table) => sessionStorage.getItem(tabKey(table)) ?? read()[table]?.keys ?? "";

/**
 * Returns the fingerprint that this device was shown first, which is the one that counts. It is stored with the table,
 * or with a spectator's tab.
 *
 * @param {string} table
 * @param {string | null | undefined} now
 */
export function firstFingerprint(table, now) {
  const storage = keysAt(table) ? localStorage : sessionStorage;
  if (now && !storage.getItem(FINGERPRINT_PREFIX + table)) storage.setItem(FINGERPRINT_PREFIX + table, now);
  return storage.getItem(FINGERPRINT_PREFIX + table);
}

/**
 * Stores the keys of this screen; the device also keeps those of its other tabs.
 *
 * @param {string} table
 * @param {string} keys
 */
export function storeKeys(table, keys) {
  const tables = read();
  const all = new Set([...keys.split("."), ...(tables[table]?.keys ?? "").split(".")].filter(Boolean));
  sessionStorage.setItem(tabKey(table), keys);
  write({ ...tables, [table]: { keys: [...all].join("."), at: Date.now() } });
}

/**
 * Drops the keys of a table that open nothing any more.
 *
 * @param {string} table
 * @param {string[]} good
 */
export function retainKeys(table, good) {
  const { [table]: known, ...others } = read();
  const still = (/** @type {string} */ keys) =>
    keys
      .split(".")
      .filter((key) => good.includes(key))
      .join(".");
  const held = sessionStorage.getItem(tabKey(table));
  if (held !== null) sessionStorage.setItem(tabKey(table), still(held));
  write(known && still(known.keys) ? { ...others, [table]: { ...known, keys: still(known.keys) } } : others);
}

/**
 * Drops the keys of seats that were given away, and reloads the page for those that are left, perhaps as a spectator,
 * with the reason. In a class, `club_member.js` leads the screen to its new seat instead.
 *
 * @param {string} table
 * @param {string} keys
 * @param {string} why
 * @param {(key: string) => Promise<boolean>} opens whether this key opens a seat
 */
export async function dropLostKeys(table, keys, why, opens) {
  const all = keys.split(".");
  /** @type {string[]} */
  const good = [];
  for (const key of all) if (await opens(key)) good.push(key);
  if (good.length === all.length) return;
  retainKeys(table, good);
  if (!emit("tablee:unseated", null)) return;
  if (why) sessionStorage.setItem(REASON_KEY, why);
  location.reload();
}

/** Returns, once, why this page was reloaded. */
export function takeReloadReason() {
  const why = sessionStorage.getItem(REASON_KEY);
  sessionStorage.removeItem(REASON_KEY);
  return why;
}

/**
 * The keys of a screen that holds all seats of people at a new table.
 *
 * @param {{ token: string | null }[]} seats
 */
export const keysOf = (seats) => seats.flatMap(({ token }) => token ?? []).join(".");

/** Returns the tables that the start page lists, the newest first. */
export const knownTables = () =>
  Object.entries(read())
    .filter(([, each]) => !each.hidden)
    .sort(newestFirst)
    .map(([table, { keys }]) => ({ table, keys }));

/** @param {string} table */
export function hideTable(table) {
  const tables = read();
  write({ ...tables, [table]: { ...tables[table], hidden: true } });
}

/** Reveals the page, which is hidden until it is rendered for this seat. */
export function revealSeat() {
  delete document.documentElement.dataset.seat;
}

/**
 * Shows the link and the QR code of this screen's seats for another device.
 *
 * @param {string} table
 * @param {string} keys
 */
export async function showDeviceLink(table, keys) {
  const answer = await fetch(`/t/${table}/device`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ table, keys }),
  });
  if (!answer.ok) throw new Error(answer.statusText);
  const panel = byId("device");
  panel.innerHTML = await answer.text();
  panel.showPopover();
}
