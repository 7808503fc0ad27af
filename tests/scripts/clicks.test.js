// Every click on the map in every state: the order that is given is the one whose name is lit, or none, and then it says why.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./page.js";

const { clicked, decide, factsOf } = await import("../../server/web/static/table/clicks.js");
const { ForceOrder } = await import("../../server/web/static/table/force_order.js");
const { Grid } = await import("../../server/web/static/table/geometry.js");
const { Written } = await import("../../server/web/static/table/written.js");

const BOTH = [false, true];
const VALUES = {
  force: BOTH, lit: ["", "march", "assault", "aimed", "plain"], locked: BOTH, complete: BOTH, written: BOTH, here: BOTH, reach: BOTH, step: BOTH,
  aim: BOTH, strike: BOTH, enemy: BOTH, counter: ["", "same", "other"], own: ["", "garrison", "force"], again: BOTH,
};

/** Call with every combination. */
function every(names, made, call) {
  if (!names.length) { call(made); return; }
  for (const value of VALUES[names[0]]) every(names.slice(1), { ...made, [names[0]]: value }, call);
}

test("whatever the state, a click gives the lit order or none", () => {
  let pairs = 0;
  every(Object.keys(VALUES), {}, (facts) => {
    pairs += 1;
    const { does, why } = decide(facts), said = JSON.stringify({ facts, does, why });
    const allowed = { march: ["march"], aim: ["assault", "aimed"], attack: [""] }[does];
    if (allowed) {
      assert.ok(facts.force && !facts.locked && !facts.again && allowed.includes(facts.lit), said);
      assert.equal(why, "", said);
    }
    if (does === "attack") assert.ok(facts.strike, said);
    if (does === "aim") assert.ok(facts.aim, said);
    if (facts.counter === "other" && !(does === "aim" && !facts.complete)) assert.ok(["choose", "nothing"].includes(does) || (does === "aim" && !facts.own), said);
    if (does === "nothing") assert.ok(facts.again, said);
    // an order that needs a hex, a click on one that is none, and nothing of one's own there to choose instead: it says why
    const open = facts.force && !facts.locked && !facts.again && !facts.here && !facts.own && !facts.counter;
    if (open && does === "choose" && (["march", "assault"].includes(facts.lit) || (facts.lit === "aimed" && !facts.complete) || (facts.lit === "plain" && facts.strike))) assert.notEqual(why, "", said);
  });
  assert.equal(pairs, 92_160);
});

// --- the same on a map, with the forms that write the orders ---

const grid = new Grid(9, 9), at = (label) => grid.find(label);
const THINGS = [
  { id: "own", kind: "detachment", owner: "ann", hex: at("0303"), name: "Column 1", units: [] },
  { id: "cart", kind: "convoy", owner: "ann", hex: at("0303"), name: "convoy", units: [] },
  { id: "friend", kind: "detachment", owner: "ann", hex: at("0304"), name: "Column 2", units: [] },
  { id: "post", kind: "garrison", owner: "ann", hex: at("0203"), name: "garrison", units: [] },
  { id: "foe", kind: "detachment", owner: "ben", hex: at("0403"), name: "Reavers", units: [] },
  { id: "train", kind: "convoy", owner: "ben", hex: at("0302"), name: "their convoy", units: [] },
];
const around = grid.neighbours(at("0303")).map((hex) => grid.label(hex));
const OPTIONS = {
  movement: [
    { order: { type: "path", detachment: "own" }, reach: ["0203", "0202", "0302"].map((hex) => ({ hex, path: [hex], cost: 1 })) },
    { order: { type: "path", convoy: "cart" }, reach: [{ hex: "0203", path: ["0203"], cost: 1 }] },
  ],
  battle_movement: [
    { order: { type: "attack", detachment: "own" }, choices: { target: [...around, "foe", "train"] } },
    { order: { type: "support", detachment: "own" }, choices: { target: [...around, "friend", "post"] } },
    { order: { type: "recover", detachment: "own" }, choices: {} },
  ],
};

/** A table on which a force is chosen, and what is lit for it. */
function begun(phase, id, lit, given = null) {
  const draft = Object.assign(new Written(), { phase, options: OPTIONS[phase] });
  const position = {
    grid, me: "ann", things: new Map(THINGS.map((each) => [each.id, each])), owner: [], seats: new Map(), at: (hex) => THINGS.filter((each) => each.hex === hex),
    enemy: (player) => player === "ben", label: (hex) => grid.label(hex), describe: (hex) => grid.label(hex), placeName: (hex) => grid.label(hex), player: (who) => who, word: (_, one) => one,
  };
  const thing = position.things.get(id);
  const table = { draft, position, form: null, refresh: () => {}, selected: { hex: thing.hex, thing }, chosen: [], select(hex, next, focus, missed) { this.chosen.push({ hex, thing: next, missed }); } };
  table.form = new ForceOrder(table, thing);
  if (given) draft.load([given]);
  table.form.chosen = lit;
  return table;
}

const STATES = [
  ["movement", "own", "path", null], ["movement", "own", "path", { type: "path", detachment: "own", path: ["0202", "0302"] }], ["movement", "cart", "path", null],
  ["battle_movement", "own", "", null], ["battle_movement", "own", "attack", null], ["battle_movement", "own", "support", null], ["battle_movement", "own", "recover", null],
  ["battle_movement", "own", "", { type: "attack", detachment: "own", target: "0403" }], ["battle_movement", "own", "", { type: "support", detachment: "own", target: "friend" }],
  ["battle_movement", "own", "", { type: "recover", detachment: "own" }], ["battle_movement", "own", "support", { type: "attack", detachment: "own", target: "0403" }],
];

test("on a map: every state, every hex, every counter, once and twice", () => {
  let clicks = 0;
  for (const [phase, id, lit, given] of STATES) {
    for (let hex = 0; hex < grid.size; hex += 1) {
      for (const thing of [null, ...THINGS.filter((each) => each.hex === hex && each.owner === "ann")]) {
        for (const again of BOTH) {
          const table = begun(phase, id, lit, given), name = table.form.type, before = JSON.stringify(table.draft.orders);
          clicked(table, hex, thing, again);
          clicks += 1;
          const after = table.draft.orders, said = `${lit || name} ${JSON.stringify(given)} ${grid.label(hex)} ${thing?.id} ${JSON.stringify(after)}`;
          if (JSON.stringify(after) === before) continue;
          assert.ok(!again, said);
          assert.equal(table.chosen.length, 0, said);
          if (after.length) assert.equal(after[0].type, name || "attack", said);
          else assert.ok(name === "path" && hex === table.form.thing.hex, said); // a click on the force itself takes its march back
        }
      }
    }
  }
  assert.equal(clicks, 11 * (81 + 4) * 2);
});

const after = (state, label, thing = null) => {
  const table = begun(...state);
  clicked(table, at(label), thing && THINGS.find((each) => each.id === thing));
  return { orders: table.draft.orders, chosen: table.chosen };
};

test("Support on a hex with an enemy convoy is support", () => {
  assert.deepEqual(after(["battle_movement", "own", "support"], "0302").orders, [{ type: "support", detachment: "own", target: "0302" }]);
});

test("a click on an enemy leaves a march and other orders alone, and says why", () => {
  const march = { type: "path", detachment: "own", path: ["0202"] }, walked = after(["movement", "own", "path", march], "0403");
  assert.deepEqual(walked.orders, [march]);
  assert.equal(walked.chosen[0].missed.why, "table.enemy_in_way");
  const recover = { type: "recover", detachment: "own" }, stays = after(["battle_movement", "own", "", recover], "0403");
  assert.deepEqual(stays.orders, [recover]);
  assert.equal(stays.chosen[0].missed.why, "table.keeps_order");
});

test("a convoy that is clicked is chosen, though a detachment stands with it and has a march", () => {
  const march = { type: "path", detachment: "own", path: ["0202"] }, found = after(["movement", "own", "path", march], "0303", "cart");
  assert.deepEqual(found.orders, [march]);
  assert.equal(found.chosen[0].thing.id, "cart");
});

test("a march goes to a town with a garrison of one's own, and the garrison's own counter chooses it", () => {
  assert.deepEqual(after(["movement", "cart", "path"], "0203").orders, [{ type: "path", convoy: "cart", path: ["0203"] }]);
  assert.equal(after(["movement", "cart", "path"], "0203", "post").chosen[0].thing.id, "post");
});

test("with nothing lit an enemy next to the force is attacked", () => {
  const table = begun("battle_movement", "own", "");
  assert.deepEqual(decide(factsOf(table, at("0403"))), { does: "attack", why: "" });
});
