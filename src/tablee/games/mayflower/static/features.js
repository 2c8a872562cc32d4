// Shows a feature: its extent over the land, and its words in a corner of the map.
/** @import { FinaleStep } from "/static/platform/types.d.ts" */
import { all, byId, closest, data, one } from "/static/platform/dom.js";
import { boundingBox, bringIntoView, cellBox } from "./map.js";

const [hits, extent, about] = ["hits", "extent", "about"].map(byId);
/** @type {string | null} */
let pinned = null;

/** @param {HTMLElement} feature */
const placesOf = (feature) => data(feature, "places").split(";");
const features = () => all("#features [data-places]");

/** @param {string} at */
function copy(at) {
  const shape = one(`[data-at="${CSS.escape(at)}"]`, hits);
  if (!shape) return "";
  const turn = shape.parentElement?.getAttribute("transform");
  const same = /** @type {HTMLElement} */ (shape.cloneNode());
  same.removeAttribute("data-at");
  return turn ? `<g transform="${turn}">${same.outerHTML}</g>` : same.outerHTML;
}

/**
 * Lights the feature at a place, such as "3,2 N". Returns its places.
 *
 * @param {string} at
 * @returns {string[]}
 */
export function highlight(at) {
  const found = features().find((each) => placesOf(each).includes(at));
  if (!found) {
    clearHighlight();
    return [];
  }
  const places = placesOf(found);
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

/**
 * The words of every feature that has a part on a cell.
 *
 * @param {string} cell
 */
export function wordsAt(cell) {
  const found = features().filter((each) => placesOf(each).some((place) => place.split(" ")[0] === cell));
  return found.map((each) => each.innerHTML.replaceAll("<br>", " ")).join("<br>");
}

/** @param {string} html */
export function showInfo(html) {
  about.innerHTML = html;
  about.hidden = !html;
}

/**
 * Keeps a feature lit until something else is chosen, and brings it into view.
 *
 * @param {string | null} at
 */
export function pin(at, find = false) {
  pinned = at;
  if (!at) return clearHighlight();
  const places = highlight(at);
  if (find) bringIntoView(boundingBox((places.length ? places : [at]).map((place) => cellBox(place.split(" ")[0]))));
}

/** After a patch: what was chosen stays lit, what was only pointed at does not. */
export const restoreHighlight = () => (pinned ? highlight(pinned) : clearHighlight());

const place = (/** @type {Event} */ event) => closest(event, "[data-at], [data-light]");
const name = (/** @type {HTMLElement} */ target) => target.dataset.at ?? target.dataset.light ?? "";
const isTouch = (/** @type {Event} */ event) => event instanceof PointerEvent && event.pointerType === "touch";

for (const enter of ["pointerover", "focusin"])
  document.addEventListener(enter, (event) => {
    const target = place(event);
    if (target && !isTouch(event)) highlight(name(target));
  });
for (const leave of ["pointerout", "focusout"])
  document.addEventListener(leave, (event) => {
    if (place(event) && !isTouch(event)) clearHighlight();
  });

document.addEventListener("click", (event) => {
  const target = closest(event, "#hits [data-at], .settler, [data-find]");
  if (target) {
    /** @type {HTMLElement | null} */ (target.closest("[popover]"))?.hidePopover();
    return pin(pinned === name(target) ? null : name(target), "find" in target.dataset);
  }
  if (closest(event, "#map") && pinned) pin(null);
});

/**
 * One step of the final scoring: its feature, in the colour of who takes it.
 *
 * @param {FinaleStep | null} step
 */
export function showStep(step) {
  pin(step?.place ?? null, true);
  if (step) extent.setAttribute("class", `still seat-${step.seat} bright`);
}

// An entry of the log: a tile that was laid, or a feature.
document.addEventListener("tablee:told", ({ detail: { place, kind } }) => {
  const isTile = ["lay", "pass"].includes(kind);
  pin(isTile ? null : place, true);
  if (isTile) frame(place);
});

/** @param {string} cell */
function frame(cell) {
  const box = cellBox(cell);
  const [rim] = extent.children;
  rim.innerHTML = `<rect x="${box.left}" y="${box.top}" width="100" height="100" rx="5"/>`;
  bringIntoView(box);
}

// The land tile by tile, for the keyboard and the ear: the arrows lead from one to the next, each is described with
// what it belongs to.
const tiles = () => all("#walk .laid");

/** One tile is in the tab order: the one that had the focus last, else the newest. */
export function keepOneTabStop() {
  const every = tiles();
  if (!every.some((each) => each.tabIndex === 0)) every.at(-1)?.setAttribute("tabindex", "0");
}

document.addEventListener("focusin", (event) => {
  const tile = closest(event, "#walk .laid");
  if (!tile) return;
  showInfo(wordsAt(data(tile, "cell")));
  tile.setAttribute("aria-describedby", "about");
});
document.addEventListener("focusout", (event) => {
  if (closest(event, "#walk .laid")) showInfo("");
});
keepOneTabStop();
