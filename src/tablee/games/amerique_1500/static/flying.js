// Goods fly: from what was tapped, or from the die, to the pile that grows, and from a pile that shrinks to where they
// are spent.
import { byId, closest, one } from "/static/platform/dom.js";
import { motionEnabled } from "/static/platform/preferences.js";

const FLIGHT = 450; // milliseconds
const MOST = 5; // cubes in the air from one pile

/** @typedef {{ x: number, y: number }} Point */

/** @type {Point | null} */
let touched = null; // where the player tapped last

document.addEventListener(
  "click",
  (event) => {
    const button = closest(event, "button");
    if (button?.getBoundingClientRect().width) touched = middle(button);
  },
  true,
);

const middle = (/** @type {Element} */ element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
};

/**
 * @param {HTMLElement} pile
 * @param {number} change
 */
export function fly(pile, change) {
  const cube = one(":scope > .cube", pile);
  if (!motionEnabled() || !cube || !touched) return;
  const [from, to] = change > 0 ? [touched, middle(pile)] : [middle(pile), touched];
  for (let n = 0; n < Math.min(Math.abs(change), MOST); n += 1)
    launch(/** @type {HTMLElement} */ (cube.cloneNode(true)), from, to, n);
}

/**
 * @param {HTMLElement} cube
 * @param {Point} from
 * @param {Point} to
 * @param {number} n
 */
function launch(cube, from, to, n) {
  cube.classList.add("flying");
  byId("board").append(cube);
  const board = byId("board").getBoundingClientRect();
  const at = (/** @type {Point} */ { x, y }) => `translate(${x - board.x}px, ${y - board.y}px)`;
  cube
    .animate([{ transform: at(from), opacity: 0 }, { opacity: 1, offset: 0.2 }, { transform: at(to) }], {
      duration: FLIGHT - 40 * (MOST - n),
      delay: 40 * n,
      easing: "ease-in-out",
    })
    .finished.then(
      () => cube.remove(),
      () => cube.remove(),
    );
}
