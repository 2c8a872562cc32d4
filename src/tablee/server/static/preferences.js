// Preferences of this device: name and colour, the pace of bots, sound and notifications, animations, single letters as
// keys, the chat.
/** @import { Preferences } from "./types.d.ts" */
import { emit } from "./events.js";

const STORAGE_KEY = "tablee-preferences";
/** @type {Preferences} */
const DEFAULTS = {
  name: "",
  colour: "",
  pace: "normal",
  sound: false,
  notify: false,
  motion: true,
  letters: true,
  chat: true,
};

/** @type {Preferences} */
export const preferences = { ...DEFAULTS, ...JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}") };

function applyPreferences() {
  document.documentElement.dataset.motion = preferences.motion ? "" : "still";
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-prefer]"))) {
    const value = preferences[preferredBy(field)];
    if (field.type === "radio") field.checked = field.value === value;
    else if (field.type === "checkbox") field.checked = Boolean(value);
    else if (field !== document.activeElement) field.value = String(value);
  }
}

/** @param {HTMLInputElement} field */
const preferredBy = (field) => /** @type {keyof Preferences} */ (field.dataset.prefer);

/**
 * @template {keyof Preferences} Name
 * @param {Name} name
 * @param {Preferences[Name]} value
 */
export function setPreference(name, value) {
  preferences[name] = value;
  localStorage.setItem(STORAGE_KEY, JSON.stringify(preferences));
  applyPreferences();
  emit("tablee:preferred", name);
}

document.addEventListener("change", ({ target }) => {
  const field = /** @type {HTMLInputElement} */ (target);
  if (field.dataset?.prefer)
    setPreference(preferredBy(field), field.type === "checkbox" ? field.checked : field.value.trim());
});

/** @param {(name: keyof Preferences) => void} react is called with the name of what was changed */
export function watchPreferences(react) {
  document.addEventListener("tablee:preferred", ({ detail }) => react(detail));
}

/** Whether this device wants animations. */
export const motionEnabled = () => preferences.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches;

applyPreferences();
