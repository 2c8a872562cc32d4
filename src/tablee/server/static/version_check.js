// A page that is older than the server: it is loaded again, by itself where nothing is lost by it, otherwise when its reader says so.
const KEPT = "tablee-reloaded"; // the build that this tab was last loaded again for, so that it never does so in circles

const place = document.getElementById("old");

/** Whether a server of this build speaks to a newer page than this one. */
export const isOld = (build) => Boolean(build) && build !== place.dataset.build;

/** `busy` is whether something is tried out or not yet acknowledged. */
export function tellOld(build, busy) {
  if (!busy && sessionStorage.getItem(KEPT) !== build) {
    sessionStorage.setItem(KEPT, build);
    location.reload();
    return;
  }
  place.hidden = false;
}

document.getElementById("reload").addEventListener("click", () => location.reload());
