// What people say to each other: the chat unfolds in the column, and while it is folded its button counts what is new.
// Text goes to the server as it was typed and stays in its field until the server has kept it.
import { plural } from "./plural.js";
import { preferences } from "./preferences.js";
import { toast } from "./toast.js";

const table = document.getElementById("table");
const button = document.getElementById("open-chat");
const NAME = button?.getAttribute("aria-label");
const READ = `tablee-read-${table.dataset.table}`;
const lines = () => [...document.querySelectorAll("#said [data-number]")];
const numberOf = (line) => Number(line.dataset.number);
const isOpen = () => document.body.dataset.chatting === "open";
// the last line that was announced, or stood here when we came
let lastAnnounced = lines().length ? numberOf(lines().at(-1)) : 0;
let unsent = { text: "", id: "" }; // sent and not acknowledged: the same text is the same message

/** After every change; returns what those who listen are told. */
export function newMessages() {
  if (!button || !preferences.chat) return [];
  const fresh = lines().filter((line) => numberOf(line) > lastAnnounced);
  lastAnnounced = Math.max(lastAnnounced, ...fresh.map(numberOf));
  updateUnread();
  return fresh
    .filter((line) => !line.classList.contains("own-message"))
    .map((line) => `${line.querySelector("b").textContent}: ${line.lastElementChild.textContent}`);
}

function updateUnread() {
  if (isOpen()) sessionStorage.setItem(READ, String(lastAnnounced));
  const read = Number(sessionStorage.getItem(READ) ?? 0);
  const unread = lines().filter((line) => numberOf(line) > read && !line.classList.contains("own-message")).length;
  button.querySelector(".unread").textContent = unread || "";
  button.setAttribute("aria-label", unread ? plural(JSON.parse(button.dataset.new), unread) : NAME);
}

function setChatOpen(open) {
  document.body.dataset.chatting = open ? "open" : "";
  button.setAttribute("aria-expanded", String(open));
  // on a phone it lies over the column, whole; large text may leave it below
  document.querySelector(".stage-column").scrollTop = 0;
  document.getElementById("chat").scrollIntoView({ block: "nearest" });
  if (open) (document.getElementById("chat-text") ?? document.getElementById("said")).focus({ preventScroll: true });
  else if (document.activeElement === document.body || document.activeElement.closest("#chat")) button.focus();
  updateUnread();
}

/** Whoever does not want to read along has no chat on this device. */
export function applyChatPreference() {
  if (!button) return;
  button.hidden = !preferences.chat;
  if (!preferences.chat && isOpen()) setChatOpen(false);
  newMessages();
}

/**
 * The deed of the buttons that fold and unfold it; `post` sends what was typed, `bearer` is whose it is, `done`
 * looks what has come of it.
 */
export function chatActions({ post, bearer, newId, done }) {
  document.addEventListener("submit", async (event) => {
    if (event.target.id !== "chat-form") return;
    event.preventDefault();
    const written = document.getElementById("chat-text");
    const text = written.value;
    if (!text.trim()) {
      written.value = "";
      return written.reportValidity(); // the browser says that something is missing
    }
    if (unsent.text !== text) unsent = { text, id: newId() };
    const answer = await post("chat", bearer(), unsent);
    if (answer && !answer.ok) toast(answer.body.error);
    if (!answer?.ok) return;
    unsent = { text: "", id: "" };
    const field = document.getElementById("chat-text");
    if (field?.value === text) field.value = "";
    done();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target.closest("#chat")) setChatOpen(false);
  });
  return { chat: (what) => setChatOpen(what !== "close" && !isOpen()) };
}
