// The game of the day, which everybody plays with the same draws: the date of this device, and its games by date.

/** @typedef {{ table: string, score?: number }} DayGame */

const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
const storageKey = (/** @type {string} */ game) => `tablee-days-${game}`;

/** The language of dates: British English on an English page. */
export const locale = () => document.documentElement.lang.replace(/^en$/, "en-GB");

/** @param {Date} date */
export const isoDate = (date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

export const today = () => isoDate(new Date());

/** @param {string} day */
export const inWords = (day) => new Date(`${day}T12:00`).toLocaleDateString(locale(), { dateStyle: "long" });

/**
 * The games of the days of this device, by date.
 *
 * @param {string} game
 * @returns {Record<string, DayGame>}
 */
export const daysOf = (game) => JSON.parse(localStorage.getItem(storageKey(game)) ?? "{}");

/**
 * Stores a game of a day. The first table of a day counts.
 *
 * @param {string} game
 * @param {string} day
 * @param {DayGame} played
 */
export function storeDay(game, day, { table, score }) {
  const { [day]: known = { table }, ...others } = daysOf(game);
  if (known.table !== table) return;
  localStorage.setItem(storageKey(game), JSON.stringify({ ...others, [day]: { table, score: score ?? known.score } }));
}
