// The store of what the server said last about this table. Whoever needs it asks `tableState`; whoever has to react to
// it hears the event tablee:now.
/** @import { TableState } from "./types.d.ts" */
import { byId } from "./dom.js";
import { keys } from "./table_page.js";

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
