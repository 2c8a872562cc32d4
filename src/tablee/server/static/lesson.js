// A first game: a ring around what the lesson speaks of. It lies over the page, follows what moves, and lets every tap through.
const MARGIN = 5; // pixels between a thing and its ring
const rings = [];

const note = () => document.getElementById("lesson-note");
const choices = () => note()?.dataset.points.split(" | ").filter(Boolean) ?? [];
const inSight = (selector) => [...document.querySelectorAll(selector)].filter(seen);

// Whether a tap would find it: it is drawn, open, and the board has not been moved away from it.
function seen(thing) {
  const { left, top, width, height } = thing.getBoundingClientRect();
  const board = thing.closest("[data-board]")?.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  return width > 0 && height > 0 && !thing.disabled && (!board || (x > board.left && x < board.right && y > board.top && y < board.bottom));
}

// The first place that is in sight: what lies behind a tab is reached by the tab.
function pointedAt() {
  for (const selector of choices()) {
    const found = inSight(selector);
    if (found.length) return found;
  }
  return [];
}

function ring(number) {
  rings[number] ??= document.body.appendChild(Object.assign(document.createElement("div"), { className: "lesson-ring" }));
  return rings[number];
}

function around(ring, thing) {
  const { left, top, width, height } = thing.getBoundingClientRect();
  Object.assign(ring.style, { left: `${left - MARGIN}px`, top: `${top - MARGIN}px`, width: `${width + 2 * MARGIN}px`, height: `${height + 2 * MARGIN}px` });
}

function follow() {
  const things = pointedAt();
  things.forEach((thing, number) => around(ring(number), thing));
  rings.splice(things.length).forEach((each) => each.remove());
  requestAnimationFrame(follow);
}

// What a new note points at is brought into sight: by its own place where that scrolls, by the room where its board can be moved.
let said = "";
function read() {
  const text = note()?.textContent ?? "";
  if (text === said) return;
  said = text;
  const thing = document.querySelector(choices().find((selector) => document.querySelector(selector)) ?? "#none");
  if (!thing) return;
  if (!thing.closest("svg")) thing.scrollIntoView({ block: "nearest", inline: "nearest" });
  document.dispatchEvent(new CustomEvent("tablee:point", { detail: thing }));
}

document.addEventListener("tablee:now", () => queueMicrotask(read)); // when the room has seen to its board
follow();
