// Mouse, trackpad, fingers and keys on the map. A drag is never a click; two fingers zoom around the point between
// them.
import { byId, closest } from "/static/platform/dom.js";
import { emit } from "/static/platform/events.js";
import { pauseFollowing } from "./following.js";
import { moveBy, zoomAt } from "./map.js";

/** @typedef {[number, number]} Point in the map's pane */

const [map, chart] = ["map", "chart"].map(byId);
// pixels that a tap and a click may slip
const slack = (/** @type {PointerEvent} */ { pointerType }) => (pointerType === "touch" ? 12 : 7);
/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
/** @type {Map<number, Point>} */
const fingers = new Map();

/** @type {Point} */
let from = [0, 0];
/** @type {Element | null} */
let meant = null; // what lay under the pointer when it came down
let dragged = false;

const onLand = (/** @type {Event} */ event) => !closest(event, "button");

/**
 * @param {MouseEvent} event
 * @returns {Point}
 */
const here = (event) => {
  const frame = map.getBoundingClientRect();
  return [event.clientX - frame.left, event.clientY - frame.top];
};

map.addEventListener("pointerdown", (event) => {
  if (!onLand(event) || event.button > 0) return;
  pauseFollowing();
  if (!fingers.size) [dragged, meant] = [false, /** @type {Element} */ (event.target)];
  fingers.set(event.pointerId, here(event));
  from = here(event);
});

map.addEventListener("pointermove", (event) => {
  const [was, is] = [fingers.get(event.pointerId), here(event)];
  if (!was) return;
  if (fingers.size === 2) pinch(event.pointerId, was, is);
  else if (dragged || Math.hypot(is[0] - from[0], is[1] - from[1]) > slack(event)) drag(event, was, is);
  else return;
  fingers.set(event.pointerId, is);
});

/**
 * @param {PointerEvent} event
 * @param {Point} was
 * @param {Point} is
 */
function drag(event, was, is) {
  if (!dragged) map.setPointerCapture(event.pointerId);
  dragged = true;
  map.classList.add("dragging");
  moveBy(is[0] - was[0], is[1] - was[1]);
}

/**
 * @param {number} moving
 * @param {Point} was
 * @param {Point} is
 */
function pinch(moving, was, is) {
  dragged = true;
  const [other] = [...fingers].filter(([id]) => id !== moving).map(([, place]) => place);
  const apart = (/** @type {Point} */ place) => Math.max(20, Math.hypot(place[0] - other[0], place[1] - other[1]));
  moveBy((is[0] - was[0]) / 2, (is[1] - was[1]) / 2);
  zoomAt(apart(is) / apart(was), (is[0] + other[0]) / 2, (is[1] + other[1]) / 2);
}

const lift = (/** @type {PointerEvent} */ event) => {
  fingers.delete(event.pointerId);
  map.classList.remove("dragging");
};
for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) addEventListener(name, lift);

map.addEventListener(
  "click",
  (event) => {
    const [aside, down] = [dragged, meant];
    [dragged, meant] = [false, null];
    if (!onLand(event)) return;
    const slipped = down?.isConnected && down !== event.target;
    if (aside || slipped) event.stopPropagation();
    if (!aside && slipped)
      down?.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: event.clientX, clientY: event.clientY }));
  },
  true,
);

// Shift and the wheel turn the tile in hand: a quarter for each notch, however finely the wheel counts.
let turned = 0;
/** @param {number} delta */
function turnBy(delta) {
  if (!delta || performance.now() - turned < 160) return;
  turned = performance.now();
  emit("mayflower:turn", delta > 0 ? 1 : -1);
}

map.addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    const lines = event.deltaMode ? 16 : 1;
    if (event.shiftKey) return turnBy(event.deltaY || event.deltaX);
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return moveBy(-event.deltaX * lines, 0);
    zoomAt(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0018)), ...here(event));
  },
  { passive: false },
);

chart.addEventListener("keydown", (event) => {
  if (event.target !== chart || !(event.key in ARROWS) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  moveBy(...ARROWS[event.key], true);
});
