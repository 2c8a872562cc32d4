// On a phone the log and the panels are one tap away, over the board.
import { byId, closest } from "./dom.js";

const more = byId("more");

/** @param {boolean} open */
function show(open) {
  document.body.dataset.side = open ? "open" : "";
  more.setAttribute("aria-expanded", String(open));
}

more.addEventListener("click", () => show(document.body.dataset.side !== "open"));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") show(false);
});
document.addEventListener("click", (event) => {
  if (closest(event, ".game-log [data-place]")) show(false);
});
