// How a page of a site without a server reaches the worker that answers it, and how it goes to another page. The import
// map puts it in the place of the platform's module of this name.
import { keysOf, storeKeys } from "/static/platform/seat_keys.js";
import { openPath } from "./paths.js";

/** @typedef {{ status: number, body: string }} Answer */

/** @type {Worker | null} */
let worker = null;
let numbers = 0;
/** @type {Map<number, (answer: Answer) => void>} */
const requests = new Map();
/** @type {Map<number, TabSocket>} */
const sockets = new Map();
/** @type {(step: string) => void} */
let onStep = () => {};
/** @type {PromiseWithResolvers<void>} */
const ready = Promise.withResolvers();
ready.promise.catch(() => {}); // whoever waits for it is told

/** @type {Record<string, (message: any) => void>} */
const MESSAGES = {
  step: ({ step }) => onStep(step),
  ready: () => ready.resolve(),
  failed: ({ why }) => ready.reject(new Error(why)),
  answer: ({ id, status, body }) => {
    requests.get(id)?.({ status, body });
    requests.delete(id);
  },
  message: ({ socket, data }) => sockets.get(socket)?.onmessage({ data }),
  closed: ({ socket, code }) => sockets.get(socket)?.end(code),
};

/**
 * Starts the worker, once; the answer comes when it is ready.
 *
 * @param {(step: string) => void} [react] is told what it does meanwhile
 */
export function start(react) {
  onStep = react ?? onStep;
  if (!worker) {
    worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => MESSAGES[data.kind](data);
    worker.onerror = ({ message }) => ready.reject(new Error(message || "worker"));
    worker.postMessage({ kind: "start", language: document.documentElement.lang });
  }
  return ready.promise;
}

/** @param {object} message */
const say = (message) => {
  start().catch(() => {});
  worker?.postMessage(message);
};

/** What a page takes for a WebSocket. */
class TabSocket {
  /** @type {number} */
  readyState = WebSocket.CONNECTING;
  /** @type {() => void} */
  onopen = () => {};
  /** @type {(message: { data: string }) => void} */
  onmessage = () => {};
  /** @type {(event: { code: number }) => void} */
  onclose = () => {};

  /** @param {string} path */
  constructor(path) {
    numbers += 1;
    this.number = numbers;
    sockets.set(this.number, this);
    say({ kind: "open", socket: this.number, path });
    start().then(() => {
      this.readyState = WebSocket.OPEN;
      this.onopen();
    });
  }

  /** @param {string} text */
  send(text) {
    say({ kind: "send", socket: this.number, text });
  }

  close() {
    say({ kind: "close", socket: this.number });
    this.end(1000);
  }

  /** @param {number} code */
  end(code) {
    sockets.delete(this.number);
    this.readyState = WebSocket.CLOSED;
    this.onclose({ code });
  }
}

/** @param {string} path */
export const openSocket = (path) => new TabSocket(path);

/**
 * @param {string} path
 * @param {RequestInit} [options]
 */
export async function send(path, { method = "GET", headers, body } = {}) {
  await start();
  numbers += 1;
  const id = numbers;
  const token = new Headers(headers).get("authorization")?.replace("Bearer ", "") ?? "";
  /** @type {Promise<Answer>} */
  const answered = new Promise((resolve) => requests.set(id, resolve));
  say({ kind: "request", id, method, path, token, text: body ? String(body) : "" });
  const answer = await answered;
  return new Response(answer.body, { status: answer.status });
}

/** @param {string} path */
export const openPage = (path) => openPath(path);

/**
 * Goes on with a game at the server that this site comes from.
 *
 * @param {string} record
 * @returns {Promise<string>} why not
 */
export async function goOn(record) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch("/api/records", { method: "POST", headers, body: record });
  const made = await answer.json();
  if (!answer.ok) return made.error;
  storeKeys(made.table, keysOf(made.seats));
  location.assign(`/t/${made.table}`);
  return "";
}
