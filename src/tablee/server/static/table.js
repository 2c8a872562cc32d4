// The page of a table. It holds no rule: the server sends the legal moves and the fragments that changed. The draft and
// the turn that is not acknowledged yet (the outbox) survive a reload and a lost connection.
/** @import { TableMessage } from "./messages.d.ts" */
/** @import { Actions } from "./types.d.ts" */
import { announce, applyAlertPreference, updateTurnAlert } from "./announcements.js";
import { carry } from "./carry.js";
import { applyChatPreference, CHAT_ACTIONS, newMessages } from "./chat.js";
import { closest, data } from "./dom.js";
import { emit } from "./events.js";
import { GAME_ACTIONS } from "./game_actions.js";
import { savePicture, showPersonalBest, watchGameEnd } from "./game_end.js";
import { showHelp, watchKeyboard } from "./keyboard.js";
import { clearMarks, hideMarks, showAsked, showPressed } from "./optimistic.js";
import { showNotSent } from "./page_status.js";
import { patch } from "./patch.js";
import { watchPreferences } from "./preferences.js";
import { syncReplay, watchReplay } from "./replay.js";
import { firstFingerprint, revealSeat, showDeviceLink, storeKeys, takeReloadReason } from "./seat_keys.js";
import { updateTools } from "./stage.js";
import { TABLE_ACTIONS } from "./table_actions.js";
import { confirm, isAcknowledged, isAnswered, onView, send } from "./table_connection.js";
import { keys, screen, setScreen, table, tableId, tableState, words } from "./table_state.js";
import { guardConfirmButton, trackConfirmButton } from "./taps.js";
import { copyWithToast, toast } from "./toast.js";

/** @type {Promise<unknown> | null} */
let room = null; // the room's scripts, as they load
const onGameEnd = watchGameEnd();

/**
 * @param {TableMessage} message
 * @param {boolean} newest whether it answers our last message
 */
function show({ parts = [] }, newest) {
  const now = tableState();
  (newest ? clearMarks : hideMarks)();
  patch(parts); // none if a page that reconnects shows everything already
  trackConfirmButton();
  revealSeat();
  updateTools();
  loadRoomScripts().then(() => {
    table.dataset.live = String(isAnswered());
  });
  announce(now, [...updateTurnAlert(now), ...newMessages()]);
  onGameEnd(now);
  syncReplay(screen.look, newest);
  if (now.over) showPersonalBest(data(table, "game"));
  emit("tablee:now", now);
  if (!newest) showAsked();
}

/** Loads the room's scripts once the page is rendered for this seat: they may keep references to its elements. */
function loadRoomScripts() {
  const scripts = data(table, "scripts").split(" ").filter(Boolean);
  room ??= Promise.all(scripts.map((script) => import(script))).catch(() => {
    room = null;
  });
  return room;
}

/**
 * Shows the coach's turn in the replay, on the board as it was, through the seat that could have played it.
 *
 * @param {string} what position, seat and moves
 */
function showCoach(what) {
  const [at, seat, ...draft] = what.split("|");
  send({ look: Number(at), chosen: Number(seat), draft });
}

/**
 * Confirms the draft, with a last move if the button names one, unless the page does not show all of it yet.
 *
 * @param {HTMLElement} button
 */
function confirmSeen({ dataset }) {
  if (screen.draft.join() !== tableState().draft.join()) return toast(words.unconfirmed, { good: true });
  confirm([...screen.draft, dataset.then ?? []].flat());
}

/** Loads the code on first use. @param {HTMLElement} button */
const checkDraws = async (button) => (await import("./check_draws.js")).checkDraws(button);

/** @type {Actions} */
const ACTIONS = {
  move: (move) => send({ draft: [...screen.draft, move] }),
  moves: (list) => send({ draft: [...screen.draft, ...list.split("|")] }),
  confirm: (_, button) => confirmSeen(button),
  drop: () => send({ draft: screen.draft.slice(0, -1) }),
  clear: () => send({ draft: [] }),
  seat: (seat) => send({ chosen: Number(seat), draft: [] }),
  show: (seat) => send({ shown: Number(seat) }),
  showCoach,
  carry,
  device: () => showDeviceLink(tableId, keys).catch(showNotSent),
  help: showHelp,
  checkDraws: (_, button) => checkDraws(button),
  ...GAME_ACTIONS,
  ...TABLE_ACTIONS,
  ...CHAT_ACTIONS,
  copy: (text) => copyWithToast(text, words),
};
const BUTTONS = Object.keys(ACTIONS).map(
  (name) => `[data-${name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}]`,
);

guardConfirmButton(() => {
  if (isAcknowledged()) toast(words.unconfirmed, { good: true });
});

document.addEventListener("click", async (event) => {
  const target = closest(event, BUTTONS.join(","));
  if (!target || target.matches(":disabled")) return;
  const name = Object.keys(ACTIONS).find((each) => each in target.dataset) ?? "";
  if (name === "follow") event.preventDefault();
  showPressed(target);
  await ACTIONS[name](data(target, name), target);
  if (isAnswered()) clearMarks();
});

// A room's script and this one communicate by events: it listens for tablee:now and tablee:asked, and emits tablee:try
// (further moves) or tablee:draft (the whole draft).
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
onView(show);
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
firstFingerprint(tableId, document.getElementById("fingerprint")?.textContent);
emit("tablee:now", now);
