// One screen at a table. It holds no rule: the server says which moves are legal and sends the parts of the page that changed.
// What is tried out (the draft) and what is not yet acknowledged (the outbox) survive a reload and a lost connection.
import { isOld, tellOld } from "./version_check.js";
import { attend, heedWish } from "./turn_alert.js";
import { tellBest } from "./personal_best.js";
import { chatting, hear, heedChat } from "./chat.js";
import "./check_draws.js";
import "./clock.js";
import { tableActions } from "./table_actions.js";
import { setReachable, tellUnsent, troubled } from "./connection_status.js";
import { watchTheEnd } from "./finale.js";
import { announce } from "./announcer.js";
import { keepPicture } from "./save_picture.js";
import { listKeys, watchKeys } from "./keyboard.js";
import { TOO_LATE, openLine, canInflate } from "./server_connection.js";
import { patch, stamps } from "./patch.js";
import { preferences, watchPreferences } from "./preferences.js";
import { released } from "./pointer_press.js";
import { follow as followReplay, last, watchReplay } from "./replay.js";
import { copyAloud, toast } from "./toast.js";
import { heal, storeKeys, keysAt, revealSeat, showElsewhere, whyAgain } from "./seat_keys.js";

const table = document.getElementById("table");
const words = JSON.parse(table.dataset.words);
const keys = keysAt(table.dataset.table);
const address = `/api/tables/${table.dataset.table}`;
const kept = (name) => `tablee-${table.dataset.table}-${keys.slice(0, 8)}-${name}`;
const recall = (name) => JSON.parse(sessionStorage.getItem(kept(name)) ?? "null");
const keep = (name, value) => sessionStorage.setItem(kept(name), JSON.stringify(value));
const TOO_NEW = 250; // milliseconds in which nobody has seen a new button

let now = JSON.parse(document.getElementById("now").textContent);
let { chosen = null, draft = [], at = now.version } = recall("screen") ?? {}; // `at` is the version the draft was begun at
let shown = null;
let back = watchReplay((at) => { back = at; say({ chosen: null, draft: [] }); }); // how many lines of the log this screen looks back at
let serial = 0; // counts what we said, so that an answer to an older draft does not undo a newer one
let room = null; // its module, on its way
let refusal = ""; // what the server said last that was no picture
let toldOf = null; // the number of the trouble that it told
let sending = false;
let confirmable = { button: "", since: 0 }; // the button that confirms, and when it appeared
const atTheEnd = watchTheEnd();

const hello = () => ({ page: true, keys, chosen, shown, draft, at, serial, look: back, pace: preferences.pace, packed: unpacks });

function say(change) {
  ({ chosen, draft } = { chosen, draft, ...change });
  keep("screen", { chosen, draft, at });
  serial += 1;
  table.dataset.live = "false";
  if (!line.say(hello())) poll();
}

async function poll() {
  const asked = serial;
  const answer = await ask("page", {}, { ...hello(), seen: stamps(table), picture: now.picture, told_of: toldOf });
  if (!answer) return;
  await released();
  if (answer.status === 403 && keys) heal(table.dataset.table, keys, answer.body.error);
  const ended = [403, 404, 410].includes(answer.status); // there is nothing here for this screen
  line.end(ended);
  if (answer.status === 404) return location.reload(); // the table is kept no more: its page says so, and the way on
  if (ended) troubled(answer.body.error);
  else if (asked === serial && !line.live()) receive(answer.body);
}

// An answer, or null where there was none that the server itself gave: then the page says so and goes on trying.
async function ask(what, headers, body) {
  try {
    const answer = await fetch(`${address}/${what}`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: body && JSON.stringify(body), signal: AbortSignal.timeout(TOO_LATE) });
    const said = await answer.json().catch(() => null);
    if (said && ![502, 503, 504].includes(answer.status)) {
      reached(true);
      return { ok: answer.ok, status: answer.status, body: said };
    }
    troubled(said?.error ?? words.trouble.replace("{status}", answer.status));
  } catch {
    if (what !== "page" || !line.live()) reached(false); // an answer that came too late is missed by nobody
  }
  return null;
}

function receive(message) {
  if (message.error) {
    toldOf = message.told_of ?? toldOf;
    return toast(refusal = message.error);
  }
  if (isOld(message.now?.build)) return tellOld(message.now.build, draft.length || recall("turn"));
  now = { ...now, ...message.now, serial: message.serial };
  const newest = message.serial === serial;
  if (newest) {
    [draft, at] = [now.draft, now.version];
    keep("screen", { chosen, draft, at });
    if (message.now?.refused) refuse(now.refused, now.why, now.kindly);
  }
  patch(message.parts ?? []); // none where this screen, which has come back, shows everything already
  noteConfirm();
  seated();
  offer();
  bringRoom().then(() => { table.dataset.live = String(message.serial === serial && !sending && !recall("turn")); });
  document.getElementById("now").textContent = JSON.stringify(now); // for a room's module that is loaded later than this answer
  announce(now, [...attend(now), ...hear()]);
  atTheEnd(now);
  followReplay(back, newest);
  if (now.over) tellBest(table.dataset.game);
  document.dispatchEvent(new CustomEvent("tablee:now", { detail: now }));
}

// The room's own module comes when the page is drawn for this seat, for it may hold on to what it finds there.
function bringRoom() {
  room ??= Promise.all(table.dataset.scripts.split(" ").filter(Boolean).map((script) => import(script))).catch(() => { room = null; });
  return room;
}

// Whoever sits here may pause a game that is played and not paused, and give the others a sign.
function offer() {
  document.getElementById("pause").hidden = !now.mine.length || now.over || now.looks_back || Boolean(document.getElementById("resume"));
  const signs = document.getElementById("open-signs");
  if (signs) signs.hidden = !now.mine.length;
}

// What is wrong, and behind it the rule that says so.
function refuse(sentence, why, kindly = false) {
  toast(sentence, { good: kindly, why: why?.sentence ? { ...why, words } : null });
}

const line = openLine(`${address}/ws`, {
  greet: () => ({ ...hello(), seen: stamps(table), picture: now.picture }),
  again: () => say({}),
  ask: () => { poll(); flush(); },
  hear: (message) => { reached(true); receive(message); },
  waits: () => table.dataset.live === "false" && !recall("turn"),
  opened: () => { reached(true); flush(); },
  broken: () => { if (keys) heal(table.dataset.table, keys, refusal); },
  garbled: () => { now.picture = ""; },
});

const tokenOf = (seat) => keys.split(".")[now.mine.indexOf(Number(seat))];
const token = () => tokenOf(now.me);
const newId = () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;

function confirm() {
  if (!recall("turn")) keep("turn", { token: token(), at: now.version, id: newId(), moves: draft });
  flush();
}

// Sends the turn that is not yet acknowledged, whole; however often it is sent, it counts once.
async function flush() {
  const turn = recall("turn");
  if (sending || !turn) return;
  sending = true;
  table.dataset.live = "false";
  const answer = await post("moves", turn.token, { at: turn.at, id: turn.id, moves: turn.moves });
  sending = false;
  if (!answer) return;
  keep("turn", null);
  if (!answer.ok) refuse(answer.body.error, answer.body, answer.body.kindly);
  say({ chosen: null, ...(!answer.ok && { draft: [] }) });
}

// Confirmed moves are sent again until somebody answers; whatever else could not be sent is said.
async function post(what, bearer, body) {
  const answer = await ask(what, bearer && { authorization: `Bearer ${bearer}` }, body);
  if (!answer) setTimeout(flush, 1500);
  if (!answer && what !== "moves") tellUnsent();
  return answer;
}

// A take-back whose answer was lost is asked again under the same id, so that it never takes back two moves.
async function undo(seat) {
  const asked = recall("undo") ?? { id: newId(), at: now.version };
  if (asked.at !== now.version) asked.id = newId();
  keep("undo", { id: asked.id, at: now.version });
  const answer = await post("undo", tokenOf(seat), { id: asked.id, keys });
  if (answer) keep("undo", null);
  if (answer && !answer.ok) toast(answer.body.error);
  say({});
}

async function rematch() {
  const answer = await post("rematch", keys.split(".")[0]);
  if (answer?.ok) goAlong(answer.body.table);
  else if (answer) toast(answer.body.error);
}

// From the position that is shown a new table begins: with those who sit at this screen, or with whom a spectator wants to be.
async function playOn() {
  const as = document.getElementById("play-on-as");
  const answer = await post("play-on", keys.split(".")[0], { at: back ?? last(), people: as ? [Number(as.value)] : now.mine, level: document.getElementById("play-on-level")?.value });
  if (answer?.ok) goAlong(answer.body.table, answer.body.seats.flatMap(({ token }) => token ?? []).join("."));
  else if (answer) toast(answer.body.error);
}

// The turn that the coach would play is put on the board as a draft: the player may take it, or step back move by move.
async function hint() {
  const answer = await post("hint", token());
  if (!answer) return;
  const { sentence, why, error } = answer.body;
  toast(sentence ?? error, { good: answer.ok, aside: true, why: why ? { sentence: why, words } : null });
  if (answer.ok) say({ draft: answer.body.moves });
}

// Looking back: the coach's turn on the board as it was, seen from the seat that might have played it.
function showCoach(what) {
  const [at, seat, ...moves] = what.split("|");
  back = Number(at);
  say({ chosen: Number(seat), draft: moves });
}

// Every seat keeps its token, so at the rematch it has the same keys.
function goAlong(next, held = keys) {
  if (held) hold(next, held);
  location.assign(`/t/${next}`);
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
  playOn,
  showCoach,
  follow: (next) => goAlong(next),
  device: () => showElsewhere(table.dataset.table, keys).catch(tellUnsent),
  help: listKeys,
  ...company({ post, tokenOf, keys, newId, done: () => say({}), first: () => keys.split(".")[0] }),
  ...chatting({ post, newId, done: line.look, bearer: () => tokenOf(now.me ?? now.mine[0]) }),
  copy: (text) => copyAloud(text, words),
};

function noteConfirm() {
  const button = document.querySelector("[data-confirm]")?.id ?? "";
  if (button === confirmable.button) return;
  const fresh = confirmable = { button, since: Infinity };
  requestAnimationFrame(() => { fresh.since = performance.now(); }); // when it can be seen
}

// The second tap of two was meant for what lay there before, if the button came between them: it confirms nothing, and is told so.
document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-confirm]") || event.detail < 2 || event.timeStamp - confirmable.since > TOO_NEW) return;
  event.stopImmediatePropagation();
  if (!recall("turn")) toast(words.unconfirmed, { good: true });
}, true); // before a room's own module hears of it

document.addEventListener("click", (event) => {
  const target = event.target.closest?.(Object.keys(DEEDS).map((deed) => `[data-${deed.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}]`).join(","));
  if (!target || target.disabled) return;
  const deed = Object.keys(DEEDS).find((name) => name in target.dataset);
  if (deed === "follow") event.preventDefault();
  DEEDS[deed](target.dataset[deed], target);
});

// A room's own module speaks to this one by events: it hears tablee:now, and says tablee:try (one or more further moves) or tablee:draft (all of them).
document.addEventListener("tablee:try", (event) => say({ draft: [...draft, ...[event.detail].flat()] }));
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

watchPreferences((changed) => { if (changed === "pace") say({}); else if (changed === "chat") heedChat(); else heedWish(changed); });
watchKeys(document);
announce(now, attend(now));
heedChat();
atTheEnd(now);
tellBest(table.dataset.game);
offer();
if (!document.documentElement.dataset.seat) bringRoom();
const why = whyAgain();
if (why) toast(why);
if (keys) hold(table.dataset.table, keys);
document.dispatchEvent(new CustomEvent("tablee:now", { detail: now }));
