// What a table's page was made with: the table, this screen's seats and the page's sentences.
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
