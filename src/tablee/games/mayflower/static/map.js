// The map under the hand: it moves and zooms on this screen alone. It follows the game until the player moves it.

import { byId } from "/static/platform/dom.js";
import { tableId } from "/static/platform/table_state.js";

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box in units of the map */
/** @typedef {{ scale: number, x: number, y: number, free: boolean }} View */

const [map, chart, upright, named] = ["map", "chart", "upright", "named"].map(byId);
const rulers = ["top", "side"].map((side) => byId(`ruler-${side}`));
const storageKey = `mayflower-${tableId}-view`;
const LEAST = 0.12;
const MOST = 2.5;
const DENSE = 0.3; // below, every other mark stands on a ruler, and on a phone no town's name beside the land
const STEP = 1.35;
const EDGE = 10; // pixels left free around what is fitted
const ROOM = { left: 30, top: 60, right: 60, bottom: 110 }; // pixels that words and buttons over the map may take
/** @type {(() => void)[]} */
const watchers = [];

let restTimer = 0;
/** @type {View | null} */
const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? "null");
let isStarted = kept !== null;
let view = kept ?? { scale: 0, x: 0, y: 0, free: false };

/**
 * @param {string} cell such as "3,2"
 * @returns {Box}
 */
export const cellBox = (cell) => {
  const [col, row] = cell.split(",").map(Number);
  return { left: -100 * col, top: 100 * row, right: -100 * col + 100, bottom: 100 * row + 100 };
};

/**
 * @param {Box[]} boxes
 * @returns {Box}
 */
export const boundingBox = (boxes) => ({
  left: Math.min(...boxes.map((box) => box.left)),
  top: Math.min(...boxes.map((box) => box.top)),
  right: Math.max(...boxes.map((box) => box.right)),
  bottom: Math.max(...boxes.map((box) => box.bottom)),
});

/** @param {() => void} react is called whenever the map has moved */
export const watchMap = (react) => watchers.push(react);

/** @param {Box} box */
export function inView(box) {
  const [x, y] = [
    ((box.left + box.right) / 2) * view.scale + view.x,
    ((box.top + box.bottom) / 2) * view.scale + view.y,
  ];
  return x > 12 && y > 12 && x < map.clientWidth - 12 && y < map.clientHeight - 12;
}

/**
 * The cell under a point of the window.
 *
 * @param {number} clientX
 * @param {number} clientY
 */
export function cellUnder(clientX, clientY) {
  const frame = map.getBoundingClientRect();
  return [
    -Math.floor((clientX - frame.left - view.x) / view.scale / 100),
    Math.floor((clientY - frame.top - view.y) / view.scale / 100),
  ];
}

/**
 * Where a point of the map is in its pane, as a share of its width and height.
 *
 * @param {number} x
 * @param {number} y
 */
export const relativePosition = (x, y) => [
  (x * view.scale + view.x) / map.clientWidth,
  (y * view.scale + view.y) / map.clientHeight,
];

/**
 * What the pane shows.
 *
 * @returns {Box}
 */
export const paneBox = () => ({
  left: -view.x / view.scale,
  top: -view.y / view.scale,
  right: (map.clientWidth - view.x) / view.scale,
  bottom: (map.clientHeight - view.y) / view.scale,
});

/** @param {Omit<View, "free">} next */
function show(next, smooth = false, free = view.free) {
  const scale = Math.min(MOST, Math.max(LEAST, next.scale));
  const zoomed = scale !== view.scale || !upright.style.length;
  isStarted = true;
  view = { scale, x: next.x, y: next.y, free };
  chart.classList.toggle("gliding", smooth);
  chart.classList.add("moving");
  clearTimeout(restTimer);
  restTimer = setTimeout(() => chart.classList.remove("moving"), 300);
  chart.style.transform = `matrix(${scale}, 0, 0, ${scale}, ${view.x}, ${view.y})`;
  rulers.forEach((ruler, number) => {
    ruler.classList.toggle("gliding", smooth);
    ruler.style.setProperty("--from", String(number ? view.y : view.x));
    ruler.style.setProperty("--length", String(number ? ruler.clientHeight : ruler.clientWidth));
    ruler.style.setProperty("--scale", String(scale));
    ruler.classList.toggle("dense", scale < DENSE);
  });
  if (zoomed) resize(scale);
  sessionStorage.setItem(storageKey, JSON.stringify(view));
  for (const react of watchers) react();
}

/** Stops the map where it is on its way; returns whether it was. */
export function stopAnimation() {
  if (!chart.getAnimations().length) return false;
  const { a: scale, e: x, f: y } = new DOMMatrix(getComputedStyle(chart).transform);
  show({ scale, x, y });
  return true;
}

/**
 * What must be readable is drawn larger the farther away one is, within limits: settlers about 26 pixels high, points
 * and names 13.
 *
 * @param {number} scale
 */
function resize(scale) {
  upright.style.setProperty("--figure", String(figureSize()));
  upright.style.setProperty("--tag", String(tagSize()));
  named.classList.toggle("dense", scale < DENSE);
  named.style.setProperty("--written", String(Math.min(3, Math.max(1, 13 / 15 / scale))));
}

/**
 * @param {number} dx
 * @param {number} dy
 */
export function moveBy(dx, dy, smooth = false) {
  show({ ...view, x: view.x + dx, y: view.y + dy }, smooth, true);
}

/**
 * Zooms by a factor; what lies under (x, y) on the screen stays there.
 *
 * @param {number} factor
 */
export function zoomAt(factor, x = map.clientWidth / 2, y = map.clientHeight / 2, smooth = false) {
  const scale = Math.min(MOST, Math.max(LEAST, view.scale * factor));
  const by = scale / view.scale;
  show({ scale, x: x - (x - view.x) * by, y: y - (y - view.y) * by }, smooth, true);
}

export const zoomIn = () => zoomAt(STEP, undefined, undefined, true);
export const zoomOut = () => zoomAt(1 / STEP, undefined, undefined, true);

/**
 * How large the map is when it shows this box.
 *
 * @param {Box} box
 */
export const scaleFor = (box) =>
  Math.min(
    (map.clientWidth - 2 * EDGE) / (box.right - box.left),
    (map.clientHeight - 2 * EDGE) / (box.bottom - box.top),
  );

/**
 * As large as it goes, with the box in the middle; never larger than `most`.
 *
 * @param {Box} box
 * @param {boolean} [free]
 */
export function fit(box, most = 1, smooth = true, free) {
  const scale = Math.min(most, scaleFor(box));
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  show({ scale, x: map.clientWidth / 2 - x * scale, y: map.clientHeight / 2 - y * scale }, smooth, free);
}

/**
 * Moves no further than needed, so that nothing over the map covers it; zooms out only for what is larger than the
 * map.
 *
 * @param {Box} box
 */
export function bringIntoView(box) {
  const room = (/** @type {number} */ pixels) => Math.min(pixels, map.clientHeight / 5) / view.scale;
  const wanted = {
    left: box.left - room(ROOM.left),
    top: box.top - room(ROOM.top),
    right: box.right + room(ROOM.right),
    bottom: box.bottom + room(ROOM.bottom),
  };
  if (
    Math.min(map.clientWidth / (wanted.right - wanted.left), map.clientHeight / (wanted.bottom - wanted.top)) <
    view.scale
  )
    return fit(wanted, view.scale);
  const push = (/** @type {number} */ low, /** @type {number} */ high, /** @type {number} */ size) =>
    Math.max(0, -low) || Math.min(0, size - high);
  const [left, right] = [wanted.left, wanted.right].map((x) => x * view.scale + view.x);
  const [top, bottom] = [wanted.top, wanted.bottom].map((y) => y * view.scale + view.y);
  show(
    { ...view, x: view.x + push(left, right, map.clientWidth), y: view.y + push(top, bottom, map.clientHeight) },
    true,
  );
}

/** By how much a marker is drawn larger than its units, so that a finger finds it. */
export const discSize = () => Math.min(2.6, Math.max(0.7, 1 / view.scale));
export const figureSize = () => Math.min(4, Math.max(1.3, 28 / 28 / view.scale));
export const tagSize = () => Math.min(3, Math.max(1, 13 / 14 / view.scale));
export const scaleNow = () => view.scale;
export const started = () => isStarted;
export const isMovedByPlayer = () => view.free;
export const restore = () => show(view);
