// What this device prefers: name and colour, how quickly bots play, sounds and notifications, whether things move, whether single letters are keys, whether it shows a chat.
const KEPT = "tablee-preferences";
const DEFAULTS = { name: "", colour: "", pace: "normal", sound: false, notify: false, motion: true, letters: true, chat: true };

export const preferences = { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };

function heed() {
  document.documentElement.dataset.motion = preferences.motion ? "" : "still";
  for (const field of document.querySelectorAll("[data-prefer]")) {
    const value = preferences[field.dataset.prefer];
    if (field.type === "radio") field.checked = field.value === value;
    else if (field.type === "checkbox") field.checked = value;
    else if (field !== document.activeElement) field.value = value;
  }
}

export function prefer(name, value) {
  preferences[name] = value;
  localStorage.setItem(KEPT, JSON.stringify(preferences));
  heed();
  document.dispatchEvent(new CustomEvent("tablee:preferred", { detail: name }));
}

document.addEventListener("change", ({ target }) => {
  if (target.dataset?.prefer) prefer(target.dataset.prefer, target.type === "checkbox" ? target.checked : target.value.trim());
});

/** `react` is called with the name of what was changed. */
export function watchPreferences(react) {
  document.addEventListener("tablee:preferred", ({ detail }) => react(detail));
}

/** Whether this person wants things to move. */
export const moves = () => preferences.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches;

heed();
