// The tutorial's ring around what its note points at. It lies over the page, follows what moves, and lets every tap
// through.
import { all, make, one } from "./dom.js";
import { emit } from "./events.js";

const MARGIN_PX = 5; // pixels between a thing and its ring
const ENOUGH_PX = 24; // pixels of a thing that a finger can hit
/** @type {HTMLElement[]} */
const rings = [];

const note = () => document.getElementById("lesson-note");
const choices = () => (note()?.dataset.points ?? "").split(" | ").filter(Boolean);
// what was scrolled into sight since the page changed: after that, the reader scrolls as they like
/** @type {Set<HTMLElement>} */
const scrolledTo = new Set();

/** @param {HTMLElement} thing */
function isDrawn(thing) {
  const { width, height } = thing.getBoundingClientRect();
  return width > 0 && height > 0 && !thing.matches(":disabled");
}

/** @type {WeakMap<HTMLElement, HTMLElement[]>} */
const ancestorsOf = new WeakMap();

/**
 * What may hide a thing by being scrolled or moved.
 *
 * @param {HTMLElement} thing
 */
function clippingAncestors(thing) {
  const known = ancestorsOf.get(thing);
  if (known) return known;
  /** @type {HTMLElement[]} */
  const found = [];
  for (let around = thing.parentElement; around; around = around.parentElement)
    if (getComputedStyle(around).overflow !== "visible") found.push(around);
  ancestorsOf.set(thing, found);
  return found;
}

/**
 * Returns the part of an element that is not clipped, where a tap finds it.
 *
 * @param {HTMLElement} thing
 */
function visible(thing) {
  let { left, top, right, bottom } = thing.getBoundingClientRect();
  for (const edge of clippingAncestors(thing).map((each) => each.getBoundingClientRect())) {
    [left, top, right, bottom] = [
      Math.max(left, edge.left),
      Math.max(top, edge.top),
      Math.min(right, edge.right),
      Math.min(bottom, edge.bottom),
    ];
  }
  return { left, top, width: right - left, height: bottom - top };
}

/** @param {HTMLElement} thing */
function inSight(thing) {
  const [whole, seen] = [thing.getBoundingClientRect(), visible(thing)];
  return seen.width >= Math.min(ENOUGH_PX, whole.width / 2) && seen.height >= Math.min(ENOUGH_PX, whole.height / 2);
}

// The first place that there is: what lies behind a tab is reached by the tab, what has to be scrolled to is scrolled
// to.
function pointedAt() {
  for (const selector of choices()) {
    const drawn = all(selector).filter(isDrawn);
    for (const thing of [...drawn].reverse()) scrollOnce(thing);
    const seen = drawn.filter(inSight);
    if (seen.length || drawn.some(scrolls)) return seen;
  }
  return [];
}

const scrolls = (/** @type {HTMLElement} */ thing) => !thing.closest("svg");

/** @param {HTMLElement} thing */
function scrollOnce(thing) {
  if (scrolls(thing) && !scrolledTo.has(thing)) thing.scrollIntoView({ block: "nearest", inline: "nearest" });
  scrolledTo.add(thing);
}

/** @param {number} number */
function ring(number) {
  rings[number] ??= document.body.appendChild(make("div", { className: "lesson-ring" }));
  return rings[number];
}

/**
 * @param {HTMLElement} ring
 * @param {ReturnType<typeof visible>} place
 */
function placeRing(ring, { left, top, width, height }) {
  Object.assign(ring.style, {
    left: `${left - MARGIN_PX}px`,
    top: `${top - MARGIN_PX}px`,
    width: `${width + 2 * MARGIN_PX}px`,
    height: `${height + 2 * MARGIN_PX}px`,
  });
}

function follow() {
  const places = pointedAt().map(visible);
  for (const [number, place] of places.entries()) placeRing(ring(number), place);
  for (const unused of rings.splice(places.length)) unused.remove();
  requestAnimationFrame(follow);
}

// What a new note points at is brought into sight by the room where its board can be moved. A note with more words
// leaves the board less room: a room that then shows the same again has forgotten where we point.
let said = "";
const resized = new ResizeObserver(() => requestAnimationFrame(point));
function onUpdate() {
  scrolledTo.clear();
  const board = one("[data-board]");
  if (board) resized.observe(board);
  const text = note()?.textContent ?? "";
  if (text === said) return;
  nameRinged(text);
  said = note()?.textContent ?? "";
  point();
}

/**
 * The beginning of a spoken name: "Column 1, row 5" of a place on a map, "3A" of a cell; nothing for what has its name
 * written on it.
 *
 * @param {HTMLElement} thing
 */
function shortName({ ariaLabel }) {
  const [start, more] = (ariaLabel ?? "").split(/\s?: /);
  return more ? start : start.split(", ")[0];
}

/**
 * Names what wears the ring to those who do not see it, unless the note does.
 *
 * @param {string} text of the note
 */
function nameRinged(text) {
  const where = document.getElementById("lesson-where");
  if (!where) return;
  const ringed = choices().map((selector) => all(selector).filter(isDrawn));
  const names = (ringed.find((things) => things.length) ?? []).map(shortName).filter(Boolean);
  where.textContent = names.some((name) => text.includes(name)) ? "" : names.join(", ");
}

function point() {
  const [thing] = choices().flatMap((selector) => one(selector) ?? []);
  if (thing) emit("tablee:point", thing);
}

document.addEventListener("tablee:now", () => queueMicrotask(onUpdate)); // when the room has seen to its board
follow();
