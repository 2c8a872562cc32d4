// "Check the draws": the reader's own browser computes the fingerprint and every draw again, one after the other.
// docs/fairness.md says how.
import { digest } from "./hashing.js";
import { plural } from "./plural.js";
import { firstFingerprint } from "./seat_keys.js";

const place = () => document.getElementById("checked");
const table = document.getElementById("table").dataset.table;
// a lesson's draws are scripted: there is none
const fingerprint = () => firstFingerprint(table, document.getElementById("fingerprint")?.textContent);

const bytes = (text) => new TextEncoder().encode(text);
const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const toHex = (found) => [...found].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const number = (found) => BigInt(`0x${toHex(found)}`);
const join = (...pieces) => Uint8Array.from(pieces.flatMap((piece) => [...piece]));

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

// The number behind a draw, by the version that the record names.
const NUMBERS = {
  1: async (seed, { line }) => number(await hmac(seed, bytes(String(line - 1)))),
  2: async (seed, { before }) => {
    const block = Uint8Array.from({ length: 8 }, (_, n) => Math.floor(before / 8 / 256 ** (7 - n)) % 256);
    const stream = await digest("SHA-512", join(seed, bytes("draw"), block));
    return number(stream.slice(8 * (before % 8)).slice(0, 8)) >> 1n;
  },
};

// Counted off along the outcomes in the order in which the game lists them.
function outcome(outcomes, drawn) {
  let left = drawn % outcomes.reduce((sum, [, weight]) => sum + BigInt(weight), 0n);
  return outcomes.find(([, weight]) => {
    left -= BigInt(weight);
    return left < 0n;
  })[0];
}

const fill = (sentence, gaps) => sentence.replace(/\{(\w+)\}/g, (_, name) => gaps[name]);

function addResult(list, right, sentence) {
  const line = Object.assign(document.createElement("li"), { className: right ? "right" : "wrong" });
  line.append(Object.assign(document.createElement("b"), { textContent: right ? "✓" : "✗" }), ` ${sentence}`);
  list.append(line);
  list.scrollTop = list.scrollHeight;
}

async function check() {
  const words = JSON.parse(place().dataset.words);
  const [verdict, list] = [document.createElement("p"), document.createElement("ol")];
  verdict.setAttribute("role", "status");
  list.tabIndex = 0;
  list.setAttribute("aria-label", words.list);
  place().replaceChildren(verdict, list);
  verdict.textContent = words.checking;
  const answer = await fetch(`/api/tables/${table}/draws`)
    .then(async (found) => ({ ok: found.ok, body: await found.json() }))
    .catch(() => null);
  if (!answer?.ok) {
    verdict.textContent = answer?.body.error ?? words.unreachable;
    return;
  }
  const wrong = await checkAll(answer.body, words, list);
  verdict.className = wrong ? "wrong" : "right";
  verdict.textContent = wrong ? plural(words.wrong, wrong) : plural(words.right, answer.body.draws.length);
}

/** How many things are not as promised. */
async function checkAll({ commitment, seed, version, draws }, words, list) {
  let wrong = 0;
  const note = (right, sentence) => {
    wrong += !right;
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
    }); // one can watch it
  }
  return wrong;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-check-draws]");
  if (!button || button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  check().finally(() => button.removeAttribute("aria-disabled"));
});
fingerprint();
