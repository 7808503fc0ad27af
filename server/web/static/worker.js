// Shows notices that the server pushes, also while no page of ours is open. It keeps nothing and answers no requests.

/** @type {any} */
const worker = self;

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("push", (event) => {
  const { title, body, tag, url } = event.data.json();
  event.waitUntil(worker.registration.showNotification(title, { body, tag, icon: "/icon.png", data: { url } }));
});
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

/** Go to a page: in a window of ours that is open, else in a new one. */
async function open(url) {
  if (new URL(url).origin !== location.origin) return;
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const found = windows.find((each) => each.url === url) ?? windows[0];
  if (!found) { await worker.clients.openWindow(url); return; }
  await found.focus();
  if (found.url !== url) await found.navigate(url).catch(() => worker.clients.openWindow(url));
}
