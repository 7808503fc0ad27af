// At the table: the screen stays on while a game goes on, a phone buzzes once when its player is awaited, a deadlock says so.
// A button names its matter and its figures, nothing speaks for the other player, and only what was touched is reported.

import assert from "node:assert/strict";
import { test } from "node:test";

const WORDS = {
  "tt.same_role": "You both chose the same role.", "tt.both_do": "Both: {act}", "tt.wait": "Waiting for {who}", "act.end_phase": "End this phase",
  "awaited_own.phase_shooting": "Shoot", "awaited_their.phase_shooting": "{who} shoots", "awaited_hint.phase_shooting": "Roll at the table.",
  "tt.end_phase_score": "End {phase}: score {n}", "tt.next_is": "Next: {phase}", "tt.confirm_score": "Confirm: {who} scores {n}", "tt.report_markers": "Report the markers",
  "tt.report_score": "Report the markers: score {n}", "tt.as_before": "As before", "tt.rest_as_before": "the rest as before", "tt.marker_is": "Marker {id}: {who}", "tt.markers_are": "Markers {id}: {who}",
  "tt.from_to": "{from} to {to}", "tt.no_control": "nobody", "tt.contested": "contested", "table_phase.command": "Command phase", "table_phase.movement": "Movement",
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

const { awaitedStep, buttonText, headline, hint, waitingText } = await import("../../server/web/static/tabletop/awaited.js");
const { limits } = await import("../../server/web/static/tabletop/fields.js");
const { reported, stepOn } = await import("../../server/web/static/tabletop/markers.js");
const { changed, state } = await import("../../server/web/static/tabletop/store.js");
await import("../../server/web/static/tabletop/awake.js");

/** Show a game in which red sits here. */
function show(awaiting, view = {}, log = [], open = []) {
  state.info = { status: "playing", sides: ["red"], seats: [{ side: "red", name: "Anna", online: true }, { side: "blue", name: "Ben", online: true }] };
  state.position = { viewer: "red", open, view: { stage: "battle", round: 1, turn: "red", phase: "shooting", markers: {}, units: [], rules: {}, ...view }, awaiting: { about: {}, reactions: {}, may: {}, ...awaiting } };
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

const way = (what, by = "red", fields = {}) => ({ do: what, by, fields });
const holders = { "markers.1.holder": {}, "markers.2.holder": {}, "markers.3.holder": {} };
const command = { phase: "command" };

test("a waiting phone has nothing that ends the other's phase or speaks for the other", () => {
  show(shooting("blue"), { turn: "blue" }, [], [way("end_phase"), way("take_back")]);
  assert.equal(awaitedStep(), null);
  show({ side: "blue", for: "deploy", about: { stage: "deploy" } }, { stage: "deploy" }, [], [way("end_phase")]);
  assert.equal(awaitedStep(), null);
});

test("who is to place a unit is not offered the end of the stage instead", () => {
  show({ side: "red", for: "deploy", about: { stage: "deploy" } }, { stage: "deploy" }, [], [way("end_phase"), way("deploy", "red", { unit: {} })]);
  assert.equal(awaitedStep()[0].do, "deploy");
});

test("the end of a phase names the phase and its score, a check whose score it is and what has changed", () => {
  show({ side: "red", for: "end_phase", about: { phase: "command", next: "movement", score: 10 } }, command, [], [way("end_phase")]);
  assert.deepEqual(buttonText(awaitedStep()), ["End Command phase: score 10", "Next: Movement"]);
  const markers = { 1: { control: "blue", holder: "blue" }, 2: { control: "" }, 3: { control: "red", holder: "blue" } };
  show({ side: "red", for: "confirm", about: { score: 10 } }, { ...command, turn: "blue", markers }, [], [way("confirm"), way("control", "red", holders)]);
  assert.deepEqual(buttonText(awaitedStep()), ["Confirm: Ben scores 10", "Marker 3: Ben · the rest as before"]);
  markers[3].holder = "red";
  assert.deepEqual(buttonText(awaitedStep()), ["Confirm: Ben scores 10", "As before"]);
});

test("a button that is about one unit names it", () => {
  const units = [{ id: "r1", name: "Carrier Plover" }, { id: "r2", name: "Dock Guard" }];
  const roll = way("roll", "red", { unit: { one_of: ["r1"] } });
  show({ side: "red", for: "roll", about: {} }, { ...command, units }, [], [roll]);
  assert.deepEqual(buttonText(awaitedStep()), ["Roll", "Carrier Plover"]);
  show({ side: "red", for: "roll", about: {} }, { ...command, units }, [], [roll, way("roll", "red", { unit: { one_of: ["r2"] } })]);
  assert.deepEqual(buttonText(awaitedStep()), ["Roll", ""]);
});

test("a report of one marker leaves the others as they were", () => {
  const markers = { 1: { control: "red", holder: "red" }, 2: { control: "" }, 3: { control: "blue" } };
  show({ side: "red", for: "control", about: { score: 5 } }, { ...command, round: 2, markers }, [], [way("control", "red", holders)]);
  assert.deepEqual([reported(), buttonText(awaitedStep())], [{}, ["Report the markers: score 5", "As before"]]);
  stepOn("2");
  stepOn("3");
  assert.deepEqual([reported(), buttonText(awaitedStep())[1]], [{ "markers.2.holder": "red", "markers.3.holder": "none" }, "Marker 2: Anna · Marker 3: nobody"]);
});

test("a choice of exactly four says 4, not 4 to 4", () => {
  assert.equal(limits({ from: 4, to: 4 }), "4");
  assert.equal(limits({ from: 2, to: 4 }), "2 to 4");
});
