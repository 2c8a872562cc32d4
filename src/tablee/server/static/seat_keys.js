// The seats that this device holds: their keys, for this tab first (two tabs may sit in two chairs), then for the
// device.
import { byId } from "./dom.js";
import { emit } from "./events.js";

const DEVICE = "tablee-tables";
const MOST = 60;
const WHY = "tablee-why";
const FINGERPRINT = "tablee-fingerprint-";

/** @typedef {{ keys: string, at: number, hidden?: boolean }} HeldSeats */

/** @returns {Record<string, HeldSeats>} by table */
const read = () => JSON.parse(localStorage.getItem(DEVICE) ?? "{}");
const tabKey = (/** @type {string} */ table) => `tablee-keys-${table}`;
/**
 * @param {[string, HeldSeats]} one
 * @param {[string, HeldSeats]} other
 */
const newestFirst = ([, one], [, other]) => other.at - one.at;

/**
 * Nothing else of a table stays on the device when it leaves the list.
 *
 * @param {Record<string, HeldSeats>} tables
 */
function write(tables) {
  const kept = Object.fromEntries(Object.entries(tables).sort(newestFirst).slice(0, MOST));
  for (const table of Object.keys(read()))
    if (!(table in kept)) document.cookie = `tablee_keys=; path=/t/${table}; max-age=0`;
  for (const name of Object.keys(localStorage))
    if (name.startsWith(FINGERPRINT) && !(name.slice(FINGERPRINT.length) in kept)) localStorage.removeItem(name);
  localStorage.setItem(DEVICE, JSON.stringify(kept));
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
 * The fingerprint that this device was shown first is the one that counts: kept with the table, or with the tab of
 * somebody who looks on.
 *
 * @param {string} table
 * @param {string | null | undefined} now
 */
export function firstFingerprint(table, now) {
  const shelf = keysAt(table) ? localStorage : sessionStorage;
  if (now && !shelf.getItem(FINGERPRINT + table)) shelf.setItem(FINGERPRINT + table, now);
  return shelf.getItem(FINGERPRINT + table);
}

/**
 * This screen holds these; the device also keeps those that another tab of it holds.
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
 * Some of these keys open nothing any more: only those that do are kept.
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
 * A seat was given away while this screen was not looking: it goes on with what it still holds, perhaps as a
 * spectator, and says why. Whoever knows where it belongs now (club_member.js) takes it there instead.
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
  if (why) sessionStorage.setItem(WHY, why);
  location.reload();
}

/** Why this page was loaded again, said once. */
export function takeReloadReason() {
  const why = sessionStorage.getItem(WHY);
  sessionStorage.removeItem(WHY);
  return why;
}

/**
 * The keys of a screen that holds all seats of people at a new table.
 *
 * @param {{ token: string | null }[]} seats
 */
export const keysOf = (seats) => seats.flatMap(({ token }) => token ?? []).join(".");

/** The tables that this device shows on the start page. */
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

/** The page shows this seat now. */
export function revealSeat() {
  delete document.documentElement.dataset.seat;
}

/**
 * Shows this screen's seats as a link and a picture for another device.
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
