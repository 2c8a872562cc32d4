// The outbox: the confirmed turn that is not acknowledged yet. It is stored on the device, so that it survives a killed
// tab and a lost connection, and sent until the server answers; its id makes it count once, however often it is sent.
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

  /** @type {Turn | null} */
  let turn = loadItem("turn"); // once only: another tab with the same seats may empty the store

  /** @param {Turn | null} value */
  function store(value) {
    turn = value;
    storeItem("turn", value);
  }

  async function flush() {
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
    store(null);
    onAnswer(answer, bySocket);
  }

  return {
    flush,
    /** @param {Turn} confirmed */
    put(confirmed) {
      if (!turn) store(confirmed);
      flush();
    },
    isEmpty: () => !turn,
    isPosting: () => way === "post",
    isTroubled: () => troubled,
    /**
     * Settles the turn with an answer from the socket, if it is the turn that waits for it.
     *
     * @param {string} id
     * @param {Reply | null} answer
     */
    answered(id, answer) {
      if (way === "socket" && turn?.id === id) settle(answer);
    },
    /** Gives up the answer that the closed socket would have brought. */
    lost() {
      if (way === "socket") way = "";
    },
  };
}
