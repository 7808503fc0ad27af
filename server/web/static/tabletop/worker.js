// Lets a page at the table be opened without a network: what was shown last is kept on the device.

/** @type {any} */
const worker = self;
const KEPT = "tables";
const PAGE = /^\/tables\/[^/]+$/;

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin || url.pathname.endsWith("/stream")) return;
  const kept = PAGE.test(url.pathname) || url.pathname.startsWith("/static/") || url.pathname.startsWith("/api/v1/tables/") || url.pathname.startsWith("/tables/");
  if (kept) event.respondWith(answer(event.request));
});

/** From the network, and kept; without one what was kept. */
async function answer(request) {
  const cache = await caches.open(KEPT);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const old = await cache.match(request, { ignoreVary: true });
    if (old) return old;
    throw error;
  }
}
