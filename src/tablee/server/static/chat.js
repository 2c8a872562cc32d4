// The chat: a panel in the column; while it is closed, its button counts the unread messages. A text is sent as typed,
// and stays in its field until the server has stored it.
/** @import { Actions } from "./types.d.ts" */
import { all, byId, closest, data, field, one } from "./dom.js";
import { plural } from "./plural.js";
import { preferences } from "./preferences.js";
import { check, post } from "./table_connection.js";
import { newId, tableId, tableState, tokenOf } from "./table_state.js";
import { toast } from "./toast.js";

const button = /** @type {HTMLButtonElement | null} */ (document.getElementById("open-chat"));
const LABEL = button?.getAttribute("aria-label") ?? "";
const READ_KEY = `tablee-read-${tableId}`;
const lines = () => all("#said [data-number]");
const numberOf = (/** @type {HTMLElement} */ line) => Number(line.dataset.number);
const isOpen = () => document.body.dataset.chatting === "open";
// the last message that was announced, or was there when the page loaded
let lastAnnounced = Math.max(0, ...lines().slice(-1).map(numberOf));
let unsent = { text: "", id: "" }; // sent and not acknowledged: the same text is the same message

/** Counts the new messages after every change; returns them as sentences to announce. */
export function newMessages() {
  if (!button || !preferences.chat) return [];
  const fresh = lines().filter((line) => numberOf(line) > lastAnnounced);
  lastAnnounced = Math.max(lastAnnounced, ...fresh.map(numberOf));
  updateUnread();
  return fresh
    .filter((line) => !line.classList.contains("own-message"))
    .map((line) => `${line.querySelector("b")?.textContent}: ${line.lastElementChild?.textContent}`);
}

function updateUnread() {
  if (!button) return;
  if (isOpen()) sessionStorage.setItem(READ_KEY, String(lastAnnounced));
  const read = Number(sessionStorage.getItem(READ_KEY) ?? 0);
  const unread = lines().filter((line) => numberOf(line) > read && !line.classList.contains("own-message")).length;
  one(".unread", button)?.replaceChildren(unread ? String(unread) : "");
  button.setAttribute("aria-label", unread ? plural(JSON.parse(data(button, "new")), unread) : LABEL);
}

/** @param {boolean} open */
function setChatOpen(open) {
  document.body.dataset.chatting = open ? "open" : "";
  button?.setAttribute("aria-expanded", String(open));
  // on a phone it covers the column; large text may leave it below
  one(".stage-column")?.scrollTo({ top: 0 });
  byId("chat").scrollIntoView({ block: "nearest" });
  const { activeElement } = document;
  if (open) (document.getElementById("chat-text") ?? byId("said")).focus({ preventScroll: true });
  else if (activeElement === document.body || activeElement?.closest("#chat")) button?.focus();
  updateUnread();
}

/** Shows or hides the chat, as this device prefers. */
export function applyChatPreference() {
  if (!button) return;
  button.hidden = !preferences.chat;
  if (!preferences.chat && isOpen()) setChatOpen(false);
  newMessages();
}

document.addEventListener("submit", async (event) => {
  if (!closest(event, "#chat-form")) return;
  event.preventDefault();
  const written = field("chat-text");
  const text = written.value;
  if (!text.trim()) {
    written.value = "";
    return written.reportValidity(); // the browser says that something is missing
  }
  if (unsent.text !== text) unsent = { text, id: newId() };
  const { me, mine } = tableState();
  const answer = await post("chat", tokenOf(me ?? mine[0]), unsent);
  if (answer && !answer.ok) toast(answer.body.error);
  if (!answer?.ok) return;
  unsent = { text: "", id: "" };
  if (document.getElementById("chat-text") && field("chat-text").value === text) field("chat-text").value = "";
  check();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && closest(event, "#chat")) setChatOpen(false);
});

/** @type {Actions} of the buttons that open and close it */
export const CHAT_ACTIONS = { chat: (what) => setChatOpen(what !== "close" && !isOpen()) };
