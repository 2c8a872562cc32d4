// What people settle among themselves: whether a move may be taken back, what becomes of the seat of somebody who is
// away, a pause, a sign.

import { newKey, storeKeys } from "./seat_keys.js";
import { copyWithToast, toast } from "./toast.js";

const table = document.getElementById("table");
const words = JSON.parse(table.dataset.words);
// the seat that this tab asks for, and the key that it has made
const CLAIM_KEY = `tablee-claim-${table.dataset.table}`;
const link = () => `${table.dataset.base}/t/${table.dataset.table}`;

/** The deeds of the buttons in notices.html, by their data-attributes. */
export function tableActions({ post, tokenOf, keys, newId, done, first }) {
  const send = async (what, bearer, body) => {
    const answer = await post(what, bearer, body);
    if (answer && !answer.ok) toast(answer.body.error);
    done();
    return answer?.ok ? answer.body : null;
  };
  const dialog = document.getElementById("hand-over");
  let given = null; // the seat that is about to be given away
  dialog.querySelector("form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const made = await send(`seats/${given}`, first(), {
      do: "hand-over",
      name: dialog.querySelector("#new-owner").value,
      keys,
    });
    if (made?.asked) toast(words.offered, { good: true });
    if (!made?.link) return dialog.close();
    dialog.querySelector("#new-link").value = made.link;
    dialog.querySelector("[data-copy]").dataset.copy = made.link;
    dialog.querySelector(".made").hidden = false;
    event.submitter.hidden = true;
  });
  const take = (key) => {
    sessionStorage.removeItem(CLAIM_KEY);
    storeKeys(table.dataset.table, key);
    location.reload();
  };
  // Our claim is not asked about any more: either the key opens the seat now, or the others did not want it.
  const settle = async ({ key }) => {
    const answer = await fetch(`/api/tables/${table.dataset.table}`, {
      headers: { authorization: `Bearer ${key}` },
    }).catch(() => null);
    if (answer?.ok) return take(key);
    if (answer?.status !== 403) return;
    sessionStorage.removeItem(CLAIM_KEY);
    toast(words.turned_away);
  };
  document.addEventListener("tablee:now", ({ detail }) => {
    const claim = JSON.parse(sessionStorage.getItem(CLAIM_KEY) ?? "null");
    // an older picture knows nothing of it
    if (claim?.asked <= detail.version && !detail.claims.includes(claim.seat)) settle(claim);
  });
  const answerClaim = (deed, which) => {
    const [seat, claim] = which.split(" ").map(Number);
    return send(`seats/${seat}`, first(), { do: deed, claim, keys });
  };
  return {
    claim: async (number) => {
      const seat = Number(number);
      const before = JSON.parse(sessionStorage.getItem(CLAIM_KEY) ?? "null");
      const key = before?.seat === seat ? before.key : newKey(); // the answer to an earlier try may have been lost
      sessionStorage.setItem(CLAIM_KEY, JSON.stringify({ seat, key }));
      const asked = await send(`seats/${seat}/claim`, null, { token: key });
      if (asked && !asked.asked) return take(key);
      if (asked) sessionStorage.setItem(CLAIM_KEY, JSON.stringify({ seat, key, asked: asked.version }));
    },
    onlyWatch: () => {
      document.documentElement.dataset.watches = "yes";
    },
    letIn: (claim) => answerClaim("let-in", claim),
    turnAway: (claim) => answerClaim("turn-away", claim),
    answer: (what) => {
      const [agree, seat] = what.split(" ");
      send("undo/answer", tokenOf(seat), { agree: agree === "yes", id: newId(), keys });
    },
    pause: (paused) => send("pause", first(), { paused: paused === "yes" }),
    takeSeat: (seat) => send(`seats/${seat}`, tokenOf(seat), { do: "take-back" }),
    standIn: (seat) => send(`seats/${seat}`, first(), { do: "stand-in" }),
    handOver: (seat, button) => {
      given = seat;
      dialog.querySelector("#hand-over-says").textContent = button.dataset.says;
      dialog.querySelector(".made").hidden = true;
      dialog.querySelector("form .button").hidden = false;
      dialog.showModal();
    },
    react: (sign) => send("reactions", first(), { sign }),
    remind: (sentence) => copyWithToast(`${sentence} ${link()}`, words),
    wait: (_, button) => {
      button.closest(".notice").hidden = true;
    },
  };
}
