// A record that is dropped on the page, or chosen, becomes a table to look back at and to play on from.
import { byId, data, field } from "./dom.js";
import { keysOf, storeKeys } from "./seat_keys.js";
import { openPage, send } from "./transport.js";

const [place, chosen, said] = [byId("bring"), field("record"), byId("bring-said")];

/** @param {File} file */
async function importRecord(file) {
  said.textContent = "";
  const text = await file.text().catch(() => ""); // a folder has none
  if (!isJson(text)) return showError(data(place, "damaged"));
  const answer = await send("/api/records", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: text,
  })
    .then(async (found) => ({ ok: found.ok, body: await found.json() }))
    .catch(() => null);
  if (answer?.ok) openTable(answer.body);
  else showError(answer ? data(place, "wrong").replace("{why}", answer.body.error) : data(place, "lost"));
}

/**
 * A record that names its players is a game that goes on here: this screen holds their seats.
 *
 * @param {{ table: string, seats: { token: string | null }[] }} made
 */
function openTable({ table, seats }) {
  const keys = keysOf(seats);
  if (keys) storeKeys(table, keys);
  openPage(`/t/${table}`);
}

/** @param {string} sentence */
function showError(sentence) {
  said.textContent = sentence;
  said.scrollIntoView({ block: "center" });
  chosen.value = "";
}

/** @param {string} text */
function isJson(text) {
  try {
    return Boolean(JSON.parse(text));
  } catch {
    return false;
  }
}

const holdsFile = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");

chosen.addEventListener("change", () => {
  if (chosen.files?.length) importRecord(chosen.files[0]);
});
addEventListener("dragover", (event) => {
  if (!holdsFile(event)) return;
  event.preventDefault();
  place.classList.add("drop-target");
});
addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) place.classList.remove("drop-target");
});
addEventListener("drop", (event) => {
  if (!holdsFile(event)) return;
  event.preventDefault();
  place.classList.remove("drop-target");
  const file = event.dataTransfer?.files[0];
  if (file) importRecord(file);
});
