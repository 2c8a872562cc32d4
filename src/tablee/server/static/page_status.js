// Status of a live page: that the server cannot be reached or has trouble, for as long as that lasts, and that it is
// back; that the page is older than the server. An outdated page reloads by itself where nothing would be lost,
// otherwise when its reader agrees.
import { byId, data, one } from "./dom.js";
import { hideToast, toast } from "./toast.js";

const [place, old] = ["connection", "old"].map(byId);
const GRACE_MS = 700; // milliseconds that a lost connection may take to come back before it is shown
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

/** Whether the page shows that something is wrong. */
export const isLost = () => Boolean(place.textContent);

/** Shows that a tap was not sent, because the server cannot be reached. */
export function showNotSent() {
  toast(words.unsent);
}

/**
 * Shows an error that the server answers, for as long as it lasts.
 *
 * @param {string} sentence
 */
export function showServerError(sentence) {
  clearTimeout(lostTimer);
  hideToast(sentence); // it stands here now
  show(sentence);
}

// the build for which this tab reloaded last, so that it never reloads in a loop
const STORAGE_KEY = "tablee-reloaded";

/**
 * Whether the server's build is another one than this page's.
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
