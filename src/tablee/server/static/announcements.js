// Announcements: for screen readers, once and politely, what the others did and what nature drew; for the player to
// act, the tab's title and icon and, as preferred, a soft sound and a notification.
/** @import { Preferences, TableState } from "./types.d.ts" */
import { byId, data } from "./dom.js";
import { preferences, setPreference } from "./preferences.js";
import { table, words } from "./table_state.js";
import { toast } from "./toast.js";

/** @type {number | null} */
let lastNumber = null;

/**
 * @param {TableState} now
 * @param {string[]} more
 */
export function announce({ heard, looks_back: looksBack }, more = []) {
  if (looksBack) return;
  const last = lastNumber;
  const fresh = last === null ? [] : heard.filter(([number]) => number > last);
  lastNumber = heard.at(-1)?.[0] ?? -1; // less than before when something was taken back
  const sentences = [...fresh.map(([, sentence]) => sentence), ...more];
  if (sentences.length) byId("herald").textContent = sentences.join(". ");
}

const icon = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="icon"]'));
const [title, usual] = [document.title, icon.href];
const CHIME_NOTES = [
  [659.3, 0],
  [880, 0.16],
]; // hertz, and seconds after the start
/** @type {boolean | null} */
let mine = null;
/** @type {AudioContext | null} */
let audio = null;
/** @type {Notification | null} */
let turnNotification = null;

/**
 * Updates title, icon and alerts after every change; returns the sentences to announce.
 *
 * @param {TableState} now
 */
export function updateTurnAlert(now) {
  const turn = now.my_turn && !now.over && !now.looks_back;
  const called = turn && mine === false;
  mine = turn;
  document.title = turn ? `● ${words.turn} · ${title}` : title;
  const wanted = turn ? data(table, "turnIcon") : usual;
  if (icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
  if (!turn) turnNotification?.close();
  if (called) alertPlayer();
  return called ? [words.turn] : [];
}

function alertPlayer() {
  if (preferences.sound) chime();
  if (preferences.notify && document.hidden) notify();
}

function chime() {
  audio ??= new AudioContext();
  audio.resume();
  for (const [hertz, after] of CHIME_NOTES) {
    const [at, tone, loudness] = [audio.currentTime + after, audio.createOscillator(), audio.createGain()];
    tone.frequency.value = hertz;
    loudness.gain.setValueAtTime(0.0001, at);
    loudness.gain.exponentialRampToValueAtTime(0.12, at + 0.03);
    loudness.gain.exponentialRampToValueAtTime(0.0001, at + 0.7);
    tone.connect(loudness).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.75);
  }
}

function notify() {
  try {
    const shown = new Notification(words.turn, { body: title, icon: usual, tag: table.dataset.table });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
    turnNotification = shown;
  } catch {
    // some phones refuse a page's notifications: the title and the sound remain
  }
}

/**
 * Applies an alert preference that has just changed; only then is the browser asked for its permission.
 *
 * @param {keyof Preferences} name
 */
export async function applyAlertPreference(name) {
  if (name === "sound" && preferences.sound) chime();
  if (name !== "notify" || !preferences.notify) return;
  const allowed = isSecureContext && "Notification" in window && (await Notification.requestPermission()) === "granted";
  if (!allowed) {
    setPreference("notify", false);
    toast(words.unnotified);
  }
}
