// The way to the worker that thinks, which starts with the first request.

/** @typedef {{ resolve: (answer: string) => void, reject: (error: Error) => void }} Waiting */

/** @type {Worker | null} */
let thinker = null;
let numbers = 0;
/** @type {Map<number, Waiting>} */
const requests = new Map();

/** @param {string} why */
function giveUp(why) {
  for (const { reject } of requests.values()) reject(new Error(why));
  requests.clear();
  thinker?.terminate();
  thinker = null; // the next request tries again
}

function start() {
  const worker = new Worker(new URL("./thinker.js", import.meta.url), { type: "module" });
  worker.onerror = ({ message }) => giveUp(message || "worker");
  worker.onmessage = ({ data: { id, answer, error } }) => {
    const waiting = requests.get(id);
    requests.delete(id);
    if (error) waiting?.reject(new Error(error));
    else waiting?.resolve(answer);
  };
  return worker;
}

/**
 * @param {string} request
 * @returns {Promise<string>}
 */
export function think(request) {
  thinker ??= start();
  numbers += 1;
  const id = numbers;
  return new Promise((resolve, reject) => {
    requests.set(id, { resolve, reject });
    thinker?.postMessage({ id, request });
  });
}
