// The tile in hand as a ghost on the map: it snaps to legal places and turns only as it fits. Where it lies is a draft
// until Confirm.
import { all, byId, closest, data, one } from "/static/platform/dom.js";
import { emit } from "/static/platform/events.js";
import { screen, tableState } from "/static/platform/table_state.js";
import { laidBy, letter, settlesAt, showAskedTile, tileSvg } from "./asked.js";
import { showInfo } from "./features.js";
import { cellUnder } from "./map.js";

const ghost = byId("ghost");
/** @type {Map<string, string>} */
const closing = new Map(); // what each place would complete, as the server said before the tile was tried out
let turn = 0;

const sites = () => all(".site");
const turnsOf = (/** @type {HTMLElement} */ site) => data(site, "turns").split(" ").map(Number);
const cellOf = (/** @type {HTMLElement} */ site) => data(site, "cell");
const drafted = () => screen.draft.length > 0;
const laid = () => laidBy(screen.draft);

/**
 * The wanted turn if it fits there, else the next one that does, clockwise or back.
 *
 * @param {HTMLElement} site
 * @param {number} wanted
 */
function fitting(site, wanted, way = 1) {
  const turns = turnsOf(site);
  return [0, 1, 2, 3].map((step) => (wanted + way * step + 8) % 4).find((each) => turns.includes(each)) ?? 0;
}

/** @param {HTMLElement} site */
function preview(site) {
  if (!letter() || drafted()) return hide();
  const turns = fitting(site, turn);
  const rect = /** @type {SVGRectElement} */ (site.firstElementChild);
  ghost.innerHTML = tileSvg(turns, rect.x.baseVal.value - 3, rect.y.baseVal.value - 3);
  ghost.removeAttribute("hidden");
  drawInHand(turns);
  showInfo(closing.get(`lay ${cellOf(site)} ${turns}`) ?? "");
}

function hide() {
  ghost.setAttribute("hidden", "");
  showInfo("");
  if (letter() && !laid()) drawInHand(turn);
}

/** @param {number} turns */
function drawInHand(turns) {
  const tile = document.getElementById("drawn-tile");
  if (!tile) return;
  tile.innerHTML = tileSvg(turns, 0, 0);
  const said = tile.parentElement?.getAttribute(`data-turned-${turns}`);
  if (said) tile.parentElement?.setAttribute("aria-label", said);
}

/**
 * A tile on which nobody can stand needs no second tap.
 *
 * @param {HTMLElement} site
 * @param {number} turns
 */
function lay(site, turns) {
  turn = turns;
  hide();
  drawInHand(turns);
  emit("tablee:draft", [`lay ${cellOf(site)} ${turns}`, ...(settlesAt(site, turns).length ? [] : ["pass"])]);
}

/** @param {HTMLElement} site */
function choose(site) {
  if (laid()?.cell === cellOf(site)) rotate();
  else lay(site, fitting(site, turn));
}

function rotate(way = 1) {
  if (!tableState().my_turn) return;
  const lying = laid();
  const site = lying && document.getElementById(`site-${lying.cell}`);
  if (site) return turnOn(site, lying.turns, way);
  const possible = new Set(sites().flatMap(turnsOf));
  turn = [1, 2, 3, 4].map((step) => (turn + way * step + 8) % 4).find((each) => possible.has(each)) ?? turn;
  drawInHand(turn);
  markSites();
  const under = one(".site:hover, .site:focus");
  if (under) preview(under);
}

/**
 * @param {HTMLElement} site
 * @param {number} turned
 * @param {number} way
 */
function turnOn(site, turned, way) {
  const next = fitting(site, turned + way, way);
  if (next !== turned) return lay(site, next);
  showInfo(data(ghost, "words"));
}

/**
 * A place where the tile may not lie: the server says why.
 *
 * @param {MouseEvent} event
 */
function ask(event) {
  const [column, row] = cellUnder(event.clientX, event.clientY);
  const now = tableState();
  if (column < 1 || !letter() || now.me === null || now.over || now.looks_back) return;
  emit("tablee:try", `lay ${column},${row} ${turn}`);
}

/** Places where the tile fits as it is held glow stronger; the place where it lies is known. */
function markSites() {
  const cell = laid()?.cell;
  for (const site of sites()) {
    site.classList.toggle("as-held", turnsOf(site).includes(turn));
    site.classList.toggle("taken", cellOf(site) === cell);
  }
  byId("chart").classList.toggle("trying", Boolean(cell));
}

/** After every change of the table. */
export function updateGhost() {
  if (!drafted()) {
    closing.clear();
    for (const each of all("[data-lay]")) closing.set(data(each, "lay"), each.innerHTML);
    const possible = new Set(sites().flatMap(turnsOf));
    if (possible.size && !possible.has(turn)) turn = Math.min(...possible);
    if (letter()) drawInHand(turn);
  }
  markSites();
  const under = one(".site:hover");
  if (under && !drafted() && matchMedia("(hover: hover)").matches) preview(under);
  else hide();
}

document.addEventListener("tablee:asked", ({ detail }) => {
  markSites();
  showAskedTile(detail);
});

document.addEventListener("click", (event) => {
  const site = closest(event, ".site");
  if (site) choose(site);
  else if (closest(event, "[data-rotate]")) rotate();
  else if (closest(event, "#map") && !closest(event, "#upright, #hits, button")) ask(event);
});
document.addEventListener("mayflower:turn", (event) => rotate(event.detail));
document.addEventListener("keydown", (event) => {
  const site = closest(event, ".site");
  if (!site || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  choose(site);
});
document.addEventListener("pointerover", (event) => {
  const site = closest(event, ".site");
  if (site && event.pointerType === "mouse") preview(site);
});
document.addEventListener("pointerout", (event) => {
  if (closest(event, ".site")) hide();
});
document.addEventListener("focusin", (event) => {
  const site = closest(event, ".site:focus-visible");
  if (site) preview(site);
});
document.addEventListener("focusout", (event) => {
  if (closest(event, ".site")) hide();
});
