// Store of a table's page: its constants, the server's last state, and the view that this screen asks for. Modules read
// them here, and listen for the events tablee:now and tablee:asked to react to changes.
/** @import { TableState } from "./types.d.ts" */
import { byId, data } from "./dom.js";
import { ITEM_PREFIX, keysAt } from "./seat_keys.js";

export const table = byId("table");

/** The table's id. */
export const tableId = data(table, "table");

/** @type {Record<string, string>} the sentences that scripts show */
export const words = JSON.parse(data(table, "words"));

/** The tokens of the seats of this screen, joined by dots; "" for a spectator. */
export const keys = keysAt(tableId);

/** The token of the first of them. */
export const firstKey = () => keys.split(".")[0];

/** Returns an idempotency key for a request. */
export const newId = () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;

const storageKey = (/** @type {string} */ name) => `${ITEM_PREFIX}${tableId}-${keys.slice(0, 8)}-${name}`;
const storage = keys ? localStorage : sessionStorage; // only a player has something to lose with a tab

/** @param {string} name of an item that this device stores for the seats of this screen */
export const loadItem = (name) => JSON.parse(storage.getItem(storageKey(name)) ?? "null");

/**
 * @param {string} name
 * @param {unknown} value
 */
export const storeItem = (name, value) => storage.setItem(storageKey(name), JSON.stringify(value));

/** @type {TableState} */
let now = JSON.parse(byId("now").textContent);

/** Returns the server's last state. */
export const tableState = () => now;

/**
 * Merges a newer state of the server. It is also written into the page, for a room's script that is loaded later.
 *
 * @param {Partial<TableState>} news
 */
export function updateState(news) {
  now = { ...now, ...news };
  byId("now").textContent = JSON.stringify(now);
}

/**
 * The token of one of this screen's seats.
 *
 * @param {string | number | null} seat
 */
export const tokenOf = (seat) => keys.split(".")[now.mine.indexOf(Number(seat))];

/**
 * @typedef {object} Screen
 * @property {number | null} chosen the seat through which the player views the table
 * @property {number | null} shown the seat whose secrets are uncovered on a shared screen
 * @property {string[]} draft unconfirmed moves
 * @property {number} at the version at which the draft was begun
 * @property {number | null} look the replay position, as a number of log lines
 */

const stored = loadItem("screen") ?? {};

/** @type {Readonly<Screen>} */
export let screen = {
  chosen: stored.chosen ?? null,
  shown: null,
  draft: stored.draft ?? [],
  at: stored.at ?? tableState().version,
  look: null,
};

let serial = 0; // counts our messages, so that an answer to an older draft does not undo a newer one

/** @param {Partial<Screen>} change */
export function setScreen(change) {
  screen = { ...screen, ...change };
  storeItem("screen", { chosen: screen.chosen, draft: screen.draft, at: screen.at });
}

/** The number of the last message that is to be answered. */
export const lastSerial = () => serial;

/** The number of a new message. */
export function nextSerial() {
  serial += 1;
  return serial;
}
