// Games of the day on the start page: one try a day, by the date of this device, and a calendar of what it has played.
import { daysOf, isoDate, locale, today } from "./days.js";
import { all, data, make, one } from "./dom.js";
import { plural } from "./plural.js";
import { openPage } from "./transport.js";

/** @import { DayGame } from "./days.js" */

const MONDAY = new Date(2024, 0, 1); // any Monday

const dayBefore = (/** @type {Date} */ date, days = 1) =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() - days);

/** Shows what the device has played today, and again when its date changes. */
export function showDays() {
  for (const form of all("[data-day-of]")) showOffer(form, data(form, "dayOf"));
}

/**
 * @param {HTMLElement} form
 * @param {string} game
 */
function showOffer(form, game) {
  const [days, soFar, opens] = [daysOf(game), one(".day-so-far", form), one(`[popovertarget="days-${game}"]`)];
  const played = days[today()];
  if (!soFar || !opens) return;
  soFar.hidden = !played;
  soFar.textContent =
    played?.score === undefined ? data(form, "begun") : plural(JSON.parse(data(form, "points")), played.score);
  opens.hidden = !Object.keys(days).length;
  one(`#days-${game} .months`)?.replaceChildren(...months(days));
}

/**
 * A table for each month since the first game, the newest first.
 *
 * @param {Record<string, DayGame>} days
 */
function* months(days) {
  const [first = "9999"] = Object.keys(days).sort();
  let month = new Date();
  while (isoDate(month).slice(0, 7) >= first.slice(0, 7)) {
    month.setDate(1);
    yield monthTable(month, days);
    month = dayBefore(month);
  }
}

/**
 * @param {Date} month
 * @param {Record<string, DayGame>} days
 */
function monthTable(month, days) {
  const table = make("table", { className: "month" });
  table.createCaption().textContent = month.toLocaleDateString(locale(), { month: "long", year: "numeric" });
  const names = table.createTHead().insertRow();
  for (let weekday = 0; weekday < 7; weekday += 1) {
    const name = dayBefore(MONDAY, -weekday).toLocaleDateString(locale(), { weekday: "short" });
    names.append(make("th", { scope: "col", textContent: name }));
  }
  const body = table.createTBody();
  for (let date = dayBefore(month, (month.getDay() + 6) % 7); date.getMonth() !== (month.getMonth() + 1) % 12; ) {
    const week = body.insertRow();
    for (let weekday = 0; weekday < 7; weekday += 1, date = dayBefore(date, -1))
      if (date.getMonth() === month.getMonth()) fillDay(week.insertCell(), date, days[isoDate(date)]);
      else week.insertCell();
  }
  return table;
}

/**
 * @param {HTMLTableCellElement} cell
 * @param {Date} date
 * @param {DayGame | undefined} played
 */
function fillDay(cell, date, played) {
  if (isoDate(date) === today()) cell.setAttribute("aria-current", "date");
  cell.append(make("small", { textContent: String(date.getDate()) }));
  if (played) cell.append(make("b", { textContent: String(played.score ?? "…") }));
}

document.addEventListener("formdata", ({ target, formData }) => {
  if (target instanceof HTMLFormElement && target.dataset.dayOf) formData.set("day", today());
});

// A second try of a day leads to the first.
document.addEventListener("submit", (event) => {
  const game = event.target instanceof HTMLFormElement ? event.target.dataset.dayOf : "";
  const played = game && daysOf(game)[today()];
  if (!played) return;
  event.preventDefault();
  event.stopPropagation();
  openPage(`/t/${played.table}`);
});

function waitForTomorrow() {
  const now = new Date();
  setTimeout(() => {
    showDays();
    waitForTomorrow();
  }, dayBefore(now, -1).getTime() - now.getTime());
}
waitForTomorrow();
