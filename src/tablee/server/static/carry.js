// A game that goes on in another place, while everybody who plays it sits at this screen: in the tab of a browser
// without a server, at a server, or where its file is opened.
import { data } from "./dom.js";
import { hideTable } from "./seat_keys.js";
import { post } from "./table_connection.js";
import { firstKey, keys, table, tableId, words } from "./table_state.js";
import { toast } from "./toast.js";
import { goOn } from "./transport.js";

/**
 * @param {string} text
 * @param {string} name
 */
function saveFile(text, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export async function carry() {
  const answer = await post("continue", firstKey(), { keys });
  if (!answer) return;
  if (!answer.ok) return toast(answer.body.error);
  const [text, game] = [JSON.stringify(answer.body, null, 1), data(table, "game")];
  if (data(table, "elsewhere") === "file") return saveFile(text, `${game}-${tableId}.json`);
  const error = await goOn(text, game).catch(() => words.unsent);
  if (error) toast(error);
  else hideTable(tableId); // it goes on there
}
