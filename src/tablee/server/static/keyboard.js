// The keyboard: arrows walk through a grid ([data-grid] with [data-x] [data-y] inside), a letter presses the button
// that names it with data-key, ? lists the keys that work right now. Single letters and digits can be switched off.
import { preferences } from "./preferences.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function watchKeyboard(root) {
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
    // a key held down confirms nothing
    if (event.repeat && ["Enter", " "].includes(event.key)) return event.preventDefault();
    if (event.key in ARROWS && moveFocus(event)) return event.preventDefault();
    if (!preferences.letters && event.key.length === 1) return;
    if (event.key === "?") return showHelp();
    const button = [...document.querySelectorAll("[data-key]")].find(
      (each) =>
        !each.disabled && each.getClientRects().length && each.dataset.key.toLowerCase() === event.key.toLowerCase(),
    );
    if (button && !document.querySelector("dialog[open], [popover]:popover-open")) {
      event.preventDefault();
      button.click();
    }
  });
}

function moveFocus(event) {
  const grid = event.target.closest("[data-grid]");
  if (!grid) return focusBoard(event);
  const [dx, dy] = ARROWS[event.key];
  const x = Number(event.target.dataset.x);
  const y = Number(event.target.dataset.y);
  const ahead = [...grid.querySelectorAll("[data-x]")]
    .filter((each) => each !== event.target && !each.disabled && each.getClientRects().length)
    .map((each) => [
      each,
      (Number(each.dataset.x) - x) * dx + (Number(each.dataset.y) - y) * dy,
      Math.abs((Number(each.dataset.x) - x) * dy + (Number(each.dataset.y) - y) * dx),
    ])
    .filter(([, along]) => along > 0)
    .sort(([, a, aside], [, b, beside]) => a + 2 * aside - b - 2 * beside);
  ahead[0]?.[0].focus();
  return true;
}

// From nowhere in particular, the bar or the tools, an arrow leads to where the next step is.
function focusBoard(event) {
  const idle = event.target === document.body || event.target.closest("#bar, .tools");
  const first = idle && document.querySelector("#table [data-focus]");
  first?.focus();
  return Boolean(first);
}

export function showHelp() {
  const dialog = document.getElementById("keys");
  const rows = [...document.querySelectorAll("[data-key]")].filter((each) => each.getClientRects().length);
  const place = dialog.querySelector("dl.now");
  place.replaceChildren(
    ...rows.flatMap((each) => [
      Object.assign(document.createElement("dt"), { textContent: each.dataset.key }),
      Object.assign(document.createElement("dd"), {
        textContent: each.getAttribute("aria-label") ?? each.textContent.trim(),
      }),
    ]),
  );
  dialog.showModal();
}
