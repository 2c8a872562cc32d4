// Says, for as long as it is so, that the server cannot be reached or has trouble; and that it is back.
import { hush, toast } from "./saying.js";

const place = document.getElementById("connection");
const words = JSON.parse(document.querySelector("[data-words]").dataset.words);

function show(sentence) {
  if (place.textContent !== sentence) place.textContent = sentence;
}

export function reached(yes) {
  if (yes && place.textContent) toast(words.back, { good: true });
  show(yes ? "" : words.lost);
}

/** Somebody answers, but not as a table does. */
export function troubled(sentence) {
  hush(sentence); // it stands here now
  show(sentence);
}
