// What has become more or less since the last look wears its difference for a moment: goods, and cards in hand. While the die is not thrown
// yet, what it brought is kept back. The last look is remembered, so that a reload keeps it back as well.
import { fly } from "./flying.js";

const SHOWN = 1600; // milliseconds

const kept = `tablee-${document.getElementById("table").dataset.table}-counts`;

let before = remembered();

const told = () => [...document.querySelectorAll("[data-tell]")];
const key = (place) => place.dataset.tell;
const known = (seat) => (before?.seat === seat && before.counts.size ? before.counts : null);

export function showChanges(seat) {
  const places = told();
  const counts = new Map(places.map((place) => [key(place), Number(place.dataset.count)]));
  for (const place of document.querySelectorAll(".held")) release(place);
  if (known(seat) && counts.size) for (const place of places) mark(place, counts.get(key(place)) - (known(seat).get(key(place)) ?? 0));
  before = { seat, counts };
  sessionStorage.setItem(kept, JSON.stringify({ seat, counts: [...counts] }));
}

function remembered() {
  const last = JSON.parse(sessionStorage.getItem(kept));
  return last && { seat: last.seat, counts: new Map(last.counts) };
}

/** Shows the counts of before the throw. */
export function holdChanges(seat) {
  if (known(seat)) for (const place of told()) hold(place, known(seat).get(key(place)) ?? 0);
}

function hold(place, count) {
  if (count === Number(place.dataset.count)) return;
  place.classList.add("held");
  const number = place.querySelector("[data-number]");
  if (number) number.textContent = number.dataset.number.replace("#", count);
  place.classList.toggle("not-yet", count === 0 && !place.matches(".pile"));
}

function release(place) {
  place.classList.remove("held", "not-yet");
  const number = place.querySelector("[data-number]");
  if (number) number.textContent = number.dataset.number.replace("#", place.dataset.count);
}

function mark(place, change) {
  if (!change) return;
  if (place.matches(".pile")) fly(place, change);
  place.dataset.change = change > 0 ? `+${change}` : `−${-change}`;
  setTimeout(() => delete place.dataset.change, SHOWN);
}
