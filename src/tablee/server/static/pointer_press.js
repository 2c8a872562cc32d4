// A tap means what lay under the finger when it came down: while a pointer is down and may still become a tap, nothing
// on the page moves. Whoever wants to change the page waits for `released()`.
const SLIP = 12; // pixels after which a press is a drag
const CLICK = 300; // milliseconds within which a click follows the end of a press

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
    if (press && Math.hypot(clientX - press.x, clientY - press.y) > SLIP) press.end();
  },
  true,
);
addEventListener("pointerup", () => endSoon(CLICK), true);
addEventListener(
  "click",
  ({ isTrusted }) => {
    if (isTrusted) endSoon(0);
  },
  true,
); // when everybody has heard of it
for (const end of ["pointercancel", "blur"]) addEventListener(end, () => press?.end());
