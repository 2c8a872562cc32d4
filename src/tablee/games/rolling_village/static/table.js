// The pencil in hand: where a cell takes several projects, a tap draws the one picked up in the bar. The cells say what
// they may take. New dice tumble once, and the final scoring shows the parks that count.
import { all, byId, closest, data, one } from "/static/platform/dom.js";
import { emit } from "/static/platform/events.js";
import { mark } from "/static/platform/optimistic.js";
import { tableState } from "/static/platform/table_state.js";

const TYPES = ["house", "forest", "lake", "park"];
const sheet = () => byId("sheet");
let picked = "";
/** @type {string | undefined} */
let rolled = "";

/** @param {string} pencil */
function pickUp(pencil) {
  picked = pencil;
  sheet().dataset.pencil = pencil;
  for (const each of all(".pencil")) each.setAttribute("aria-pressed", String(each.dataset.pencil === pencil));
}

document.addEventListener("click", (event) => {
  const pencil = closest(event, ".pencil");
  if (pencil) return pickUp(data(pencil, "pencil"));
  const cell = closest(event, ".cell");
  if (cell) draw(cell);
});

/**
 * A cell that takes nothing is tried all the same: the server says why not.
 *
 * @param {HTMLElement} cell
 */
function draw(cell) {
  const pencil = sheet().dataset.pencil ?? "";
  const takes = TYPES.filter((type) => type in cell.dataset);
  const type = takes.includes(pencil) ? pencil : (takes[0] ?? (pencil || "house"));
  emit("tablee:try", `build ${type} ${cell.dataset.cell}`);
}

function tumble() {
  const desk = document.getElementById("desk");
  if (!desk || desk.dataset.roll === rolled) return;
  rolled = desk.dataset.roll;
  desk.classList.add("tumbles");
}

/** A new sheet comes with the first pencil; the one picked up before stays in hand while it can be used. */
function update() {
  if (picked && document.getElementById(`pencil-${picked}`)) pickUp(picked);
  tumble();
}

// The stroke is there, or rubbed out, before the server has shown it.
document.addEventListener("tablee:asked", ({ detail }) => {
  const { draft } = tableState();
  for (const move of detail.filter((each) => !draft.includes(each))) drawAsked(move);
  for (const move of draft.filter((each) => !detail.includes(each))) mark(cellOf(move), "rubbed-out");
});

const cellOf = (/** @type {string} */ move) => document.getElementById(`cell-${move.split(" ")[2]}`);

/** @param {string} move */
function drawAsked(move) {
  const cell = cellOf(move);
  const stroke = cell && one(`.ghost.for-${move.split(" ")[1]}`, cell);
  if (!cell || !stroke) return;
  mark(cell, "tried");
  mark(stroke, "asked");
}

document.addEventListener("tablee:now", update);
update(); // the platform's first word may have come before this module

// A step of the final scoring: its parks are marked on the sheet they stand on.
document.addEventListener("tablee:finale", ({ detail }) => {
  for (const each of all(".counted")) each.classList.remove("counted");
  if (!detail) return;
  for (const name of detail.place.split(" ")) {
    const park =
      detail.seat === tableState().me
        ? document.getElementById(`cell-${name}`)
        : document.querySelector(`#other-${detail.seat} [data-at="${name}"]`);
    park?.classList.add("counted");
    park?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
});
