// @ts-check
// Notices that are pushed to this browser: switched on and off by a button of the settings.

import { api, Offline, Problem } from "./api.js";
import { toast } from "./toast.js";

const box = document.getElementById("push-notices");
const button = box?.querySelector("button"), says = box?.querySelector("span");

/** Show how it stands. @param {PushSubscription | null} subscription */
function show(subscription) {
  box.hidden = false;
  const denied = Notification.permission === "denied";
  button.hidden = denied;
  button.textContent = subscription ? box.dataset.end : box.dataset.begin;
  button.setAttribute("aria-pressed", String(Boolean(subscription)));
  says.textContent = denied ? box.dataset.denied : subscription ? box.dataset.on : "";
}

/** The server's key as bytes. */
function key() {
  const text = atob(box.dataset.key.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (each) => each.charCodeAt(0));
}

async function current() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return registration ? registration.pushManager.getSubscription() : null;
}

async function begin() {
  if ((await Notification.requestPermission()) !== "granted") return;
  await navigator.serviceWorker.register("/worker.js", { scope: "/" });
  const registration = await navigator.serviceWorker.ready;
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key() });
  const { endpoint, keys } = made.toJSON();
  try {
    const { data } = await api("POST", "/me/push", { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } });
    localStorage.setItem("push", data.id);
  } catch (error) {
    await made.unsubscribe();
    throw error;
  }
}

/** @param {PushSubscription} subscription */
async function end(subscription) {
  await subscription.unsubscribe();
  const id = localStorage.getItem("push");
  localStorage.removeItem("push");
  if (id) await api("DELETE", `/me/push/${id}`).catch(() => {}); // the service tells the server, too
}

async function press() {
  button.disabled = true;
  try {
    const subscription = await current();
    if (subscription) await end(subscription);
    else await begin();
  } catch (error) {
    const known = error instanceof Offline || error instanceof Problem;
    toast(known ? error.message || document.body.dataset.offline : box.dataset.failed, "bad");
  }
  button.disabled = false;
  show(await current());
}

if (box && "PushManager" in window && "serviceWorker" in navigator && isSecureContext) {
  button.addEventListener("click", press);
  show(await current());
}
