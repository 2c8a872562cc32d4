// On a small board one place is shown at a time. The choice is the player's; a new question turns to where its answer
// lies.
import { all, byId, closest } from "/static/platform/dom.js";

const PLACES = ["hand", "craft", "wanted", "others"];

const availableTabs = () => PLACES.filter((place) => document.getElementById(place));

/** @param {string | undefined} place */
export function showTab(place) {
  const shown = place && availableTabs().includes(place) ? place : availableTabs()[0];
  document.body.dataset.tab = shown;
  for (const tab of all("[data-tab][role=tab]")) {
    tab.setAttribute("aria-selected", String(tab.dataset.tab === shown));
    tab.tabIndex = tab.dataset.tab === shown ? 0 : -1;
  }
}

/**
 * Scrolls a place, and nothing else, until this is in sight; not if it is.
 *
 * @param {Element | null | undefined} thing
 */
export function scrollIntoPlace(thing) {
  const place = thing?.closest(".place");
  if (!thing || !place) return;
  const [inner, outer] = [thing.getBoundingClientRect(), place.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) place.scrollTop += inner.top - outer.top;
}

/** After a patch the same place is shown. */
export const restoreTab = () => showTab(document.body.dataset.tab);

document.addEventListener("click", (event) => {
  const tab = closest(event, "[role=tab][data-tab]");
  if (tab) showTab(tab.dataset.tab);
});
document.addEventListener("keydown", (event) => {
  const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
  const tab = closest(event, "[role=tab]");
  if (!step || !tab) return;
  const tabs = availableTabs();
  showTab(tabs[(tabs.indexOf(tab.dataset.tab ?? "") + step + tabs.length) % tabs.length]);
  byId(`tab-${document.body.dataset.tab}`).focus();
});
