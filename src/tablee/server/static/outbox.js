// The turn that was confirmed and is not yet acknowledged. It is kept with the tab, so that it survives a reload and a
// lost connection, and it is sent until the server answers; by its id it counts once, however often it is sent.
const RETRY_MS = 1500;

/**
 * `load` and `store` keep the turn; `send` says it over the socket, and whether there is one; `post` asks without
 * one; `onAnswer` takes what the server decided, and whether it came by the socket.
 */
export function openOutbox({ load, store, send, post, onAnswer }) {
  let way = ""; // how the turn is under way: "socket", "post", or not at all
  let troubled = false; // whether the server could not decide, and is asked again

  async function flush() {
    const turn = load();
    if (way || !turn) return;
    way = send(turn) ? "socket" : "post";
    if (way === "post") settle(await post(turn));
  }

  // An answer, or null where there was none: then it is sent again.
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
    put: (turn) => {
      if (!load()) store(turn);
      flush();
    },
    isEmpty: () => !load(),
    isPosting: () => way === "post",
    isTroubled: () => troubled,
    /** The socket brought an answer to this turn, if it is the one that waits for it. */
    answered: (id, answer) => {
      if (way === "socket" && load()?.id === id) settle(answer);
    },
    /** The socket is gone, and whatever it was to bring. */
    lost: () => {
      if (way === "socket") way = "";
    },
  };
}
