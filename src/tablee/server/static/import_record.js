// A record that is dropped on the page, or chosen, becomes a table to look back at and to play on from.
const place = document.getElementById("bring");
const chosen = document.getElementById("record");
const said = document.getElementById("bring-said");

async function importRecord(file) {
  said.textContent = "";
  const text = await file.text().catch(() => ""); // a folder has none
  if (!isJson(text)) return showError(place.dataset.damaged);
  const answer = await fetch("/api/records", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: text,
  })
    .then(async (found) => ({ ok: found.ok, body: await found.json() }))
    .catch(() => null);
  if (answer?.ok) location.assign(`/t/${answer.body.table}`);
  else showError(answer ? place.dataset.wrong.replace("{why}", answer.body.error) : place.dataset.lost);
}

function showError(sentence) {
  said.textContent = sentence;
  said.scrollIntoView({ block: "center" });
  chosen.value = "";
}

function isJson(text) {
  try {
    return Boolean(JSON.parse(text));
  } catch {
    return false;
  }
}

const holdsFile = (event) => event.dataTransfer?.types.includes("Files");

chosen.addEventListener("change", () => {
  if (chosen.files.length) importRecord(chosen.files[0]);
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
  importRecord(event.dataTransfer.files[0]);
});
