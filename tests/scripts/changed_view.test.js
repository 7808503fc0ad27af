// What has changed in a view is put into the view that a page has.

import assert from "node:assert/strict";
import { test } from "node:test";

const { patched } = await import("../../server/web/static/table/changed_view.js");

const before = { number: 3, sees: ["0101", "0103"], state: { turn: 1, players: [{ id: "p1" }], detachments: { a: { at: "0101" }, b: { at: "0103" } } } };

test("rows are replaced, added and removed, and lists have other entries", () => {
  const kept = structuredClone(before);
  const after = patched(before, {
    replaced: [{ path: ["number"], value: 4 }, { path: ["state", "detachments", "a"], value: { at: "0202" } }, { path: ["state", "detachments", "c"], value: { at: "0303" } }],
    removed: [["state", "detachments", "b"]],
    spliced: [{ path: ["sees"], edits: [{ at: 0, gone: 1, put: [] }, { at: 1, gone: 1, put: ["0102", "0202"] }] }],
  });
  assert.deepEqual(after, { number: 4, sees: ["0102", "0202"], state: { turn: 1, players: [{ id: "p1" }], detachments: { a: { at: "0202" }, c: { at: "0303" } } } });
  assert.deepEqual(before, kept, "what a page still shows stays as it is");
  assert.equal(after.state.players, before.state.players);
});

test("nothing has changed", () => {
  assert.deepEqual(patched(before, { replaced: [], removed: [], spliced: [] }), before);
});
