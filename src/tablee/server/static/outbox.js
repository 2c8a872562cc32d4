// The outbox: the confirmed turn that is not acknowledged yet. It is stored with the tab, so that it survives a reload
// and a lost connection, and sent until the server answers; its id makes it count once, however often it is sent.
/** @import { Reply } from "./types.d.ts" */
import { loadItem, storeItem } from "./table_state.js";

/** @typedef {{ token: string, at: number, id: string, moves: string[] }} Turn */

const RETRY_MS = 1500;

/**
 * @param {object} how
 * @param {(turn: Turn) => boolean} how.send sends it over the socket; returns false if none is open
 * @param {(turn: Turn) => Promise<Reply | null>} how.post sends it without a socket
 * @param {(answer: Reply, bySocket: boolean) => void} how.onAnswer is called with the server's decision
 */
export function openOutbox({ send, post, onAnswer }) {
  /** @type {"" | "socket" | "post"} */
  let way = ""; // how the turn is being sent
  let troubled = false; // whether the server could not decide, and is asked again

  /** @returns {Turn | null} */
  const load = () => loadItem("turn");

  async function flush() {
    const turn = load();
    if (way || !turn) return;
    way = send(turn) ? "socket" : "post";
    if (way === "post") settle(await post(turn));
  }

  /** @param {Reply | null} answer null where there was none: then the turn is sent again */
  function settle(answer) {
    const bySocket = way === "socket";
    way = "";
    troubled = !answer;
    if (!answer) return void setTimeout(flush, RETRY_MS);
    storeItem("turn", null);
    onAnswer(answer, bySocket);
  }

  return {
    flush,
    /** @param {Turn} turn */
    put(turn) {
      if (!load()) storeItem("turn", turn);
      flush();
    },
    isEmpty: () => !load(),
    isPosting: () => way === "post",
    isTroubled: () => troubled,
    /**
     * Settles the turn with an answer from the socket, if it is the turn that waits for it.
     *
     * @param {string} id
     * @param {Reply | null} answer
     */
    answered(id, answer) {
      if (way === "socket" && load()?.id === id) settle(answer);
    },
    /** Gives up the answer that the closed socket would have brought. */
    lost() {
      if (way === "socket") way = "";
    },
  };
}
