// The tile in hand as a ghost on the map: it snaps to legal places and turns only as it fits. Where it lies is a draft
// until Confirm.
import { showInfo } from "./features.js";
import { cellUnder } from "./map.js";

const ghost = document.getElementById("ghost");
const closing = new Map(); // what each place would complete, as the server said before the tile was tried out
let now = null;
let turn = 0;
let justLaid = false;

const sites = () => [...document.querySelectorAll(".site")];
const turnsOf = (site) => site.dataset.turns.split(" ").map(Number);
const laid = () => now?.draft[0]?.match(/^lay (\S+) (\d)$/);
const letter = () => document.getElementById("drawn")?.dataset.letter;

/** The wanted turn if it fits there, else the next one that does, clockwise or back. */
function fitting(site, wanted, way = 1) {
  const turns = turnsOf(site);
  return [0, 1, 2, 3].map((step) => (wanted + way * step + 8) % 4).find((each) => turns.includes(each));
}

function put(into, turns, x, y) {
  const use = (layer) =>
    `<use href="#${layer}-${letter()}" class="turn-${turns}" x="${x}" y="${y}" width="100" height="100" ` +
    `transform="rotate(${90 * turns} ${x + 50} ${y + 50})"/>`;
  into.innerHTML = `<rect class="meadow" x="${x}" y="${y}" width="100" height="100"/>${use("land")}${use("tile")}`;
}

function preview(site) {
  if (!letter() || now.draft.length) return hide();
  const turns = fitting(site, turn);
  const rect = site.firstElementChild;
  put(ghost, turns, rect.x.baseVal.value - 3, rect.y.baseVal.value - 3);
  ghost.removeAttribute("hidden");
  drawInHand(turns);
  showInfo(closing.get(`lay ${site.dataset.cell} ${turns}`) ?? "");
}

function hide() {
  ghost.setAttribute("hidden", "");
  showInfo("");
  if (letter() && !laid()) drawInHand(turn);
}

function drawInHand(turns) {
  const tile = document.getElementById("drawn-tile");
  if (!tile) return;
  put(tile, turns, 0, 0);
  const drawn = tile.parentElement;
  const said = drawn.getAttribute(`data-turned-${turns}`);
  if (said) drawn.setAttribute("aria-label", said);
}

function lay(site, turns) {
  turn = turns;
  justLaid = true;
  hide();
  document.dispatchEvent(new CustomEvent("tablee:draft", { detail: [`lay ${site.dataset.cell} ${turns}`] }));
}

function choose(site) {
  if (laid()?.[1] === site.dataset.cell) rotate();
  else lay(site, fitting(site, turn));
}

function rotate(way = 1) {
  if (!now.my_turn) return;
  const [, cell, turned] = laid() ?? [];
  const site = cell && document.getElementById(`site-${cell}`);
  if (site) return turnOn(site, Number(turned), way);
  const possible = new Set(sites().flatMap(turnsOf));
  turn = [1, 2, 3, 4].map((step) => (turn + way * step + 8) % 4).find((each) => possible.has(each)) ?? turn;
  drawInHand(turn);
  markSites();
  const under = document.querySelector(".site:hover, .site:focus");
  if (under) preview(under);
}

function turnOn(site, turned, way) {
  const next = fitting(site, turned + way, way);
  if (next !== turned) return lay(site, next);
  showInfo(ghost.dataset.words);
}

/** A place where the tile may not lie: the server says why. */
function ask(event) {
  const [column, row] = cellUnder(event.clientX, event.clientY);
  if (column < 1 || !letter() || now.me === null || now.over || now.looks_back) return;
  document.dispatchEvent(new CustomEvent("tablee:try", { detail: `lay ${column},${row} ${turn}` }));
}

/** Places where the tile fits as it is held glow stronger; the place where it lies is known. */
function markSites() {
  const [, cell] = laid() ?? [];
  for (const site of sites()) {
    site.classList.toggle("as-held", turnsOf(site).includes(turn));
    site.classList.toggle("taken", site.dataset.cell === cell);
  }
  document.getElementById("chart").classList.toggle("trying", Boolean(cell));
}

/** A tile on which nobody can stand needs no second answer. */
function passIfAlone() {
  if (!justLaid || now.draft.length !== 1) return;
  justLaid = false;
  if (now.legal.length === 1 && now.legal[0] === "pass") {
    document.dispatchEvent(new CustomEvent("tablee:try", { detail: "pass" }));
  }
}

export function updateGhost(next) {
  now = next;
  if (!now.draft.length) {
    closing.clear();
    for (const each of document.querySelectorAll("[data-lay]")) closing.set(each.dataset.lay, each.innerHTML);
    const possible = new Set(sites().flatMap(turnsOf));
    if (possible.size && !possible.has(turn)) turn = Math.min(...possible);
    if (letter()) drawInHand(turn);
  }
  markSites();
  const under = document.querySelector(".site:hover");
  if (under && !now.draft.length && matchMedia("(hover: hover)").matches) preview(under);
  else hide();
  passIfAlone();
}

document.addEventListener("click", (event) => {
  const site = event.target.closest(".site");
  if (site) choose(site);
  else if (event.target.closest("[data-rotate]")) rotate();
  else if (event.target.closest("#map") && !event.target.closest("#upright, #hits, button")) ask(event);
});
document.addEventListener("mayflower:turn", (event) => rotate(event.detail));
document.addEventListener("keydown", (event) => {
  if ((event.key !== "Enter" && event.key !== " ") || !event.target.matches(".site")) return;
  event.preventDefault();
  choose(event.target);
});
document.addEventListener("pointerover", (event) => {
  const site = event.target.closest?.(".site");
  if (site && event.pointerType === "mouse") preview(site);
});
document.addEventListener("pointerout", (event) => {
  if (event.target.closest?.(".site")) hide();
});
document.addEventListener("focusin", (event) => {
  if (event.target.matches(".site:focus-visible")) preview(event.target);
});
document.addEventListener("focusout", (event) => {
  if (event.target.matches(".site")) hide();
});
