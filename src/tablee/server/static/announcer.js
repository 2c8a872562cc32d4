// Tells those who listen what the others did and what nature brought: once, politely.
/** @import { TableState } from "./types.d.ts" */
import { byId } from "./dom.js";

/** @type {number | null} */
let lastNumber = null;

/**
 * @param {TableState} now
 * @param {string[]} more
 */
export function announce({ heard, looks_back: looksBack }, more = []) {
  if (looksBack) return;
  const last = lastNumber;
  const fresh = last === null ? [] : heard.filter(([number]) => number > last);
  lastNumber = heard.at(-1)?.[0] ?? -1; // less than before when something was taken back
  const sentences = [...fresh.map(([, sentence]) => sentence), ...more];
  if (sentences.length) byId("herald").textContent = sentences.join(". ");
}
