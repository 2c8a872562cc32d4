// What this device prefers: how quickly bots play, whether things move, whether single letters are keys, how one is called.
const KEPT = "tablee-preferences";
const DEFAULTS = { pace: "normal", motion: true, letters: true, sound: false, notify: false };

export const preferences = { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };

function heed() {
  document.documentElement.dataset.motion = preferences.motion ? "" : "still";
}

/** `react` is called with the name of what was changed. */
export function watchPreferences(react) {
  for (const field of document.querySelectorAll("[data-prefer]")) {
    const name = field.dataset.prefer;
    if (field.type === "radio") field.checked = field.value === preferences[name];
    else field.checked = preferences[name];
    field.addEventListener("change", () => {
      preferences[name] = field.type === "radio" ? field.value : field.checked;
      localStorage.setItem(KEPT, JSON.stringify(preferences));
      heed();
      react(name);
    });
  }
}

/** Changes a wish that cannot be met. */
export function prefer(name, value) {
  preferences[name] = value;
  localStorage.setItem(KEPT, JSON.stringify(preferences));
  for (const field of document.querySelectorAll(`[type=checkbox][data-prefer="${name}"]`)) field.checked = value;
}

/** Whether this person wants things to move. */
export const moves = () => preferences.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches;

heed();
