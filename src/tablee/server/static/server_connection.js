// Connection to the server: a WebSocket, which is reopened whenever it closes. Where WebSockets are blocked, and while
// the connection is lost, the page polls instead. A silent socket is pinged, and given up if it does not answer: a
// sleeping phone and a dead network close nothing.
import { suspectLost } from "./page_status.js";
import { released } from "./taps.js";
import { openSocket, send } from "./transport.js";

// the server's close codes: it restarts, or it rejects this client for good
const [CLOSE_RESTART, CLOSE_REJECTED] = [1012, 4000];
// milliseconds for which a restarting server is retried quickly, and between two tries
const [RESTART_WINDOW_MS, FAST_RETRY_MS, MAX_RETRY_MS] = [10_000, 300, 8000];
// milliseconds of silence: while an answer is due, while none is, and when the page becomes visible again
const [ANSWER_TIMEOUT_MS, SILENCE_TIMEOUT_MS, WAKE_TIMEOUT_MS] = [6000, 15_000, 3000];

/** Milliseconds after which a request is given up, to be sent again. */
export const REQUEST_TIMEOUT_MS = 8000;

/**
 * Sends one request; returns null if no answer came.
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

/** Whether this browser can inflate compressed messages. */
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
 * @param {() => object} page.hello returns the first message
 * @param {() => void} page.ping sends a message that the server answers
 * @param {() => void} page.poll asks without a socket
 * @param {(message: Message) => void} page.onMessage handles a message
 * @param {() => boolean} page.isWaiting returns whether an answer is due
 * @param {() => void} page.onOpen is called when the socket is open
 * @param {() => void} [page.onClosed] when it is closed
 * @param {() => void} [page.onRejected] when the server rejects this client for good
 * @param {() => void} [page.onUnreadable] when a message cannot be read
 */
export function openConnection(
  address,
  { hello, ping, poll, onMessage, isWaiting, onOpen, onClosed, onRejected, onUnreadable },
) {
  /** @type {WebSocket | null} */
  let socket = null;
  let misses = 0;
  let wasOpen = false; // since it was last closed
  let retry = 0; // the timer of the next try
  let lastMessageAt = Date.now();
  let fastRetryUntil = 0; // until when a restarting server is retried quickly
  let ended = false; // whether the server does not show the table to this page: it polls no more

  const live = () => socket?.readyState === WebSocket.OPEN;
  const visible = () => document.visibilityState === "visible";

  function connect() {
    clearTimeout(retry);
    const here = openSocket(address);
    socket = here;
    // messages are handled in their order, however long one takes to inflate
    let handled = Promise.resolve();
    const handle = async (/** @type {string | Blob} */ data) => {
      const message = JSON.parse(typeof data === "string" ? data : await inflate(data));
      await released();
      if (socket === here) onMessage(message);
    };
    socket.onopen = () => {
      [misses, lastMessageAt, wasOpen] = [0, Date.now(), true];
      sendMessage(hello());
      onOpen();
    };
    socket.onmessage = ({ data }) => {
      lastMessageAt = Date.now();
      handled = handled
        .then(() => handle(data))
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
   * Treats the socket as closed, and schedules the next try.
   *
   * @param {number} [code]
   */
  function close(code) {
    socket = null;
    if (wasOpen) suspectLost(); // where sockets are blocked, polling notices it
    wasOpen = false;
    misses += 1;
    onClosed?.();
    if (code === CLOSE_RESTART) fastRetryUntil = Date.now() + RESTART_WINDOW_MS;
    if (code === CLOSE_REJECTED) onRejected?.();
    else
      retry = setTimeout(
        connect,
        Date.now() < fastRetryUntil ? FAST_RETRY_MS : Math.min(250 * 2 ** misses, MAX_RETRY_MS),
      );
    check();
  }

  /** @param {object} message */
  function sendMessage(message) {
    if (live()) socket?.send(JSON.stringify(message));
    return live();
  }

  function check() {
    if (live()) checkSilence();
    else if (!ended && visible()) poll();
  }

  function checkSilence() {
    const silence = Date.now() - lastMessageAt;
    if (silence > ANSWER_TIMEOUT_MS && isWaiting()) close();
    else if (silence > SILENCE_TIMEOUT_MS) ping();
  }

  // The page is visible again, or the network is back: try at once.
  function wake() {
    if (!visible()) return;
    if (live()) {
      if (Date.now() - lastMessageAt > WAKE_TIMEOUT_MS) ping();
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
    send: sendMessage,
    check,
    end: (yes = true) => {
      ended = yes;
    },
  };
}
