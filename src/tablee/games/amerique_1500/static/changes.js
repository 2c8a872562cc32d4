// What has become more or less since the last look wears its difference for a moment: goods, and cards in hand.
const SHOWN = 1600; // milliseconds

let before = null;

export function showChanges(seat) {
  const places = [...document.querySelectorAll("[data-tell]")];
  const counts = new Map(places.map((place) => [place.dataset.tell, Number(place.dataset.count)]));
  if (before?.seat === seat && before.counts.size && counts.size) {
    for (const place of places) mark(place, counts.get(place.dataset.tell) - (before.counts.get(place.dataset.tell) ?? 0));
  }
  before = { seat, counts };
}

function mark(place, change) {
  if (!change) return;
  place.dataset.change = change > 0 ? `+${change}` : `−${-change}`;
  setTimeout(() => delete place.dataset.change, SHOWN);
}
