// How a page reaches what answers it, and how it goes to another page. In a site without a server, another module of
// this name takes its place: there a worker answers.

/** @param {string} path */
export const openSocket = (path) =>
  new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);

/**
 * @param {string} path
 * @param {RequestInit} [options]
 */
export const send = (path, options) => fetch(path, options);

/** @param {string} path */
export const openPage = (path) => location.assign(path);

/**
 * Goes on with a game in the site without a server, which fetches it from this browser's storage.
 *
 * @param {string} record
 * @param {string} game
 * @returns {Promise<string>} why not
 */
export async function goOn(record, game) {
  localStorage.setItem("tablee-carried", record);
  location.assign(`/offline/${document.documentElement.lang}/table-${game}.html?make=carried`);
  return "";
}
