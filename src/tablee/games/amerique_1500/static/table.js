// The page of Amérique 1500 gathers many small moves into one gesture: a tap may try several, one Confirm may close the
// step as well.

import { toast } from "/static/platform/toast.js";
import { showChanges } from "./changes.js";
import { unthrown, updateDie } from "./die.js";
import { restoreTab, scrollIntoPlace, showTab } from "./tabs.js";
import { updateTray } from "./tray.js";

const words = JSON.parse(document.getElementById("table").dataset.words);

let now = JSON.parse(document.getElementById("now").textContent);
let expected = 0; // the serial of the answer to the last tap
let asked = "";
let byKeys = false;
let over = false;

const serial = () => now.serial ?? 0;
const waiting = () => serial() < expected;

const expectAnswer = () => {
  expected = Math.max(expected, serial()) + 1;
};

function tryAll(moves) {
  expectAnswer();
  document.dispatchEvent(new CustomEvent("tablee:draft", { detail: moves }));
}

function tryMore(moves) {
  expectAnswer();
  document.dispatchEvent(new CustomEvent("tablee:try", { detail: moves }));
}

// Before the platform hears the click: `data-then` closes the step. Nothing is confirmed that the player has not seen.
document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest("[data-then]");
    if (!button) return;
    if (!waiting()) return tryAll([...now.draft, button.dataset.then]);
    event.stopImmediatePropagation();
    toast(words.unconfirmed, { good: true });
  },
  true,
);

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-move], [data-drop], [data-clear]")) expectAnswer();
  const several = event.target.closest("[data-moves]");
  if (several) tryMore(several.dataset.moves.split("|"));
  const asking = event.target.closest("[data-ask]");
  if (asking) unfold(document.getElementById(asking.dataset.ask));
  const story = event.target.closest("[data-open]");
  if (story) document.getElementById(story.dataset.open).showModal();
  if (event.target.matches("dialog.story")) event.target.close();
});

// A question that the page can ask by itself: with whom?
function unfold(question) {
  question.hidden = !question.hidden;
  const opener = document.querySelector(`[aria-controls="${question.id}"]`);
  opener?.setAttribute("aria-expanded", String(!question.hidden));
  (question.hidden ? opener : question.querySelector("button"))?.focus({ preventScroll: true });
}

document.addEventListener(
  "keydown",
  () => {
    byKeys = true;
  },
  true,
);
document.addEventListener(
  "pointerdown",
  () => {
    byKeys = false;
  },
  true,
);

// What is asked anew comes into sight, and under the keyboard of somebody who plays with it.
function focusQuestion() {
  const question = unthrown() ? "" : (document.querySelector("#bar-say")?.textContent.trim() ?? "");
  const [before, first] = [asked, document.querySelector("#board [data-focus]")];
  asked = question;
  if (question === before) return;
  if (question && first?.closest(".place")) showTab(first.closest(".place").id);
  const idle = document.activeElement === document.body || document.activeElement.closest("#bar");
  if (byKeys && idle) first?.focus({ preventScroll: true });
  scrollIntoPlace(first?.closest("li"));
}

function update() {
  if (now.over && !over) showTab("wanted");
  over = now.over;
  updateTray(now, tryAll);
  restoreTab();
  updateDie(now, () => showChanges(now.looks_back ? null : now.me, unthrown()));
  focusQuestion();
}

// The final scoring: whose turn it is to be counted is outlined, with the requests they served.
document.addEventListener("tablee:finale", ({ detail }) => {
  const seat = detail ? String(detail.seat) : null;
  for (const place of document.querySelectorAll(".counted")) place.classList.remove("counted");
  if (seat === null) return;
  const own = detail.seat === now.me;
  for (const place of own ? ["who", "stock"] : [`other-${seat}`])
    document.getElementById(place)?.classList.add("counted");
  for (const wish of document.querySelectorAll(".request-card"))
    wish.classList.toggle("counted", wish.dataset.seats.split(" ").includes(seat));
  showTab(own ? "wanted" : "others");
  scrollIntoPlace(document.querySelector(`#${own ? "wanted" : "others"} .counted`));
});

document.addEventListener("tablee:now", (event) => {
  now = event.detail;
  update();
});
update();
