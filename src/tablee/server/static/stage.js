// Around the board: the clocks on the players' cards, the tools in the header, and the log and panels, which are one
// tap away over the board on a phone.
import { all, byId, closest, data } from "./dom.js";
import { emit } from "./events.js";
import { table, tableState } from "./table_state.js";

const more = byId("more");
const ahead = Number(data(table, "now")) - Date.now();

/** Counts the clocks down between two messages of the server, by the server's time. */
function tick() {
  for (const clock of all(".clock")) {
    const [left, since] = [Number(clock.dataset.left), Number(clock.dataset.since)];
    const seconds = Math.ceil(Math.max(0, left - (since ? Date.now() + ahead - since : 0)) / 1000);
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("short", seconds < 60);
  }
}

if (document.querySelector(".clock")) setInterval(tick, 250);

/** Shows the tools that this screen may use: players may pause a running game and send reactions. */
export function updateTools() {
  const now = tableState();
  const paused = document.getElementById("resume") !== null;
  byId("pause").hidden = !now.mine.length || now.over || now.looks_back || paused;
  const signs = document.getElementById("open-signs");
  if (signs) signs.hidden = !now.mine.length;
}

/** @param {boolean} open */
function showSide(open) {
  document.body.dataset.side = open ? "open" : "";
  more.setAttribute("aria-expanded", String(open));
}

more.addEventListener("click", () => showSide(document.body.dataset.side !== "open"));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") showSide(false);
});

// An entry of the log that has a place shows it on the board; the arrow keys walk from one to the next.
document.addEventListener("click", (event) => {
  const entry = closest(event, ".game-log [data-place]");
  if (!entry) return;
  showSide(false);
  emit("tablee:told", { place: data(entry, "place"), kind: entry.className });
});
document.addEventListener("keydown", (event) => {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const log = closest(event, ".game-log");
  if (!log || !step) return;
  event.preventDefault();
  const entries = all("[data-place]", log);
  const at = entries.indexOf(/** @type {HTMLElement} */ (event.target));
  const next = entries[at < 0 ? entries.length - 1 : Math.min(entries.length - 1, Math.max(0, at + step))];
  next?.setAttribute("tabindex", "-1");
  next?.focus();
  next?.click();
});
