// Whoever's turn it is throws the die: nature has rolled it already, but this screen keeps the face back until it is
// tapped. Doing anything else throws it as well. What was thrown is remembered, so that a reload does not ask again.
import { motionEnabled } from "/static/platform/preferences.js";

const TUMBLE = 500; // milliseconds
const storageKey = `tablee-${document.getElementById("table").dataset.table}-thrown`;
const roll = () => document.querySelector(".rolled[data-own]")?.dataset.roll;
let onShown = () => {};

export const unthrown = () => document.body.dataset.die !== "thrown" && Boolean(document.getElementById("throw"));

/** Called after every patch; `then` is called now, and when the die is thrown. */
export function updateDie({ draft }, then) {
  onShown = then;
  const own = roll();
  if (own && draft.length) sessionStorage.setItem(storageKey, own);
  show(!own || !document.getElementById("throw") || sessionStorage.getItem(storageKey) === own);
}

function show(thrown) {
  document.body.dataset.die = thrown ? "thrown" : "unthrown";
  document.getElementById("throw")?.toggleAttribute("data-focus", !thrown);
  onShown();
}

function throwDie() {
  sessionStorage.setItem(storageKey, roll());
  const place = document.querySelector(".rolled");
  show(true);
  document.getElementById("rolled-say").textContent = place
    .querySelector("p.thrown")
    .textContent.replaceAll(/\s+/g, " ")
    .trim();
  if (motionEnabled()) {
    place.classList.add("tumbling");
    setTimeout(() => place.classList.remove("tumbling"), TUMBLE);
  }
  document.querySelector("#board [data-focus]")?.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-throw]")) throwDie();
});
