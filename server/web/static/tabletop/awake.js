// The screen stays on while a game is open; a short buzz when the filled button moves here.

import { isMine } from "./awaited.js";
import { isShared } from "./offers.js";
import { onChange, state } from "./store.js";

let lock = null;
/** Ask that the screen stays on; browsers let go of it whenever the page is hidden. */
async function stayAwake() {
  if (document.hidden || state.info?.status !== "playing" || !navigator.wakeLock || (lock && !lock.released)) return;
  try { lock = await navigator.wakeLock.request("screen"); } catch { lock = null; } // low battery: the phone decides
}
document.addEventListener("visibilitychange", stayAwake);

let awaited = null;
onChange(() => {
  stayAwake();
  if (state.info?.status !== "playing" || !state.position) {
    lock?.release();
    return;
  }
  const now = isMine();
  if (awaited === false && now && !isShared()) navigator.vibrate?.([40, 60, 40]);
  awaited = now;
});
