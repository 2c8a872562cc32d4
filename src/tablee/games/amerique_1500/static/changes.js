// What has become more or less since the last look wears its difference for a moment: goods, and cards in hand; not
// where somebody (no seat) looks back, who may come from any other turn. While the die is not thrown yet, what it
// brought (`data-brought`), and nothing else, is kept back.
import { all, one } from "/static/platform/dom.js";
import { fly } from "./flying.js";

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
