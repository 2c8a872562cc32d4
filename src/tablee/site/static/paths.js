// The pages of the site by the paths that a server gives them: "/" is index.html, "/rules/mayflower" is
// rules-mayflower.html, and "/t/TABLE" is the page of the table's game.
import { read } from "./device.js";

const TABLE = /^\/t\/(\w+)/;

/**
 * The address of the page of a table of this device.
 *
 * @param {string} table
 */
async function tablePage(table) {
  const [document] = (await read(table)) ?? [];
  if (!document) return "index.html";
  const { game, phase, settings } = JSON.parse(document);
  const kind = phase === "gathering" ? "lobby" : settings.lesson ? "lesson" : "table";
  return `${kind}-${game}.html?t=${table}`;
}

/** @param {string} path */
export async function fileOf(path) {
  const { pathname, hash } = new URL(path, location.origin);
  const table = TABLE.exec(pathname);
  if (table) return tablePage(table[1]);
  const parts = pathname.split("/").filter(Boolean);
  return `${parts.join("-") || "index"}.html${hash}`;
}

/** @param {string} path */
export async function openPath(path) {
  location.assign(await fileOf(path));
}
