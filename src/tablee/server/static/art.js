// The drawings of the box that never change: one file that the browser keeps, put into the page once, where `<use
// href="#id">` finds them. They lie outside the table, so no patch removes them.
import { byId, data } from "./dom.js";

const RETRY_MS = 2000;

const place = byId("art");

/**
 * @param {string} url
 * @returns {Promise<string>}
 */
async function fetchArt(url) {
  const answer = await fetch(url).catch(() => null);
  if (answer?.ok) return answer.text();
  if (answer?.status === 404) return ""; // the page is older than the server: page_status.js loads it again
  await new Promise((resolve) => {
    setTimeout(resolve, RETRY_MS);
  });
  return fetchArt(url);
}

place.innerHTML = await fetchArt(data(place, "art"));
