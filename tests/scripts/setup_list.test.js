// What is placed is not asked for again while the server has not answered: signed out, or without a network.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./page.js";

const { placements } = await import("../../server/web/static/table/setup_list.js");

test("what was placed since the server last answered is not left", () => { // seen to fail: 4 were left of 6
  const place = (what, at) => ({ type: "place", what, at });
  const suggested = [place("capital", "1004"), place("urban", "1105"), place("resource", "1201"), place("resource", "1203")];
  const items = [place("capital", "1003"), place("urban", "1105")].map((order, uid) => ({ uid, order }));
  const draft = { items, problems: new Map(), options: [{ order: place("capital", "") }], left: { urban: ["village"], resource: ["rich", "poor"] } };
  const found = placements({ draft, suggestions: { orders: suggested } });
  assert.deepEqual([found.left, found.all], [2, 4]);
});
