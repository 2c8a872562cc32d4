// Actions of a game besides its moves: undo, hint, rematch, playing on.
/** @import { Actions } from "./types.d.ts" */
import { field } from "./dom.js";
import { lastLine } from "./replay.js";
import { keysOf, storeKeys } from "./seat_keys.js";
import { post, send } from "./table_connection.js";
import { firstKey, keys, loadItem, newId, screen, storeItem, tableState, tokenOf, words } from "./table_state.js";
import { toast } from "./toast.js";
import { openPage } from "./transport.js";

/**
 * Asks to undo; after a lost answer it asks again under the same id, so that it never undoes two moves.
 *
 * @param {string} seat
 */
async function undo(seat) {
  const { version } = tableState();
  const asked = loadItem("undo") ?? { id: newId(), at: version };
  if (asked.at !== version) asked.id = newId();
  storeItem("undo", { id: asked.id, at: version });
  const answer = await post("undo", tokenOf(seat), { id: asked.id, keys });
  if (answer) storeItem("undo", null);
  if (answer && !answer.ok) toast(answer.body.error);
}

async function rematch() {
  const answer = await post("rematch", firstKey());
  if (answer?.ok) openTable(answer.body.table);
  else if (answer) toast(answer.body.error);
}

/** From the position that is shown: with those who sit at this screen, or with whom a spectator wants to be. */
async function playOn() {
  const as = document.getElementById("play-on-as") ? [Number(field("play-on-as").value)] : tableState().mine;
  const level = document.getElementById("play-on-level") ? field("play-on-level").value : undefined;
  const answer = await post("play-on", firstKey(), { at: screen.look ?? lastLine(), people: as, level });
  if (answer?.ok) openTable(answer.body.table, keysOf(answer.body.seats));
  else if (answer) toast(answer.body.error);
}

/** @returns {Promise<string[] | null>} the turn that the coach would play */
async function hint() {
  const answer = await post("hint", tokenOf(tableState().me));
  if (!answer) return null;
  const { sentence, why, error, moves } = answer.body;
  toast(sentence ?? error, { good: answer.ok, aside: true, why: why ? { sentence: why, words } : null });
  return answer.ok ? moves : null;
}

/**
 * Every seat keeps its token, so at the rematch it has the same keys.
 *
 * @param {string} next
 * @param {string} held
 */
function openTable(next, held = keys) {
  if (held) storeKeys(next, held);
  openPage(`/t/${next}`);
}

/** @type {Actions} */
export const GAME_ACTIONS = {
  undo: async (seat) => {
    await undo(seat);
    send({});
  },
  rematch,
  playOn,
  // a hint is put on the board as a draft: the player may take it, or step back move by move
  hint: async () => {
    const draft = await hint();
    if (draft) send({ draft });
  },
  follow: (next) => openTable(next),
};
