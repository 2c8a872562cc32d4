// The replay of a finished game: a slider over its turns. The server renders each position as this screen may see it.
import { byId, closest, data, field, one } from "./dom.js";

const AUTOPLAY_INTERVAL_MS = 1100; // milliseconds between two turns that play by themselves
const ANSWER_TIMEOUT_MS = 1000; // milliseconds after which an answer is not waited for any more
// milliseconds without a step, after which the URL is changed: browsers limit how often
const ADDRESS_DELAY_MS = 200;
const slider = () => field("replay-at");
const list = (/** @type {string} */ name) => data(byId("replay"), name).split(" ").map(Number);

/** @type {(at: number | null) => void} */
let requestPosition = () => {};
let playing = 0;
let addressTimer = 0;
/** @type {number | null | undefined} */
let wanted; // the position that is to be shown next, null for the end of the game
let asking = 0; // when the server was last asked for one

/** @param {boolean} open */
function show(open) {
  document.body.dataset.replay = open ? "open" : "";
}

/**
 * Goes to a turn. While the server renders one position the slider may move on: of those it passes, only the newest is
 * requested next.
 *
 * @param {number} turn
 */
function go(turn) {
  const stops = list("stops");
  const to = Math.max(0, Math.min(turn, stops.length - 1));
  slider().value = String(to);
  requestAt(stops[to]);
  if (to === stops.length - 1) stop();
}

/** @param {number | null} at */
function requestAt(at) {
  wanted = at;
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => writeAddress(at), ADDRESS_DELAY_MS);
  if (Date.now() - asking > ANSWER_TIMEOUT_MS) ask();
}

function ask() {
  asking = Date.now();
  requestPosition(wanted ?? null);
}

/**
 * Writes the position into the URL, so that it can be shared.
 *
 * @param {number | null} at
 */
function writeAddress(at) {
  const address = new URL(location.href);
  if (at === null) address.searchParams.delete("at");
  else address.searchParams.set("at", String(at));
  history.replaceState(null, "", address);
}

function stop() {
  clearInterval(playing);
  playing = 0;
  document.getElementById("replay-play")?.setAttribute("aria-pressed", "false");
}

function play() {
  if (playing) return stop();
  if (now() === list("stops").length - 1) go(0);
  playing = setInterval(() => go(now() + 1), AUTOPLAY_INTERVAL_MS);
  byId("replay-play").setAttribute("aria-pressed", "true");
}

const now = () => Number(slider().value);
const nextScored = () => {
  const next = list("scored").findIndex((scored, turn) => scored && turn > now());
  return next < 0 ? list("stops").length - 1 : next;
};

/** @type {Record<string, () => void>} */
const ACTIONS = {
  open: () => {
    show(true);
    slider().focus();
    go(now());
  },
  close: () => {
    stop();
    show(false);
    slider().value = slider().max;
    requestAt(null);
    document.getElementById("replay-open")?.focus();
  },
  back: () => go(now() - 1),
  on: () => go(now() + 1),
  scored: () => go(nextScored()),
  play,
};

document.addEventListener("click", (event) => {
  ACTIONS[closest(event, "[data-replay]:not(body)")?.dataset.replay ?? ""]?.();
  const to = closest(event, "[data-replay-to]");
  if (to) go(Number(to.dataset.replayTo));
});
document.addEventListener("input", (event) => {
  if (!closest(event, "#replay-at")) return;
  stop();
  go(now());
});

/**
 * Returns the position that the URL names.
 *
 * @param {(at: number | null) => void} say asks the server for a position
 */
export function watchReplay(say) {
  requestPosition = say;
  const at = new URLSearchParams(location.search).get("at");
  return at === null || !/^\d+$/.test(at) ? null : Number(at);
}

/** The end of the game, as a number of lines. */
export const lastLine = () => list("stops").at(-1) ?? 0;

/**
 * Moves the slider to the position that is shown, after a patch.
 *
 * @param {number | null} at
 * @param {boolean} newest whether this answers the last that was asked for
 */
export function syncReplay(at, newest) {
  if (newest) {
    asking = 0;
    document.body.dataset.at = String(at ?? "");
    if (wanted !== undefined && wanted !== at) return ask();
    wanted = undefined;
  }
  if (at === null || !one("#replay-at")) return;
  show(true);
  const turn = list("stops").findLastIndex((stop) => stop <= at);
  if (document.activeElement !== slider() && !playing) slider().value = String(Math.max(0, turn));
}
