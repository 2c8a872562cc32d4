// What people settle among themselves: whether a move may be taken back, what becomes of the seat of somebody who is away, a pause, a sign.
import { copyAloud, toast } from "./saying.js";

const table = document.getElementById("table");
const words = JSON.parse(table.dataset.words);
const link = () => `${table.dataset.base}/t/${table.dataset.table}`;

/** The deeds of the buttons in notices.html, by their data-attributes. */
export function company({ post, tokenOf, keys, newId, done, first }) {
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
    const made = await send(`seats/${given}`, first(), { do: "hand-over", name: dialog.querySelector("#new-owner").value, keys });
    if (made?.asked) toast(words.offered, { good: true });
    if (!made?.link) return dialog.close();
    dialog.querySelector("#new-link").value = made.link;
    dialog.querySelector("[data-copy]").dataset.copy = made.link;
    dialog.querySelector(".made").hidden = false;
    event.submitter.hidden = true;
  });
  return {
    answer: (what) => { const [agree, seat] = what.split(" "); send("undo/answer", tokenOf(seat), { agree: agree === "yes", id: newId(), keys }); },
    pause: (paused) => send("pause", first(), { paused: paused === "yes" }),
    takeSeat: (seat) => send(`seats/${seat}`, tokenOf(seat), { do: "take-back" }),
    standIn: (seat) => send(`seats/${seat}`, first(), { do: "stand-in" }),
    handOver: (seat) => {
      given = seat;
      dialog.querySelector(".made").hidden = true;
      dialog.querySelector("form .button").hidden = false;
      dialog.showModal();
    },
    react: (sign) => send("reactions", first(), { sign }),
    remind: (sentence) => copyAloud(`${sentence} ${link()}`, words),
    wait: (_, button) => { button.closest(".notice").hidden = true; },
  };
}
