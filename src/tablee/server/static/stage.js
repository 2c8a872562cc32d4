// Around the board: the clocks on the players' cards, the tools in the header, and the log and panels, which are one
// tap away over the board on a phone.
import { all, byId, closest, data } from "./dom.js";
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
document.addEventListener("click", (event) => {
  if (closest(event, ".game-log [data-place]")) showSide(false);
});
