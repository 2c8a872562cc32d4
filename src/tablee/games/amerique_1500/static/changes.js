// What has become more or less since the last look wears its difference for a moment: goods, and cards in hand; not
// where somebody (no seat) looks back, who may come from any other turn. While the die is not thrown yet, what it
// brought (`data-brought`), and nothing else, is kept back.
import { all, byId, closest, one } from "/static/platform/dom.js";
import { motionEnabled } from "/static/platform/preferences.js";

const SHOWN = 1600; // milliseconds

/** @type {{ seat: number | null, counts: Map<string | undefined, number> }} */
let before = { seat: null, counts: new Map() };

/**
 * @param {HTMLElement} place
 * @param {boolean} unthrown
 */
const shown = ({ dataset }, unthrown) => Number(dataset.count) - (unthrown ? Number(dataset.brought ?? 0) : 0);

/**
 * @param {number | null} seat
 * @param {boolean} unthrown
 */
export function showChanges(seat, unthrown) {
  for (const place of all("[data-count]")) paint(place, shown(place, unthrown));
  const told = all("[data-tell]");
  const counts = new Map(told.map((place) => [place.dataset.tell, shown(place, unthrown)]));
  if (seat !== null && before.seat === seat && before.counts.size)
    for (const place of told)
      mark(place, (counts.get(place.dataset.tell) ?? 0) - (before.counts.get(place.dataset.tell) ?? 0));
  before = { seat, counts };
}

/**
 * @param {HTMLElement} place
 * @param {number} count
 */
function paint(place, count) {
  const isPile = place.matches(".pile");
  const number = one("[data-number]", place);
  if (number) number.textContent = (number.dataset.number ?? "").replace("#", String(count));
  place.classList.toggle("held", count !== Number(place.dataset.count));
  place.classList.toggle("none", isPile && count === 0);
  place.classList.toggle("not-yet", !isPile && place.matches("[data-tell]") && count === 0);
}

/**
 * @param {HTMLElement} place
 * @param {number} change
 */
function mark(place, change) {
  if (!change) return;
  if (place.matches(".pile")) fly(place, change);
  place.dataset.change = change > 0 ? `+${change}` : `−${-change}`;
  setTimeout(() => delete place.dataset.change, SHOWN);
}

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
 * Goods fly: from what was tapped, or from the die, to the pile that grows, and from a pile that shrinks to where they
 * are spent.
 *
 * @param {HTMLElement} pile
 * @param {number} change
 */
function fly(pile, change) {
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
