// A page that is older than the server: it is loaded again, by itself where nothing is lost by it, otherwise when its
// reader says so.
import { byId } from "./dom.js";

// the build that this tab was last loaded again for, so that it never does so in circles
const STORAGE_KEY = "tablee-reloaded";

const place = byId("old");

/**
 * Whether a server of this build speaks to a newer page than this one.
 *
 * @param {string | undefined} build
 * @returns {build is string}
 */
export const isOutdated = (build) => Boolean(build) && build !== place.dataset.build;

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
  place.hidden = false;
}

byId("reload").addEventListener("click", () => location.reload());
