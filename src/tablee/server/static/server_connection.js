// A line to the server: a socket that is opened again whenever it was closed. Where sockets are blocked, and while the connection is lost,
// the page asks again and again instead. A socket on which nothing was heard for a while is asked too, and given up if it does not answer:
// a sleeping phone and a dead network close nothing.
import { doubted } from "./connection_status.js";
import { released } from "./pointer_press.js";

const [RESTARTS, BROKEN] = [1012, 4000]; // how the server closes a socket: it will be back, or it is not worth another try
const [PATIENCE, QUICKLY, SLOWLY] = [10_000, 300, 8000]; // milliseconds during which a server that restarts is tried quickly, and between two tries
const [UNANSWERED, SILENT, SLEPT] = [6000, 15_000, 3000]; // milliseconds without a word: when one is due, when none is, and for who comes back

/** Milliseconds after which a request is given up, to be made again. */
export const TOO_LATE = 8000;

/** Whether this browser unpacks what the server has deflated. */
export const unpacks = (() => {
  try {
    return Boolean(new DecompressionStream("deflate-raw"));
  } catch {
    return false;
  }
})();

const unpack = (blob) => new Response(blob.stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();

/** Opens one. Of the page it wants to know: what it says first (`greet`), what it says to be answered (`again`), how it asks without a socket
 *  (`ask`) and takes an answer (`hear`), whether one is due (`waits`); and it tells it when it stands (`opened`), when it will not (`broken`),
 *  and when an answer could not be read (`garbled`). */
export function openLine(address, { greet, again, ask, hear, waits, opened, broken = () => {}, garbled = () => {} }) {
  let socket = null;
  let misses = 0;
  let stood = false; // whether it was open
  let retry = 0; // the timer of the next try
  let heardAt = Date.now();
  let comesBack = 0; // until when a server that said it would be back is tried quickly
  let ended = false; // whether the server said that there is nothing here for this page

  const live = () => socket?.readyState === WebSocket.OPEN;
  const visible = () => document.visibilityState === "visible";

  function connect() {
    clearTimeout(retry);
    const here = socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${address}`);
    let heard = Promise.resolve(); // messages are taken in the order in which they came, however long one takes to unpack
    const take = async (data) => {
      const message = JSON.parse(typeof data === "string" ? data : await unpack(data));
      await released();
      if (socket === here) hear(message);
    };
    socket.onopen = () => { [misses, heardAt, stood] = [0, Date.now(), true]; say(greet()); opened(); };
    socket.onmessage = ({ data }) => { heardAt = Date.now(); heard = heard.then(() => take(data)).catch(() => { garbled(); here.close(); }); };
    socket.onclose = ({ code }) => { if (socket === here) close(code); };
  }

  // The connection is gone, or as good as gone.
  function close(code) {
    socket = null;
    if (stood) doubted(); // where sockets are blocked, asking tells
    stood = false;
    misses += 1;
    if (code === RESTARTS) comesBack = Date.now() + PATIENCE;
    if (code === BROKEN) broken();
    else retry = setTimeout(connect, Date.now() < comesBack ? QUICKLY : Math.min(250 * 2 ** misses, SLOWLY));
    look();
  }

  function say(message) {
    if (live()) socket.send(JSON.stringify(message));
    return live();
  }

  function look() {
    if (live()) listen();
    else if (!ended && visible()) ask();
  }

  function listen() {
    const silence = Date.now() - heardAt;
    if (silence > UNANSWERED && waits()) close();
    else if (silence > SILENT) again();
  }

  // Somebody is back, or the network is: no need to wait for the next try.
  function wake() {
    if (!visible()) return;
    if (live()) {
      if (Date.now() - heardAt > SLEPT) again();
    } else if (!ended) {
      if (socket?.readyState !== WebSocket.CONNECTING) connect();
      look();
    }
  }

  setInterval(look, 2000);
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  connect();
  return { live, say, look, end: (yes = true) => { ended = yes; } };
}
