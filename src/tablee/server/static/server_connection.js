// A line to the server: a socket that is opened again whenever it was closed. Where sockets are blocked, and while the
// connection is lost, the page asks again and again instead. A socket on which nothing was heard for a while is asked
// too, and given up if it does not answer: a sleeping phone and a dead network close nothing.
import { suspectLost } from "./page_status.js";
import { released } from "./taps.js";
import { openSocket, send } from "./transport.js";

// how the server closes a socket: it will be back, or it is not worth another try
const [CLOSE_RESTART, CLOSE_REJECTED] = [1012, 4000];
// milliseconds during which a server that restarts is tried quickly, and between two tries
const [RESTART_WINDOW_MS, FAST_RETRY_MS, MAX_RETRY_MS] = [10_000, 300, 8000];
// milliseconds without a word: when one is due, when none is, and for who comes back
const [ANSWER_TIMEOUT_MS, SILENCE_TIMEOUT_MS, WAKE_TIMEOUT_MS] = [6000, 15_000, 3000];

/** Milliseconds after which a request is given up, to be made again. */
export const REQUEST_TIMEOUT_MS = 8000;

/**
 * One request; null where no answer came.
 *
 * @param {string} path
 * @param {{ method?: string, bearer?: string, body?: object }} [what]
 */
export async function ask(path, { method = "GET", bearer, body } = {}) {
  try {
    const answer = await send(path, {
      method,
      headers: {
        ...(method === "POST" && { "content-type": "application/json" }),
        ...(bearer && { authorization: `Bearer ${bearer}` }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    return { status: answer.status, body: await answer.json().catch(() => null) };
  } catch {
    return null;
  }
}

/** Whether this browser unpacks what the server has deflated. */
export const canInflate = (() => {
  try {
    return Boolean(new DecompressionStream("deflate-raw"));
  } catch {
    return false;
  }
})();

const inflate = (/** @type {Blob} */ blob) =>
  new Response(blob.stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();

/**
 * Opens a connection.
 *
 * @template Message
 * @param {string} address
 * @param {object} page
 * @param {() => object} page.hello what the page says first
 * @param {() => void} page.ping has it say something that is answered
 * @param {() => void} page.poll has it ask without a socket
 * @param {(message: Message) => void} page.onMessage takes an answer
 * @param {() => boolean} page.isWaiting whether one is due
 * @param {() => void} page.onOpen tells it that the connection stands
 * @param {() => void} [page.onClosed] that it is gone
 * @param {() => void} [page.onRejected] that it will not stand
 * @param {() => void} [page.onUnreadable] that an answer could not be read
 */
export function openConnection(
  address,
  { hello, ping, poll, onMessage, isWaiting, onOpen, onClosed, onRejected, onUnreadable },
) {
  /** @type {WebSocket | null} */
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
    const here = openSocket(address);
    socket = here;
    // messages are taken in the order in which they came, however long one takes to unpack
    let heard = Promise.resolve();
    const take = async (/** @type {string | Blob} */ data) => {
      const message = JSON.parse(typeof data === "string" ? data : await inflate(data));
      await released();
      if (socket === here) onMessage(message);
    };
    socket.onopen = () => {
      [misses, heardAt, stood] = [0, Date.now(), true];
      say(hello());
      onOpen();
    };
    socket.onmessage = ({ data }) => {
      heardAt = Date.now();
      heard = heard
        .then(() => take(data))
        .catch(() => {
          onUnreadable?.();
          here.close();
        });
    };
    socket.onclose = ({ code }) => {
      if (socket === here) close(code);
    };
  }

  /**
   * The connection is gone, or as good as gone.
   *
   * @param {number} [code]
   */
  function close(code) {
    socket = null;
    if (stood) suspectLost(); // where sockets are blocked, asking tells
    stood = false;
    misses += 1;
    onClosed?.();
    if (code === CLOSE_RESTART) comesBack = Date.now() + RESTART_WINDOW_MS;
    if (code === CLOSE_REJECTED) onRejected?.();
    else
      retry = setTimeout(connect, Date.now() < comesBack ? FAST_RETRY_MS : Math.min(250 * 2 ** misses, MAX_RETRY_MS));
    check();
  }

  /** @param {object} message */
  function say(message) {
    if (live()) socket?.send(JSON.stringify(message));
    return live();
  }

  function check() {
    if (live()) checkSilence();
    else if (!ended && visible()) poll();
  }

  function checkSilence() {
    const silence = Date.now() - heardAt;
    if (silence > ANSWER_TIMEOUT_MS && isWaiting()) close();
    else if (silence > SILENCE_TIMEOUT_MS) ping();
  }

  // Somebody is back, or the network is: no need to wait for the next try.
  function wake() {
    if (!visible()) return;
    if (live()) {
      if (Date.now() - heardAt > WAKE_TIMEOUT_MS) ping();
    } else if (!ended) {
      if (socket?.readyState !== WebSocket.CONNECTING) connect();
      check();
    }
  }

  setInterval(check, 2000);
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  connect();
  return {
    live,
    send: say,
    check,
    end: (yes = true) => {
      ended = yes;
    },
  };
}
