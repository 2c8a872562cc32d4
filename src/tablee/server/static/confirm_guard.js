// The second tap of two was meant for what lay there before, if the button that confirms came between them: it confirms
// nothing, and its player is told so.
import { closest, one } from "./dom.js";

const UNSEEN_BUTTON_MS = 250; // milliseconds in which nobody has seen a new button

let current = { button: "", since: 0 }; // the button that confirms, and when it could be seen

/** After every change of the page. */
export function trackConfirmButton() {
  const button = one("[data-confirm]")?.id ?? "";
  if (button === current.button) return;
  const fresh = { button, since: Infinity };
  current = fresh;
  requestAnimationFrame(() => {
    fresh.since = performance.now();
  });
}

/** @param {() => void} onStopped is called when such a tap was stopped */
export function guardConfirmButton(onStopped) {
  const stop = (/** @type {MouseEvent} */ event) => {
    const unseen = event.timeStamp - current.since <= UNSEEN_BUTTON_MS;
    if (event.detail < 2 || !unseen || !closest(event, "[data-confirm]")) return;
    event.stopImmediatePropagation();
    onStopped();
  };
  document.addEventListener("click", stop, true); // before a room's own module hears of it
}
