// The numbered markers of what may be chosen, and the handle that turns the tile: beside each other, never on the
// tile's centre, so that a second tap there turns it. Each has a line to its spot where it had to step aside.
import { all, one } from "/static/platform/dom.js";
import { discSize, figureSize, paneBox, relativePosition, scaleNow, tagSize, watchMap } from "./map.js";

const RADIUS = 12;
const HANDLE = 16;
const CENTRE = 15; // pixels around the tile's centre that stay free
const ROUNDS = 60;

/** @typedef {[number, number]} Point in units of the map */
/** @typedef {{ each: HTMLElement, place: Point, settles: boolean }} Choice */
/** @typedef {{ other: number, centre: number, settler: number, handle: number }} Distances */

const spots = () => all("#choices [data-ax]:not(.stale)");

export function arrange() {
  const every = spots();
  if (!every.length) return;
  const disc = discSize();
  const tile = /** @type {SVGRectElement} */ (/** @type {Element} */ (one("#last .frame:not(.stale)")));
  /** @type {Point} */
  const centre = [tile.x.baseVal.value + 49, tile.y.baseVal.value + 49];
  const standing = settlers(centre);
  const handle = one("#choices .turn-here:not(.stale)");
  const hold = handle && corner(centre, standing, disc);
  /** @type {Choice[]} */
  const choices = every
    .filter((each) => each !== handle)
    .map((each) => ({
      each,
      place: [Number(each.dataset.ax), Number(each.dataset.ay)],
      settles: each.classList.contains("settle"),
    }));
  const apart = {
    other: 2 * RADIUS * disc + 2,
    centre: RADIUS * disc + CENTRE / scaleNow(),
    settler: RADIUS * disc + 11 * figureSize(),
    handle: (RADIUS + HANDLE) * disc + 2,
  };
  for (let round = 0; round < ROUNDS; round += 1) step(choices, centre, standing, hold, apart);
  for (const { each, place } of choices) draw(each, place, disc);
  if (handle && hold) draw(handle, hold, disc);
}

/**
 * Who stands around the tile.
 *
 * @param {Point} tile
 */
function settlers([x, y]) {
  const figures = /** @type {NodeListOf<SVGGElement>} */ (document.querySelectorAll("#settlers .settler"));
  const places = [...figures].map((each) => pointOf(each.transform.baseVal.consolidate()?.matrix));
  return places.filter(([e, f]) => Math.hypot(e - x, f - y) < 220);
}

/** The middles of the points that the turn brings (mayflower/map.html). */
function pointsShown() {
  const shown = /** @type {NodeListOf<SVGGElement>} */ (document.querySelectorAll("#gains .gain"));
  return [...shown].map((each) => {
    const [x, y] = pointOf(each.transform.baseVal.consolidate()?.matrix);
    const above = Number(one(".rising", each)?.style.getPropertyValue("--above"));
    return /** @type {Point} */ ([x, y - (28 + 24 * above) * tagSize()]);
  });
}

/**
 * @param {DOMMatrix | undefined} matrix
 * @returns {Point}
 */
function pointOf(matrix) {
  return [matrix?.e ?? 0, matrix?.f ?? 0];
}

/**
 * The handle stands at that corner of the tile where it is in sight and covers nobody and no points.
 *
 * @param {Point} tile
 * @param {Point[]} standing
 * @param {number} disc
 */
function corner([x, y], standing, disc) {
  const out = 50 + HANDLE * disc * 0.6;
  const points = pointsShown();
  const cost = (/** @type {Point} */ place) => {
    const [across, down] = relativePosition(...place);
    const near = standing.filter(
      (each) => Math.hypot(each[0] - place[0], each[1] - place[1]) < HANDLE * disc + 11 * figureSize(),
    ).length;
    const covered = points.filter(
      (each) =>
        Math.abs(each[0] - place[0]) < HANDLE * disc + 24 * tagSize() &&
        Math.abs(each[1] - place[1]) < HANDLE * disc + 11 * tagSize(),
    ).length;
    const beneathTheTools = down < 0.2 && across > 0.65;
    return near + covered + (beneathTheTools || across < 0.04 || across > 0.96 || down < 0.04 || down > 0.96 ? 10 : 0);
  };
  /** @type {Point[]} */
  const corners = [
    [x + out, y - out],
    [x - out, y - out],
    [x + out, y + out],
    [x - out, y + out],
  ];
  return corners.reduce((best, each) => (cost(each) < cost(best) ? each : best));
}

/**
 * @param {Choice[]} choices
 * @param {Point} centre
 * @param {Point[]} standing
 * @param {Point | null} hold
 * @param {Distances} apart
 */
function step(choices, centre, standing, hold, apart) {
  choices.forEach(({ place, settles }, one) => {
    if (settles) for (const each of standing) push(place, each, apart.settler);
    if (settles) push(place, centre, apart.centre);
    if (hold) push(place, hold, apart.handle);
    for (const other of choices.slice(0, one)) part(place, other.place, apart.other);
    keepInSight(place, apart.other / 2);
  });
}

/**
 * Moves `place` away from the edges of the pane.
 *
 * @param {Point} place
 * @param {number} radius
 */
function keepInSight(place, radius) {
  const { left, top, right, bottom } = paneBox();
  place[0] = Math.min(Math.max(place[0], left + radius), right - radius);
  place[1] = Math.min(Math.max(place[1], top + radius), bottom - radius);
}

/**
 * Moves `place` away from `from` until they are so far apart.
 *
 * @param {Point} place
 * @param {Point} from
 * @param {number} apart
 */
function push(place, from, apart) {
  const [dx, dy] = [place[0] - from[0], place[1] - from[1]];
  const distance = Math.hypot(dx, dy);
  if (distance >= apart) return;
  const [ux, uy] = distance > 0.1 ? [dx / distance, dy / distance] : [0.6, 0.8];
  place[0] = from[0] + ux * apart;
  place[1] = from[1] + uy * apart;
}

/**
 * @param {Point} one
 * @param {Point} other
 * @param {number} apart
 */
function part(one, other, apart) {
  const [dx, dy] = [one[0] - other[0], one[1] - other[1]];
  const distance = Math.hypot(dx, dy);
  if (distance >= apart) return;
  const by = (apart - distance) / 2;
  const [ux, uy] = distance > 0.1 ? [dx / distance, dy / distance] : [1, 0];
  one[0] += ux * by;
  one[1] += uy * by;
  other[0] -= ux * by;
  other[1] -= uy * by;
}

/**
 * @param {HTMLElement} each
 * @param {Point} place
 * @param {number} disc
 */
function draw(each, [x, y], disc) {
  one(".disc", each)?.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})scale(${disc.toFixed(2)})`);
  one(".lead", each)?.setAttribute("d", `M${x.toFixed(1)} ${y.toFixed(1)}L${each.dataset.ax} ${each.dataset.ay}`);
}

let zoom = 0;
watchMap(() => {
  if (scaleNow() !== zoom) arrange();
  zoom = scaleNow();
});
