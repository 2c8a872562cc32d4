// Puts the parts that the server sent in the place of the old ones, and the keyboard's focus back where it was.

export function patch(parts) {
  const focused = document.activeElement?.id;
  const open = new Set([...document.querySelectorAll("details[id][open]")].map((each) => each.id));
  for (const { id, html } of parts) {
    const old = document.getElementById(id);
    old?.replaceWith(parse(html, old));
  }
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focused && document.activeElement === document.body) refocus(focused);
}

function parse(html, old) {
  const inSvg = old.namespaceURI === "http://www.w3.org/2000/svg" && old.tagName !== "svg";
  const template = document.createElement("template");
  template.innerHTML = inSvg ? `<svg>${html}</svg>` : html;
  return inSvg ? template.content.firstElementChild.firstElementChild : template.content.firstElementChild;
}

function refocus(id) {
  const same = document.getElementById(id);
  const next = same && !same.disabled && same.tabIndex >= 0 ? same : document.querySelector("[data-focus], #confirm, #bar button");
  next?.focus({ preventScroll: true });
}
