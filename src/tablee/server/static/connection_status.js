// Says, for as long as it is so, that the server cannot be reached or has trouble; and that it is back.
import { byId, data, one } from "./dom.js";
import { hideToast, toast } from "./toast.js";

const place = byId("connection");
const GRACE_MS = 700; // milliseconds that a lost connection may take to come back before it is told
let lostTimer = 0;
const words = JSON.parse(data(one("[data-words]") ?? place, "words"));

/** @param {string} sentence */
function show(sentence) {
  if (place.textContent !== sentence) place.textContent = sentence;
}

/** @param {boolean} yes */
export function setReachable(yes) {
  clearTimeout(lostTimer);
  if (yes && place.textContent) toast(words.back, { good: true });
  show(yes ? "" : words.lost);
}

/** The connection was closed: unless an answer comes within a moment, it is lost. */
export function suspectLost() {
  clearTimeout(lostTimer);
  lostTimer = setTimeout(() => setReachable(false), GRACE_MS);
}

/** Whether the page says that something is wrong. */
export const isLost = () => Boolean(place.textContent);

/** Says that a tap was not sent, because nobody can be reached. */
export function showNotSent() {
  toast(words.unsent);
}

/**
 * Somebody answers, but not as a table does.
 *
 * @param {string} sentence
 */
export function showServerError(sentence) {
  clearTimeout(lostTimer);
  hideToast(sentence); // it stands here now
  show(sentence);
}
