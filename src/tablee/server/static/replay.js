// Looking back at a game that is over: a slider over its turns. The server draws each position as this screen may know
// it.
const PACE = 1100; // milliseconds between two turns that play by themselves
const ANSWER_TIMEOUT_MS = 1000; // milliseconds after which an answer is not waited for any more
// milliseconds without a step, after which the address is changed: browsers allow that only so often
const ADDRESS_DELAY_MS = 200;
const place = () => document.getElementById("replay");
const slider = () => document.getElementById("replay-at");
const list = (name) => place().dataset[name].split(" ").map(Number);

let requestPosition = () => {};
let playing = 0;
let addressTimer = 0;
let wanted; // the position that is to be shown next, null for the end of the game
let asking = 0; // since when the server draws one

function show(open) {
  document.body.dataset.replay = open ? "open" : "";
}

/**
 * Goes to a turn. While the server draws one position the hand may move on: of what it passes, the newest is asked
 * for next.
 */
function go(turn) {
  const stops = list("stops");
  const to = Math.max(0, Math.min(turn, stops.length - 1));
  slider().value = to;
  requestAt(stops[to]);
  if (to === stops.length - 1) stop();
}

function requestAt(at) {
  wanted = at;
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => writeAddress(at), ADDRESS_DELAY_MS);
  if (Date.now() - asking > ANSWER_TIMEOUT_MS) ask();
}

function ask() {
  asking = Date.now();
  requestPosition(wanted);
}

/** Says in the address which position is shown, so that it can be sent to a friend. */
function writeAddress(at) {
  const address = new URL(location.href);
  if (at === null) address.searchParams.delete("at");
  else address.searchParams.set("at", at);
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
  playing = setInterval(() => go(now() + 1), PACE);
  document.getElementById("replay-play").setAttribute("aria-pressed", "true");
}

const now = () => Number(slider().value);
const nextScored = () => {
  const next = list("scored").findIndex((scored, turn) => scored && turn > now());
  return next < 0 ? list("stops").length - 1 : next;
};

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

document.addEventListener("click", (event) =>
  ACTIONS[event.target.closest("[data-replay]:not(body)")?.dataset.replay]?.(),
);
document.addEventListener("click", (event) => {
  const to = event.target.closest("[data-replay-to]");
  if (to) go(Number(to.dataset.replayTo));
});
document.addEventListener("input", (event) => {
  if (event.target === slider()) {
    stop();
    go(now());
  }
});

/** `say(at)` asks the server for a position; returns the one that the address names. */
export function watchReplay(say) {
  requestPosition = say;
  const at = new URLSearchParams(location.search).get("at");
  return at === null || !/^\d+$/.test(at) ? null : Number(at);
}

/** The end of the game, as a number of lines. */
export const lastLine = () => list("stops").at(-1);

/** After a patch, the newest that was asked for or an older one: the slider stands where the screen looks. */
export function syncReplay(at, newest) {
  if (newest) {
    asking = 0;
    document.body.dataset.at = at ?? "";
    if (wanted !== undefined && wanted !== at) return ask();
    wanted = undefined;
  }
  if (at === null || !slider()) return;
  show(true);
  const turn = list("stops").findLastIndex((stop) => stop <= at);
  if (document.activeElement !== slider() && !playing) slider().value = Math.max(0, turn);
}
