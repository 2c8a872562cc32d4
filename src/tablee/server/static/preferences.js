// What this device prefers: name and colour, how quickly bots play, sounds and notifications, whether things move,
// whether single letters are keys, whether it shows a chat.
const STORAGE_KEY = "tablee-preferences";
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

export const preferences = { ...DEFAULTS, ...JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}") };

function applyPreferences() {
  document.documentElement.dataset.motion = preferences.motion ? "" : "still";
  for (const field of document.querySelectorAll("[data-prefer]")) {
    const value = preferences[field.dataset.prefer];
    if (field.type === "radio") field.checked = field.value === value;
    else if (field.type === "checkbox") field.checked = value;
    else if (field !== document.activeElement) field.value = value;
  }
}

export function setPreference(name, value) {
  preferences[name] = value;
  localStorage.setItem(STORAGE_KEY, JSON.stringify(preferences));
  applyPreferences();
  document.dispatchEvent(new CustomEvent("tablee:preferred", { detail: name }));
}

document.addEventListener("change", ({ target }) => {
  if (target.dataset?.prefer)
    setPreference(target.dataset.prefer, target.type === "checkbox" ? target.checked : target.value.trim());
});

/** `react` is called with the name of what was changed. */
export function watchPreferences(react) {
  document.addEventListener("tablee:preferred", ({ detail }) => react(detail));
}

/** Whether this person wants things to move. */
export const motionEnabled = () => preferences.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches;

applyPreferences();
