// Puts the parts that the server sent in the place of the old ones, and the keyboard's focus where the player goes on.

/** The stamps of the parts that are shown there. */
export const stamps = (place) =>
  Object.fromEntries([...place.querySelectorAll("[data-part]")].map((part) => [part.id, part.dataset.part]));

export function patch(parts) {
  const focused = document.activeElement?.closest("#table") ? document.activeElement : null;
  const stays = focused?.closest("[data-keep-focus]"); // somebody at work there is not led to Confirm
  const wasReady = document.getElementById("confirm");
  const open = [...document.querySelectorAll("#table details[id][open]")].map((each) => each.id);
  const panel = document.querySelector("#table [popover]:popover-open")?.id;
  const typed = focused?.matches("input:not([type=radio])") && {
    value: focused.value,
    from: focused.selectionStart,
    to: focused.selectionEnd,
  };
  for (const { id, html } of parts) {
    const old = document.getElementById(id);
    old?.replaceWith(parse(html, old));
  }
  document.dispatchEvent(new Event("tablee:drawn"));
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (panel && !document.querySelector("#table [popover]:popover-open")) document.getElementById(panel)?.showPopover();
  const confirm = document.getElementById("confirm");
  if (focused && confirm && !wasReady && !stays) confirm.focus({ preventScroll: true });
  else if (focused && (!focused.isConnected || focused.id === "bar")) restoreFocus(focused.id, typed);
}

function parse(html, old) {
  const inSvg = old.namespaceURI === "http://www.w3.org/2000/svg" && old.tagName !== "svg";
  const template = document.createElement("template");
  template.innerHTML = inSvg ? `<svg>${html}</svg>` : html;
  return inSvg ? template.content.firstElementChild.firstElementChild : template.content.firstElementChild;
}

// Stay where we were; otherwise go where the room says the next step is ([data-focus]), or wait at the bar.
function restoreFocus(id, typed) {
  const same = id && id !== "bar" ? document.getElementById(id) : null;
  const next =
    same && !same.disabled ? same : (document.querySelector("#table [data-focus]") ?? document.getElementById("bar"));
  next?.focus({ preventScroll: true });
  if (same && typed) {
    // half a name stays where somebody types it
    same.value = typed.value;
    same.setSelectionRange?.(typed.from, typed.to);
  }
}
