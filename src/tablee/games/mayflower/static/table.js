// The land on this screen: moved and zoomed by map.js and gestures.js, its features shown by features.js, the tile in hand by ghost.js.
import { pin, relight } from "./features.js";
import { heed } from "./ghost.js";
import "./gestures.js";
import { around, bringIntoView, cellBox, fit, inView, restore, scaleNow, started, watchMap, zoomIn, zoomOut } from "./map.js";

const map = document.getElementById("map");
const elsewhere = document.getElementById("elsewhere");
const sites = () => [...document.querySelectorAll(".site")].map((site) => cellBox(site.dataset.cell));
const cells = () => [...document.querySelectorAll("#hits [data-at]")].map((each) => each.dataset.at.split(" ")[0]);
const PLAYABLE = 0.46;

function whole(smooth = true) {
  const land = around([...new Set(cells())].map(cellBox).concat(sites()));
  fit({ left: Math.min(land.left, -280) - 20, top: land.top - 45, right: land.right + 70, bottom: land.bottom + 20 }, 1.2, smooth);
}

// At first as much of the map as can be played on with a finger, around what matters now.
function begin() {
  whole(false);
  const last = document.getElementById("last-tile");
  if (scaleNow() < PLAYABLE) fit(bigger(last ? cellBox(last.dataset.cell) : { left: -150, top: 0, right: 150, bottom: 1000 }, 0.5 * Math.min(map.clientWidth, map.clientHeight) / PLAYABLE), PLAYABLE, false);
}

const DEEDS = {
  in: zoomIn,
  out: zoomOut,
  all: () => whole(),
  last: () => { const last = document.getElementById("last-tile"); if (last) fit(bigger(cellBox(last.dataset.cell), 200), 1.2); },
  sites: () => bringIntoView(around(sites())),
};

const bigger = (box, by) => ({ left: box.left - by, top: box.top - by, right: box.right + by, bottom: box.bottom + by });

function hint() {
  const hidden = sites().filter((box) => !inView(box)).length;
  elsewhere.hidden = !hidden;
  elsewhere.textContent = elsewhere.dataset.words.replace("{count}", hidden);
}

// One place of the grid is in the tab order: the one that had the focus last.
document.addEventListener("focusin", (event) => {
  if (!event.target.matches(".site")) return;
  for (const site of document.querySelectorAll(".site")) site.tabIndex = site === event.target ? 0 : -1;
  if (event.target.matches(":focus-visible")) bringIntoView(cellBox(event.target.dataset.cell));
});

document.addEventListener("click", (event) => DEEDS[event.target.closest("[data-zoom]")?.dataset.zoom]?.());

// The tale can be walked with the arrow keys; each entry shows its place.
document.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const tale = event.target.closest("#tale");
  if (!tale || !step) return;
  event.preventDefault();
  const told = [...tale.querySelectorAll("[data-place]")].reverse();
  const next = told[Math.max(0, told.indexOf(event.target) + step)];
  next?.setAttribute("tabindex", "-1");
  next?.focus();
  next?.click();
});

document.addEventListener("tablee:now", (event) => {
  heed(event.detail);
  relight();
  hint();
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape") pin(null); });
watchMap(hint);
new ResizeObserver(hint).observe(map);
if (started()) restore();
else begin();
heed(JSON.parse(document.getElementById("now").textContent));
hint();
