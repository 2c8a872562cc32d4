// The pencil in hand: where a cell takes several projects, a tap draws the one picked up in the bar. The cells say what
// they may take. New dice tumble once, and the final scoring shows the parks that count.
const TYPES = ["house", "forest", "lake", "park"];
const sheet = () => document.getElementById("sheet");
let picked = "";
let rolled = "";
let me = null;

function pickUp(pencil) {
  picked = pencil;
  sheet().dataset.pencil = pencil;
  for (const each of document.querySelectorAll(".pencil"))
    each.setAttribute("aria-pressed", String(each.dataset.pencil === pencil));
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
  const type = takes.includes(pencil) ? pencil : (takes[0] ?? (pencil || "house"));
  document.dispatchEvent(new CustomEvent("tablee:try", { detail: `build ${type} ${cell.dataset.cell}` }));
}

function tumble() {
  const desk = document.getElementById("desk");
  if (!desk || desk.dataset.roll === rolled) return;
  rolled = desk.dataset.roll;
  desk.classList.add("tumbles");
}

// A new sheet comes with the first pencil; the one picked up before stays in hand while it can be used.
function update(now) {
  me = now.me;
  if (picked && document.getElementById(`pencil-${picked}`)) pickUp(picked);
  tumble();
}

document.addEventListener("tablee:now", (event) => update(event.detail));
// the platform's first word may have come before this module
update(JSON.parse(document.getElementById("now").textContent));

// A step of the final scoring: its parks are marked on the sheet they stand on.
document.addEventListener("tablee:finale", ({ detail }) => {
  for (const each of document.querySelectorAll(".counted")) each.classList.remove("counted");
  for (const name of detail?.place.split(" ") ?? []) {
    const park =
      detail.seat === me
        ? document.getElementById(`cell-${name}`)
        : document.querySelector(`#other-${detail.seat} [data-at="${name}"]`);
    park?.classList.add("counted");
    park?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
});
