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
const LARGE = 1.2;

function land() {
  const box = around([...new Set(cells())].map(cellBox).concat(sites()));
  return { left: Math.min(box.left, -280) - 20, top: box.top - 45, right: box.right, bottom: box.bottom + 20 };
}

// The coast lies towards the right edge: room to spare is shared between the sea and the west.
function whole(smooth = true) {
  const box = land();
  const wide = map.clientWidth / Math.min(LARGE, map.clientHeight / (box.bottom - box.top));
  const spare = Math.max(0, wide - (box.right - box.left));
  const sea = Math.min(340, Math.max(70, 0.4 * spare));
  fit({ ...box, right: box.right + sea, left: Math.min(box.left, box.right + sea - wide) }, LARGE, smooth);
}

// At first the whole map, or as much of it as can be played on with a finger, around the last tile.
function begin() {
  whole(false);
  if (scaleNow() >= PLAYABLE) return;
  const [box, half] = [land(), [map.clientWidth / PLAYABLE / 2, map.clientHeight / PLAYABLE / 2]];
  const last = cellBox(document.getElementById("last-tile")?.dataset.cell ?? "0,5");
  const x = middle((last.left + last.right) / 2, box.left, box.right + 70, half[0]);
  const y = middle((last.top + last.bottom) / 2, box.top, box.bottom, half[1]);
  fit({ left: x - half[0], right: x + half[0], top: y - half[1], bottom: y + half[1] }, PLAYABLE, false);
}

// As near to `wanted` as shows no more beyond the land than must be.
function middle(wanted, low, high, half) {
  return high - low < 2 * half ? (low + high) / 2 : Math.min(Math.max(wanted, low + half), high - half);
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
  relight();
  heed(event.detail);
  hint();
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape") pin(null); });
watchMap(hint);
new ResizeObserver(hint).observe(map);
if (started()) restore();
else begin();
heed(JSON.parse(document.getElementById("now").textContent));
hint();
