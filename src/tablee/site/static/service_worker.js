// Keeps one build of the site on this device, so that it opens without a network. What the build consists of stands in
// files.js, which the build writes; a build that has changed waits until a page lets it take over.
const scope = /** @type {any} */ (self);
scope.importScripts("files.js");

/** @type {{ stamp: string, files: [string, number][] }} */
const { stamp, files } = scope.BUILD;
const CACHE = `tablee-${stamp}`;
const AT_ONCE = 6; // files that are fetched at the same time

async function fill() {
  const cache = await caches.open(CACHE);
  const [left, total] = [[...files], files.reduce((sum, [, size]) => sum + size, 0)];
  let done = 0;
  const fetchNext = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [path, size] = next;
      const answer = await fetch(path, { cache: "no-cache" });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      await cache.put(path, answer);
      done += size;
      for (const client of await scope.clients.matchAll({ includeUncontrolled: true }))
        client.postMessage({ done, total });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fetchNext));
}

async function clean() {
  for (const name of await caches.keys()) if (name.startsWith("tablee-") && name !== CACHE) await caches.delete(name);
  await scope.clients.claim();
}

/** @param {Request} request */
async function answer(request) {
  const url = new URL(request.url);
  if (url.pathname.endsWith("/")) url.pathname += "index.html";
  const cache = await caches.open(CACHE);
  return (await cache.match(url.href, { ignoreSearch: true })) ?? fetch(request);
}

scope.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(fill()));
scope.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(clean()));
scope.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});
scope.addEventListener("message", (/** @type {MessageEvent} */ event) => {
  if (event.data === "update") scope.skipWaiting();
});
