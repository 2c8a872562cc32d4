// Links and forms of a page whose addresses are a server's: they lead to the pages of the site, and what would be
// downloaded from a server comes from the worker.
import { keysAt } from "/static/platform/seat_keys.js";
import { fileOf } from "/static/site/paths.js";
import { send } from "/static/site/transport.js";

const RECORD = /^\/api\/tables\/(\w+)\/record$/;
const MAKES = ["play", "new", "first"]; // what a form makes: a game, a lobby, a lesson
/** @type {Record<string, string>} */
const PAGES = { play: "table", new: "lobby", first: "lesson" };

/**
 * @param {string} table
 * @param {string} name of the file
 */
async function saveRecord(table, name) {
  const [first] = keysAt(table).split(".");
  const answer = await send(`/api/tables/${table}/record`, { headers: { authorization: `Bearer ${first}` } });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name;
  link.click();
}

addEventListener("click", async (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const path = link?.getAttribute("href") ?? "";
  if (!link || !path.startsWith("/") || event.defaultPrevented || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  const record = RECORD.exec(path);
  if (record) return saveRecord(record[1], link.download);
  const file = await fileOf(path);
  if (link.target === "_blank") open(file, "_blank");
  else location.assign(file);
});

// another language shows the same table
for (const link of document.querySelectorAll("a[hreflang]"))
  link.addEventListener("click", () => {
    /** @type {HTMLAnchorElement} */ (link).search = location.search;
  });

addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const [make, game] = (form.getAttribute("action") ?? "").split("/").filter(Boolean);
  if (!MAKES.includes(make)) return;
  event.preventDefault();
  const wanted = new URLSearchParams({ make });
  for (const [name, value] of new FormData(form)) wanted.append(name, String(value));
  location.assign(`${PAGES[make]}-${game}.html?${wanted}`);
});
