// What this screen is shown: through which seat, with which draft, at which position. A draft survives a reload.
/** @import { SocketMessage } from "./messages.d.ts" */
import { preferences } from "./preferences.js";
import { canInflate } from "./server_connection.js";
import { keys, loadItem, storeItem } from "./table_page.js";
import { tableState } from "./table_state.js";

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

/**
 * What this screen tells the server to be shown.
 *
 * @returns {SocketMessage}
 */
export const hello = () => ({ page: true, keys, ...screen, serial, pace: preferences.pace, packed: canInflate });
