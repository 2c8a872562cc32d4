// The start page: its forms get name and colour from the preferences, and it lists the tables and classes of this
// device, first the tables where it is to act.
import { classesAs, forget } from "./club_roles.js";
import { all, byId, closest, one } from "./dom.js";
import { preferences } from "./preferences.js";
import { hideTable, knownTables } from "./seat_keys.js";
import { send } from "./transport.js";

document.addEventListener("formdata", ({ target, formData }) => {
  if (!(target instanceof HTMLFormElement) || target.method !== "post") return;
  formData.set("name", preferences.name);
  formData.set("colour", preferences.colour);
});

async function list() {
  const [place, tables] = [byId("mine"), knownTables()];
  place.hidden = !tables.length;
  document.documentElement.dataset.mine = String(tables.length);
  if (!tables.length) return;
  const answer = await send("/mine", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tables }),
  });
  if (answer.ok) byId("mine-list").innerHTML = await answer.text();
  place.hidden = !one("li", place);
}

// Lists the classes of this device, and forgets those that were deleted.
async function listClasses() {
  const place = byId("classes");
  const mine = { organiser: classesAs("organiser"), member: classesAs("member") };
  const known = mine.organiser.length + mine.member.length;
  document.documentElement.dataset.classes = String(known);
  place.hidden = !known;
  if (!known) return;
  const answer = await fetch("/mine/classes", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(mine),
  });
  if (!answer.ok) return;
  byId("classes-list").innerHTML = await answer.text();
  for (const role of /** @type {const} */ (["organiser", "member"]))
    for (const club of mine[role]) if (!one(`[data-club="${club}"]`, place)) forget(role, club);
  document.documentElement.dataset.classes = String(all("li", place).length);
  place.hidden = !one("li", place);
}

function listAll() {
  list();
  listClasses();
}

document.addEventListener("click", (event) => {
  const table = closest(event, "[data-hide]")?.dataset.hide;
  if (!table) return;
  hideTable(table);
  list();
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") listAll();
});
addEventListener("pageshow", (event) => {
  if (event.persisted) listAll();
});
listAll();
