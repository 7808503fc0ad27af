// This device's part in the dice: a random salt, committed to before the other side's is known, then sent.

import { data } from "./dom.js";
import { change, state } from "./store.js";

const key = (side) => `sealed-orders/salt/${data.id}/${side}`;

let busy = false;
/** Commit and send, as far as the other side has; called whenever the seats have changed. */
export async function takePart() {
  if (busy) return;
  busy = true;
  try {
    while (await nextPart());
  } finally {
    busy = false;
  }
}

/** Do what is next for one of one's own sides; false: nothing is. */
async function nextPart() {
  const { info } = state;
  if (info?.status !== "open") return false;
  const open = info.seats.find((seat) => seat.yours && !seat.solo && !seat.salt_sent && (!localStorage.getItem(key(seat.side)) || !seat.commitment));
  if (open) { // also where it was committed to on another device: anew from this one
    const salt = newSalt();
    localStorage.setItem(key(open.side), salt);
    await change("PUT", `/seats/${open.side}/commitment`, { commitment: await sha256(salt) });
    return true;
  }
  if (!info.seats.every((seat) => seat.commitment || seat.solo)) return false;
  const ready = info.seats.find((seat) => seat.yours && !seat.solo && !seat.salt_sent);
  if (!ready) return false;
  await change("PUT", `/seats/${ready.side}/salt`, { salt: localStorage.getItem(key(ready.side)) });
  return true;
}

function newSalt() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** SHA-256 in hexadecimal digits. Pages that are not served safely have no `crypto.subtle`: our own then. */
async function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  if (!crypto.subtle) return (await import("./sha256.js")).sha256(bytes);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
