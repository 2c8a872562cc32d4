// The pencil in hand: where a cell takes several projects, a tap draws the one picked up in the bar. The cells say what they may take.
const TYPES = ["house", "forest", "lake", "park"];
const sheet = () => document.getElementById("sheet");
let picked = "";

function pickUp(pencil) {
  picked = pencil;
  sheet().dataset.pencil = pencil;
  for (const each of document.querySelectorAll(".pencil")) each.setAttribute("aria-pressed", String(each.dataset.pencil === pencil));
}

document.addEventListener("click", (event) => {
  const pencil = event.target.closest(".pencil");
  if (pencil) return pickUp(pencil.dataset.pencil);
  const cell = event.target.closest(".cell");
  if (cell) draw(cell);
});

// A cell that takes nothing is tried all the same: the server says why not.
function draw(cell) {
  const pencil = sheet().dataset.pencil;
  const takes = TYPES.filter((type) => type in cell.dataset);
  const type = takes.includes(pencil) ? pencil : takes[0] ?? (pencil || "house");
  document.dispatchEvent(new CustomEvent("tablee:try", { detail: `build ${type} ${cell.dataset.cell}` }));
}

// A new sheet comes with the first pencil; the one picked up before stays in hand while it can be used.
document.addEventListener("tablee:now", () => {
  if (picked && document.getElementById(`pencil-${picked}`)) pickUp(picked);
});
