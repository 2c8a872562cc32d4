// The land on this screen: moved by map.js, gestures.js and following.js, its features and tiles told by features.js,
// the tile in hand by ghost.js, what was tapped by asked.js, what may be chosen by markers.js, what happens by
// motion.js.
/** @import { Box } from "./map.js" */
import { all, byId, closest, data, one } from "/static/platform/dom.js";
import { keepOneTabStop, pin, restoreHighlight, showStep } from "./features.js";
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

const map = byId("map");

function lastBox() {
  const tile = document.getElementById("last-tile");
  return tile && cellBox(data(tile, "cell"));
}

function showLast() {
  const box = lastBox();
  if (box) fit(bigger(box, 200), 1.2, true, true);
  else follow();
}

/** @type {Record<string, () => void>} */
const ACTIONS = {
  in: zoomIn,
  out: zoomOut,
  all: () => follow(),
  last: showLast,
  sites: () => bringIntoView(boundingBox(sites())),
};

/**
 * @param {Box} box
 * @param {number} by
 */
const bigger = (box, by) => ({
  left: box.left - by,
  top: box.top - by,
  right: box.right + by,
  bottom: box.bottom + by,
});

// Hints: places out of view, a last tile out of view, and whether the view follows.
function updateHints() {
  const hidden = sites().filter((box) => !inView(box)).length;
  const elsewhere = document.getElementById("elsewhere");
  if (elsewhere) {
    elsewhere.hidden = !hidden;
    elsewhere.textContent = `${plural(JSON.parse(data(elsewhere, "words")), hidden)} ↗`;
  }
  const last = lastBox();
  byId("zoom-last").classList.toggle("calls", last !== null && !inView(last));
  byId("zoom-all").setAttribute("aria-pressed", String(!isMovedByPlayer()));
}

// One place of a grid is in the tab order: the one that had the focus last.
document.addEventListener("focusin", (event) => {
  const place = closest(event, ":is(#sites, #walk) [data-cell]");
  const grid = place?.closest("#sites, #walk");
  if (!place || !grid || place !== event.target) return;
  for (const each of all("[data-cell]", grid)) each.tabIndex = each === place ? 0 : -1;
  if (place.matches(":focus-visible")) bringIntoView(cellBox(data(place, "cell")));
});

// From the tile that is tried out, Tab leads to what is asked about it.
document.addEventListener("keydown", (event) => {
  const leaves = event.key === "Tab" && !event.shiftKey && closest(event, ".site.taken");
  const next = leaves && one(".choice, #pass");
  if (!next) return;
  event.preventDefault();
  next.focus();
});

// A lesson points at a place.
document.addEventListener("tablee:point", ({ detail }) => {
  if (detail.matches(".site")) bringIntoView(cellBox(data(detail, "cell")));
});

document.addEventListener("click", (event) => ACTIONS[closest(event, "[data-zoom]")?.dataset.zoom ?? ""]?.());

document.addEventListener("tablee:now", () => {
  restoreHighlight();
  updateGhost();
  followTurn();
  arrange();
  keepOneTabStop();
  animate();
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
updateGhost();
followTurn();
arrange();
updateHints();
