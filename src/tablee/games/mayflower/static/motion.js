// What the others do is seen: their tile lands, an explorer walks. Half a second at most, and nothing for those who ask
// for none.
import { all, byId } from "/static/platform/dom.js";
import { motionEnabled } from "/static/platform/preferences.js";
import { tableState } from "/static/platform/table_state.js";
import { scaleNow } from "./map.js";

const landing = byId("landing");
const HALF_A_SECOND = 480;

let last = document.getElementById("last-tile")?.dataset.cell;
let columns = where();

function where() {
  return all(".pawn").map((pawn) => Number(pawn.dataset.column));
}

/** After every change of the table. */
export function animate() {
  const trying = tableState().draft.length > 0;
  const cell = document.getElementById("last-tile")?.dataset.cell;
  const before = columns;
  columns = where();
  const laid = cell !== last && !trying;
  if (!trying) last = cell;
  if (!motionEnabled()) return;
  if (laid && cell) land(cell);
  columns.forEach((column, number) => {
    if (before.length && column !== before[number]) walk(number, column - before[number]);
  });
}

/**
 * A frame comes down on the new tile.
 *
 * @param {string} cell
 */
function land(cell) {
  const [col, row] = cell.split(",").map(Number);
  const [x, y] = [-100 * col + 50, 100 * row + 50];
  landing.innerHTML = `<rect class="landing" x="${x - 50}" y="${y - 50}" width="100" height="100" rx="4"/>`;
  const frame = /** @type {SVGElement} */ (landing.firstElementChild);
  frame.style.transformOrigin = `${x}px ${y}px`;
  const down = frame.animate(
    [
      { transform: "translateY(-60px) scale(1.5)", opacity: 0 },
      { opacity: 1, offset: 0.5 },
      { transform: "none", opacity: 0 },
    ],
    { duration: HALF_A_SECOND, easing: "ease-in" },
  );
  down.onfinish = () => {
    landing.innerHTML = "";
  };
}

/**
 * @param {number} number
 * @param {number} by
 */
function walk(number, by) {
  const pawn = all(".pawn")[number];
  const from = `${100 * by * scaleNow()}px 0`;
  pawn.animate([{ translate: from }, { translate: `${50 * by * scaleNow()}px -6px` }, { translate: "0 0" }], {
    duration: HALF_A_SECOND,
    easing: "ease-in-out",
  });
}
