// The land tile by tile, for the keyboard and the ear: the arrows lead from one to the next, each is described with
// what it belongs to.
import { showInfo, wordsAt } from "./features.js";

const tiles = () => [...document.querySelectorAll("#walk .laid")];

/** One tile is in the tab order: the one that had the focus last, else the newest. */
export function keepOneTabStop() {
  const all = tiles();
  if (!all.some((each) => each.tabIndex === 0)) all.at(-1)?.setAttribute("tabindex", "0");
}

document.addEventListener("focusin", (event) => {
  if (!event.target.matches("#walk .laid")) return;
  showInfo(wordsAt(event.target.dataset.cell));
  event.target.setAttribute("aria-describedby", "about");
});
document.addEventListener("focusout", (event) => {
  if (event.target.matches("#walk .laid")) showInfo("");
});
keepOneTabStop();
