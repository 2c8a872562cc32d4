// The page of a lobby: it sends what its visitors do and shows what the server sends. When the game starts, it opens
// the table.

import { byId, closest, data, field, one } from "./dom.js";
/** @import { LobbyAction, LobbyMessage, LobbyState } from "./messages.d.ts" */
import { isOutdated, reloadOrNotify, setReachable, showNotSent } from "./page_status.js";
import { digests, patch } from "./patch.js";
import { preferences, setPreference } from "./preferences.js";
import { keysAt, newKey, retainKeys, revealSeat, showDeviceLink, storeKeys } from "./seat_keys.js";
import { openConnection, REQUEST_TIMEOUT_MS } from "./server_connection.js";
import { released } from "./taps.js";
import { copyWithToast, toast } from "./toast.js";
import { openPage, send } from "./transport.js";

const root = byId("table");
const words = JSON.parse(data(root, "words"));
const table = data(root, "table");
const address = `/api/tables/${table}/gathering`;
const nameField = field("guest-name");

let keys = keysAt(table);
/** @type {LobbyState} */
let now = JSON.parse(byId("now").textContent);
let unsent = false; // whether a field may show what the server has not received: then it sends all fragments
let leaving = false; // whether this screen left its seat itself, or may never have had it

const hello = () => ({ keys, seen: unsent ? {} : digests(root) });

/**
 * @param {string} where
 * @param {object} body
 */
const post = (where, body) =>
  send(where, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });

/** @param {LobbyMessage} message */
function receive(message) {
  if (message.error) return toast(message.error, { stays: true });
  if (message.begun) return enterGame();
  if (isOutdated(message.build)) return reloadOrNotify(message.build, false);
  if (!message.now) return;
  const unhosted = now.host && !message.now.host;
  now = message.now;
  patch(message.parts ?? []);
  unsent = false;
  revealSeat();
  byId("newcomer").hidden = now.host || now.chairs.length > 0;
  dropFreedKeys(unhosted);
  if (unhosted) toast(words.unhosted);
  root.dataset.live = "true";
}

// Opens the game with the keys of those who sit: a host without a seat is a spectator. A state for fewer keys says
// nothing about a new one.
function enterGame() {
  const all = keys.split(".").filter(Boolean);
  if (now.seated.length === all.length && !now.seated.every(Boolean)) {
    const good = all.filter((_, number) => now.seated[number]);
    retainKeys(table, good);
    storeKeys(table, good.join("."));
  }
  openPage(`/t/${table}`);
}

/**
 * Drops the keys of seats that were freed; a state for fewer keys says nothing about a new one.
 *
 * @param {boolean} knows whether the reader has been told already
 */
function dropFreedKeys(knows) {
  const all = keys.split(".").filter(Boolean);
  if (now.held.length !== all.length || now.held.every(Boolean)) return;
  const good = all.filter((_, number) => now.held[number]);
  retainKeys(table, good);
  keys = good.join(".");
  if (!good.length && !leaving && !knows) toast(words.removed);
}

function requestUpdate() {
  if (!connection.send(hello())) poll();
}

async function poll() {
  try {
    const answer = await post(`${address}/page`, hello());
    const message = await answer.json();
    await released();
    setReachable(true);
    if (!connection.live()) receive(message);
  } catch {
    if (!connection.live()) setReachable(false);
  }
}

const connection = openConnection(`${address}/ws`, {
  hello,
  ping: requestUpdate,
  poll,
  onMessage: (message) => {
    setReachable(true);
    receive(message);
  },
  isWaiting: () => root.dataset.live === "false",
  onOpen: () => setReachable(true),
});

/** @param {LobbyAction} action */
async function act(action) {
  leaving = action.do === "leave";
  root.dataset.live = "false";
  const token = action.do === "sit" ? newKey() : "";
  try {
    const answer = await post(address, { keys, token, ...action });
    const reply = await answer.json();
    if (!answer.ok) toast(reply.error);
    else if (reply.token) addKey(reply.token);
  } catch {
    setReachable(false);
    showNotSent();
    unsent = leaving = true;
    if (token) addKey(token); // perhaps we sit there: the next answer says whether
  }
  requestUpdate();
}

/** @param {string} token */
function addKey(token) {
  keys = [keys, token].filter(Boolean).join(".");
  storeKeys(table, keys);
}

// Actions of buttons and fields: data-deed names the action, data-chair the seat, data-what and the value the rest.
const numbered = (/** @type {DOMStringMap} */ { chair }) => (chair === undefined ? {} : { chair: Number(chair) });

/** @type {Record<string, (field: HTMLInputElement) => LobbyAction>} */
const ACTIONS = {
  sit: (field) => ({ do: "sit", ...("beside" in field.dataset ? {} : me()) }),
  name: (field) => {
    if (now.chairs[0] === Number(field.dataset.chair)) setPreference("name", field.value.trim());
    return { do: "name", name: field.value };
  },
  colour: (field) => {
    if (now.chairs[0] === Number(field.dataset.chair)) setPreference("colour", field.value);
    return { do: "colour", colour: Number(field.value) };
  },
  kind: ({ value }) =>
    value.startsWith("bot:")
      ? { do: "bot", value: value.slice(4) }
      : value === "here"
        ? { do: "sit", ...(now.chairs.length ? {} : me()) }
        : { do: "leave" },
};
const defaultAction = (/** @type {HTMLInputElement} */ field) => ({
  do: /** @type {LobbyAction["do"]} */ (data(field, "deed")),
  ...(field.dataset.what && { what: field.dataset.what, value: field.value }),
});

function me() {
  if (nameField.value.trim()) setPreference("name", nameField.value.trim());
  return { name: preferences.name, colour: preferences.colour === "" ? -1 : Number(preferences.colour) };
}

/** @param {HTMLInputElement} field */
async function perform(field) {
  await act({ ...(ACTIONS[data(field, "deed")] ?? defaultAction)(field), ...numbered(field.dataset) });
}

document.addEventListener("click", (event) => {
  const button = /** @type {HTMLInputElement | null} */ (closest(event, "button"));
  if (button?.dataset.deed) perform(button);
  else if (button && "device" in button.dataset) showDeviceLink(table, keys).catch(showNotSent);
  else if (button?.dataset.copy) copyWithToast(button.dataset.copy, words);
});
document.addEventListener("change", ({ target }) => {
  const changed = /** @type {HTMLInputElement} */ (target);
  if (changed.dataset?.deed) perform(changed);
});
byId("newcomer").addEventListener("submit", (event) => {
  event.preventDefault();
  const chair = one("#table [data-deed=sit]");
  if (chair) chair.click();
  else toast(words.full);
});

nameField.value = preferences.name;
if (keys) storeKeys(table, keys);
