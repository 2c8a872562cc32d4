// The end of a game: the final scoring step by step (each is emitted as tablee:finale, for the room to show its place;
// null at the end), the personal best of a game for one, stored on this device, and a picture of the final board.

/** @import { TableState } from "./types.d.ts" */
import { all, byId, closest, data, make } from "./dom.js";
import { emit } from "./events.js";
import { motionEnabled } from "./preferences.js";
import { released } from "./taps.js";
import { send } from "./transport.js";

const [STEP_MS, LETTER_MS] = [1100, 25]; // milliseconds that a step stays, and more for each letter
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
    timer = setTimeout(() => advance(number), STEP_MS + LETTER_MS * step.textContent.trim().length);
  else if (!step) document.getElementById("finale-play")?.focus({ preventScroll: true });
}

/**
 * Shows the next step, unless the player is pressing a button or has pressed one meanwhile.
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

// Moves the keyboard's focus to the next step, unless the player is writing elsewhere.
function begin() {
  show(0);
  if (document.activeElement === document.body || document.activeElement?.closest("#table"))
    byId("finale-next").focus({ preventScroll: true });
}

/** Returns a function that starts the scoring when the last move has just been made. */
export function watchGameEnd() {
  /** @type {boolean | null} */
  let over = null;
  return (/** @type {TableState} */ now) => {
    if (over === false && now.over && steps().length && motionEnabled()) begin();
    over = now.over || now.looks_back;
  };
}

/**
 * Shows the personal best of a game for one.
 *
 * @param {string} game
 */
export function showPersonalBest(game) {
  const place = document.getElementById("best");
  if (!place || place.textContent) return;
  const [storageKey, score, table] = [`tablee-best-${game}`, Number(place.dataset.score), byId("table").dataset.table];
  const best = JSON.parse(localStorage.getItem(storageKey) ?? "null");
  const beaten = !best || score > best.score;
  if (beaten) localStorage.setItem(storageKey, JSON.stringify({ score, table }));
  place.textContent =
    beaten || best.table === table ? data(place, "new") : data(place, "best").replace("{points}", best.score);
}

const SCALE = 2;

/**
 * Saves the picture: the server renders an SVG, and the browser makes a PNG of it, which every device can show.
 *
 * @param {HTMLAnchorElement} link
 */
export async function savePicture(link) {
  const drawing = await (await send(link.pathname)).text();
  const picture = new Image();
  picture.src = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
  await picture.decode();
  const canvas = make("canvas", { width: SCALE * picture.width, height: SCALE * picture.height });
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  /** @type {Blob} */
  const bytes = await new Promise((resolve, reject) => {
    canvas.toBlob((made) => (made ? resolve(made) : reject(new Error("no picture"))), "image/png");
  });
  const saved = make("a", { href: URL.createObjectURL(bytes), download: link.download.replace(/svg$/, "png") });
  saved.click();
}
