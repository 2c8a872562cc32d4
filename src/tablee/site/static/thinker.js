// The worker in which bots and the coach think: a Python of its own, which answers one request after another.
import * as loops from "./loops.js";
import { startPython } from "./python.js";

const started = startPython().then((main) => main.thinker(loops.load, loops.ADDRESS));

addEventListener("message", async ({ data: { id, request } }) => {
  try {
    postMessage({ id, answer: (await started).answer(request) });
  } catch (error) {
    postMessage({ id, error: String(error) });
  }
});
