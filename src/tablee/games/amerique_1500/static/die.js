// Whoever's turn it is throws the die: nature has rolled it already, but this screen keeps the face back until it is
// tapped. Doing anything else throws it as well. What was thrown is remembered, so that a reload does not ask again.
/** @import { TableState } from "/static/platform/types.d.ts" */
import { byId, closest, one } from "/static/platform/dom.js";
import { motionEnabled } from "/static/platform/preferences.js";
import { tableId } from "/static/platform/table_state.js";

const TUMBLE = 500; // milliseconds
const storageKey = `tablee-${tableId}-thrown`;
const roll = () => one(".rolled[data-own]")?.dataset.roll ?? "";
/** @type {() => void} */
let onShown = () => {};

export const unthrown = () => document.body.dataset.die !== "thrown" && Boolean(document.getElementById("throw"));

/**
 * Called after every patch.
 *
 * @param {TableState} now
 * @param {() => void} then is called now, and when the die is thrown
 */
export function updateDie({ draft }, then) {
  onShown = then;
  const own = roll();
  if (own && draft.length) sessionStorage.setItem(storageKey, own);
  show(!own || !document.getElementById("throw") || sessionStorage.getItem(storageKey) === own);
}

/** @param {boolean} thrown */
function show(thrown) {
  document.body.dataset.die = thrown ? "thrown" : "unthrown";
  document.getElementById("throw")?.toggleAttribute("data-focus", !thrown);
  onShown();
}

function throwDie() {
  sessionStorage.setItem(storageKey, roll());
  const place = one(".rolled");
  show(true);
  if (!place) return;
  byId("rolled-say").textContent = (one("p.thrown", place)?.textContent ?? "").replaceAll(/\s+/g, " ").trim();
  if (motionEnabled()) {
    place.classList.add("tumbling");
    setTimeout(() => place.classList.remove("tumbling"), TUMBLE);
  }
  one("#board [data-focus]")?.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  if (closest(event, "[data-throw]")) throwDie();
});
