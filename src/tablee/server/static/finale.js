// The final scoring, one step after the other: the platform tells it, the room shows where (it hears tablee:finale with
// the step, null at the end).

/** @import { TableState } from "./types.d.ts" */
import { all, byId, closest, data } from "./dom.js";
import { emit } from "./events.js";
import { released } from "./pointer_press.js";
import { motionEnabled } from "./preferences.js";

const [STEP, LETTER] = [1100, 25]; // milliseconds that a step stays, and more for each letter
let at = -1;
let timer = 0;

const place = () => byId("finale");
const steps = () => all("li", place());

/** @param {number} number */
function show(number) {
  at = number;
  clearTimeout(timer);
  const [every, step] = [steps(), steps()[number]];
  place().hidden = !step;
  emit("tablee:drawn", null);
  place().parentElement?.scrollTo({ top: 0 });
  for (const each of every) each.classList.toggle("now", each === step);
  const detail = step
    ? { place: data(step, "place"), seat: Number(step.dataset.of), points: Number(step.dataset.points) }
    : null;
  emit("tablee:finale", detail);
  if (step && every[number + 1] && motionEnabled())
    // the last waits to be read
    timer = setTimeout(() => advance(number), STEP + LETTER * step.textContent.trim().length);
  else if (!step) document.getElementById("finale-play")?.focus({ preventScroll: true });
}

/**
 * Goes on by itself, unless somebody is about to press a button or has pressed one meanwhile.
 *
 * @param {number} from
 */
async function advance(from) {
  await released();
  if (at === from) show(from + 1);
}

/** @type {Record<string, () => void>} */
const ACTIONS = { play: begin, next: () => show(at + 1), skip: () => show(steps().length) };

document.addEventListener("click", (event) => ACTIONS[closest(event, "[data-finale]")?.dataset.finale ?? ""]?.());

// Whoever plays by keyboard goes on from here; somebody who writes elsewhere is left alone.
function begin() {
  show(0);
  if (document.activeElement === document.body || document.activeElement?.closest("#table"))
    byId("finale-next").focus({ preventScroll: true });
}

/** Begins by itself when the last move has just been made. */
export function watchGameEnd() {
  /** @type {boolean | null} */
  let over = null;
  return (/** @type {TableState} */ now) => {
    if (over === false && now.over && steps().length && motionEnabled()) begin();
    over = now.over || now.looks_back;
  };
}
