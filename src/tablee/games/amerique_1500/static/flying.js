// Goods fly: from what was tapped, or from the die, to the pile that grows, and from a pile that shrinks to where they
// are spent.
import { motionEnabled } from "/static/platform/preferences.js";

const FLIGHT = 450; // milliseconds
const MOST = 5; // cubes in the air from one pile

let touched = null; // where the player tapped last

document.addEventListener(
  "click",
  (event) => {
    const { x, y, width, height } = event.target.closest?.("button")?.getBoundingClientRect() ?? {};
    if (width) touched = { x: x + width / 2, y: y + height / 2 };
  },
  true,
);

const middle = (element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
};

export function fly(pile, change) {
  const cube = pile.querySelector(":scope > .cube");
  if (!motionEnabled() || !cube || !touched) return;
  const [from, to] = change > 0 ? [touched, middle(pile)] : [middle(pile), touched];
  for (let n = 0; n < Math.min(Math.abs(change), MOST); n += 1) launch(cube.cloneNode(true), from, to, n);
}

function launch(cube, from, to, n) {
  cube.classList.add("flying");
  document.getElementById("board").append(cube);
  const board = document.getElementById("board").getBoundingClientRect();
  const at = ({ x, y }) => `translate(${x - board.x}px, ${y - board.y}px)`;
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
