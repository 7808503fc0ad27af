// Orders while they are written: changes, strokes, and the way back.

import assert from "node:assert/strict";
import { test } from "node:test";

import { answered } from "../../server/web/static/table/looked.js";
import { Written } from "../../server/web/static/table/written.js";

const march = (id, ...path) => ({ type: "path", detachment: id, path });
const of = (id) => (order) => order.detachment === id;

test("an order of the same force takes the place of the one before", () => {
  const written = new Written();
  written.load([march("a", "0101"), march("b", "0202")]);
  const [{ uid }] = written.items;
  written.put(march("a", "0102"), of("a"));
  assert.deepEqual(written.orders, [march("a", "0102"), march("b", "0202")]);
  assert.equal(written.items[0].uid, uid);
  written.put(march("c", "0303"), of("c"));
  assert.deepEqual(written.orders.at(-1), march("c", "0303"));
});

test("the same order again is no change", () => {
  const written = new Written();
  written.load([march("a", "0101")]);
  written.put(march("a", "0101"), of("a"));
  assert.equal(written.past.length, 0);
});

test("every change can be undone and done again", () => {
  const written = new Written(), told = [];
  for (const each of ["change", "edited"]) written.addEventListener(each, () => told.push(each));
  written.load([march("a", "0101")]);
  written.add(march("b", "0202"));
  written.remove(written.items[0].uid);
  assert.deepEqual(written.orders, [march("b", "0202")]);
  written.undo();
  written.undo();
  assert.deepEqual(written.orders, [march("a", "0101")]);
  written.undo(); // nothing is left to undo
  assert.deepEqual(written.orders, [march("a", "0101")]);
  written.redo();
  assert.deepEqual(written.orders, [march("a", "0101"), march("b", "0202")]);
  assert.deepEqual(told, Array(5).fill(["change", "edited"]).flat());
});

test("a new change forgets what was undone", () => {
  const written = new Written();
  written.add(march("a", "0101"));
  written.undo();
  written.add(march("b", "0202"));
  written.redo();
  assert.deepEqual(written.orders, [march("b", "0202")]);
});

test("a stroke of the pen is one step, and is told from where it began", () => {
  const written = new Written();
  written.load([march("a", "0101")]);
  written.beginStroke();
  written.put(march("a", "0101", "0102"), of("a"));
  written.put(march("a", "0101", "0102", "0103"), of("a"));
  assert.deepEqual(written.edited.before.map((each) => each.order), [march("a", "0101")]);
  written.endStroke();
  written.undo();
  assert.deepEqual(written.orders, [march("a", "0101")]);
});

test("orders change places, never beyond the ends", () => {
  const written = new Written();
  written.load([march("a"), march("b"), march("c")]);
  const [first] = written.items;
  written.move(first.uid, -1);
  assert.equal(written.past.length, 0);
  written.move(first.uid, 2);
  assert.deepEqual(written.orders.map((each) => each.detachment), ["b", "c", "a"]);
});

test("what is locked is not changed", () => {
  class Final extends Written { get locked() { return true; } }
  const written = new Final();
  written.load([march("a")]);
  written.add(march("b"));
  written.undo();
  assert.deepEqual(written.orders, [march("a")]);
});

test("what the server says comes to the order it is about", () => {
  const items = [{ uid: 7, order: march("a") }, { uid: 9, order: march("b") }];
  const found = answered(items, { says: [{ mv: 3 }], problems: [{ order: 1, code: "x" }, { order: 1, code: "y" }, { order: null, code: "z" }], options: [], stores: {}, left: {} });
  assert.deepEqual([...found.says], [[7, { mv: 3 }], [9, {}]]);
  assert.deepEqual(found.problems.get(9).map((each) => each.code), ["x", "y"]);
  assert.deepEqual(found.general.map((each) => each.code), ["z"]);
});
