// On every page of the site: the service worker that keeps it on this device. A newer build takes over on the start
// page, between games.
import "/static/site/links.js";

localStorage.setItem("tablee-site-language", document.documentElement.lang);
const place = document.getElementById("offline");
const words = JSON.parse(place?.dataset.words ?? "{}");

/** @param {string} sentence */
function show(sentence) {
  if (place) place.textContent = sentence;
}

/**
 * @param {{ done: number, total: number }} progress in bytes
 * @returns {[string, string]}
 */
const inMegabytes = ({ done, total }) => [(done / 1e6).toFixed(1), (total / 1e6).toFixed(1)];

const UPDATED = "tablee-site-updated"; // said once, on the page that is loaded again

function reload() {
  sessionStorage.setItem(UPDATED, words.updated);
  location.reload();
}

/** @param {ServiceWorkerRegistration} registration */
function update(registration) {
  if (!place || !registration.waiting || !navigator.serviceWorker.controller) return;
  navigator.serviceWorker.addEventListener("controllerchange", reload, { once: true });
  registration.waiting.postMessage("update");
}

/**
 * Resolves when the site is on this device, or when it cannot be: on a page without https, or where it is refused.
 *
 * @param {(done: string, total: string) => void} react is told how far that is, in megabytes
 */
export async function kept(react) {
  const container = navigator.serviceWorker;
  if (!container) return;
  container.addEventListener("message", ({ data }) => {
    if (data.total) react(...inMegabytes(data));
  });
  const where = new URL("../../service_worker.js", import.meta.url);
  const registered = container.register(where, { updateViaCache: "none" }).catch(() => null);
  if (container.controller) return; // it is there
  const registration = await registered;
  if (!registration?.installing) return;
  await new Promise((resolve) => {
    container.addEventListener("controllerchange", resolve, { once: true });
    registration.installing?.addEventListener("statechange", ({ target }) => {
      if (/** @type {ServiceWorker} */ (target).state === "redundant") resolve(null);
    });
  });
}

if (place) {
  kept((done, total) => show(words.fetching.replace("{done}", done).replace("{total}", total))).then(async () => {
    const registration = await navigator.serviceWorker?.getRegistration();
    show(`${sessionStorage.getItem(UPDATED) ?? ""} ${registration ? words.kept : words.insecure}`.trim());
    sessionStorage.removeItem(UPDATED);
    if (!registration) return;
    update(registration);
    registration.addEventListener("updatefound", () => {
      registration.installing?.addEventListener("statechange", () => update(registration));
    });
  });
}
