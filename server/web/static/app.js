// What every page does: colours, times that run, CSRF for htmx, live events.

import { toast } from "./toast.js";

const root = document.documentElement;
document.getElementById("theme")?.addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
});

document.body.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers["X-CSRF-Token"] = document.querySelector('meta[name="csrf-token"]').content;
});
document.body.addEventListener("htmx:beforeSwap", (event) => {
  // refusals are pages, too: show them where they belong
  if (event.detail.xhr.status >= 400 && event.detail.xhr.getResponseHeader("HX-Retarget")) event.detail.shouldSwap = true;
});
document.body.addEventListener("htmx:sendError", () => toast(document.body.dataset.offline ?? "Offline", "bad"));

/** `<time datetime data-left>`: rewritten every half minute in the reader's own zone and language. */
function tick() {
  for (const each of document.querySelectorAll("time[data-left]")) {
    const minutes = Math.floor((Date.parse(each.dateTime) - Date.now()) / 60000);
    const words = new Intl.RelativeTimeFormat(root.lang, { numeric: "auto" });
    if (Math.abs(minutes) < 60) each.textContent = words.format(minutes, "minute");
    else if (Math.abs(minutes) < 2880) each.textContent = words.format(Math.round(minutes / 60), "hour");
    else each.textContent = words.format(Math.round(minutes / 1440), "day");
    each.title = new Date(each.dateTime).toLocaleString(root.lang);
    each.classList.toggle("soon", minutes >= 0 && minutes < 180);
  }
}
// where tabs do not fit, the current one is in sight
document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

tick();
setInterval(tick, 30000);
document.body.addEventListener("htmx:afterSettle", tick);

for (const each of document.querySelectorAll("[data-confirm]")) {
  each.addEventListener("submit", (event) => { if (!confirm(each.dataset.confirm)) event.preventDefault(); });
}

if (document.body.dataset.kinds) await import("./live.js");
if (document.body.dataset.signedIn && globalThis.Notification?.permission === "granted") await import("./notify.js");
await import("./help/start.js");
