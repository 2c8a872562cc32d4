// The page of a table while it is opened: what is fetched and started, step by step; then the table, and its scripts.
import { byId, data } from "/static/platform/dom.js";
import { keysAt, keysOf, storeKeys } from "/static/platform/seat_keys.js";
import { kept } from "/static/site/offline.js";
import { openPath } from "/static/site/paths.js";
import { send, start } from "/static/site/transport.js";

const [table, opening] = ["table", "opening"].map(byId);
const words = JSON.parse(data(opening, "opening"));
const address = new URL(location.href);

/**
 * @param {string} sentence
 * @param {number} [part] of what is fetched
 */
function show(sentence, part) {
  const progress = /** @type {HTMLProgressElement} */ (byId("opening-progress"));
  byId("opening-step").textContent = sentence;
  if (part === undefined) progress.removeAttribute("value");
  else progress.value = part;
}

/** @param {string} sentence */
function fail(sentence) {
  show(sentence);
  opening.dataset.failed = "true";
}

const FROM_SERVER = location.pathname.startsWith("/offline/"); // where a server has the site

const canPlay = () => typeof WebAssembly === "object" && typeof Worker === "function" && typeof indexedDB === "object";

const CARRIED = "tablee-carried"; // a game from the server of this site, which goes on here

async function openCarried() {
  const answer = await send("/api/records", { method: "POST", body: localStorage.getItem(CARRIED) ?? "" });
  const made = await answer.json();
  if (!answer.ok) throw new Error(made.error);
  localStorage.removeItem(CARRIED);
  return { table: made.table, keys: keysOf(made.seats) };
}

/**
 * @param {string} make
 * @param {string} game
 */
async function makeTable(make, game) {
  const answer = await send(`/${make}/${game}`, { method: "POST", body: address.searchParams.toString() });
  const made = await answer.json();
  if (!answer.ok) throw new Error(made.error);
  return made;
}

/** @returns {Promise<string>} the table, which is made if the address says so */
async function wanted() {
  const known = address.searchParams.get("t");
  if (known) return known;
  const make = address.searchParams.get("make") ?? "";
  const made = await (make === "carried" ? openCarried() : makeTable(make, data(opening, "game")));
  storeKeys(made.table, made.keys);
  history.replaceState(null, "", `?t=${made.table}`);
  return made.table;
}

async function open() {
  await kept((done, total) =>
    show(words.fetching.replace("{done}", done).replace("{total}", total), Number(done) / Number(total)),
  );
  await start((step) => show(words[step]));
  const id = await wanted();
  const answer = await send(`/t/${id}`, { headers: { authorization: `Bearer ${keysAt(id)}` } });
  const shown = await answer.json();
  if (!answer.ok) throw new Error(shown.error);
  if (shown.page !== data(opening, "page")) return openPath(`/t/${id}`);
  table.dataset.table = id;
  if (FROM_SERVER) table.dataset.elsewhere = "online";
  byId("now").textContent = JSON.stringify(shown.now);
  table.innerHTML = shown.html;
  const scripts = data(opening, "scripts").split(" ");
  await Promise.all(scripts.map((script) => import(script)));
}

if (canPlay()) open().catch((error) => fail(words.failed.replace("{why}", error.message)));
else fail(words.impossible);
