// Connection of a table's page: it sends what this screen wants to see, its turns and its requests, and receives views
// of the table. `server_connection.js` carries the messages.
/** @import { SocketMessage, TableMessage, ViolatedRule } from "./messages.d.ts" */
/** @import { Turn } from "./outbox.js" */
/** @import { Screen } from "./table_state.js" */
/** @import { Reply } from "./types.d.ts" */
import { showAsked } from "./optimistic.js";
import { openOutbox } from "./outbox.js";
import { isOutdated, reloadOrNotify, setReachable, showNotSent, showServerError } from "./page_status.js";
import { digests } from "./patch.js";
import { preferences } from "./preferences.js";
import { dropLostKeys } from "./seat_keys.js";
import { ask, canInflate, openConnection } from "./server_connection.js";
import {
  keys,
  lastSerial,
  newId,
  nextSerial,
  screen,
  setScreen,
  table,
  tableId,
  tableState,
  tokenOf,
  updateState,
  words,
} from "./table_state.js";
import { released } from "./taps.js";
import { hideToast, toast } from "./toast.js";

const UNDECIDED = [502, 503, 504]; // statuses after which the same request may be sent again
const address = `/api/tables/${tableId}`;

let turnSerial = 0; // of the message that carried the turn
let confirmedAt = -1; // the version on which the last turn is based, unless it was refused
let refusal = ""; // the server's last error
/** @type {{ sentence: string, serial?: number }} */
let refused = { sentence: "" }; // what was said of the last draft that was refused: until one is not
/** @type {number | null} */
let reportNumber = null; // of the error report that this page shows
/** @type {(message: TableMessage, newest: boolean) => void} */
let show = () => {};

/** @param {typeof show} react is called with each view; `newest`: whether it answers our last message */
export function onView(react) {
  show = react;
}

/** Whether the server has answered every message of this screen. */
export const isAnswered = () => tableState().serial === lastSerial() && outbox.isEmpty();

/** Whether the confirmed turn, if there is one, is acknowledged. */
export const isAcknowledged = () => outbox.isEmpty();

/**
 * Returns the message that asks for this screen's view.
 *
 * @returns {SocketMessage}
 */
const hello = () => ({
  page: true,
  keys,
  ...screen,
  serial: lastSerial(),
  pace: preferences.pace,
  packed: canInflate,
});

/** @param {Partial<Screen>} change */
export function send(change) {
  setScreen(change);
  nextSerial();
  table.dataset.live = "false";
  if (!connection.send(hello())) poll();
  showAsked();
}

/**
 * Plays a whole turn, once: the page may still show its button while the next view is under way.
 *
 * @param {string[]} moves
 */
export function confirm(moves) {
  const { me, version } = tableState();
  if (version === confirmedAt) return;
  confirmedAt = version;
  outbox.put({ token: tokenOf(me), at: version, id: newId(), moves });
}

/** Asks for changes that may have been missed. */
export const check = () => connection.check();

/**
 * Sends a request about this table, and shows it if that failed.
 *
 * @param {string} what
 * @param {string | undefined} bearer
 * @param {object} [body]
 */
export async function post(what, bearer, body) {
  const answer = await request(what, bearer, body);
  if (!answer) showNotSent();
  return answer;
}

/**
 * @param {string} what
 * @param {string | undefined} bearer
 * @param {object | undefined} body
 * @param {() => boolean} meansLost whether a missing answer means a lost connection
 */
async function request(what, bearer, body, meansLost = () => true) {
  const answer = await ask(`${address}/${what}`, { method: "POST", bearer, body });
  if (answer) return decided(answer.status, answer.body);
  if (meansLost()) setReachable(false);
  return null;
}

/**
 * Returns the server's decision, null if it could not decide.
 *
 * @param {number} status
 * @param {any} body
 * @returns {Reply | null}
 */
function decided(status, body) {
  if (body && !UNDECIDED.includes(status)) {
    setReachable(true);
    return { ok: status < 400, status, body };
  }
  showServerError(body?.error ?? words.trouble.replace("{status}", String(status)));
  return null;
}

async function poll() {
  const asked = lastSerial();
  const message = { ...hello(), seen: digests(table), picture: tableState().picture, told_of: reportNumber };
  // once the socket is open again, a missing answer means nothing
  const answer = await request("page", undefined, message, () => !connection.live());
  if (!answer) return;
  await released();
  if (answer.status === 403) dropKeys(answer.body.error);
  const ended = [403, 404, 410].includes(answer.status); // this screen may not see the table
  connection.end(ended);
  if (answer.status === 404) return location.reload(); // the table was deleted: its page says so
  if (ended) showServerError(answer.body.error);
  else if (asked === lastSerial() && !connection.live()) receive(answer.body);
}

/** @param {string} reason */
function dropKeys(reason) {
  if (keys) dropLostKeys(tableId, keys, reason, async (key) => (await statusOf(key)) !== 403);
}

/**
 * Returns the status with which the server answers this key: 200, or 403 if it opens no seat.
 *
 * @param {string} key
 */
export async function statusOf(key) {
  return (await ask(address, { bearer: key }))?.status;
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
  updateState({ ...message.now, serial: message.serial });
  const now = tableState();
  if (newest) {
    setScreen({ draft: now.draft, at: now.version });
    if (message.now?.refused) {
      showRefusal(now.refused, now.why, now.kindly);
      refused = { sentence: now.refused, serial: now.serial };
    } else if (refused.serial !== now.serial) hideToast(refused.sentence);
  }
  show(message, newest);
}

/**
 * Shows a refusal, with the rule behind it.
 *
 * @param {string} sentence
 * @param {Partial<ViolatedRule> | null} why
 */
function showRefusal(sentence, why, kindly = false) {
  toast(sentence, { good: kindly, why: why?.sentence ? { ...why, sentence: why.sentence, words } : null });
}

/** @type {ReturnType<typeof openConnection<TableMessage>>} */
const connection = openConnection(`${address}/ws`, {
  hello: () => ({ ...hello(), seen: digests(table), picture: tableState().picture }),
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
  onRejected: () => dropKeys(refusal),
  onUnreadable: () => updateState({ picture: "" }),
});

const outbox = openOutbox({
  send: sendTurn,
  post: ({ token, ...turn }) => {
    table.dataset.live = "false";
    return request("moves", token, turn);
  },
  onAnswer: onTurnAnswer,
});

/**
 * Sends the turn together with the request for the next view, through the seat that moves next.
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
  if (!answer.ok) {
    confirmedAt = -1;
    showRefusal(answer.body.error, answer.body, answer.body.kindly);
  }
  if (!bySocket || turnSerial !== lastSerial()) return send({ chosen: null, ...(!answer.ok && { draft: [] }) });
  setScreen({ chosen: null }); // the server's next view has it already
}
