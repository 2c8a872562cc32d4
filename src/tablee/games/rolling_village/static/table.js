// The pencil in hand: which project a tap on a cell draws. The cells say which projects they may take.
const sheet = () => document.getElementById("sheet");

function pickUp(pencil) {
  sheet().dataset.pencil = pencil;
  for (const each of document.querySelectorAll(".pencil")) each.setAttribute("aria-pressed", String(each.dataset.pencil === pencil));
}

document.addEventListener("click", (event) => {
  const pencil = event.target.closest(".pencil:not(:disabled)");
  if (pencil) return pickUp(pencil.dataset.pencil);
  const cell = event.target.closest(".cell");
  if (!cell) return;
  const moves = ["house", "forest", "lake", "park"].map((type) => cell.dataset[type]).filter(Boolean);
  const move = cell.dataset[sheet().dataset.pencil] ?? (moves.length === 1 ? moves[0] : null);
  if (move) document.dispatchEvent(new CustomEvent("tablee:try", { detail: move }));
});
