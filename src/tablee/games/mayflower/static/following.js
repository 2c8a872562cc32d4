// The view follows the game: the land, the places for the tile in hand and the last tiles are in sight at the start of
// every turn, or where there is not room for all of it, the last tiles with the nearest place, the last tiles, or the
// last of them; unless the player has moved the map. A button returns to following. While a tile is tried out nothing
// moves, nor while a finger is down.

/** @import { Box } from "./map.js" */
import { all, byId, data } from "/static/platform/dom.js";
import { table, tableState } from "/static/platform/table_state.js";
import { released } from "/static/platform/taps.js";
import { boundingBox, cellBox, fit, isMovedByPlayer, scaleFor, scaleNow, started, stopAnimation } from "./map.js";

const [map, chart] = ["map", "chart"].map(byId);
// smaller than this a finger, or a mouse, finds no place
const PLAYABLE = matchMedia("(pointer: coarse)").matches ? 0.47 : 0.34;
const LARGE = 1.2;
// a new scale leaves room to grow; one that shows everything stays until it is this much too small
const [ROOMY, LOOSE] = [0.95, 0.7];
const TAG = 100; // units that points take above their place,
const BEYOND = 60; // and two explorers beside each other, with the next column's number, beyond the last column
const SEA = () => (map.clientWidth > 700 ? 105 : 94); // pixels: the sea is a strip as wide as a town's name
const OCEAN = () => (map.clientWidth > 700 ? 240 : 0); // units of it at most

let shown = "";
let goal = ""; // where the view last went by itself

const isOver = () => tableState().over;
const boxOf = (/** @type {HTMLElement} */ element) => cellBox(data(element, "cell"));
export const sites = () => all(".site").map(boxOf);
const cells = () => [...new Set(all("#hits [data-at]").map((each) => data(each, "at").split(" ")[0]))].map(cellBox);
const news = () => all("#last [data-cell]").map(boxOf);

/** The place for the tile in hand that lies nearest to the last tile, so that whoever is asked sees one. */
function nearest() {
  const last = news().at(-1);
  if (!last) return [];
  const away = (/** @type {Box} */ box) => Math.hypot(box.left - last.left, box.top - last.top);
  return sites()
    .sort((one, other) => away(one) - away(other))
    .slice(0, 1);
}

function land() {
  const box = boundingBox([...cells(), ...sites()]);
  return { ...box, left: Math.min(box.left, -200) - (isOver() ? BEYOND : 0), top: box.top - (isOver() ? TAG : 0) };
}

/**
 * Beside the land the sea is a strip, somewhat wider where there is room to spare; the rest of the room lies in the
 * west.
 *
 * @param {Box} box
 */
function withSea(box) {
  const scale = Math.min(LARGE, (map.clientHeight - 20) / (box.bottom - box.top));
  const wide = (map.clientWidth - 20) / scale;
  const right =
    box.right + Math.max(SEA() / Math.max(scale, PLAYABLE), Math.min(OCEAN(), 0.3 * (wide - (box.right - box.left))));
  return { ...box, right, left: Math.min(box.left, right - wide) };
}

export function follow(smooth = true) {
  show(smooth);
  goal = chart.style.transform;
}

/** @param {boolean} smooth */
function show(smooth) {
  const all = withSea(land());
  if (isOver()) return fit(all, LARGE, smooth, false);
  if (scaleFor(all) >= PLAYABLE) return fit(all, steady(Math.min(LARGE, scaleFor(all))), smooth, false);
  const wanted = [[...sites(), ...news()], [...news(), ...nearest()], news(), news().slice(-1)]
    .filter((boxes) => boxes.length)
    .map(boundingBox);
  const everything = wanted[0] ?? cellBox("1,5");
  const close = wanted.find((box) => scaleFor(box) >= PLAYABLE) ?? everything;
  const scale = close === everything ? between(scaleFor(close), PLAYABLE, 1.3 * PLAYABLE) : PLAYABLE;
  fit(about(close, all, scale), scale, smooth, false);
}

/**
 * The scale stays from turn to turn while it can.
 *
 * @param {number} most
 */
function steady(most) {
  const now = started() && !isMovedByPlayer() ? scaleNow() : 0;
  return now <= most && now >= LOOSE * most ? now : Math.max(PLAYABLE, ROOMY * most);
}

/**
 * A window's worth around a box, showing no more beyond the land than must be; what is to spare lies in the west.
 *
 * @param {Box} box
 * @param {Box} all
 * @param {number} scale
 */
function about(box, all, scale) {
  const half = [(map.clientWidth - 20) / scale / 2, (map.clientHeight - 20) / scale / 2];
  const x =
    all.right - all.left < 2 * half[0]
      ? all.right - half[0]
      : between((box.left + box.right) / 2, all.left + half[0], all.right - half[0]);
  const y =
    all.bottom - all.top < 2 * half[1]
      ? (all.top + all.bottom) / 2
      : between((box.top + box.bottom) / 2, all.top + half[1], all.bottom - half[1]);
  return { left: x - half[0], right: x + half[0], top: y - half[1], bottom: y + half[1] };
}

/**
 * @param {number} wanted
 * @param {number} low
 * @param {number} high
 */
const between = (wanted, low, high) => Math.min(Math.max(wanted, low), high);

/**
 * A finger came down on the map: if it was following, it stays where it is, and goes on when the finger is lifted,
 * but not under a new draft.
 */
export async function pauseFollowing() {
  const follows = chart.style.transform === goal && !isMovedByPlayer();
  if (!stopAnimation() || !follows) return;
  shown = "";
  await released();
  if (table.dataset.live === "true" && !chart.matches(".trying")) followTurn();
}

/** Places come into sight where they stay: a finger that aims at one on its way would come down beside it. */
async function arrive() {
  chart.classList.add("arriving");
  await Promise.allSettled(chart.getAnimations().map((glide) => glide.finished));
  if (!chart.getAnimations().length) chart.classList.remove("arriving");
}

/** A new turn, or a new tile of somebody: go there. */
export function followTurn() {
  if (tableState().draft.length) return;
  const signs = all("#last [data-cell], .site")
    .map((each) => each.dataset.cell)
    .join(" ");
  if (signs !== shown && !isMovedByPlayer()) {
    follow();
    arrive();
  }
  shown = signs;
}
