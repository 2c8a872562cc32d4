// One screen at a table. It holds no rule: the server says which moves are legal and sends the parts of the page that changed.
// What is tried out (the draft) and what is not yet acknowledged (the outbox) survive a reload and a lost connection.
import { watchKeys } from "./keys.js";
import { patch } from "./patch.js";

const table = document.getElementById("table");
const words = JSON.parse(table.dataset.words);
const keys = new URLSearchParams(location.search).get("k") ?? "";
const address = `/api/tables/${table.dataset.table}`;
const kept = (name) => `tablee-${table.dataset.table}-${keys.slice(0, 8)}-${name}`;
const recall = (name) => JSON.parse(sessionStorage.getItem(kept(name)) ?? "null");
const keep = (name, value) => sessionStorage.setItem(kept(name), JSON.stringify(value));

let now = JSON.parse(document.getElementById("now").textContent);
let chosen = null;
let shown = null;
let draft = recall("draft") ?? [];
let socket = null;
let misses = 0;
let sending = false;

const hello = () => ({ page: true, keys, chosen, shown, draft });

function tell() {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(hello()));
  else poll();
}

async function poll() {
  try {
    const answer = await fetch(`${address}/page`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(hello()) });
    const message = await answer.json();
    if (answer.ok) receive(message);
    else toast(message.error);
  } catch {
    toast(words.lost);
  }
}

function receive(message) {
  if (message.error) return toast(message.error);
  now = message.now;
  if (draft.length > now.draft.length) draft = now.draft;
  keep("draft", draft);
  patch(message.parts);
  table.dataset.live = "true";
  document.dispatchEvent(new CustomEvent("tablee:now", { detail: now }));
}

function connect() {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${address}/ws`);
  socket.onopen = () => {
    if (misses) toast(words.back, true);
    misses = 0;
    socket.send(JSON.stringify(hello()));
    flush();
  };
  socket.onmessage = (event) => receive(JSON.parse(event.data));
  socket.onclose = (event) => {
    if (event.code === 4000) return;
    misses += 1;
    if (misses === 2) toast(words.lost);
    setTimeout(connect, Math.min(500 * 2 ** misses, 8000));
  };
}

// Where sockets are blocked the page asks again and again instead.
setInterval(() => misses > 1 && document.visibilityState === "visible" && poll(), 2000);

function token() {
  return keys.split(".")[now.mine.indexOf(now.me)];
}

function confirm(moves) {
  const outbox = moves.map((move) => ({ move, id: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}` }));
  keep("outbox", { token: token(), at: now.version, outbox });
  flush();
}

// Sends what is not yet acknowledged, one after the other; a move that was sent twice counts once.
async function flush() {
  if (sending) return;
  sending = true;
  try {
    for (let waiting = recall("outbox"); waiting?.outbox.length; waiting = recall("outbox")) {
      const { move, id } = waiting.outbox[0];
      const answer = await post("moves", waiting.token, { move, at: waiting.at, id });
      if (!answer) return;
      draft = answer.ok ? draft.slice(1) : [];
      keep("draft", draft);
      keep("outbox", answer.ok ? { ...waiting, at: answer.body.version, outbox: waiting.outbox.slice(1) } : null);
      if (!answer.ok) toast(answer.body.error);
    }
  } finally {
    sending = false;
    if (chosen !== null && !recall("outbox")?.outbox.length) chosen = null;
    tell();
  }
}

async function post(what, bearer, body) {
  for (let tries = 0; tries < 6; tries += 1) {
    try {
      const answer = await fetch(`${address}/${what}`, { method: "POST", headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` }, body: body && JSON.stringify(body) });
      if (answer.status !== 503) return { ok: answer.ok, body: await answer.json() };
    } catch {
      toast(words.lost);
    }
    await new Promise((done) => setTimeout(done, 400 * 2 ** tries));
  }
  return null;
}

function tryOut(move) {
  draft = [...draft, move];
  keep("draft", draft);
  tell();
}

const DEEDS = {
  move: (value) => tryOut(value),
  confirm: () => confirm(draft.length ? draft : now.draft),
  drop: () => { draft = draft.slice(0, -1); tell(); },
  clear: () => { draft = []; tell(); },
  undo: async () => { const answer = await post("undo", token()); if (answer && !answer.ok) toast(answer.body.error); tell(); },
  seat: (value) => { chosen = Number(value); draft = []; tell(); },
  show: (value) => { shown = Number(value); tell(); },
  copy: async (value) => { await navigator.clipboard?.writeText(value); toast(words.copied, true); },
};

document.addEventListener("click", (event) => {
  const target = event.target.closest?.("[data-move],[data-confirm],[data-drop],[data-clear],[data-undo],[data-seat],[data-show],[data-copy]");
  if (!target || target.disabled) return;
  const [name] = Object.keys(DEEDS).filter((deed) => deed in target.dataset);
  DEEDS[name](target.dataset[name]);
});

let fading = 0;
function toast(sentence, good = false) {
  const place = document.getElementById("toast");
  place.textContent = sentence;
  place.className = good ? "shown good" : "shown";
  clearTimeout(fading);
  fading = setTimeout(() => { place.className = ""; }, 5000);
}

// A room's own module speaks to this one by events: it hears tablee:now, and says tablee:try (one more move) or tablee:draft (all of them).
document.addEventListener("tablee:try", (event) => tryOut(event.detail));
document.addEventListener("tablee:draft", (event) => { draft = event.detail; keep("draft", draft); tell(); });

watchKeys(document);
connect();
document.dispatchEvent(new CustomEvent("tablee:now", { detail: now }));
