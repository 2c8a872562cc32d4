// Replaces the fragments that changed, and moves the keyboard's focus to where the player goes on.
/** @import { Patch } from "./messages.d.ts" */
import { all, byId, data, one } from "./dom.js";
import { emit } from "./events.js";

/**
 * Returns the digests of the fragments that are shown there, by id.
 *
 * @param {ParentNode} place
 * @returns {Record<string, string>}
 */
export const digests = (place) =>
  Object.fromEntries(all("[data-part]", place).map((part) => [part.id, data(part, "part")]));

/** @param {Patch[]} parts */
export function patch(parts) {
  const { activeElement } = document;
  const focused = activeElement?.closest("#table") ? activeElement : null;
  const stays = focused?.closest("[data-keep-focus]"); // a player at work there is not led to Confirm
  const wasReady = document.getElementById("confirm");
  const open = all("#table details[id][open]").map((each) => each.id);
  const panel = one("#table [popover]:popover-open")?.id;
  const typed = focused instanceof HTMLInputElement && focused.type !== "radio" ? textIn(focused) : null;
  for (const { id, html } of parts) {
    const old = document.getElementById(id);
    old?.replaceWith(parse(html, old));
  }
  emit("tablee:drawn", null);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (panel && !one("#table [popover]:popover-open")) document.getElementById(panel)?.showPopover();
  const confirm = document.getElementById("confirm");
  if (focused && confirm && !wasReady && !stays) confirm.focus({ preventScroll: true });
  else if (focused && (!focused.isConnected || focused.id === "bar")) restoreFocus(focused.id, typed);
}

/** @param {HTMLInputElement} field */
const textIn = (field) => ({ value: field.value, from: field.selectionStart, to: field.selectionEnd });

/**
 * @param {string} html
 * @param {Element} old
 */
function parse(html, old) {
  const inSvg = old.namespaceURI === "http://www.w3.org/2000/svg" && old.tagName !== "svg";
  const template = document.createElement("template");
  template.innerHTML = inSvg ? `<svg>${html}</svg>` : html;
  const first = template.content.firstElementChild;
  return (inSvg ? first?.firstElementChild : first) ?? "";
}

/**
 * Keeps the focus where it was; if that element is gone, moves it to the next step ([data-focus]) or to the bar.
 *
 * @param {string} id
 * @param {ReturnType<typeof textIn> | null} typed
 */
function restoreFocus(id, typed) {
  const same = id && id !== "bar" ? document.getElementById(id) : null;
  const next = same && !same.matches(":disabled") ? same : (one("#table [data-focus]") ?? byId("bar"));
  next.focus({ preventScroll: true });
  if (!typed || !(same instanceof HTMLInputElement)) return;
  same.value = typed.value; // what is being typed survives the patch
  if (typed.from !== null) same.setSelectionRange(typed.from, typed.to); // only text has a selection
}
