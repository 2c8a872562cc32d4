// The store of a table's page: what the page was made with, what the server said last, and what this screen has asked
// to be shown. Whoever needs it asks here; whoever has to react hears the events tablee:now and tablee:asked.
/** @import { TableState } from "./types.d.ts" */
import { byId, data } from "./dom.js";
import { keysAt } from "./seat_keys.js";

export const table = byId("table");

/** The table's id. */
export const tableId = data(table, "table");

/** @type {Record<string, string>} the sentences that scripts say */
export const words = JSON.parse(data(table, "words"));

/** The tokens of the seats of this screen, joined by dots; "" for a spectator. */
export const keys = keysAt(tableId);

/** The token of the first of them. */
export const firstKey = () => keys.split(".")[0];

/** A name for a request, under which it counts once. */
export const newId = () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;

const storageKey = (/** @type {string} */ name) => `tablee-${tableId}-${keys.slice(0, 8)}-${name}`;

/** @param {string} name of something that this tab keeps for this screen */
export const loadItem = (name) => JSON.parse(sessionStorage.getItem(storageKey(name)) ?? "null");

/**
 * @param {string} name
 * @param {unknown} value
 */
export const storeItem = (name, value) => sessionStorage.setItem(storageKey(name), JSON.stringify(value));

/** @type {TableState} */
let now = JSON.parse(byId("now").textContent);

/** What the server said last. */
export const tableState = () => now;

/**
 * Adds what the server says now. It also stands in the page, for a room's script that is loaded later.
 *
 * @param {Partial<TableState>} news
 */
export function learn(news) {
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
 * @property {number | null} chosen the seat that the player looks through
 * @property {number | null} shown the seat whose secrets are uncovered on a shared screen
 * @property {string[]} draft moves that are tried out
 * @property {number} at the version at which the draft was begun
 * @property {number | null} look how many lines of the log this screen looks back at
 */

const kept = loadItem("screen") ?? {};

/** @type {Readonly<Screen>} */
export let screen = {
  chosen: kept.chosen ?? null,
  shown: null,
  draft: kept.draft ?? [],
  at: kept.at ?? tableState().version,
  look: null,
};

let serial = 0; // counts what we said, so that an answer to an older draft does not undo a newer one

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
