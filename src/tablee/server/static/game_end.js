// The end of a game: the final scoring step by step (each is emitted as tablee:finale, for the room to show its place;
// null at the end), the personal best of a game for one and the game of a day, stored on this device, the result of a
// day to share, and a picture of the final board.

/** @import { Actions, TableState } from "./types.d.ts" */
import { inWords, storeDay } from "./days.js";
import { all, byId, closest, data, make } from "./dom.js";
import { emit } from "./events.js";
import { motionEnabled } from "./preferences.js";
import { words } from "./table_state.js";
import { released } from "./taps.js";
import { copyWithToast } from "./toast.js";
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

/**
 * Stores this game if it is that of a day, and names the day beside the title.
 *
 * @param {string} game
 */
export function showDay(game) {
  const [place, title] = [document.getElementById("day"), document.querySelector(".crumb")];
  if (!place || !title) return;
  const { score } = place.dataset;
  const played = { table: data(byId("table"), "table"), ...(score !== undefined && { score: Number(score) }) };
  storeDay(game, data(place, "day"), played);
  title.textContent = `${data(place, "title")}, ${inWords(data(place, "day"))}`;
}

/** Shares the result of a day, with the picture where the device can, or copies it. */
async function shareDay() {
  const place = byId("day");
  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("[data-picture]"));
  const sentence = data(place, "text").replace("{day}", inWords(data(place, "day")));
  const text = [`Tablée · ${sentence}`, place.textContent.trim(), data(byId("table"), "base")]
    .filter(Boolean)
    .join("\n");
  if (!link || !("canShare" in navigator)) return copyWithToast(text, words);
  const shared = { text, files: [new File([await picture(link)], pngName(link), { type: PNG })] };
  if (navigator.canShare(shared)) return navigator.share(shared).catch(() => {});
  return copyWithToast(text, words);
}

/** @type {Actions} */
export const END_ACTIONS = { shareDay };

const [SCALE, PNG] = [2, "image/png"];
const pngName = (/** @type {HTMLAnchorElement} */ link) => link.download.replace(/svg$/, "png");

/**
 * Returns the picture as PNG, which every device can show: the server renders an SVG, and the browser draws it.
 *
 * @param {HTMLAnchorElement} link
 * @returns {Promise<Blob>}
 */
async function picture(link) {
  const drawing = await (await send(link.pathname)).text();
  const drawn = new Image();
  drawn.src = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
  await drawn.decode();
  const canvas = make("canvas", { width: SCALE * drawn.width, height: SCALE * drawn.height });
  canvas.getContext("2d")?.drawImage(drawn, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((made) => (made ? resolve(made) : reject(new Error("no picture"))), PNG);
  });
}

/** @param {HTMLAnchorElement} link */
export async function savePicture(link) {
  make("a", { href: URL.createObjectURL(await picture(link)), download: pngName(link) }).click();
}
