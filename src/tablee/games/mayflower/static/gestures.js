// Mouse, trackpad, fingers and keys on the map. A drag is never a click; two fingers zoom around the point between
// them.
import { pauseFollowing } from "./following.js";
import { moveBy, zoomAt } from "./map.js";

const map = document.getElementById("map");
const chart = document.getElementById("chart");
const slack = ({ pointerType }) => (pointerType === "touch" ? 12 : 7); // pixels that a tap and a click may slip
const ARROWS = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
const fingers = new Map();

let from = null;
let meant = null; // what lay under the pointer when it came down
let dragged = false;

const onLand = (event) => !event.target.closest("button");
const here = (event) => {
  const frame = map.getBoundingClientRect();
  return [event.clientX - frame.left, event.clientY - frame.top];
};

map.addEventListener("pointerdown", (event) => {
  if (!onLand(event) || event.button > 0) return;
  pauseFollowing();
  if (!fingers.size) [dragged, meant] = [false, event.target];
  fingers.set(event.pointerId, here(event));
  from = here(event);
});

map.addEventListener("pointermove", (event) => {
  if (!fingers.has(event.pointerId)) return;
  const [was, is] = [fingers.get(event.pointerId), here(event)];
  if (fingers.size === 2) pinch(event.pointerId, is);
  else if (dragged || Math.hypot(is[0] - from[0], is[1] - from[1]) > slack(event)) drag(event, was, is);
  else return;
  fingers.set(event.pointerId, is);
});

function drag(event, was, is) {
  if (!dragged) map.setPointerCapture(event.pointerId);
  dragged = true;
  map.classList.add("dragging");
  moveBy(is[0] - was[0], is[1] - was[1]);
}

function pinch(moving, is) {
  dragged = true;
  const was = fingers.get(moving);
  const [other] = [...fingers].filter(([id]) => id !== moving).map(([, place]) => place);
  const apart = (place) => Math.max(20, Math.hypot(place[0] - other[0], place[1] - other[1]));
  moveBy((is[0] - was[0]) / 2, (is[1] - was[1]) / 2);
  zoomAt(apart(is) / apart(was), (is[0] + other[0]) / 2, (is[1] + other[1]) / 2);
}

const lift = (event) => {
  fingers.delete(event.pointerId);
  map.classList.remove("dragging");
};
for (const name of ["pointerup", "pointercancel"]) addEventListener(name, lift);

map.addEventListener(
  "click",
  (event) => {
    const [aside, down] = [dragged, meant];
    [dragged, meant] = [false, null];
    if (!onLand(event)) return;
    const slipped = down?.isConnected && down !== event.target;
    if (aside || slipped) event.stopPropagation();
    if (!aside && slipped)
      down.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: event.clientX, clientY: event.clientY }));
  },
  true,
);

// Shift and the wheel turn the tile in hand: a quarter for each notch, however finely the wheel counts.
let turned = 0;
function turnBy(delta) {
  if (!delta || performance.now() - turned < 160) return;
  turned = performance.now();
  document.dispatchEvent(new CustomEvent("mayflower:turn", { detail: delta > 0 ? 1 : -1 }));
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
