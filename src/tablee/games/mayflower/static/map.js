// The map under the hand: it moves and zooms on this screen alone, and no new tile ever moves it.

const map = document.getElementById("map");
const chart = document.getElementById("chart");
const ruler = document.getElementById("ruler");
const kept = `mayflower-${document.getElementById("table").dataset.table}-view`;
const LEAST = 0.12;
const MOST = 2.5;
const STEP = 1.35;
const watchers = [];

let resting = 0;
let view = JSON.parse(sessionStorage.getItem(kept) ?? "null");

export const cellBox = (cell) => {
  const [col, row] = cell.split(",").map(Number);
  return { left: -100 * col, top: 100 * row, right: -100 * col + 100, bottom: 100 * row + 100 };
};

export const around = (boxes) => ({
  left: Math.min(...boxes.map((box) => box.left)),
  top: Math.min(...boxes.map((box) => box.top)),
  right: Math.max(...boxes.map((box) => box.right)),
  bottom: Math.max(...boxes.map((box) => box.bottom)),
});

/** `react` is called whenever the map has moved. */
export const watchMap = (react) => watchers.push(react);

export function inView(box) {
  const [x, y] = [(box.left + box.right) / 2 * view.scale + view.x, (box.top + box.bottom) / 2 * view.scale + view.y];
  return x > 12 && y > 12 && x < map.clientWidth - 12 && y < map.clientHeight - 12;
}

function show(next, smooth = false) {
  const scale = Math.min(MOST, Math.max(LEAST, next.scale));
  view = { scale, x: next.x, y: next.y };
  chart.classList.toggle("gliding", smooth);
  chart.classList.add("moving");
  clearTimeout(resting);
  resting = setTimeout(() => chart.classList.remove("moving"), 300);
  chart.style.transform = `matrix(${scale}, 0, 0, ${scale}, ${view.x}, ${view.y})`;
  ruler.style.setProperty("--top", `${-view.y / scale}px`);
  ruler.style.setProperty("--unit", 1 / scale);
  sessionStorage.setItem(kept, JSON.stringify(view));
  for (const react of watchers) react();
}

export function moveBy(dx, dy, smooth = false) {
  show({ ...view, x: view.x + dx, y: view.y + dy }, smooth);
}

/** Zooms by a factor; what lies under (x, y) on the screen stays there. */
export function zoomAt(factor, x = map.clientWidth / 2, y = map.clientHeight / 2, smooth = false) {
  const scale = Math.min(MOST, Math.max(LEAST, view.scale * factor));
  const by = scale / view.scale;
  show({ scale, x: x - (x - view.x) * by, y: y - (y - view.y) * by }, smooth);
}

export const zoomIn = () => zoomAt(STEP, undefined, undefined, true);
export const zoomOut = () => zoomAt(1 / STEP, undefined, undefined, true);

/** As large as it goes, with the box in the middle; never larger than `most`. */
export function fit(box, most = 1, smooth = true) {
  const scale = Math.min(most, map.clientWidth / (box.right - box.left), map.clientHeight / (box.bottom - box.top));
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  show({ scale, x: map.clientWidth / 2 - x * scale, y: map.clientHeight / 2 - y * scale }, smooth);
}

/** Moves no further than needed; zooms out only for what is larger than the map. */
export function bringIntoView(box) {
  const room = 60 / view.scale;
  const wanted = { left: box.left - room, top: box.top - room, right: box.right + room, bottom: box.bottom + room };
  if ((wanted.right - wanted.left) * view.scale > map.clientWidth || (wanted.bottom - wanted.top) * view.scale > map.clientHeight) return fit(wanted, view.scale);
  const push = (low, high, size) => Math.max(0, -low) || Math.min(0, size - high);
  const [left, right] = [wanted.left, wanted.right].map((x) => x * view.scale + view.x);
  const [top, bottom] = [wanted.top, wanted.bottom].map((y) => y * view.scale + view.y);
  moveBy(push(left, right, map.clientWidth), push(top, bottom, map.clientHeight), true);
}

export const scaleNow = () => view.scale;
export const started = () => view !== null;
export const restore = () => show(view);
