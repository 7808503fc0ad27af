// At the table: the screen stays on while a game goes on, a phone buzzes once when its player is awaited, a deadlock says so.

import assert from "node:assert/strict";
import { test } from "node:test";

const WORDS = {
  "tt.same_role": "You both chose the same role.", "tt.both_do": "Both: {act}", "tt.wait": "Waiting for {who}", "act.end_phase": "End this phase",
  "awaited_own.phase_shooting": "Shoot", "awaited_their.phase_shooting": "{who} shoots", "awaited_hint.phase_shooting": "Roll at the table.",
  "awaited_own.choose_role": "Attacker or Defender?", "awaited_own.confirm_battlefield": "Is the battlefield ready?", "awaited_own.confirm": "Is this right?",
};
const listeners = {};
const buzzes = [];
const locks = [];
globalThis.document = {
  hidden: false,
  getElementById: (id) => (id === "tt-data" ? { textContent: JSON.stringify({ id: "g1", words: WORDS, language: "en" }) } : null),
  querySelector: () => null, querySelectorAll: () => [],
  addEventListener: (kind, does) => { listeners[kind] = does; },
};
globalThis.addEventListener = () => {};
globalThis.localStorage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
Object.defineProperty(globalThis, "navigator", { configurable: true, value: {
  vibrate: (pattern) => buzzes.push(pattern),
  wakeLock: { request: async (kind) => { const lock = { kind, released: false, release() { this.released = true; } }; locks.push(lock); return lock; } },
} });

const { headline, hint, waitingText } = await import("../../server/web/static/tabletop/awaited.js");
const { changed, state } = await import("../../server/web/static/tabletop/store.js");
await import("../../server/web/static/tabletop/awake.js");

/** Show a game in which red sits here. */
function show(awaiting, view = {}, log = []) {
  state.info = { status: "playing", sides: ["red"], seats: [{ side: "red", name: "Anna", online: true }, { side: "blue", name: "Ben", online: true }] };
  state.position = { viewer: "red", open: [], view: { stage: "battle", round: 1, turn: "red", phase: "shooting", markers: {}, units: [], rules: {}, ...view }, awaiting: { about: {}, reactions: {}, may: {}, ...awaiting } };
  state.log = log;
  changed();
}
const shooting = (side) => ({ side, for: "end_phase", about: { phase: "shooting", next: "charge" } });

test("a phone buzzes once when the filled button moves to it", () => {
  show(shooting("blue"));
  assert.equal(buzzes.length, 0);
  show(shooting("red"));
  show(shooting("red"));
  assert.equal(buzzes.length, 1);
});

test("the screen stays on while a game goes on, also after the page was hidden", async () => {
  show(shooting("red"));
  await Promise.resolve();
  assert.equal(locks.at(-1).kind, "screen");
  locks.at(-1).released = true; // browsers let go of it with the page
  const before = locks.length;
  await listeners.visibilitychange();
  assert.equal(locks.length, before + 1);
  state.info.status = "closed";
  changed();
  assert.equal(locks.at(-1).released, true);
});

test("the headline is the player's own on one phone, and begins with a name on the other", () => {
  show(shooting("red"));
  assert.deepEqual([headline(), hint()], ["Shoot", "Roll at the table."]);
  show(shooting("blue"));
  assert.deepEqual([headline(), hint(), waitingText()[0]], ["Ben shoots", "", "Waiting for Ben"]);
  show({ side: "both", for: "confirm", about: { stage: "battlefield" } }, { stage: "battlefield" });
  assert.equal(headline(), "Is the battlefield ready?");
});

test("two who chose the same role are told that they did", () => {
  const wants = (by) => ({ number: 0, by, kinds: ["wants_role"], lines: [], dice: [] });
  show({ side: "both", for: "choose_role" }, { stage: "roles" }, [wants("red")]);
  assert.equal(headline(), "Attacker or Defender?");
  show({ side: "both", for: "choose_role" }, { stage: "roles" }, [wants("red"), wants("blue")]);
  assert.equal(headline(), "You both chose the same role.");
});
