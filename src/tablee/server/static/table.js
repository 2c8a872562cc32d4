// One screen at a table. It holds no rule: the server says which moves are legal and sends the parts of the page that
// changed. What is tried out (the draft) and what is not yet acknowledged (the outbox) survive a reload and a lost
// connection.
/** @import { TableMessage, ViolatedRule } from "./messages.d.ts" */
/** @import { Turn } from "./outbox.js" */
/** @import { Screen } from "./screen.js" */
/** @import { Actions, Reply } from "./types.d.ts" */
import { announce } from "./announcer.js";
import { applyChatPreference, chatActions, newMessages } from "./chat.js";
import "./check_draws.js";
import "./clock.js";
import { guardConfirmButton, trackConfirmButton } from "./confirm_guard.js";
import { setReachable, showNotSent, showServerError } from "./connection_status.js";
import { byId, closest, data } from "./dom.js";
import { emit } from "./events.js";
import { watchGameEnd } from "./finale.js";
import { gameActions } from "./game_actions.js";
import { showHelp, watchKeyboard } from "./keyboard.js";
import { openOutbox } from "./outbox.js";
import { patch, stamps } from "./patch.js";
import { showPersonalBest } from "./personal_best.js";
import { released } from "./pointer_press.js";
import { watchPreferences } from "./preferences.js";
import { syncReplay, watchReplay } from "./replay.js";
import { address, authorization, decided, request } from "./requests.js";
import { savePicture } from "./save_picture.js";
import { hello, lastSerial, nextSerial, screen, setScreen } from "./screen.js";
import { dropLostKeys, revealSeat, showDeviceLink, storeKeys, takeReloadReason } from "./seat_keys.js";
import { openConnection } from "./server_connection.js";
import "./side_panel.js";
import { tableActions } from "./table_actions.js";
import { keys, newId, table, tableId, words } from "./table_page.js";
import { learn, tableState, tokenOf } from "./table_state.js";
import { copyWithToast, toast } from "./toast.js";
import { applyAlertPreference, updateTurnAlert } from "./turn_alert.js";
import { isOutdated, reloadOrNotify } from "./version_check.js";

let turnSerial = 0; // of what we said with the turn in it
let refusal = ""; // what the server said last that was no picture
/** @type {number | null} */
let reportNumber = null; // the number of the trouble that it told
/** @type {Promise<unknown> | null} */
let room = null; // the room's own scripts, on their way
const onGameEnd = watchGameEnd();

/** @param {Partial<Screen>} change */
function send(change) {
  setScreen(change);
  nextSerial();
  table.dataset.live = "false";
  if (!connection.send(hello())) poll();
}

async function poll() {
  const asked = lastSerial();
  const message = { ...hello(), seen: stamps(table), picture: tableState().picture, told_of: reportNumber };
  const answer = await request("page", {}, message, () => !connection.live()); // else one that came too late is not missed
  if (!answer) return;
  await released();
  if (answer.status === 403 && keys) dropLostKeys(tableId, keys, answer.body.error);
  const ended = [403, 404, 410].includes(answer.status); // there is nothing here for this screen
  connection.end(ended);
  if (answer.status === 404) return location.reload(); // the table is kept no more: its page says so, and the way on
  if (ended) showServerError(answer.body.error);
  else if (asked === lastSerial() && !connection.live()) receive(answer.body);
}

/** @param {TableMessage} message */
function receive(message) {
  if (message.turn) return outbox.answered(message.turn, decided(message.status ?? 0, message.body));
  if (!outbox.isTroubled()) setReachable(true);
  if (message.error) {
    reportNumber = message.told_of ?? reportNumber;
    refusal = message.error;
    return toast(refusal);
  }
  const build = message.now?.build;
  if (isOutdated(build)) return reloadOrNotify(build, screen.draft.length > 0 || !outbox.isEmpty());
  const newest = message.serial === lastSerial();
  learn({ ...message.now, serial: message.serial });
  const now = tableState();
  if (newest) {
    setScreen({ draft: now.draft, at: now.version });
    if (message.now?.refused) showRefusal(now.refused, now.why, now.kindly);
  }
  show(message, newest);
}

/**
 * @param {TableMessage} message
 * @param {boolean} newest whether it answers what we said last
 */
function show({ parts = [], serial }, newest) {
  const now = tableState();
  patch(parts); // none where this screen, which has come back, shows everything already
  trackConfirmButton();
  revealSeat();
  updateTools();
  loadRoomScripts().then(() => {
    table.dataset.live = String(serial === lastSerial() && outbox.isEmpty());
  });
  announce(now, [...updateTurnAlert(now), ...newMessages()]);
  onGameEnd(now);
  syncReplay(screen.look, newest);
  if (now.over) showPersonalBest(data(table, "game"));
  emit("tablee:now", now);
}

/** The room's own scripts come when the page is drawn for this seat, for they may hold on to what they find there. */
function loadRoomScripts() {
  const scripts = data(table, "scripts").split(" ").filter(Boolean);
  room ??= Promise.all(scripts.map((script) => import(script))).catch(() => {
    room = null;
  });
  return room;
}

/** Whoever sits here may pause a game that is played and not paused, and give the others a sign. */
function updateTools() {
  const now = tableState();
  const paused = document.getElementById("resume") !== null;
  byId("pause").hidden = !now.mine.length || now.over || now.looks_back || paused;
  const signs = document.getElementById("open-signs");
  if (signs) signs.hidden = !now.mine.length;
}

/**
 * Says what is wrong, and behind it the rule that says so.
 *
 * @param {string} sentence
 * @param {Partial<ViolatedRule> | null} why
 */
function showRefusal(sentence, why, kindly = false) {
  toast(sentence, { good: kindly, why: why?.sentence ? { ...why, sentence: why.sentence, words } : null });
}

/** @type {ReturnType<typeof openConnection<TableMessage>>} */
const connection = openConnection(`${address}/ws`, {
  hello: () => ({ ...hello(), seen: stamps(table), picture: tableState().picture }),
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
    if (keys) dropLostKeys(tableId, keys, refusal);
  },
  onUnreadable: () => learn({ picture: "" }),
});

const outbox = openOutbox({
  send: sendTurn,
  post: ({ token, ...turn }) => {
    table.dataset.live = "false";
    return request("moves", authorization(token), turn);
  },
  onAnswer: onTurnAnswer,
});

function confirm() {
  const { me, version } = tableState();
  outbox.put({ token: tokenOf(me), at: version, id: newId(), moves: screen.draft });
}

/**
 * With the turn goes how this screen is to be shown after it: through whichever seat moves next.
 *
 * @param {Turn} turn
 */
function sendTurn({ token, ...turn }) {
  if (!connection.live()) return false;
  turnSerial = nextSerial();
  table.dataset.live = "false";
  return connection.send({ ...hello(), chosen: null, token, turn });
}

/**
 * @param {Reply} answer
 * @param {boolean} bySocket
 */
function onTurnAnswer(answer, bySocket) {
  if (!answer.ok) showRefusal(answer.body.error, answer.body, answer.body.kindly);
  if (!bySocket || turnSerial !== lastSerial()) return send({ chosen: null, ...(!answer.ok && { draft: [] }) });
  setScreen({ chosen: null }); // the server knows, and shows it next
}

/**
 * Looking back: the coach's turn on the board as it was, seen from the seat that might have played it.
 *
 * @param {string} what position, seat and moves
 */
function showCoach(what) {
  const [at, seat, ...draft] = what.split("|");
  send({ look: Number(at), chosen: Number(seat), draft });
}

/** @type {Actions} */
const ACTIONS = {
  move: (move) => send({ draft: [...screen.draft, move] }),
  confirm,
  drop: () => send({ draft: screen.draft.slice(0, -1) }),
  clear: () => send({ draft: [] }),
  seat: (seat) => send({ chosen: Number(seat), draft: [] }),
  show: (seat) => send({ shown: Number(seat) }),
  showCoach,
  device: () => showDeviceLink(tableId, keys).catch(showNotSent),
  help: showHelp,
  ...gameActions(send),
  ...tableActions(() => send({})),
  ...chatActions(() => tokenOf(tableState().me ?? tableState().mine[0]), connection.check),
  copy: (text) => copyWithToast(text, words),
};
const BUTTONS = Object.keys(ACTIONS).map(
  (name) => `[data-${name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}]`,
);

guardConfirmButton(() => {
  if (outbox.isEmpty()) toast(words.unconfirmed, { good: true });
});

document.addEventListener("click", (event) => {
  const target = closest(event, BUTTONS.join(","));
  if (!target || target.matches(":disabled")) return;
  const name = Object.keys(ACTIONS).find((each) => each in target.dataset) ?? "";
  if (name === "follow") event.preventDefault();
  ACTIONS[name](data(target, name), target);
});

// A room's own module speaks to this one by events: it hears tablee:now, and says tablee:try (one or more further
// moves) or tablee:draft (all of them).
document.addEventListener("tablee:try", ({ detail }) => send({ draft: [...screen.draft, ...[detail].flat()] }));
document.addEventListener("tablee:draft", ({ detail }) => send({ draft: detail }));

document.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (closest(event, "[data-picture]"));
  if (!link) return;
  event.preventDefault();
  savePicture(link).catch(() => location.assign(link.href));
});

watchPreferences((changed) => {
  if (changed === "pace") send({});
  else if (changed === "chat") applyChatPreference();
  else applyAlertPreference(changed);
});
watchKeyboard();
setScreen({ look: watchReplay((look) => send({ look, chosen: null, draft: [] })) });
const now = tableState();
announce(now, updateTurnAlert(now));
applyChatPreference();
onGameEnd(now);
showPersonalBest(data(table, "game"));
updateTools();
if (!document.documentElement.dataset.seat) loadRoomScripts();
const why = takeReloadReason();
if (why) toast(why);
if (keys) storeKeys(tableId, keys);
emit("tablee:now", now);
