// A tile lies where it was put, turned as it was turned, with the places for a settler on it, before the server has
// shown it: all of that the server has said beforehand, of each place in #sites.

import { all, byId, data, make } from "/static/platform/dom.js";
import { add, mark } from "/static/platform/optimistic.js";
import { tableState } from "/static/platform/table_state.js";
import { arrange } from "./markers.js";

/** @typedef {{ cell: string, turns: number }} Laid */

/**
 * The tile that a draft lays.
 *
 * @param {string[]} draft
 * @returns {Laid | null}
 */
export function laidBy([move = ""]) {
  const [, cell, turns] = move.match(/^lay (\S+) (\d)$/) ?? [];
  return cell ? { cell, turns: Number(turns) } : null;
}

export const letter = () => document.getElementById("drawn")?.dataset.letter;

/**
 * The moves that may follow when the tile in hand lies there, besides to pass.
 *
 * @param {HTMLElement} site
 * @param {number} turns
 * @returns {string[]}
 */
export const settlesAt = (site, turns) => JSON.parse(data(site, "settles"))[turns];

/**
 * The tile in hand as SVG.
 *
 * @param {number} turns
 * @param {number} x
 * @param {number} y
 */
export function tileSvg(turns, x, y) {
  const use = (/** @type {string} */ layer) =>
    `<use href="#${layer}-${letter()}" class="turn-${turns}" x="${x}" y="${y}" width="100" height="100" ` +
    `transform="rotate(${90 * turns} ${x + 50} ${y + 50})"/>`;
  return `<rect class="meadow" x="${x}" y="${y}" width="100" height="100"/>${use("land")}${use("tile")}`;
}

/** @param {string} cell */
const cornerOf = (cell) => {
  const [column, row] = cell.split(",").map(Number);
  return [-100 * column, 100 * row];
};

/** @param {string} svg */
function group(svg, properties = "") {
  const template = make("template", { innerHTML: `<svg><g ${properties}>${svg}</g></svg>` });
  return /** @type {Element} */ (template.content.firstElementChild?.firstElementChild);
}

/** @param {string[]} draft */
export function showAskedTile(draft) {
  const [before, asked] = [laidBy(tableState().draft), laidBy(draft)];
  if (before?.cell === asked?.cell && before?.turns === asked?.turns) return;
  for (const stale of all("#last-tile, #choices > *, #settlers .fresh, #gains > *, .drawn .spot, .choice, #pass"))
    mark(stale, "stale");
  if (before && before.cell !== asked?.cell) cover(before.cell);
  const site = asked && document.getElementById(`site-${asked.cell}`);
  if (site) show(site, asked);
}

/**
 * Where the tile lay before.
 *
 * @param {string} cell
 */
function cover(cell) {
  const [x, y] = cornerOf(cell);
  add(byId("last"), group(`<rect x="${x - 1}" y="${y - 1}" width="102" height="102"/>`, 'class="bare"'));
}

/**
 * @param {HTMLElement} site
 * @param {Laid} asked
 */
function show(site, { cell, turns }) {
  const [x, y] = cornerOf(cell);
  const frame = `<rect class="frame trying" x="${x + 1}" y="${y + 1}" width="98" height="98" rx="5"/>`;
  add(byId("last"), group(tileSvg(turns, x, y) + frame, 'class="asked-tile"'));
  settlesAt(site, turns).forEach((move, number) => {
    add(byId("choices"), spot(move, number + 1, turns, [x, y]));
  });
  if (data(site, "turns").includes(" ")) add(byId("choices"), handle([x, y]));
  arrange();
}

/**
 * @param {string} move
 * @param {number} number
 * @param {number} turns
 * @param {number[]} corner
 */
function spot(move, number, turns, [x, y]) {
  const stand = JSON.parse(data(byId("sites"), "stands"))[turns][move.replace("settle ", "")];
  const [ax, ay] = [x + stand[0], y + stand[1]];
  return group(
    `<path class="lead"/><circle class="foot" cx="${ax}" cy="${ay}" r="4"/>
    <g class="disc"><circle r="12"/><text y="4.8">${number}</text></g>`,
    `class="spot settle" data-ax="${ax}" data-ay="${ay}" data-move="${move}"`,
  );
}

/** @param {number[]} corner */
const handle = ([x, y]) =>
  group(
    '<g class="disc"><circle r="16"/><path d="M7-4A8 8 0 1 0 8 3M8-9v6h-6"/></g>',
    `class="turn-here" data-rotate data-ax="${x + 50}" data-ay="${y + 50}"`,
  );
