// One screen at a table. It holds no rule: the server says which moves are legal and sends the parts of the page that
// changed. What is tried out (the draft) and what is not yet acknowledged (the outbox) survive a reload and a lost
// connection.

import { applyChatPreference, chatActions, newMessages } from "./chat.js";
import { showPersonalBest } from "./personal_best.js";
import { applyAlertPreference, updateTurnAlert } from "./turn_alert.js";
import { isOutdated, reloadOrNotify } from "./version_check.js";
import "./check_draws.js";
import "./clock.js";
import { announce } from "./announcer.js";
import { setReachable, showNotSent, showServerError } from "./connection_status.js";
import { watchGameEnd } from "./finale.js";
import { showHelp, watchKeyboard } from "./keyboard.js";
import { openOutbox } from "./outbox.js";
import { patch, stamps } from "./patch.js";
import { released } from "./pointer_press.js";
import { preferences, watchPreferences } from "./preferences.js";
import { lastLine, syncReplay, watchReplay } from "./replay.js";
import { savePicture } from "./save_picture.js";
import { dropLostKeys, keysAt, revealSeat, showDeviceLink, storeKeys, takeReloadReason } from "./seat_keys.js";
import { canInflate, openConnection, REQUEST_TIMEOUT_MS } from "./server_connection.js";
import { tableActions } from "./table_actions.js";
import { copyWithToast, toast } from "./toast.js";

const table = document.getElementById("table");
const words = JSON.parse(table.dataset.words);
const keys = keysAt(table.dataset.table);
const address = `/api/tables/${table.dataset.table}`;
const storageKey = (name) => `tablee-${table.dataset.table}-${keys.slice(0, 8)}-${name}`;
const loadItem = (name) => JSON.parse(sessionStorage.getItem(storageKey(name)) ?? "null");
const storeItem = (name, value) => sessionStorage.setItem(storageKey(name), JSON.stringify(value));
const UNSEEN_BUTTON_MS = 250; // milliseconds in which nobody has seen a new button

let now = JSON.parse(document.getElementById("now").textContent);
// `at` is the version the draft was begun at
let { chosen = null, draft = [], at = now.version } = loadItem("screen") ?? {};
let shown = null;
let back = watchReplay((at) => {
  back = at;
  send({ chosen: null, draft: [] });
}); // how many lines of the log this screen looks back at
let serial = 0; // counts what we said, so that an answer to an older draft does not undo a newer one
let room = null; // its module, on its way
let refusal = ""; // what the server said last that was no picture
let reportNumber = null; // the number of the trouble that it told
let turnSerial = 0; // of what we said with the turn in it
let confirmable = { button: "", since: 0 }; // the button that confirms, and when it appeared
const onGameEnd = watchGameEnd();

const hello = () => ({
  page: true,
  keys,
  chosen,
  shown,
  draft,
  at,
  serial,
  look: back,
  pace: preferences.pace,
  packed: canInflate,
});

function send(change) {
  if ("chosen" in change) chosen = change.chosen;
  if ("draft" in change) draft = change.draft;
  storeItem("screen", { chosen, draft, at });
  serial += 1;
  table.dataset.live = "false";
  if (!connection.send(hello())) poll();
}

async function poll() {
  const asked = serial;
  const answer = await request(
    "page",
    {},
    { ...hello(), seen: stamps(table), picture: now.picture, told_of: reportNumber },
  );
  if (!answer) return;
  await released();
  if (answer.status === 403 && keys) dropLostKeys(table.dataset.table, keys, answer.body.error);
  const ended = [403, 404, 410].includes(answer.status); // there is nothing here for this screen
  connection.end(ended);
  if (answer.status === 404) return location.reload(); // the table is kept no more: its page says so, and the way on
  if (ended) showServerError(answer.body.error);
  else if (asked === serial && !connection.live()) receive(answer.body);
}

// An answer, or null where there was none that the server itself gave: then the page says so and goes on trying.
async function request(what, headers, body) {
  try {
    const answer = await fetch(`${address}/${what}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    return decided(answer.status, await answer.json().catch(() => null));
  } catch {
    if (what !== "page" || !connection.live()) setReachable(false); // an answer that came too late is missed by nobody
  }
  return null;
}

// What the server decided, or null where it could not: then the page says so.
function decided(status, body) {
  if (body && ![502, 503, 504].includes(status)) {
    setReachable(true);
    return { ok: status < 400, status, body };
  }
  showServerError(body?.error ?? words.trouble.replace("{status}", status));
  return null;
}

function receive(message) {
  if (message.turn) return outbox.answered(message.turn, decided(message.status, message.body));
  if (!outbox.isTroubled()) setReachable(true);
  if (message.error) {
    reportNumber = message.told_of ?? reportNumber;
    refusal = message.error;
    return toast(refusal);
  }
  if (isOutdated(message.now?.build)) return reloadOrNotify(message.now.build, draft.length || !outbox.isEmpty());
  now = { ...now, ...message.now, serial: message.serial };
  const newest = message.serial === serial;
  if (newest) {
    [draft, at] = [now.draft, now.version];
    storeItem("screen", { chosen, draft, at });
    if (message.now?.refused) showRefusal(now.refused, now.why, now.kindly);
  }
  patch(message.parts ?? []); // none where this screen, which has come back, shows everything already
  trackConfirmButton();
  revealSeat();
  updateTools();
  loadRoomModule().then(() => {
    table.dataset.live = String(message.serial === serial && outbox.isEmpty());
  });
  // for a room's module that is loaded later than this answer
  document.getElementById("now").textContent = JSON.stringify(now);
  announce(now, [...updateTurnAlert(now), ...newMessages()]);
  onGameEnd(now);
  syncReplay(back, newest);
  if (now.over) showPersonalBest(table.dataset.game);
  document.dispatchEvent(new CustomEvent("tablee:now", { detail: now }));
}

// The room's own module comes when the page is drawn for this seat, for it may hold on to what it finds there.
function loadRoomModule() {
  room ??= Promise.all(
    table.dataset.scripts
      .split(" ")
      .filter(Boolean)
      .map((script) => import(script)),
  ).catch(() => {
    room = null;
  });
  return room;
}

// Whoever sits here may pause a game that is played and not paused, and give the others a sign.
function updateTools() {
  document.getElementById("pause").hidden =
    !now.mine.length || now.over || now.looks_back || Boolean(document.getElementById("resume"));
  const signs = document.getElementById("open-signs");
  if (signs) signs.hidden = !now.mine.length;
}

// What is wrong, and behind it the rule that says so.
function showRefusal(sentence, why, kindly = false) {
  toast(sentence, { good: kindly, why: why?.sentence ? { ...why, words } : null });
}

const connection = openConnection(`${address}/ws`, {
  hello: () => ({ ...hello(), seen: stamps(table), picture: now.picture }),
  ping: () => send({}),
  poll: () => {
    poll();
    outbox.flush();
  },
  onMessage: receive,
  isWaiting: () => table.dataset.live === "false" && !outbox.isPosting(),
  onOpen: () => {
    setReachable(true);
    outbox.flush();
  },
  onClosed: () => outbox.lost(),
  onRejected: () => {
    if (keys) dropLostKeys(table.dataset.table, keys, refusal);
  },
  onUnreadable: () => {
    now.picture = "";
  },
});

const tokenOf = (seat) => keys.split(".")[now.mine.indexOf(Number(seat))];
const token = () => tokenOf(now.me);
const newId = () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;

const outbox = openOutbox({
  load: () => loadItem("turn"),
  store: (turn) => storeItem("turn", turn),
  send: sendTurn,
  post: ({ token: bearer, ...turn }) => {
    table.dataset.live = "false";
    return post("moves", bearer, turn);
  },
  onAnswer: onTurnAnswer,
});

const confirm = () => outbox.put({ token: token(), at: now.version, id: newId(), moves: draft });

// With the turn goes how this screen is to be shown after it: through whichever seat moves next.
function sendTurn({ token: bearer, ...turn }) {
  if (!connection.live()) return false;
  serial += 1;
  turnSerial = serial;
  table.dataset.live = "false";
  return connection.send({ ...hello(), chosen: null, token: bearer, turn });
}

function onTurnAnswer(answer, bySocket) {
  if (!answer.ok) showRefusal(answer.body.error, answer.body, answer.body.kindly);
  if (!bySocket || turnSerial !== serial) return send({ chosen: null, ...(!answer.ok && { draft: [] }) });
  chosen = null; // the server knows, and shows it next
  storeItem("screen", { chosen, draft, at });
}

// Whatever could not be sent is said; but confirmed moves are sent again until somebody answers.
async function post(what, bearer, body) {
  const answer = await request(what, bearer && { authorization: `Bearer ${bearer}` }, body);
  if (!answer && what !== "moves") showNotSent();
  return answer;
}

// A take-back whose answer was lost is asked again under the same id, so that it never takes back two moves.
async function undo(seat) {
  const asked = loadItem("undo") ?? { id: newId(), at: now.version };
  if (asked.at !== now.version) asked.id = newId();
  storeItem("undo", { id: asked.id, at: now.version });
  const answer = await post("undo", tokenOf(seat), { id: asked.id, keys });
  if (answer) storeItem("undo", null);
  if (answer && !answer.ok) toast(answer.body.error);
  send({});
}

async function rematch() {
  const answer = await post("rematch", keys.split(".")[0]);
  if (answer?.ok) openTable(answer.body.table);
  else if (answer) toast(answer.body.error);
}

// From the position that is shown a new table begins: with those who sit at this screen, or with whom a spectator wants
// to be.
async function playOn() {
  const as = document.getElementById("play-on-as");
  const answer = await post("play-on", keys.split(".")[0], {
    at: back ?? lastLine(),
    people: as ? [Number(as.value)] : now.mine,
    level: document.getElementById("play-on-level")?.value,
  });
  if (answer?.ok) openTable(answer.body.table, answer.body.seats.flatMap(({ token }) => token ?? []).join("."));
  else if (answer) toast(answer.body.error);
}

// The turn that the coach would play is put on the board as a draft: the player may take it, or step back move by move.
async function hint() {
  const answer = await post("hint", token());
  if (!answer) return;
  const { sentence, why, error } = answer.body;
  toast(sentence ?? error, { good: answer.ok, aside: true, why: why ? { sentence: why, words } : null });
  if (answer.ok) send({ draft: answer.body.moves });
}

// Looking back: the coach's turn on the board as it was, seen from the seat that might have played it.
function showCoach(what) {
  const [at, seat, ...moves] = what.split("|");
  back = Number(at);
  send({ chosen: Number(seat), draft: moves });
}

// Every seat keeps its token, so at the rematch it has the same keys.
function openTable(next, held = keys) {
  if (held) storeKeys(next, held);
  location.assign(`/t/${next}`);
}

const ACTIONS = {
  move: (move) => send({ draft: [...draft, move] }),
  confirm,
  drop: () => send({ draft: draft.slice(0, -1) }),
  clear: () => send({ draft: [] }),
  undo,
  seat: (seat) => send({ chosen: Number(seat), draft: [] }),
  show: (seat) => {
    shown = Number(seat);
    send({});
  },
  rematch,
  hint,
  playOn,
  showCoach,
  follow: (next) => openTable(next),
  device: () => showDeviceLink(table.dataset.table, keys).catch(showNotSent),
  help: showHelp,
  ...tableActions({ post, tokenOf, keys, newId, done: () => send({}), first: () => keys.split(".")[0] }),
  ...chatActions({ post, newId, done: connection.check, bearer: () => tokenOf(now.me ?? now.mine[0]) }),
  copy: (text) => copyWithToast(text, words),
};

function trackConfirmButton() {
  const button = document.querySelector("[data-confirm]")?.id ?? "";
  if (button === confirmable.button) return;
  const fresh = { button, since: Infinity };
  confirmable = fresh;
  requestAnimationFrame(() => {
    fresh.since = performance.now();
  }); // when it can be seen
}

// The second tap of two was meant for what lay there before, if the button came between them: it confirms nothing, and
// is told so.
document.addEventListener(
  "click",
  (event) => {
    if (
      !event.target.closest?.("[data-confirm]") ||
      event.detail < 2 ||
      event.timeStamp - confirmable.since > UNSEEN_BUTTON_MS
    )
      return;
    event.stopImmediatePropagation();
    if (outbox.isEmpty()) toast(words.unconfirmed, { good: true });
  },
  true,
); // before a room's own module hears of it

document.addEventListener("click", (event) => {
  const target = event.target.closest?.(
    Object.keys(ACTIONS)
      .map((deed) => `[data-${deed.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}]`)
      .join(","),
  );
  if (!target || target.disabled) return;
  const deed = Object.keys(ACTIONS).find((name) => name in target.dataset);
  if (deed === "follow") event.preventDefault();
  ACTIONS[deed](target.dataset[deed], target);
});

// A room's own module speaks to this one by events: it hears tablee:now, and says tablee:try (one or more further
// moves) or tablee:draft (all of them).
document.addEventListener("tablee:try", (event) => send({ draft: [...draft, ...[event.detail].flat()] }));
document.addEventListener("tablee:draft", (event) => send({ draft: event.detail }));

// On a phone the log and the panels are one tap away, over the board.
const more = document.getElementById("more");
function showSide(open) {
  document.body.dataset.side = open ? "open" : "";
  more.setAttribute("aria-expanded", String(open));
}
more.addEventListener("click", () => showSide(document.body.dataset.side !== "open"));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") showSide(false);
});
document.addEventListener("click", (event) => {
  if (event.target.closest(".game-log [data-place]")) showSide(false);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-picture]");
  if (!link) return;
  event.preventDefault();
  savePicture(link).catch(() => location.assign(link.href));
});

watchPreferences((changed) => {
  if (changed === "pace") send({});
  else if (changed === "chat") applyChatPreference();
  else applyAlertPreference(changed);
});
watchKeyboard(document);
announce(now, updateTurnAlert(now));
applyChatPreference();
onGameEnd(now);
showPersonalBest(table.dataset.game);
updateTools();
if (!document.documentElement.dataset.seat) loadRoomModule();
const why = takeReloadReason();
if (why) toast(why);
if (keys) storeKeys(table.dataset.table, keys);
document.dispatchEvent(new CustomEvent("tablee:now", { detail: now }));
