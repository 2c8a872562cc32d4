// What a thing is, in words: of whatever has a title or a data-tip, or is a picture with a label. Shown when the
// pointer rests on it, when the keyboard comes to it, and on a long press, which is then no tap. [data-tips="none"]
// around things that tell themselves in another way.
import { make, one } from "./dom.js";

const THINGS = '[title]:not(iframe), [data-tip], [role="img"][aria-label]';
const REST = 450; // milliseconds the pointer rests before words come,
const PRESS = 550; // and a finger
const SLIP = 12; // pixels a finger may move meanwhile
const GAP = 6;

// after a touch some browsers leave a pointer behind, which nobody moves away
const rests = matchMedia("(hover: hover)");

/** @type {HTMLElement | null} */
let shown = null; // the thing whose words are shown
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
 * The browser's own tooltip would come as well, so the title becomes ours; those who listen still hear it.
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
  const below = from.bottom + GAP + own.height < innerHeight;
  const middle = from.left + (from.width - own.width) / 2;
  tip.style.left = `${Math.max(GAP, Math.min(innerWidth - own.width - GAP, middle))}px`;
  tip.style.top = `${Math.max(GAP, below ? from.bottom + GAP : from.top - GAP - own.height)}px`;
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
  if (thing && thing !== shown) showAfter(thing, REST);
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
    showAfter(thing, PRESS, () => {
      press.long = true;
    });
});
document.addEventListener("pointermove", (event) => {
  if (pressed && !pressed.long && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > SLIP)
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
