// Shows a feature: its extent over the land, and its words in a corner of the map.
import { boundingBox, bringIntoView, cellBox } from "./map.js";

const hits = document.getElementById("hits");
const extent = document.getElementById("extent");
const about = document.getElementById("about");
let pinned = null;

function feature(at) {
  return [...document.querySelectorAll("#features [data-places]")].find((each) =>
    each.dataset.places.split(";").includes(at),
  );
}

function copy(at) {
  const shape = hits.querySelector(`[data-at="${CSS.escape(at)}"]`);
  if (!shape) return "";
  const turn = shape.parentElement.getAttribute("transform");
  const same = shape.cloneNode();
  same.removeAttribute("data-at");
  return turn ? `<g transform="${turn}">${same.outerHTML}</g>` : same.outerHTML;
}

/** Lights the feature at a place, such as "3,2 N". Returns its places. */
export function highlight(at) {
  const found = feature(at);
  if (!found) return clearHighlight() ?? [];
  const places = found.dataset.places.split(";");
  const shapes = places.map(copy).join("");
  const [rim, inside] = extent.children;
  if (extent.dataset.at !== found.dataset.places) rim.innerHTML = inside.innerHTML = shapes;
  extent.dataset.at = found.dataset.places;
  extent.setAttribute("class", `still seat-${found.dataset.owner}`);
  showInfo(found.innerHTML);
  return places;
}

export function clearHighlight() {
  if (pinned) return void highlight(pinned);
  extent.dataset.at = "";
  for (const each of extent.children) each.innerHTML = "";
  showInfo("");
}

/** The words of every feature that has a part on a cell. */
export function wordsAt(cell) {
  const found = [...document.querySelectorAll("#features [data-places]")].filter((each) =>
    each.dataset.places.split(";").some((place) => place.split(" ")[0] === cell),
  );
  return found.map((each) => each.innerHTML.replaceAll("<br>", " ")).join("<br>");
}

export function showInfo(html) {
  about.innerHTML = html;
  about.hidden = !html;
}

/** Keeps a feature lit until something else is chosen, and brings it into view. */
export function pin(at, find) {
  pinned = at;
  if (!at) return clearHighlight();
  const places = highlight(at);
  if (find) bringIntoView(boundingBox((places.length ? places : [at]).map((place) => cellBox(place.split(" ")[0]))));
}

/** After a patch: what was chosen stays lit, what was only pointed at does not. */
export const restoreHighlight = () => (pinned ? highlight(pinned) : clearHighlight());

const place = (event) => event.target.closest?.("[data-at], [data-light]");
const name = (target) => target.dataset.at ?? target.dataset.light;

for (const [enter, leave] of [
  ["pointerover", "pointerout"],
  ["focusin", "focusout"],
]) {
  document.addEventListener(enter, (event) => {
    const target = place(event);
    if (target && event.pointerType !== "touch") highlight(name(target));
  });
  document.addEventListener(leave, (event) => {
    if (place(event) && event.pointerType !== "touch") clearHighlight();
  });
}

document.addEventListener("click", (event) => {
  const target = event.target.closest("#hits [data-at], .settler, [data-find]");
  if (target) {
    target.closest("[popover]")?.hidePopover();
    return pin(pinned === name(target) ? null : name(target), "find" in target.dataset);
  }
  const told = event.target.closest(".game-log [data-place]");
  if (told) return showLogEntry(told);
  if (event.target.closest("#map") && pinned) pin(null);
});

/** One step of the final scoring: its feature, in the colour of who takes it. */
export function showStep(step) {
  pin(step?.place ?? null, true);
  if (step) extent.setAttribute("class", `still seat-${step.seat} bright`);
}

function showLogEntry(told) {
  const tile = told.matches(".lay, .pass");
  if (!tile) return pin(told.dataset.place, true);
  pin(null);
  frame(told.dataset.place);
}

function frame(cell) {
  const box = cellBox(cell);
  const [rim] = extent.children;
  rim.innerHTML = `<rect x="${box.left}" y="${box.top}" width="100" height="100" rx="5"/>`;
  bringIntoView(box);
}
