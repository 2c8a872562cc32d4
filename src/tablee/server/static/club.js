// The organiser's page and the projected board of a class: both poll the overview of all tables. Ticked names stay
// ticked.

/** @import { Patch } from "./messages.d.ts" */
import { forget, remember } from "./club_roles.js";
import { all, byId, data, field, one } from "./dom.js";
import { isLost, isOutdated, reloadOrNotify, setReachable, showNotSent } from "./page_status.js";
import { digests } from "./patch.js";
import { REQUEST_TIMEOUT_MS } from "./server_connection.js";
import { released } from "./taps.js";

const club = byId("club");
const id = data(club, "club");
const board = club.dataset.board === "yes";
const POLL_INTERVAL_MS = 1000;
let mark = club.dataset.mark;
// a link that is shown once answers a form: reloading, or coming back, leads to the class and sends no form again
if (location.pathname === `/class/${id}/members`) history.replaceState(null, "", `/class/${id}`);

async function poll() {
  if (document.visibilityState !== "visible") return;
  try {
    const body = JSON.stringify({ mark, board, parts: digests(club) });
    const answer = await fetch(`/class/${id}/live`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    if (answer.status === 404 || answer.status === 403) {
      forget("organiser", id);
      return location.reload();
    }
    setReachable(answer.ok);
    if (!answer.ok) return;
    const news = await answer.json();
    if (isOutdated(news.build)) return reloadOrNotify(news.build, tickedMembers().length > 0);
    mark = news.mark;
    await released();
    patch(news.parts);
  } catch {
    setReachable(false);
  }
}

/** @returns {HTMLInputElement[]} */
const members = () => [...club.querySelectorAll(/** @type {"input"} */ ("[name=member]"))];
const tickedMembers = () => members().filter((each) => each.checked);

/** @param {Patch[]} parts */
function patch(parts) {
  const ticked = new Set(tickedMembers().map((each) => each.value));
  const focused = document.activeElement?.id;
  for (const { id, html } of parts) {
    const template = document.createElement("template");
    template.innerHTML = html;
    document.getElementById(id)?.replaceWith(template.content);
  }
  for (const each of members()) each.checked = ticked.has(each.value);
  if (focused && document.activeElement?.id !== focused)
    document.getElementById(focused)?.focus({ preventScroll: true });
  updateTableChoice();
  updateSeatButton();
}

// Seating the waiting members needs at least one of them.
function updateSeatButton() {
  if (document.getElementById("seat")) field("seat").disabled = !one("#club-waiting li", club);
}

// Adds the tables that are new to the choice of tables.
function updateTableChoice() {
  const choice = /** @type {HTMLSelectElement | null} */ (one("[name=table]"));
  if (!choice) return;
  for (const title of all(".club-table h2 > span", club)) {
    const number = title.textContent.match(/\d+/)?.[0];
    if (![...choice.options].some((each) => each.value === number)) choice.add(new Option(title.textContent, number));
  }
}

/** @param {string} name */
const select = (name) => /** @type {HTMLSelectElement} */ (byId(name));

// Offers only the options and sizes of the chosen game.
function showGameOptions() {
  const [game, size] = [select("game"), select("size")];
  const { low, high } = game.selectedOptions[0].dataset;
  for (const each of all(".options-of")) each.hidden = each.dataset.game !== game.value;
  for (const each of size.options)
    each.hidden = each.disabled = Number(each.value) < Number(low) || Number(each.value) > Number(high);
  if (size.selectedOptions[0]?.disabled) size.value = String(Math.min(4, Number(high)));
}

// Restores the last choices after a reload.
function restoreChoices() {
  for (const choice of /** @type {HTMLSelectElement[]} */ (all(".club-plan select"))) {
    const stored = sessionStorage.getItem(`tablee-class-${choice.name}`);
    if (stored !== null && [...choice.options].some((each) => each.value === stored)) choice.value = stored;
    choice.addEventListener("change", () => {
      sessionStorage.setItem(`tablee-class-${choice.name}`, choice.value);
      showGameOptions();
    });
  }
}

if (!board) {
  restoreChoices();
  showGameOptions();
}
remember("organiser", id);
document.querySelector("form[action$='/delete']")?.addEventListener("submit", () => forget("organiser", id));
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
setInterval(poll, POLL_INTERVAL_MS);
document.addEventListener("visibilitychange", poll);
