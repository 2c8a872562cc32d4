// One screen at a table. It holds no rule: the server says which moves are legal and sends the parts of the page that changed.
// What is tried out (the draft) and what is not yet acknowledged (the outbox) survive a reload and a lost connection.
import { tellBest } from "./best.js";
import { watchTheEnd } from "./finale.js";
import { announce } from "./herald.js";
import { keepPicture } from "./keeping.js";
import { listKeys, watchKeys } from "./keys.js";
import { patch } from "./patch.js";
import { preferences, watchPreferences } from "./preferences.js";
import { follow as followReplay, watchReplay } from "./replay.js";
import { copy, toast } from "./saying.js";

const table = document.getElementById("table");
const words = JSON.parse(table.dataset.words);
const keys = new URLSearchParams(location.search).get("k") ?? "";
const address = `/api/tables/${table.dataset.table}`;
const kept = (name) => `tablee-${table.dataset.table}-${keys.slice(0, 8)}-${name}`;
const recall = (name) => JSON.parse(sessionStorage.getItem(kept(name)) ?? "null");
const keep = (name, value) => sessionStorage.setItem(kept(name), JSON.stringify(value));

let now = JSON.parse(document.getElementById("now").textContent);
let { chosen = null, draft = [], at = now.version } = recall("screen") ?? {}; // `at` is the version the draft was begun at
let shown = null;
let back = watchReplay((at) => { back = at; say({ chosen: null, draft: [] }); }); // how many lines of the log this screen looks back at
let serial = 0; // counts what we said, so that an answer to an older draft does not undo a newer one
let socket = null;
let misses = 0;
let lost = false;
let sending = false;
const atTheEnd = watchTheEnd();

const live = () => socket?.readyState === WebSocket.OPEN;
const packed = unpacks(); // whether this browser unpacks a large message
const hello = () => ({ page: true, keys, chosen, shown, draft, at, serial, look: back, pace: preferences.pace, packed });
const seen = () => Object.fromEntries([...table.querySelectorAll("[data-part]")].map((part) => [part.id, part.dataset.part]));

function say(change) {
  ({ chosen, draft } = { chosen, draft, ...change });
  keep("screen", { chosen, draft, at });
  serial += 1;
  table.dataset.live = "false";
  if (live()) socket.send(JSON.stringify(hello()));
  else poll();
}

async function poll() {
  const asked = serial;
  try {
    const answer = await fetch(`${address}/page`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ ...hello(), seen: seen(), picture: now.picture }) });
    const message = await answer.json();
    reached(true);
    if (asked === serial && !live()) receive(message);
  } catch {
    reached(false);
  }
}

function receive(message) {
  if (message.error) return toast(message.error);
  now = { ...now, ...message.now, serial: message.serial };
  const newest = message.serial === serial;
  if (newest) {
    [draft, at] = [now.draft, now.version];
    keep("screen", { chosen, draft, at });
    if (message.now?.refused) toast(now.refused);
  }
  patch(message.parts ?? []); // none where this screen, which has come back, shows everything already
  table.dataset.live = String(newest && !sending);
  document.getElementById("now").textContent = JSON.stringify(now); // for a room's module that is loaded later than this answer
  announce(now);
  atTheEnd(now);
  followReplay(back);
  if (now.over) tellBest(table.dataset.game);
  document.dispatchEvent(new CustomEvent("tablee:now", { detail: now }));
}

function unpacks() {
  try {
    return Boolean(new DecompressionStream("deflate-raw"));
  } catch {
    return false;
  }
}

const unpack = (blob) => new Response(blob.stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();

function connect() {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${address}/ws`);
  socket.onopen = () => {
    misses = 0;
    reached(true);
    socket.send(JSON.stringify({ ...hello(), seen: seen(), picture: now.picture }));
    flush();
  };
  let heard = Promise.resolve(); // messages are taken in the order in which they came, however long one takes to unpack
  const here = socket;
  const take = async (data) => { if (socket === here) receive(JSON.parse(typeof data === "string" ? data : await unpack(data))); };
  socket.onmessage = ({ data }) => { heard = heard.then(() => take(data)).catch(() => { now.picture = ""; here.close(); }); };
  socket.onclose = (event) => {
    misses += 1;
    if (event.code !== 4000) setTimeout(connect, Math.min(250 * 2 ** misses, 8000));
    look();
  };
}

// Where sockets are blocked, and while the connection is lost, the page asks again and again instead.
function look() {
  if (live() || document.visibilityState !== "visible") return;
  poll();
  flush();
}
setInterval(look, 2000);
document.addEventListener("visibilitychange", look);

function reached(yes) {
  if (yes !== lost) return;
  lost = !yes;
  toast(yes ? words.back : words.lost, { good: yes, stays: lost });
}

function token() {
  return keys.split(".")[now.mine.indexOf(now.me)];
}

const newId = () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;

function confirm() {
  const waiting = recall("outbox")?.moves.length;
  const moves = draft.map((move) => ({ move, id: newId() }));
  if (!waiting) keep("outbox", { token: token(), at: now.version, moves });
  flush();
}

// Sends what is not yet acknowledged, one after the other; a move that was sent twice counts once.
async function flush() {
  if (sending || !recall("outbox")?.moves.length) return;
  sending = true;
  table.dataset.live = "false";
  let refused = null;
  for (let waiting = recall("outbox"); waiting?.moves.length; waiting = recall("outbox")) {
    const answer = await post("moves", waiting.token, { at: waiting.at, ...waiting.moves[0] });
    if (!answer) break;
    if (!answer.ok) refused = answer.body.error;
    keep("outbox", answer.ok ? { ...waiting, at: answer.body.version, moves: waiting.moves.slice(1) } : null);
  }
  sending = false;
  if (refused) toast(refused);
  if (!recall("outbox")?.moves.length) say({ chosen: null, ...(refused && { draft: [] }) });
}

async function post(what, bearer, body) {
  try {
    const answer = await fetch(`${address}/${what}`, { method: "POST", headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` }, body: body && JSON.stringify(body) });
    const said = await answer.json();
    if (answer.status !== 503) return { ok: answer.ok, body: said };
    toast(said.error);
  } catch {
    reached(false);
  }
  setTimeout(flush, 1500);
  return null;
}

// A take-back whose answer was lost is asked again under the same id, so that it never takes back two moves.
async function undo() {
  const asked = recall("undo") ?? { id: newId(), at: now.version };
  if (asked.at !== now.version) asked.id = newId();
  keep("undo", { id: asked.id, at: now.version });
  const answer = await post("undo", token(), { id: asked.id });
  if (answer) keep("undo", null);
  if (answer && !answer.ok) toast(answer.body.error);
  say({});
}

async function rematch() {
  const answer = await post("rematch", keys.split(".")[0]);
  if (answer?.ok) goAlong(answer.body.table);
  else if (answer) toast(answer.body.error);
}

// What the coach would play is put on the board as a draft: the player may take it, or step back.
async function hint() {
  const answer = await post("hint", token());
  if (!answer) return;
  toast(answer.ok ? answer.body.sentence : answer.body.error, { good: answer.ok });
  if (answer.ok) say({ draft: [answer.body.move] });
}

// Looking back: the coach's move on the board as it was, seen from the seat that might have played it.
function showCoach(what) {
  const [at, seat, ...move] = what.split(" ");
  back = Number(at);
  say({ chosen: Number(seat), draft: [move.join(" ")] });
}

// Every seat keeps its token, so the rematch has the same link but for the table.
function goAlong(next) {
  location.assign(`/t/${next}${keys && `?k=${keys}`}`);
}

const DEEDS = {
  move: (move) => say({ draft: [...draft, move] }),
  confirm,
  drop: () => say({ draft: draft.slice(0, -1) }),
  clear: () => say({ draft: [] }),
  undo,
  seat: (seat) => say({ chosen: Number(seat), draft: [] }),
  show: (seat) => { shown = Number(seat); say({}); },
  rematch,
  hint,
  showCoach,
  follow: goAlong,
  help: listKeys,
  copy: async (text) => { if (await copy(text)) toast(words.copied, { good: true }); },
};

document.addEventListener("click", (event) => {
  const target = event.target.closest?.(Object.keys(DEEDS).map((deed) => `[data-${deed.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}]`).join(","));
  if (!target || target.disabled) return;
  const deed = Object.keys(DEEDS).find((name) => name in target.dataset);
  if (deed === "confirm" && event.detail > 1) return; // the second click of two was not meant for a button that has just come
  if (deed === "follow") event.preventDefault();
  DEEDS[deed](target.dataset[deed]);
});

// A room's own module speaks to this one by events: it hears tablee:now, and says tablee:try (one more move) or tablee:draft (all of them).
document.addEventListener("tablee:try", (event) => say({ draft: [...draft, event.detail] }));
document.addEventListener("tablee:draft", (event) => say({ draft: event.detail }));

// On a phone the log and the panels are one tap away, over the board.
const more = document.getElementById("more");
function showSide(open) {
  document.body.dataset.side = open ? "open" : "";
  more.setAttribute("aria-expanded", String(open));
}
more.addEventListener("click", () => showSide(document.body.dataset.side !== "open"));
document.addEventListener("keydown", (event) => { if (event.key === "Escape") showSide(false); });
document.addEventListener("click", (event) => { if (event.target.closest(".tale [data-place]")) showSide(false); });

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-picture]");
  if (!link) return;
  event.preventDefault();
  keepPicture(link).catch(() => location.assign(link.href));
});

watchPreferences((changed) => { if (changed === "pace") say({}); });
watchKeys(document);
announce(now);
atTheEnd(now);
tellBest(table.dataset.game);
if (document.querySelector(".away")) document.getElementById("invite")?.showPopover();
connect();
document.dispatchEvent(new CustomEvent("tablee:now", { detail: now }));
