// Clocks on the players' cards count down by themselves between two words of the server, by the server's time.
import { all, byId, data } from "./dom.js";

const ahead = Number(data(byId("table"), "now")) - Date.now();

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
