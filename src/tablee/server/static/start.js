// The start page: who plays is known from the preferences, and the tables of this device are listed, those that wait for us first.
import { preferences } from "./preferences.js";
import { hide, known } from "./seats.js";

document.addEventListener("formdata", ({ target, formData }) => {
  if (target.method !== "post") return;
  formData.set("name", preferences.name);
  formData.set("colour", preferences.colour);
});

async function list() {
  const [place, tables] = [document.getElementById("mine"), known()];
  place.hidden = !tables.length;
  document.documentElement.dataset.mine = tables.length;
  if (!tables.length) return;
  const answer = await fetch("/mine", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ tables }) });
  if (answer.ok) document.getElementById("mine-list").innerHTML = await answer.text();
  place.hidden = !place.querySelector("li");
}

document.addEventListener("click", ({ target }) => {
  const table = target.closest("[data-hide]")?.dataset.hide;
  if (!table) return;
  hide(table);
  list();
});
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") list(); });
addEventListener("pageshow", (event) => { if (event.persisted) list(); });
list();
