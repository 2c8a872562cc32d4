// The organiser's page and the board that is projected: once a second a look at all tables. What is ticked stays
// ticked.

import { forget, remember } from "./club_roles.js";
import { isLost, setReachable, showNotSent } from "./connection_status.js";
import { stamps } from "./patch.js";
import { released } from "./pointer_press.js";
import { REQUEST_TIMEOUT_MS } from "./server_connection.js";
import { isOutdated, reloadOrNotify } from "./version_check.js";

const club = document.getElementById("club");
const board = club.dataset.board === "yes";
const EVERY = 1000;
let mark = club.dataset.mark;

async function poll() {
  if (document.visibilityState !== "visible") return;
  try {
    const body = JSON.stringify({ mark, board, parts: stamps(club) });
    const answer = await fetch(`/class/${club.dataset.club}/live`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    if (answer.status === 404 || answer.status === 403) {
      forget("organiser", club.dataset.club);
      return location.reload();
    }
    setReachable(answer.ok);
    if (!answer.ok) return;
    const news = await answer.json();
    if (isOutdated(news.build)) return reloadOrNotify(news.build, Boolean(club.querySelector("[name=member]:checked")));
    mark = news.mark;
    await released();
    patch(news.parts);
  } catch {
    setReachable(false);
  }
}

function patch(parts) {
  const ticked = new Set([...club.querySelectorAll("[name=member]:checked")].map((each) => each.value));
  const focused = document.activeElement?.id;
  for (const { id, html } of parts) {
    const template = document.createElement("template");
    template.innerHTML = html;
    document.getElementById(id)?.replaceWith(template.content);
  }
  for (const each of club.querySelectorAll("[name=member]")) each.checked = ticked.has(each.value);
  if (focused && document.activeElement?.id !== focused)
    document.getElementById(focused)?.focus({ preventScroll: true });
  updateTableChoice();
  updateSeatButton();
}

// Seating by lot needs somebody who waits.
function updateSeatButton() {
  const seat = document.getElementById("seat");
  if (seat) seat.disabled = !club.querySelector("#club-waiting li");
}

// As many tables to choose from as there are.
function updateTableChoice() {
  const choice = document.querySelector("[name=table]");
  for (const title of choice ? club.querySelectorAll(".club-table h2 > span") : []) {
    const number = title.textContent.match(/\d+/)[0];
    if (![...choice.options].some((each) => each.value === number)) choice.add(new Option(title.textContent, number));
  }
}

// Only what belongs to the chosen game is offered.
function showGameOptions() {
  const game = document.getElementById("game");
  const { low, high } = game.selectedOptions[0].dataset;
  for (const each of document.querySelectorAll(".options-of")) each.hidden = each.dataset.game !== game.value;
  const size = document.getElementById("size");
  for (const each of size.options)
    each.hidden = each.disabled = Number(each.value) < Number(low) || Number(each.value) > Number(high);
  if (size.selectedOptions[0]?.disabled) size.value = String(Math.min(4, Number(high)));
}

// What was chosen last is offered again after a reload of the page.
function restoreChoices() {
  for (const field of document.querySelectorAll(".club-plan select")) {
    const kept = sessionStorage.getItem(`tablee-class-${field.name}`);
    if (kept !== null && [...field.options].some((each) => each.value === kept)) field.value = kept;
    field.addEventListener("change", () => {
      sessionStorage.setItem(`tablee-class-${field.name}`, field.value);
      showGameOptions();
    });
  }
}

if (!board) {
  restoreChoices();
  showGameOptions();
}
remember("organiser", club.dataset.club);
document
  .querySelector("form[action$='/delete']")
  ?.addEventListener("submit", () => forget("organiser", club.dataset.club));
document.addEventListener(
  "submit",
  (event) => {
    // a browser's error page would take the place of the class
    if (!isLost()) return;
    event.preventDefault();
    event.stopPropagation();
    showNotSent();
  },
  true,
);
setInterval(poll, EVERY);
document.addEventListener("visibilitychange", poll);
