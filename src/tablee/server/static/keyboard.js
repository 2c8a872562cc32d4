// The keyboard: arrows walk through a grid ([data-grid] with [data-x] [data-y] inside), a letter presses the button
// that names it with data-key, ? lists the keys that work right now. Single letters and digits can be switched off.
import { all, byId, closest, data, make, one } from "./dom.js";
import { preferences } from "./preferences.js";

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Reacts to the keys of the whole page. */
export function watchKeyboard() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || closest(event, "input, select, textarea")) return;
    // a key held down confirms nothing
    if (event.repeat && ["Enter", " "].includes(event.key)) return event.preventDefault();
    if (event.key in ARROWS && moveFocus(event)) return event.preventDefault();
    if (!preferences.letters && event.key.length === 1) return;
    if (event.key === "?") return showHelp();
    const pressed = event.key.toLowerCase();
    const button = all("[data-key]").find((each) => isUsable(each) && data(each, "key").toLowerCase() === pressed);
    if (button && !one("dialog[open], [popover]:popover-open")) {
      event.preventDefault();
      button.click();
    }
  });
}

/** @param {HTMLElement} element */
const isUsable = (element) => !element.matches(":disabled") && element.getClientRects().length > 0;

/** @param {HTMLElement} element */
const positionOf = ({ dataset }) => [Number(dataset.x), Number(dataset.y)];

/** @param {KeyboardEvent} event */
function moveFocus(event) {
  const grid = closest(event, "[data-grid]");
  if (!grid) return focusBoard(event);
  const from = /** @type {HTMLElement} */ (event.target);
  const [dx, dy] = ARROWS[event.key];
  const [x, y] = positionOf(from);
  const ahead = all("[data-x]", grid)
    .filter((each) => each !== from && isUsable(each))
    .map((each) => {
      const [right, down] = [positionOf(each)[0] - x, positionOf(each)[1] - y];
      return { each, along: right * dx + down * dy, aside: Math.abs(right * dy + down * dx) };
    })
    .filter(({ along }) => along > 0)
    .sort((one, other) => one.along + 2 * one.aside - other.along - 2 * other.aside);
  ahead[0]?.each.focus();
  return true;
}

/**
 * Moves the focus from the page itself, the bar or the tools to the next step ([data-focus]).
 *
 * @param {KeyboardEvent} event
 */
function focusBoard(event) {
  const idle = event.target === document.body || closest(event, "#bar, .tools");
  const first = idle ? one("#table [data-focus]") : null;
  first?.focus();
  return Boolean(first);
}

/** Lists the keys that work right now. */
export function showHelp() {
  const dialog = /** @type {HTMLDialogElement} */ (byId("keys"));
  const rows = all("[data-key]").filter((each) => each.getClientRects().length);
  one("dl.now", dialog)?.replaceChildren(
    ...rows.flatMap((each) => [
      make("dt", { textContent: data(each, "key") }),
      make("dd", { textContent: each.getAttribute("aria-label") ?? each.textContent.trim() }),
    ]),
  );
  dialog.showModal();
}
