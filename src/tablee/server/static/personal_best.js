// The own best result in a game for one, kept on this device.
import { byId, data } from "./dom.js";

/** @param {string} game */
export function showPersonalBest(game) {
  const place = document.getElementById("best");
  if (!place || place.textContent) return;
  const [kept, score, table] = [`tablee-best-${game}`, Number(place.dataset.score), byId("table").dataset.table];
  const best = JSON.parse(localStorage.getItem(kept) ?? "null");
  const beaten = !best || score > best.score;
  if (beaten) localStorage.setItem(kept, JSON.stringify({ score, table }));
  place.textContent =
    beaten || best.table === table ? data(place, "new") : data(place, "best").replace("{points}", best.score);
}
