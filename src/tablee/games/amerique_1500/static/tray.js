// The barter tray: cubes wander between a shelf and the tray by a tap or by dragging; a balanced tray becomes swaps.
// What balances it, and which cubes shut which, the server tells (`tray` of scene.py).
/** @import { TableState } from "/static/platform/types.d.ts" */
import { all, byId, closest, data, one } from "/static/platform/dom.js";
import { plural } from "/static/platform/plural.js";

/** @typedef {"own" | "give" | "take" | "reserve"} Zone */
/** @typedef {Record<string, number>} Counts by good */
/** @typedef {{ goods: string, prices: number[], shuts: Record<string, Zone> }} Tray */

const SIGNS = { own: "×", give: "−", take: "+", reserve: "" };
/** @type {Record<Zone, Zone>} */
const OPPOSITE = { own: "give", give: "own", reserve: "take", take: "reserve" };

/** @type {Counts} */
let given = {};
/** @type {Counts} */
let taken = {};
/** @type {string | null} */
let written = null;
/** @type {(moves: string[]) => void} */
let tryAll = () => {};
/** @type {string[]} */
let before = [];
let [goods, price] = ["", 1];
/** @type {Tray["shuts"]} */
let shuts = {};

const place = () => byId("tray");
const list = (/** @type {Counts} */ counts) =>
  [...goods].flatMap((good) => /** @type {string[]} */ (Array(counts[good] ?? 0).fill(good)));
const countsOf = (/** @type {string} */ zone) => (zone === "own" || zone === "give" ? given : taken);
const isSwap = (/** @type {string} */ move) => move.startsWith("swap ");

/**
 * @param {TableState} now
 * @param {(moves: string[]) => void} tell
 */
export function updateTray({ me, draft, scene }, tell) {
  const { tray } = /** @type {{ tray: Tray }} */ (scene);
  tryAll = tell;
  [goods, price, shuts] = [tray.goods, tray.prices[me ?? 0], tray.shuts];
  if (!document.getElementById("tray")) {
    [given, taken, written] = [{}, {}, null];
    return;
  }
  before = draft.slice(0, draft.indexOf("barter") + 1);
  const swaps = draft.filter(isSwap).join();
  if (swaps !== written) readBack(draft.filter(isSwap));
  written = swaps;
  paint();
}

/** @param {string[]} swaps */
function readBack(swaps) {
  [given, taken] = [{}, {}];
  for (const [, out, back] of swaps.flatMap((move) => [...move.matchAll(/^swap (\w+)>(\w)$/g)])) {
    for (const good of out) given[good] = (given[good] ?? 0) + 1;
    taken[back] = (taken[back] ?? 0) + 1;
  }
}

/** @param {HTMLElement} cube */
const zoneOf = (cube) => /** @type {Zone} */ (cube.dataset.cube);

/** @param {HTMLElement} cube */
function moveCube(cube) {
  const [from, good] = [zoneOf(cube), data(cube, "good")];
  const counts = countsOf(from);
  counts[good] = (counts[good] ?? 0) + (from === "own" || from === "reserve" ? 1 : -1);
  paint();
  write();
}

function write() {
  const [out, back] = [list(given), list(taken)];
  const even = out.length === price * back.length;
  const swaps = even ? back.map((good, n) => `swap ${out.slice(n * price, (n + 1) * price).join("")}>${good}`) : [];
  if (swaps.join() === written) return;
  written = swaps.join();
  tryAll([...before, ...swaps]);
}

function paint() {
  for (const cube of all("[data-cube]", place())) paintCube(/** @type {HTMLButtonElement} */ (cube));
  const { word, count } = balance(list(given).length, list(taken).length);
  say(word, count);
  place().classList.toggle("even", word === "even");
}

/** @param {string} word */
function say(word, count = 0) {
  const sentence = one(".tray-say", place());
  const words = JSON.parse(data(place(), "words"))[word];
  const text = Array.isArray(words) ? plural(words, count) : words;
  if (sentence && sentence.textContent !== text) sentence.textContent = text;
}

const isShut = (/** @type {HTMLElement} */ cube) => cube.getAttribute("aria-disabled") === "true";

/** @param {HTMLButtonElement} cube */
function paintCube(cube) {
  const [where, good] = [zoneOf(cube), data(cube, "good")];
  const lies = countsOf(where)[good] ?? 0;
  const count = where === "own" ? Number(cube.dataset.most) - lies : lies;
  one("b", cube)?.replaceChildren(where === "reserve" ? "" : `${SIGNS[where]}${count}`);
  cube.disabled = where === "own" && count === 0;
  cube.setAttribute(
    "aria-disabled",
    String(Object.keys(shuts).some((zone) => shuts[zone] === where && countsOf(zone)[good] > 0)),
  );
  if (where !== "give" && where !== "take") return;
  if (lies === 0 && document.activeElement === cube) byId(`${OPPOSITE[where]}-${good}`).focus();
  if (cube.parentElement) cube.parentElement.hidden = lies === 0;
}

/**
 * @param {number} out
 * @param {number} back
 */
function balance(out, back) {
  if (out + back === 0) return { word: "empty", count: 0 };
  if (out < price * back) return { word: "give", count: price * back - out };
  if (out - price * back >= price) return { word: "take", count: Math.floor(out / price) - back };
  return { word: out === price * back ? "even" : "back", count: 0 };
}

document.addEventListener("click", (event) => {
  const cube = closest(event, "[data-cube]:not(:disabled)");
  if (!cube) return;
  if (isShut(cube)) say("shut");
  else moveCube(cube);
});

/** @type {HTMLElement | null} */
let dragged = null;
document.addEventListener("dragstart", (event) => {
  dragged = closest(event, '[data-cube]:not(:disabled, [aria-disabled="true"])');
});
document.addEventListener("dragover", (event) => {
  if (landing(event)) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  if (!dragged || !landing(event)) return;
  event.preventDefault();
  moveCube(dragged);
  dragged = null;
});

/** @param {DragEvent} event */
function landing(event) {
  return dragged && closest(event, `[data-zone="${OPPOSITE[zoneOf(dragged)]}"]`);
}
