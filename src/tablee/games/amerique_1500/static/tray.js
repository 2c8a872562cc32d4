// The barter tray: cubes wander between a shelf and the tray by a tap or by dragging; a balanced tray becomes swaps.
// What balances it, and which cubes shut which, the server tells (`tray` of scene.py).
import { plural } from "/static/platform/plural.js";

const SIGNS = { own: "×", give: "−", take: "+" };
const OPPOSITE = { own: "give", give: "own", reserve: "take", take: "reserve" };

let given = {};
let taken = {};
let written = null;
let tryAll = () => {};
let before = [];
let [goods, price, shuts] = ["", 1, {}];

const place = () => document.getElementById("tray");
const list = (counts) => [...goods].flatMap((good) => Array(counts[good] ?? 0).fill(good));
const countsOf = (zone) => (zone === "own" || zone === "give" ? given : taken);
const isSwap = (move) => move.startsWith("swap ");

export function updateTray({ me, draft, scene }, tell) {
  tryAll = tell;
  [goods, price, shuts] = [scene.tray.goods, scene.tray.prices[me], scene.tray.shuts];
  if (!place()) {
    [given, taken, written] = [{}, {}, null];
    return;
  }
  before = draft.slice(0, draft.indexOf("barter") + 1);
  const swaps = draft.filter(isSwap).join();
  if (swaps !== written) readBack(draft.filter(isSwap));
  written = swaps;
  paint();
}

function readBack(swaps) {
  [given, taken] = [{}, {}];
  for (const [, out, back] of swaps.map((move) => move.match(/^swap (\w+)>(\w)$/))) {
    for (const good of out) given[good] = (given[good] ?? 0) + 1;
    taken[back] = (taken[back] ?? 0) + 1;
  }
}

function moveCube(cube) {
  const { cube: from, good } = cube.dataset;
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
  for (const cube of place().querySelectorAll("[data-cube]")) paintCube(cube, cube.dataset);
  const [word, count] = balance(list(given).length, list(taken).length);
  say(word, count);
  place().classList.toggle("even", word === "even");
}

function say(word, count = 0) {
  const sentence = place().querySelector(".tray-say");
  const words = JSON.parse(place().dataset.words)[word];
  const text = Array.isArray(words) ? plural(words, count) : words;
  if (sentence.textContent !== text) sentence.textContent = text;
}

const isShut = (cube) => cube.getAttribute("aria-disabled") === "true";

function paintCube(cube, { cube: where, good, most }) {
  const lies = countsOf(where)[good] ?? 0;
  const count = where === "own" ? Number(most) - lies : where === "reserve" ? "" : lies;
  cube.querySelector("b").textContent = count === "" ? "" : `${SIGNS[where]}${count}`;
  cube.disabled = where === "own" && count === 0;
  cube.setAttribute(
    "aria-disabled",
    String(Object.keys(shuts).some((zone) => shuts[zone] === where && countsOf(zone)[good] > 0)),
  );
  if (where !== "give" && where !== "take") return;
  if (lies === 0 && document.activeElement === cube) document.getElementById(`${OPPOSITE[where]}-${good}`).focus();
  cube.parentElement.hidden = lies === 0;
}

function balance(out, back) {
  if (out + back === 0) return ["empty", 0];
  if (out < price * back) return ["give", price * back - out];
  if (out - price * back >= price) return ["take", Math.floor(out / price) - back];
  return out === price * back ? ["even", 0] : ["back", 0];
}

document.addEventListener("click", (event) => {
  const cube = event.target.closest("[data-cube]:not(:disabled)");
  if (!cube) return;
  if (isShut(cube)) say("shut");
  else moveCube(cube);
});

let dragged = null;
document.addEventListener("dragstart", (event) => {
  dragged = event.target.closest?.('[data-cube]:not(:disabled, [aria-disabled="true"])');
});
document.addEventListener("dragover", (event) => {
  if (landing(event)) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  if (!landing(event)) return;
  event.preventDefault();
  moveCube(dragged);
  dragged = null;
});

function landing(event) {
  return dragged && event.target.closest?.(`[data-zone="${OPPOSITE[dragged.dataset.cube]}"]`);
}
