// Actions between players: undo requests, the seats of absent players, claims, pauses and reactions.

/** @import { Actions } from "./types.d.ts" */
import { data, field, one } from "./dom.js";
import { newKey, storeKeys } from "./seat_keys.js";
import { post, send, statusOf } from "./table_connection.js";
import { firstKey, keys, newId, table, tableId, tokenOf, words } from "./table_state.js";
import { copyWithToast, toast } from "./toast.js";

/** @typedef {{ seat: number, key: string, asked?: number }} Claim the seat that this tab asks for, and its key */

const CLAIM_KEY = `tablee-claim-${tableId}`;
const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("hand-over"));
const link = () => `${table.dataset.base}/t/${tableId}`;

/** @returns {Claim | null} */
const claimed = () => JSON.parse(sessionStorage.getItem(CLAIM_KEY) ?? "null");

/** @param {Claim} claim */
const storeClaim = (claim) => sessionStorage.setItem(CLAIM_KEY, JSON.stringify(claim));

/** @param {string} selector */
const inDialog = (selector) => /** @type {HTMLElement} */ (one(selector, dialog));

/** @param {string} key */
function takeSeat(key) {
  sessionStorage.removeItem(CLAIM_KEY);
  storeKeys(tableId, key);
  location.reload();
}

/**
 * Settles a claim that is no longer pending: either its key opens the seat now, or the others have denied it.
 *
 * @param {Claim} claim
 */
async function settle({ key }) {
  const status = await statusOf(key);
  if (status === 200) return takeSeat(key);
  if (status !== 403) return;
  sessionStorage.removeItem(CLAIM_KEY);
  toast(words.turned_away);
}

document.addEventListener("tablee:now", ({ detail }) => {
  const claim = claimed();
  // an older view does not know the claim
  if (claim?.asked !== undefined && claim.asked <= detail.version && !detail.claims.includes(claim.seat)) settle(claim);
});

/**
 * @param {string} what
 * @param {string | undefined} bearer
 * @param {object} body
 */
async function postAction(what, bearer, body) {
  const answer = await post(what, bearer, body);
  if (answer && !answer.ok) toast(answer.body.error);
  send({});
  return answer?.ok ? answer.body : null;
}

/**
 * @param {string} what
 * @param {string} which seat and claim
 */
function answerClaim(what, which) {
  const [seat, claim] = which.split(" ").map(Number);
  return postAction(`seats/${seat}`, firstKey(), { do: what, claim, keys });
}

let given = ""; // the seat that is about to be given away
inDialog("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = field("new-owner").value;
  const made = await postAction(`seats/${given}`, firstKey(), { do: "hand-over", name, keys });
  if (made?.asked) toast(words.offered, { good: true });
  if (!made?.link) return dialog.close();
  field("new-link").value = made.link;
  inDialog("[data-copy]").dataset.copy = made.link;
  inDialog(".made").hidden = false;
  if (event.submitter) event.submitter.hidden = true;
});

/** @param {string} number */
async function claim(number) {
  const seat = Number(number);
  const before = claimed();
  const key = before?.seat === seat ? before.key : newKey(); // the answer to an earlier try may have been lost
  storeClaim({ seat, key });
  const asked = await postAction(`seats/${seat}/claim`, undefined, { token: key });
  if (asked && !asked.asked) return takeSeat(key);
  if (asked) storeClaim({ seat, key, asked: asked.version });
}

/** @type {Actions} of the buttons in notices.html, by their data-attributes */
export const TABLE_ACTIONS = {
  claim,
  onlyWatch: () => {
    document.documentElement.dataset.watches = "yes";
  },
  letIn: (which) => answerClaim("let-in", which),
  turnAway: (which) => answerClaim("turn-away", which),
  answer: (what) => {
    const [agree, seat] = what.split(" ");
    return postAction("undo/answer", tokenOf(seat), { agree: agree === "yes", id: newId(), keys });
  },
  pause: (paused) => postAction("pause", firstKey(), { paused: paused === "yes" }),
  takeSeat: (seat) => postAction(`seats/${seat}`, tokenOf(seat), { do: "take-back" }),
  standIn: (seat) => postAction(`seats/${seat}`, firstKey(), { do: "stand-in" }),
  handOver: (seat, button) => {
    given = seat;
    inDialog("#hand-over-says").textContent = data(button, "says");
    inDialog(".made").hidden = true;
    inDialog("form .button").hidden = false;
    dialog.showModal();
  },
  react: (sign) => postAction("reactions", firstKey(), { sign }),
  remind: (sentence) => copyWithToast(`${sentence} ${link()}`, words),
  wait: (_, button) => {
    const notice = /** @type {HTMLElement | null} */ (button.closest(".notice"));
    if (notice) notice.hidden = true;
  },
};
