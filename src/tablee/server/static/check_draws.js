// "Check the draws": the reader's own browser computes the fingerprint and every draw again, one after the other.
// docs/fairness.md says how.
import { byId, data, make } from "./dom.js";
import { digest } from "./hashing.js";
import { plural } from "./plural.js";
import { firstFingerprint } from "./seat_keys.js";
import { ask } from "./server_connection.js";
import { tableId } from "./table_state.js";

/** @typedef {{ line: number, before: number, words: string, drawn: string, outcomes: [string, number][] }} Draw */
/** @typedef {{ commitment: string, seed: string, version: 1 | 2, draws: Draw[] }} Draws */
/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

const place = () => byId("checked");
// a lesson's draws are scripted: there is none
const fingerprint = () => firstFingerprint(tableId, document.getElementById("fingerprint")?.textContent);

const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);
const fromHex = (/** @type {string} */ hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const toHex = (/** @type {Bytes} */ found) => [...found].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const number = (/** @type {Bytes} */ found) => BigInt(`0x${toHex(found)}`);
const join = (/** @type {Bytes[]} */ ...pieces) => Uint8Array.from(pieces.flatMap((piece) => [...piece]));

/**
 * @param {Bytes} key
 * @param {Bytes} message
 */
async function hmac(key, message) {
  const padded = join(key, new Uint8Array(64 - key.length));
  const inner = await digest(
    "SHA-256",
    join(
      padded.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return digest(
    "SHA-256",
    join(
      padded.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

/**
 * The number behind a draw, by the version that the record names.
 *
 * @type {Record<1 | 2, (seed: Bytes, draw: Draw) => Promise<bigint>>}
 */
const NUMBERS = {
  1: async (seed, { line }) => number(await hmac(seed, bytes(String(line - 1)))),
  2: async (seed, { before }) => {
    const block = Uint8Array.from({ length: 8 }, (_, n) => Math.floor(before / 8 / 256 ** (7 - n)) % 256);
    const stream = await digest("SHA-512", join(seed, bytes("draw"), block));
    return number(stream.slice(8 * (before % 8)).slice(0, 8)) >> 1n;
  },
};

/**
 * Counts off along the outcomes in the order in which the game lists them.
 *
 * @param {[string, number][]} outcomes
 * @param {bigint} drawn
 */
function outcome(outcomes, drawn) {
  let left = drawn % outcomes.reduce((sum, [, weight]) => sum + BigInt(weight), 0n);
  const found = outcomes.find(([, weight]) => {
    left -= BigInt(weight);
    return left < 0n;
  });
  return found?.[0] ?? "";
}

/**
 * @param {string} sentence
 * @param {Record<string, unknown>} gaps
 */
const fill = (sentence, gaps) => sentence.replace(/\{(\w+)\}/g, (_, name) => String(gaps[name]));

/**
 * @param {HTMLElement} list
 * @param {boolean} right
 * @param {string} sentence
 */
function addResult(list, right, sentence) {
  const line = make("li", { className: right ? "right" : "wrong" });
  line.append(make("b", { textContent: right ? "✓" : "✗" }), ` ${sentence}`);
  list.append(line);
  list.scrollTop = list.scrollHeight;
}

async function check() {
  const words = JSON.parse(data(place(), "words"));
  const [verdict, list] = [document.createElement("p"), document.createElement("ol")];
  verdict.setAttribute("role", "status");
  list.tabIndex = 0;
  list.setAttribute("aria-label", words.list);
  place().replaceChildren(verdict, list);
  verdict.textContent = words.checking;
  const answer = await ask(`/api/tables/${tableId}/draws`);
  if (answer?.status !== 200 || !answer.body) {
    verdict.textContent = answer?.body?.error ?? words.unreachable;
    return;
  }
  const wrong = await checkAll(answer.body, words, list);
  verdict.className = wrong ? "wrong" : "right";
  verdict.textContent = wrong ? plural(words.wrong, wrong) : plural(words.right, answer.body.draws.length);
}

/**
 * Shows the result of each check; returns the number of failures.
 *
 * @param {Draws} draws
 * @param {Record<string, string>} words
 * @param {HTMLElement} list
 */
async function checkAll({ commitment, seed, version, draws }, words, list) {
  let wrong = 0;
  const note = (/** @type {boolean} */ right, /** @type {string} */ sentence) => {
    wrong += right ? 0 : 1;
    addResult(list, right, sentence);
  };
  const [secret, shown] = [fromHex(seed), fingerprint()];
  const belongs = toHex(await digest("SHA-256", secret)) === commitment && commitment === shown;
  note(belongs, belongs ? words.fingerprint : words.otherFingerprint);
  for (const draw of draws) {
    const found = outcome(draw.outcomes, await NUMBERS[version](secret, draw));
    const gaps = { line: draw.line, words: draw.words, drawn: draw.drawn, found };
    note(found === draw.drawn, fill(found === draw.drawn ? words.draw : words.otherDraw, gaps));
    await new Promise((resolve) => {
      setTimeout(resolve, 8);
    }); // slowly enough to be watched
  }
  return wrong;
}

/** @param {HTMLElement} button */
export async function checkDraws(button) {
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  await check().finally(() => button.removeAttribute("aria-disabled"));
}
