// Which level of the bots suits the person at this device: by their last three games against one level.
import { all, byId, data, field } from "./dom.js";

const [GAMES, MOST_WINS] = [3, 1]; // two wins of three call for the next level, none for the one before
const storageKey = (/** @type {string} */ game) => `tablee-bots-${game}`;

/** @typedef {{ table: string, level: string, won: boolean }} Result */

/**
 * @param {string} game
 * @returns {Result[]} the newest last
 */
const read = (game) => JSON.parse(localStorage.getItem(storageKey(game)) ?? "[]");

/**
 * Stores the result of a game against bots of one level when it is over, once.
 *
 * @param {string} game
 */
export function storeResult(game) {
  const [place, table] = [document.getElementById("against"), data(byId("table"), "table")];
  const known = read(game);
  if (!place || known.some((each) => each.table === table)) return;
  const result = { table, level: data(place, "level"), won: data(place, "won") === "yes" };
  localStorage.setItem(storageKey(game), JSON.stringify([...known, result].slice(-GAMES)));
}

/**
 * The level that suits after three games against one level.
 *
 * @param {Result[]} results
 * @param {string[]} levels the weakest first
 */
function suitable(results, levels) {
  const wins = results.filter(({ won }) => won).length;
  const step = wins > MOST_WINS ? 1 : wins ? 0 : -1;
  return levels[Math.min(Math.max(levels.indexOf(results[0].level) + step, 0), levels.length - 1)];
}

/** Shows the character of a level on the start page. @param {string} game */
function showCharacter(game) {
  const { value } = field(`level-${game}`);
  for (const each of all(`#play-${game} ~ .opponent .character`)) each.hidden = each.id !== `${game}-${value}`;
}

/** Chooses in each game the level that suits, and says so; else the level of the last game. */
export function suggestLevels() {
  for (const place of all(".suits")) {
    const game = place.id.replace("suits-", "");
    const [results, select] = [read(game), field(`level-${game}`)];
    const last = results.at(-1)?.level;
    if (!last) continue;
    const told = results.length === GAMES && results.every(({ level }) => level === last);
    const levels = all("option", select).map((option) => /** @type {HTMLOptionElement} */ (option).value);
    select.value = told ? suitable(results, levels) : last;
    showCharacter(game);
    place.hidden = !told;
    place.textContent = data(place, "words").replace("{name}", data(byId(`${game}-${select.value}`), "name"));
  }
}

document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLSelectElement && target.name === "level") showCharacter(target.id.replace("level-", ""));
});
