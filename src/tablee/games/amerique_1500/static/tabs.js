// On a small board one place is shown at a time. The choice is the player's; a new question turns to where its answer
// lies.
const PLACES = ["hand", "craft", "wanted", "others"];

const availableTabs = () => PLACES.filter((place) => document.getElementById(place));

export function showTab(place) {
  const shown = availableTabs().includes(place) ? place : availableTabs()[0];
  document.body.dataset.tab = shown;
  for (const tab of document.querySelectorAll("[data-tab][role=tab]")) {
    tab.setAttribute("aria-selected", String(tab.dataset.tab === shown));
    tab.tabIndex = tab.dataset.tab === shown ? 0 : -1;
  }
}

/** Scrolls a place, and nothing else, until this is in sight; not if it is. */
export function scrollIntoPlace(thing) {
  const place = thing?.closest(".place");
  if (!place) return;
  const [inner, outer] = [thing.getBoundingClientRect(), place.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) place.scrollTop += inner.top - outer.top;
}

/** After a patch the same place is shown. */
export const restoreTab = () => showTab(document.body.dataset.tab);

document.addEventListener("click", (event) => {
  const tab = event.target.closest("[role=tab][data-tab]");
  if (tab) showTab(tab.dataset.tab);
});
document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step || !event.target.matches("[role=tab]")) return;
  const all = availableTabs();
  showTab(all[(all.indexOf(event.target.dataset.tab) + step + all.length) % all.length]);
  document.getElementById(`tab-${document.body.dataset.tab}`).focus();
});
