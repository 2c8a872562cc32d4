// The land on this screen: moved by map.js, gestures.js and following.js, its features shown by features.js, the tile
// in hand by ghost.js, what may be chosen by markers.js, what happens by motion.js, and tile after tile for the
// keyboard by tile_navigation.js.
import { pin, restoreHighlight, showStep } from "./features.js";
import { follow, followTurn, sites } from "./following.js";
import { updateGhost } from "./ghost.js";
import "./gestures.js";
import { plural } from "/static/platform/plural.js";
import {
  boundingBox,
  bringIntoView,
  cellBox,
  fit,
  inView,
  isMovedByPlayer,
  restore,
  started,
  watchMap,
  zoomIn,
  zoomOut,
} from "./map.js";
import { arrange } from "./markers.js";
import { animate } from "./motion.js";
import { keepOneTabStop } from "./tile_navigation.js";

const map = document.getElementById("map");
const elsewhere = document.getElementById("elsewhere");
const lastTile = () => document.getElementById("last-tile");

const ACTIONS = {
  in: zoomIn,
  out: zoomOut,
  all: () => follow(),
  last: () => (lastTile() ? fit(bigger(cellBox(lastTile().dataset.cell), 200), 1.2, true, true) : follow()),
  sites: () => bringIntoView(boundingBox(sites())),
};

const bigger = (box, by) => ({
  left: box.left - by,
  top: box.top - by,
  right: box.right + by,
  bottom: box.bottom + by,
});

// Hints: places out of view, a last tile out of view, and whether the view follows.
function updateHints() {
  const hidden = sites().filter((box) => !inView(box)).length;
  elsewhere.hidden = !hidden;
  elsewhere.textContent = `${plural(JSON.parse(elsewhere.dataset.words), hidden)} ↗`;
  document
    .getElementById("zoom-last")
    .classList.toggle("calls", Boolean(lastTile()) && !inView(cellBox(lastTile().dataset.cell)));
  document.getElementById("zoom-all").setAttribute("aria-pressed", String(!isMovedByPlayer()));
}

// One place of a grid is in the tab order: the one that had the focus last.
document.addEventListener("focusin", (event) => {
  const grid = event.target.closest("#sites, #walk");
  if (!grid || !("cell" in event.target.dataset)) return;
  for (const each of grid.querySelectorAll("[data-cell]")) each.tabIndex = each === event.target ? 0 : -1;
  if (event.target.matches(":focus-visible")) bringIntoView(cellBox(event.target.dataset.cell));
});

// From the tile that is tried out, Tab leads to what is asked about it.
document.addEventListener("keydown", (event) => {
  const next =
    event.key === "Tab" &&
    !event.shiftKey &&
    event.target.closest(".site.taken") &&
    document.querySelector(".choice, #pass");
  if (!next) return;
  event.preventDefault();
  next.focus();
});

// A lesson points at a place.
document.addEventListener("tablee:point", ({ detail }) => {
  if (detail.matches(".site")) bringIntoView(cellBox(detail.dataset.cell));
});

document.addEventListener("click", (event) => ACTIONS[event.target.closest("[data-zoom]")?.dataset.zoom]?.());

// The tale can be walked with the arrow keys; each entry shows its place.
document.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const tale = event.target.closest("#tale");
  if (!tale || !step) return;
  event.preventDefault();
  const told = [...tale.querySelectorAll("[data-place]")];
  const at = told.indexOf(event.target);
  const next = told[at < 0 ? told.length - 1 : Math.min(told.length - 1, Math.max(0, at + step))];
  next?.setAttribute("tabindex", "-1");
  next?.focus();
  next?.click();
});

document.addEventListener("tablee:now", (event) => {
  restoreHighlight();
  updateGhost(event.detail);
  followTurn(event.detail);
  arrange();
  keepOneTabStop();
  animate(event.detail);
  updateHints();
});
document.addEventListener("tablee:finale", (event) => {
  showStep(event.detail);
  if (!event.detail) follow();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") pin(null);
});
watchMap(updateHints);

// A window of another size shows the same again.
const pane = () => `${map.clientWidth} ${map.clientHeight}`;
let size = pane();
new ResizeObserver(() => {
  if (pane() !== size && !isMovedByPlayer()) follow(false);
  size = pane();
  updateHints();
}).observe(map);

if (started() && isMovedByPlayer()) restore();
else follow(false);
const first = JSON.parse(document.getElementById("now").textContent);
updateGhost(first);
followTurn(first);
arrange();
updateHints();
