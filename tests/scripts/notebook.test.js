// The notebook: what is noted of turns, which pins were there in a turn.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { getElementById: () => null };
const { Notebook } = await import("../../server/web/static/table/notebook.js");

function book() {
  let changes = 0;
  const made = new Notebook("c", "p1", { changed: () => { changes += 1; } });
  made.take({ notes: [{ turn: 2, text: "two" }, { turn: 5, text: "five" }, { turn: 3, text: "three" }], pins: [{ hex: "0101", turn: 4, text: "a" }, { hex: "0202", turn: 2, text: "b" }] });
  assert.equal(changes, 1);
  return made;
}

test("other turns come the last one first, without those of which nothing is noted", () => {
  const made = book();
  assert.deepEqual(made.others(3), [5, 2]);
  assert.equal(made.note(4), "");
  made.notes.set(5, "");
  assert.deepEqual(made.others(3), [2]);
});

test("the replay shows the pins that were there then", () => {
  const made = book();
  assert.deepEqual(made.pinned(1), []);
  assert.deepEqual(made.pinned(3).map((each) => each.hex), ["0202"]);
  assert.equal(made.pinned().length, 2);
});

test("what is being typed is not lost when the notebook is fetched again", () => {
  const made = book();
  made.type(2, "two and a half");
  made.take({ notes: [{ turn: 2, text: "two" }], pins: [] });
  assert.equal(made.note(2), "two and a half");
  clearTimeout(made.waits.get(2));
});
