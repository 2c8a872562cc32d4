// Tooltips of elements with a title, a data-tip or, on pictures, a label. They show when the pointer rests on the
// element, on keyboard focus, and on a long press, which then is no tap. Elements inside [data-tips="none"] have none.
import { make, one } from "./dom.js";

const THINGS = '[title]:not(iframe), [data-tip], [role="img"][aria-label]';
const HOVER_DELAY_MS = 450; // milliseconds that the pointer rests before the tip shows,
const LONG_PRESS_MS = 550; // and a finger
const DRAG_PX = 12; // pixels that the finger may move meanwhile
const GAP_PX = 6;

// after a touch some browsers leave a pointer behind, which never moves away
const rests = matchMedia("(hover: hover)");

/** @type {HTMLElement | null} */
let shown = null; // the element whose tip is shown
let waiting = 0;
// whether the keyboard was the last to be used: a panel that closes gives the focus back, and that is no question
let keyed = false;
/** @type {{ x: number, y: number, long: boolean } | null} */
let pressed = null; // where a finger went down, and whether it stayed long enough
const tip = (one("main") ?? document.body).appendChild(make("div", { id: "tip", role: "tooltip", popover: "manual" }));

/**
 * @param {EventTarget | null} target
 * @returns {HTMLElement | null}
 */
function thingAt(target) {
  const thing = target instanceof Element ? target.closest(THINGS) : null;
  return thing?.closest('[data-tips="none"]') ? null : /** @type {HTMLElement | null} */ (thing);
}

/**
 * Returns the text of a tip. A title becomes an attribute of ours, since the browser would show its own tooltip too,
 * and stays readable for screen readers.
 *
 * @param {HTMLElement} thing
 */
function wordsOf(thing) {
  const title = thing.getAttribute("title");
  if (title) {
    thing.dataset.tip = title;
    if (thing.getAttribute("aria-label") !== title)
      thing.setAttribute(
        thing.textContent.trim() || thing.hasAttribute("aria-label") ? "aria-description" : "aria-label",
        title,
      );
    thing.removeAttribute("title");
  }
  return (thing.dataset.tip ?? thing.getAttribute("aria-label") ?? "").replaceAll(/\s+/g, " ").trim();
}

/** @param {HTMLElement} thing */
function show(thing) {
  shown = thing;
  tip.textContent = wordsOf(thing);
  if (!tip.textContent || !thing.isConnected) return hide();
  tip.showPopover();
  const [from, own] = [thing.getBoundingClientRect(), tip.getBoundingClientRect()];
  const below = from.bottom + GAP_PX + own.height < innerHeight;
  const middle = from.left + (from.width - own.width) / 2;
  tip.style.left = `${Math.max(GAP_PX, Math.min(innerWidth - own.width - GAP_PX, middle))}px`;
  tip.style.top = `${Math.max(GAP_PX, below ? from.bottom + GAP_PX : from.top - GAP_PX - own.height)}px`;
}

function hide() {
  clearTimeout(waiting);
  shown = null;
  if (tip.matches(":popover-open")) tip.hidePopover();
}

/**
 * @param {HTMLElement} thing
 * @param {number} after
 */
function showAfter(thing, after, then = () => {}) {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    show(thing);
    then();
  }, after);
}

document.addEventListener("pointerover", (event) => {
  const thing = event.pointerType === "mouse" && rests.matches ? thingAt(event.target) : null;
  if (thing && thing !== shown) showAfter(thing, HOVER_DELAY_MS);
});
document.addEventListener("pointerout", (event) => {
  if (
    event.pointerType === "mouse" &&
    !thingAt(event.target)?.contains(/** @type {Node | null} */ (event.relatedTarget))
  )
    hide();
});
document.addEventListener("focusin", (event) => {
  const thing = thingAt(event.target);
  if (keyed && thing && thing === event.target && thing.matches(":focus-visible")) showAfter(thing, 0);
});
document.addEventListener("focusout", hide);
document.addEventListener(
  "keydown",
  (event) => {
    pressed = null;
    keyed = event.key !== "Escape";
    if (!keyed) hide();
  },
  true,
);
document.addEventListener("tablee:now", () => {
  if (shown && !shown.isConnected) hide();
});

document.addEventListener("pointerdown", (event) => {
  keyed = false;
  hide();
  const thing = event.pointerType === "mouse" ? null : thingAt(event.target);
  const press = { x: event.clientX, y: event.clientY, long: false };
  pressed = thing && press;
  if (thing)
    showAfter(thing, LONG_PRESS_MS, () => {
      press.long = true;
    });
});
document.addEventListener("pointermove", (event) => {
  if (pressed && !pressed.long && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > DRAG_PX)
    clearTimeout(waiting);
});
for (const end of ["pointerup", "pointercancel"])
  document.addEventListener(end, () => {
    if (pressed && !pressed.long) clearTimeout(waiting);
  });
document.addEventListener("contextmenu", (event) => {
  if (pressed) event.preventDefault();
});
document.addEventListener(
  "click",
  (event) => {
    if (!pressed?.long) return;
    pressed = null;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);
