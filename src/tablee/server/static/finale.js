// The final scoring, one step after the other: the platform tells it, the room shows where (it hears tablee:finale with
// the step, null at the end).

import { released } from "./pointer_press.js";
import { motionEnabled } from "./preferences.js";

const [STEP, LETTER] = [1100, 25]; // milliseconds that a step stays, and more for each letter
let at = -1;
let timer = 0;

const place = () => document.getElementById("finale");
const steps = () => [...place().querySelectorAll("li")];

function show(number) {
  at = number;
  clearTimeout(timer);
  const [all, step] = [steps(), steps()[number]];
  place().hidden = !step;
  document.dispatchEvent(new Event("tablee:drawn"));
  place().parentElement.scrollTop = 0;
  for (const each of all) each.classList.toggle("now", each === step);
  const detail = step
    ? { place: step.dataset.place, seat: Number(step.dataset.of), points: Number(step.dataset.points) }
    : null;
  document.dispatchEvent(new CustomEvent("tablee:finale", { detail }));
  if (step && all[number + 1] && motionEnabled())
    // the last waits to be read
    timer = setTimeout(() => advance(number), STEP + LETTER * step.textContent.trim().length);
  else if (!step) document.getElementById("finale-play")?.focus({ preventScroll: true });
}

// By itself, unless somebody is about to press a button or has pressed one meanwhile.
async function advance(from) {
  await released();
  if (at === from) show(from + 1);
}

const ACTIONS = { play: begin, next: () => show(at + 1), skip: () => show(steps().length) };

document.addEventListener("click", (event) => ACTIONS[event.target.closest("[data-finale]")?.dataset.finale]?.());

// Whoever plays by keyboard goes on from here; somebody who writes elsewhere is left alone.
function begin() {
  show(0);
  if (document.activeElement === document.body || document.activeElement.closest("#table"))
    document.getElementById("finale-next").focus({ preventScroll: true });
}

/** Begins by itself when the last move has just been made. */
export function watchGameEnd() {
  let over = null;
  return (now) => {
    if (over === false && now.over && steps().length && motionEnabled()) begin();
    over = now.over || now.looks_back;
  };
}
