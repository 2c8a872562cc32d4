// The turn that was confirmed and is not yet acknowledged. It is kept with the tab, so that it survives a reload and a
// lost connection, and it is sent until the server answers; by its id it counts once, however often it is sent.
/** @import { Reply } from "./types.d.ts" */
import { loadItem, storeItem } from "./table_state.js";

/** @typedef {{ token: string, at: number, id: string, moves: string[] }} Turn */

const RETRY_MS = 1500;

/**
 * @param {object} how
 * @param {(turn: Turn) => boolean} how.send says it over the socket, and whether there is one
 * @param {(turn: Turn) => Promise<Reply | null>} how.post asks without a socket
 * @param {(answer: Reply, bySocket: boolean) => void} how.onAnswer takes what the server decided
 */
export function openOutbox({ send, post, onAnswer }) {
  /** @type {"" | "socket" | "post"} */
  let way = ""; // how the turn is under way
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
     * The socket brought an answer to this turn, if it is the one that waits for it.
     *
     * @param {string} id
     * @param {Reply | null} answer
     */
    answered(id, answer) {
      if (way === "socket" && load()?.id === id) settle(answer);
    },
    /** The socket is gone, and whatever it was to bring. */
    lost() {
      if (way === "socket") way = "";
    },
  };
}
