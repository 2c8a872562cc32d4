// The worker of a tab: Python, the tables of this device, and the answers that a server would give.
import * as device from "./device.js";
import * as loops from "./loops.js";
import { startPython } from "./python.js";
import { think } from "./think.js";

const CHANGES = new BroadcastChannel("tablee-changes");

/** @param {string} language */
async function start(language) {
  postMessage({ kind: "step", step: "python" });
  const main = await startPython(() => postMessage({ kind: "step", step: "table" }));
  return main.TabWorker(
    { ...device, write },
    language,
    (/** @type {number} */ socket, /** @type {string} */ data) => postMessage({ kind: "message", socket, data }),
    (/** @type {number} */ socket, /** @type {number} */ code) => postMessage({ kind: "closed", socket, code }),
    think,
    loops.load,
    loops.ADDRESS,
  );
}

/** @type {typeof device.write} */
async function write(table, ...rest) {
  const answer = await device.write(table, ...rest);
  if (!answer) CHANGES.postMessage(table);
  return answer;
}

/** @type {Promise<any> | undefined} */
let tab;

/** @type {Record<string, (message: any) => Promise<void>>} */
const MESSAGES = {
  start: async ({ language }) => {
    tab = start(language);
    await tab.then(
      () => postMessage({ kind: "ready" }),
      (error) => postMessage({ kind: "failed", why: String(error).split("\n").at(-1) || String(error) }),
    );
  },
  request: async ({ id, method, path, token, text }) => {
    const [status, body] = JSON.parse(await (await tab).answer(method, path, token, text));
    postMessage({ kind: "answer", id, status, body });
  },
  open: async ({ socket, path }) => (await tab).open(socket, path),
  send: async ({ socket, text }) => (await tab).receive(socket, text),
  close: async ({ socket }) => (await tab).close(socket),
};

// in the order in which they came: each is handed to Python before the next, and none waits for an answer
addEventListener("message", ({ data }) => MESSAGES[data.kind](data));
CHANGES.onmessage = async ({ data }) => (await tab)?.refresh(data);
