// Clicks on the map that write the order of a force: marches, attacks, and what is left alone.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./page.js";

const { ForceOrder } = await import("../../server/web/static/table/force_order.js");
const { Grid } = await import("../../server/web/static/table/geometry.js");
const { Pen } = await import("../../server/web/static/table/pen.js");
const { sentence } = await import("../../server/web/static/table/sentences.js");
const { Written } = await import("../../server/web/static/table/written.js");

const grid = new Grid(9, 9), at = (label) => grid.find(label);
const THINGS = [
  { id: "own", kind: "detachment", owner: "ann", hex: at("0303"), called: "Column 1", units: [] },
  { id: "friend", kind: "detachment", owner: "ann", hex: at("0304"), called: "Column 2", units: [] },
  { id: "foe", kind: "detachment", owner: "ben", hex: at("0403"), name: "Reavers", called: "Reavers", units: [] },
];
const REACH = [{ hex: "0403", path: ["0403"], cost: 1 }, { hex: "0503", path: ["0403", "0503"], cost: 2 }];

function begun(phase) {
  const draft = Object.assign(new Written(), { phase, options: [
    { order: { type: "path", detachment: "own" }, reach: REACH },
    { order: { type: "attack", detachment: "own" }, choices: { target: ["0403", "foe"] } },
    { order: { type: "recover", detachment: "own" }, choices: {} },
  ].filter((each) => (each.order.type === "path") === (phase === "movement")) });
  const position = {
    grid, me: "ann", things: new Map(THINGS.map((each) => [each.id, each])), owner: [], seats: new Map(),
    at: (hex) => THINGS.filter((each) => each.hex === hex), enemy: (player) => player === "ben", label: (hex) => grid.label(hex),
    describe: (hex) => grid.label(hex), placeName: (hex) => grid.label(hex), player: (id) => id, word: (_, id) => id,
  };
  const table = { draft, position, selected: { hex: at("0303"), thing: THINGS[0] }, refresh: () => {}, form: null };
  return { draft, position, table, form: (table.form = new ForceOrder(table, THINGS[0])) };
}

test("a click goes the cheapest way, one on the way cuts it, one on the force itself takes it back", () => {
  const { draft, form } = begun("movement");
  assert.equal(form.type, "path");
  assert.ok(form.towards(at("0503")));
  assert.deepEqual(draft.orders, [{ type: "path", detachment: "own", path: ["0403", "0503"] }]);
  form.towards(at("0403"));
  assert.deepEqual(form.path, ["0403"]);
  form.towards(at("0303"));
  assert.deepEqual(draft.orders, []);
  assert.equal(form.towards(at("0909")), false);
});

test("a list has each enemy once, and none of one's own land", () => {
  const { draft, form, position } = begun("battle_movement");
  draft.options[0].choices.target = ["0304", "0403", "0404", "0302", "foe"];
  position.owner[at("0404")] = "ann";
  form.choose("attack");
  assert.deepEqual(form.listed("attack"), ["0403", "0302"]);
  assert.equal(form.targetName("0403"), "Reavers (ben, 0403)");
  assert.deepEqual(form.listed("attack", "foe"), ["foe", "0302"]);
  assert.equal(form.targetName("foe"), "Reavers (ben, 0403)");
  assert.equal(form.targetName("0302"), "0302");
});

test("a stroke of the pen writes the way it takes, as one step", () => {
  const { draft, table } = begun("movement"), pen = new Pen(table), finger = { pointerType: "mouse", shiftKey: false };
  assert.ok(pen.draw("begin", at("0303"), finger));
  for (const label of ["0303", "0403", "0503", "0603"]) pen.draw("over", at(label), finger);
  pen.draw("end", at("0603"), finger);
  assert.deepEqual(draft.orders[0].path, ["0403", "0503", "0603"]);
  draft.undo();
  assert.deepEqual(draft.orders, []);
});

test("the pen writes nothing for others, or where all is final", () => {
  const { draft, table } = begun("movement"), pen = new Pen(table), mouse = { pointerType: "mouse", shiftKey: false };
  assert.equal(pen.draw("begin", at("0403"), mouse), false);
  Object.defineProperty(draft, "locked", { value: true });
  assert.equal(pen.draw("begin", at("0303"), mouse), false);
});

test("an enemy that is clicked is attacked; a friend is no target", () => {
  const { draft, form, position } = begun("battle_movement");
  assert.equal(form.type, "");
  assert.equal(form.strike(at("0304")), false);
  assert.ok(form.strike(at("0403")));
  assert.deepEqual(draft.orders, [{ type: "attack", detachment: "own", target: "0403" }]);
  assert.ok(form.complete);
  assert.equal(sentence(position, draft.orders[0]), "Column 1 attacks 0403");
});

test("what needs no target is written when it is chosen", () => {
  const { draft, form } = begun("battle_movement");
  form.choose("recover");
  assert.deepEqual(draft.orders, [{ type: "recover", detachment: "own" }]);
});
