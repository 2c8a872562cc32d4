// Says, for as long as it is so, that the server cannot be reached or has trouble; and that it is back.
import { hush, toast } from "./toast.js";

const place = document.getElementById("connection");
const MOMENT = 700; // milliseconds that a lost connection may take to come back before it is told
let doubt = 0;
const words = JSON.parse(document.querySelector("[data-words]").dataset.words);

function show(sentence) {
  if (place.textContent !== sentence) place.textContent = sentence;
}

export function reached(yes) {
  clearTimeout(doubt);
  if (yes && place.textContent) toast(words.back, { good: true });
  show(yes ? "" : words.lost);
}

/** The connection was closed: unless an answer comes within a moment, it is lost. */
export function doubted() {
  clearTimeout(doubt);
  doubt = setTimeout(() => reached(false), MOMENT);
}

/** Whether the page says that something is wrong. */
export const isLost = () => Boolean(place.textContent);

/** Says that a tap was not sent, because nobody can be reached. */
export function tellUnsent() {
  toast(words.unsent);
}

/** Somebody answers, but not as a table does. */
export function troubled(sentence) {
  clearTimeout(doubt);
  hush(sentence); // it stands here now
  show(sentence);
}
