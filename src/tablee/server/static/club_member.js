// A class member's device, which opens the page of its seat by itself. It polls, because schools often block every
// connection by which the server could notify it.
import { forget, hasRole, remember } from "./club_roles.js";
import { data, one } from "./dom.js";
import { setReachable } from "./page_status.js";
import { keysAt } from "./seat_keys.js";
import { REQUEST_TIMEOUT_MS } from "./server_connection.js";

const place = one("[data-club]") ?? document.body;
const [club, table] = [data(place, "club"), place.dataset.table];
const isMember = () => hasRole("member", club); // a spectator's device does not ask
const POLL_INTERVAL_MS = 2000;
let leaving = false; // a second navigation would restart the first
const atTable = (/** @type {string} */ address) => new URL(address, location.href).pathname;

async function poll() {
  if (leaving || !isMember() || document.visibilityState !== "visible") return;
  const answer = await fetch(`/class/${club}/where`, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }).catch(
    () => null,
  );
  if (!table) setReachable(Boolean(answer)); // a table's page shows that by its own connection
  if (!answer) return; // the next time
  if (answer.ok) go((await answer.json()).go || `/class/${club}`);
  else if ([403, 404, 410].includes(answer.status))
    end(answer.status === 404 ? place.dataset.gone : place.dataset.removed);
}

/**
 * Opens a page. A member who still looks at a finished game is not called away by the rematch, which has a button.
 *
 * @param {string} where
 */
function go(where) {
  if (leaving) return;
  const rematch = /** @type {HTMLAnchorElement | null} */ (one("#rematch[data-follow]"));
  if (atTable(where) === location.pathname || (rematch && atTable(rematch.href) === atTable(where))) return;
  leaving = true;
  location.assign(where);
}

/** @param {string | undefined} sentence */
function end(sentence) {
  clearInterval(pollTimer);
  forget("member", club);
  const said = document.getElementById("said");
  if (said && sentence) said.textContent = sentence;
}

// The seat at this table was given away, perhaps because the member has another one.
document.addEventListener("tablee:unseated", (event) => {
  if (!isMember()) return;
  event.preventDefault();
  poll();
});

/**
 * Signs in a device that came by a link to the table itself: the key of a seat is also its member's.
 *
 * @param {string} key
 */
async function registerDevice(key) {
  try {
    await fetch(`/class/${club}/arrive`, { method: "POST", body: new URLSearchParams({ k: key }), redirect: "manual" });
    remember("member", club);
  } catch {
    // the connection is lost: the next visit tries again
  }
}

if (!table) remember("member", club);
else if (!isMember() && keysAt(table)) registerDevice(keysAt(table).split(".")[0]);
const pollTimer = setInterval(poll, POLL_INTERVAL_MS);
addEventListener("pageshow", () => {
  leaving = false;
}); // the reader came back to this page
document.addEventListener("visibilitychange", poll);
document.querySelector("form[action$='/leave']")?.addEventListener("submit", () => forget("member", club));
