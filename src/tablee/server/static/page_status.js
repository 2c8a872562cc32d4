// What a live page says of itself: that the server cannot be reached or has trouble, for as long as it is so, and that
// it is back; that the page is older than the server. Such a page is loaded again, by itself where nothing is lost by
// it, otherwise when its reader says so.
import { byId, data, one } from "./dom.js";
import { hideToast, toast } from "./toast.js";

const [place, old] = ["connection", "old"].map(byId);
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

// the build that this tab was last loaded again for, so that it never does so in circles
const STORAGE_KEY = "tablee-reloaded";

/**
 * Whether a server of this build speaks to a newer page than this one.
 *
 * @param {string | undefined} build
 * @returns {build is string}
 */
export const isOutdated = (build) => Boolean(build) && build !== old.dataset.build;

/**
 * @param {string} build
 * @param {boolean} busy whether something is tried out or not yet acknowledged
 */
export function reloadOrNotify(build, busy) {
  if (!busy && sessionStorage.getItem(STORAGE_KEY) !== build) {
    sessionStorage.setItem(STORAGE_KEY, build);
    location.reload();
    return;
  }
  old.hidden = false;
}

byId("reload").addEventListener("click", () => location.reload());
