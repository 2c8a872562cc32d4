// Looking back at a game that is over: a slider over its turns. The server draws each position as this screen may know it.
const PACE = 1100; // milliseconds between two turns that play by themselves
const place = () => document.getElementById("replay");
const slider = () => document.getElementById("replay-at");
const list = (name) => place().dataset[name].split(" ").map(Number);

let tell = () => {};
let playing = 0;
let waiting = 0;

function show(open) {
  document.body.dataset.replay = open ? "open" : "";
}

/** Goes to a turn, and says so in the address, so that a position can be sent to a friend. */
function go(turn) {
  const stops = list("stops");
  const to = Math.max(0, Math.min(turn, stops.length - 1));
  slider().value = to;
  clearTimeout(waiting);
  waiting = setTimeout(() => look(stops[to]), 40);
  if (to === stops.length - 1) stop();
}

function look(at) {
  const address = new URL(location.href);
  if (at === null) address.searchParams.delete("at");
  else address.searchParams.set("at", at);
  history.replaceState(null, "", address);
  tell(at);
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
const nextScored = () => { const next = list("scored").findIndex((scored, turn) => scored && turn > now()); return next < 0 ? list("stops").length - 1 : next; };

const DEEDS = {
  open: () => { show(true); slider().focus(); go(now()); },
  close: () => { stop(); show(false); slider().value = slider().max; look(null); document.getElementById("replay-open")?.focus(); },
  back: () => go(now() - 1),
  on: () => go(now() + 1),
  scored: () => go(nextScored()),
  play,
};

document.addEventListener("click", (event) => DEEDS[event.target.closest("[data-replay]:not(body)")?.dataset.replay]?.());
document.addEventListener("click", (event) => { const to = event.target.closest("[data-replay-to]"); if (to) go(Number(to.dataset.replayTo)); });
document.addEventListener("input", (event) => { if (event.target === slider()) { stop(); go(now()); } });

/** `say(at)` asks the server for a position; returns the one that the address names. */
export function watchReplay(say) {
  tell = say;
  const at = new URLSearchParams(location.search).get("at");
  return at === null || !/^\d+$/.test(at) ? null : Number(at);
}

/** The end of the game, as a number of lines. */
export const last = () => list("stops").at(-1);

/** After a patch: the slider stands where the screen looks. */
export function follow(at) {
  if (at === null || !slider()) return;
  show(true);
  const turn = list("stops").findLastIndex((stop) => stop <= at);
  if (document.activeElement !== slider() && !playing) slider().value = Math.max(0, turn);
}
