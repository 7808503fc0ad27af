// Acts that could not be sent: kept on the device, sent in order, checked against the number they were meant to have.

import { Offline } from "../api.js";
import { data } from "./dom.js";

const KEY = `sealed-orders/table/${data.id}`;
let asking = null;

/** What waits, oldest first: `{expected, act, side, key}`. */
export function waiting() {
  try { return JSON.parse(localStorage.getItem(KEY) ?? "[]"); } catch { return []; }
}

export function length() { return waiting().length; }

export function newKey() { return crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`; }

export function add(wanted) { keep([...waiting(), wanted]); }

export function drop() { keep(waiting().slice(1)); }

function keep(list) {
  if (list.length) localStorage.setItem(KEY, JSON.stringify(list));
  else localStorage.removeItem(KEY);
}

/** Set what asks the player when somebody acted meanwhile: `(wanted, now) -> true` to do it all the same. */
export function onConflict(ask) { asking = ask; }

let busy = false;
/**
 * Send what waits. *acts* reads how many acts there are now. An act that was meant for another number is shown with
 * what happened since; the player decides. What is refused is left out, and the next ones are asked about.
 */
export async function flush(send, acts) {
  if (busy) return;
  busy = true;
  try {
    while (length()) {
      const wanted = waiting()[0];
      try {
        await send(wanted);
        drop();
      } catch (error) {
        if (error instanceof Offline) return;
        if (error.code === "stale_act") {
          const now = await acts();
          const again = asking ? await asking(wanted, now) : false;
          if (again) keep([{ ...wanted, expected: now, key: newKey() }, ...waiting().slice(1).map((later, place) => ({ ...later, expected: now + 1 + place }))]);
          else drop();
        } else if (error.code === "already_done") drop();
        else {
          drop();
          dispatchEvent(new CustomEvent("tt-refused", { detail: { wanted, error } }));
        }
      }
    }
  } finally {
    busy = false;
  }
}
