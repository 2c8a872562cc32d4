// A member of a class: this device goes where its seat is, by itself. It asks, because schools often block everything
// that could tell it.
import { forget, hasRole, remember } from "./club_roles.js";
import { data, one } from "./dom.js";
import { setReachable } from "./page_status.js";
import { keysAt } from "./seat_keys.js";
import { REQUEST_TIMEOUT_MS } from "./server_connection.js";

const place = one("[data-club]") ?? document.body;
const [club, table] = [data(place, "club"), place.dataset.table];
const isMember = () => hasRole("member", club); // a spectator's device does not ask
const EVERY = 2000;
let leaving = false; // sent there twice, a browser would begin anew
const atTable = (/** @type {string} */ address) => new URL(address, location.href).pathname;

async function poll() {
  if (leaving || !isMember() || document.visibilityState !== "visible") return;
  const answer = await fetch(`/class/${club}/where`, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }).catch(
    () => null,
  );
  if (!table) setReachable(Boolean(answer)); // a table has a line of its own
  if (!answer) return; // the next time
  if (answer.ok) go((await answer.json()).go || `/class/${club}`);
  else if ([403, 404, 410].includes(answer.status))
    end(answer.status === 404 ? place.dataset.gone : place.dataset.removed);
}

/**
 * Goes there. Who still looks at the end of a game is not called away by the others' rematch: there is a button for
 * that.
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

// The seat here was given away, perhaps because there is another elsewhere.
document.addEventListener("tablee:unseated", (event) => {
  if (!isMember()) return;
  event.preventDefault();
  poll();
});

/**
 * A seat's key is its member's: a device that came by a link straight to the table is known to the class from now on.
 *
 * @param {string} key
 */
async function registerDevice(key) {
  try {
    await fetch(`/class/${club}/arrive`, { method: "POST", body: new URLSearchParams({ k: key }), redirect: "manual" });
    remember("member", club);
  } catch {
    // the connection is lost; at the next visit
  }
}

if (!table) remember("member", club);
else if (!isMember() && keysAt(table)) registerDevice(keysAt(table).split(".")[0]);
const pollTimer = setInterval(poll, EVERY);
addEventListener("pageshow", () => {
  leaving = false;
}); // somebody went back
document.addEventListener("visibilitychange", poll);
document.querySelector("form[action$='/leave']")?.addEventListener("submit", () => forget("member", club));
