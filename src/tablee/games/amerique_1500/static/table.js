// The page of Amérique 1500 gathers many small moves into one gesture: a tap may try several, one Confirm may close the
// step as well.

import { all, byId, closest, data, one } from "/static/platform/dom.js";
import { emit } from "/static/platform/events.js";
import { add, mark } from "/static/platform/optimistic.js";
import { tableState } from "/static/platform/table_state.js";
import { showChanges } from "./changes.js";
import { unthrown, updateDie } from "./die.js";
import { restoreTab, scrollIntoPlace, showTab } from "./tabs.js";
import { updateTray } from "./tray.js";

let asked = "";
let byKeys = false;
let over = false;

/** @param {string[]} moves */
const tryAll = (moves) => emit("tablee:draft", moves);

document.addEventListener("click", (event) => {
  const asking = closest(event, "[data-ask]");
  if (asking) unfold(byId(data(asking, "ask")));
  const story = closest(event, "[data-open]");
  if (story) /** @type {HTMLDialogElement} */ (byId(data(story, "open"))).showModal();
  if (event.target instanceof HTMLDialogElement && event.target.matches(".story")) event.target.close();
});

/**
 * Asks a question that the page can ask by itself: with whom?
 *
 * @param {HTMLElement} question
 */
function unfold(question) {
  question.hidden = !question.hidden;
  const opener = one(`[aria-controls="${question.id}"]`);
  opener?.setAttribute("aria-expanded", String(!question.hidden));
  (question.hidden ? opener : one("button", question))?.focus({ preventScroll: true });
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
  const question = unthrown() ? "" : (one(".asks")?.textContent.trim() ?? "");
  const [before, first] = [asked, one("#board [data-focus]")];
  asked = question;
  if (question === before) return;
  const place = first?.closest(".place");
  if (question && place) showTab(place.id);
  const idle = document.activeElement === document.body || document.activeElement?.closest("#bar");
  if (byKeys && idle) first?.focus({ preventScroll: true });
  scrollIntoPlace(first?.closest("li"));
}

function update() {
  const now = tableState();
  if (now.over && !over) showTab("wanted");
  over = now.over;
  updateTray(now, tryAll);
  restoreTab();
  updateDie(now, () => showChanges(now.looks_back ? null : now.me, unthrown()));
  focusQuestion();
}

// The final scoring: whose turn it is to be counted is outlined, with the requests they served.
document.addEventListener("tablee:finale", ({ detail }) => {
  for (const place of all(".counted")) place.classList.remove("counted");
  if (!detail) return;
  const seat = String(detail.seat);
  const own = detail.seat === tableState().me;
  for (const place of own ? ["who", "stock"] : [`other-${seat}`])
    document.getElementById(place)?.classList.add("counted");
  for (const wish of all(".request-card"))
    wish.classList.toggle("counted", data(wish, "seats").split(" ").includes(seat));
  showTab(own ? "wanted" : "others");
  scrollIntoPlace(one(`#${own ? "wanted" : "others"} .counted`));
});

// The pawn goes to the action that was chosen, before the server has shown it.
document.addEventListener("tablee:asked", ({ detail }) => {
  const pawn = one("#actions .pawn");
  const tile = detail.map((move) => one(`#actions [data-move="${move}"]`)).find(Boolean);
  if (!pawn || !tile || tile.contains(pawn)) return;
  add(tile, /** @type {Element} */ (pawn.cloneNode(true)));
  mark(pawn, "stale");
});

document.addEventListener("tablee:now", update);
update();
