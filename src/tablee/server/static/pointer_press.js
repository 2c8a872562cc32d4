// A tap means what lay under the finger when it came down: while a pointer is down and may still become a tap, nothing
// on the page moves. Whoever wants to change the page waits for `released()`.
const SLIP = 12; // pixels after which a press is a drag
const CLICK = 300; // milliseconds within which a click follows the end of a press

let press = null;

/** Resolves when no pointer is down, or the one that is down has become a drag. */
export async function released() {
  while (press) await press.over;
}

function begin({ clientX, clientY }) {
  press?.end();
  const own = { x: clientX, y: clientY };
  own.over = new Promise((resolve) => {
    own.end = () => {
      if (press === own) press = null;
      resolve();
    };
  });
  press = own;
}

const endSoon = (after) => {
  if (press) setTimeout(press.end, after);
};

addEventListener("pointerdown", begin, true);
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
