// A tap means what lay under the finger when it came down: while a pointer is down and may still become a tap, nothing
// on the page changes. Code that changes the page waits for `released()`. If the Confirm button appears between the two
// taps of a double tap, the second one was not meant for it: it confirms nothing, and a toast says so.
import { closest, one } from "./dom.js";

const DRAG_PX = 12; // pixels after which a press is a drag
const CLICK_DELAY_MS = 300; // milliseconds within which a click follows the end of a press

/** @type {Press | null} */
let press = null;

class Press {
  /** @param {PointerEvent} event */
  constructor({ clientX, clientY }) {
    this.x = clientX;
    this.y = clientY;
    /** @type {PromiseWithResolvers<void>} */
    this.over = Promise.withResolvers();
  }

  end() {
    if (press === this) press = null;
    this.over.resolve();
  }
}

/** Resolves when no pointer is down, or the one that is down has become a drag. */
export async function released() {
  while (press) await press.over.promise;
}

/** @param {number} after */
function endSoon(after) {
  const ending = press;
  if (ending) setTimeout(() => ending.end(), after);
}

addEventListener(
  "pointerdown",
  (event) => {
    press?.end();
    press = new Press(event);
  },
  true,
);
addEventListener(
  "pointermove",
  ({ clientX, clientY }) => {
    if (press && Math.hypot(clientX - press.x, clientY - press.y) > DRAG_PX) press.end();
  },
  true,
);
addEventListener("pointerup", () => endSoon(CLICK_DELAY_MS), true);
addEventListener(
  "click",
  ({ isTrusted }) => {
    if (isTrusted) endSoon(0);
  },
  true,
); // after all other listeners
for (const end of ["pointercancel", "blur"]) addEventListener(end, () => press?.end());

const UNSEEN_BUTTON_MS = 250; // milliseconds in which nobody has seen a new button

let current = { button: "", since: 0 }; // the button that confirms, and when it could be seen

/** Notes which button confirms, after every change of the page. */
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
