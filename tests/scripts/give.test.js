// Offers are given once, however often their button is clicked; a force has one order.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./page.js";

const { give } = await import("../../server/web/static/table/give.js");
const { Reasons } = await import("../../server/web/static/table/reasons.js");
const { Written } = await import("../../server/web/static/table/written.js");

const position = { grid: { find: () => -1 }, things: new Map(), seats: new Map(), word: (_, id) => id };

test("a double click gives one order; after the server has answered the same may be given again", () => {
  const draft = Object.assign(new Written(), { phase: "build", lookedAt: 0 }), table = { draft, position }, trap = { type: "build_defence", at: "1003", defence: "tank_trap" };
  give(table, trap);
  give(table, { ...trap });
  assert.equal(draft.orders.length, 1);
  draft.lookedAt = draft.changed;
  give(table, { ...trap });
  assert.equal(draft.orders.length, 2);
});

test("an order to a force takes the place of the one it has", () => {
  const draft = Object.assign(new Written(), { phase: "battle_movement", lookedAt: 0 });
  draft.load([{ type: "attack", detachment: "own", target: "0403" }]);
  give({ draft, position }, { type: "recover", detachment: "own" });
  assert.deepEqual(draft.orders, [{ type: "recover", detachment: "own" }]);
});

test("why an order is refused does not depend on what else is tried", async () => {
  const asked = [], refused = { order: 1, code: "duplicate_order", message: "It already has order number 1." };
  globalThis.fetch = async (_, { body }) => {
    const { orders } = JSON.parse(body);
    asked.push(orders.length);
    const problems = orders.length > 1 ? [refused] : orders[0].type === "recover" ? [{ order: 0, code: "pinned", message: "It takes in units." }] : [];
    return { ok: true, status: 200, headers: new Headers({ "content-type": "application/json" }), json: async () => ({ problems }), text: async () => JSON.stringify({ problems }) };
  };
  const draft = Object.assign(new Written(), { phase: "battle_movement", path: "/campaigns/c/orders", query: "" });
  const found = await new Promise((done) => {
    const reasons = new Reasons({ draft, position, refresh: () => done(reasons.of("k", trials)) }), trials = [["attack", { type: "attack" }], ["recover", { type: "recover" }]];
    reasons.of("k", trials);
  });
  assert.deepEqual(found.map(([name, why]) => [name, why.said]), [["recover", "It takes in units."]]);
  assert.deepEqual(asked, [2, 1]);
});
