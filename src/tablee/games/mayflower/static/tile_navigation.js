// The land tile by tile, for the keyboard and the ear: the arrows lead from one to the next, each is described with
// what it belongs to.
import { all, closest, data } from "/static/platform/dom.js";
import { showInfo, wordsAt } from "./features.js";

const tiles = () => all("#walk .laid");

/** One tile is in the tab order: the one that had the focus last, else the newest. */
export function keepOneTabStop() {
  const every = tiles();
  if (!every.some((each) => each.tabIndex === 0)) every.at(-1)?.setAttribute("tabindex", "0");
}

document.addEventListener("focusin", (event) => {
  const tile = closest(event, "#walk .laid");
  if (!tile) return;
  showInfo(wordsAt(data(tile, "cell")));
  tile.setAttribute("aria-describedby", "about");
});
document.addEventListener("focusout", (event) => {
  if (closest(event, "#walk .laid")) showInfo("");
});
keepOneTabStop();
