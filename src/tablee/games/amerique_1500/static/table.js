// The page of Amérique 1500 gathers many small moves into one gesture: a tap may try several, one Confirm may close the step as well.
import { showChanges } from "./changes.js";
import { tendTray } from "./tray.js";

let now = JSON.parse(document.getElementById("now").textContent);
let expected = 0; // the serial of the answer to the last tap
let asked = "";
let byKeys = false;

const serial = () => now.serial ?? 0;
const waiting = () => serial() < expected;

function tryAll(moves) {
  expected = serial() + 1;
  document.dispatchEvent(new CustomEvent("tablee:draft", { detail: moves }));
}

// Before the platform hears the click: `data-then` closes the step. Nothing is confirmed that the player has not seen.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-then]");
  if (!button) return;
  if (waiting()) event.stopImmediatePropagation();
  else tryAll([...now.draft, button.dataset.then]);
}, true);

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-move], [data-drop], [data-clear]")) expected = serial() + 1;
  const several = event.target.closest("[data-moves]");
  if (several && !waiting()) tryAll([...now.draft, ...several.dataset.moves.split("|")]);
  const story = event.target.closest("[data-open]");
  if (story) document.getElementById(story.dataset.open).showModal();
  if (event.target.matches("dialog.story")) event.target.close();
});

document.addEventListener("keydown", () => { byKeys = true; }, true);
document.addEventListener("pointerdown", () => { byKeys = false; }, true);

// What is asked anew comes into sight, and under the keyboard of somebody who plays with it.
function lead() {
  const question = document.querySelector("#bar-say")?.textContent.trim() ?? "";
  const [before, first] = [asked, document.querySelector("#board [data-focus]")];
  asked = question;
  if (question === before) return;
  const idle = document.activeElement === document.body || document.activeElement.closest("#bar");
  if (byKeys && idle) first?.focus({ preventScroll: true });
  const goal = now.over ? document.getElementById("end") : first?.closest("section");
  if (before) goal?.scrollIntoView({ block: "nearest" });
}

document.addEventListener("tablee:now", (event) => {
  now = event.detail;
  tendTray(now, tryAll);
  showChanges(now.me);
  lead();
});
tendTray(now, tryAll);
showChanges(now.me);
