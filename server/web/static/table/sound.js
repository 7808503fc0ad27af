// A quiet sound when a phase has ended, for who wants one: two soft notes, made here.

const WANTED = "sound";

/** True where this browser is to make the sound. */
export function soundWanted() {
  try { return localStorage.getItem(WANTED) === "on"; } catch { return false; }
}

/** Switch it on, with a first hearing, or off. */
export function wantSound(on) {
  try { if (on) localStorage.setItem(WANTED, "on"); else localStorage.removeItem(WANTED); } catch { /* not kept */ }
  if (on) chime();
}

/** Make the sound, if it is wanted. */
export function chime() {
  if (!soundWanted() || !globalThis.AudioContext) return;
  const audio = new AudioContext(), now = audio.currentTime;
  for (const [pitch, after] of [[523, 0], [784, 0.16]]) {
    const note = audio.createOscillator(), volume = audio.createGain();
    note.frequency.value = pitch;
    volume.gain.setValueAtTime(0, now + after);
    volume.gain.linearRampToValueAtTime(0.05, now + after + 0.03);
    volume.gain.exponentialRampToValueAtTime(0.0005, now + after + 0.7);
    note.connect(volume).connect(audio.destination);
    note.start(now + after);
    note.stop(now + after + 0.75);
  }
  setTimeout(() => audio.close(), 1500);
}
