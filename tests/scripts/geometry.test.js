// The grid: labels, neighbours, distances (D-01, D-02).

import assert from "node:assert/strict";
import { test } from "node:test";

import { Grid } from "../../server/web/static/table/geometry.js";

test("labels are columns and rows from 1", () => {
  const grid = new Grid(11, 10);
  assert.equal(grid.label(0), "0101");
  assert.equal(grid.find("0102"), 11);
  assert.equal(grid.find("9999"), -1);
  for (let hex = 0; hex < grid.size; hex += 1) assert.equal(grid.find(grid.label(hex)), hex);
});

test("the neighbours of 0102 are those of the rulebook", () => {
  const grid = new Grid(11, 10), near = grid.neighbours(grid.find("0102")).filter((each) => each >= 0).map((each) => grid.label(each));
  assert.deepEqual(near.sort(), ["0101", "0103", "0201", "0202", "0203"]);
});

test("distances count steps, the same both ways", () => {
  const grid = new Grid(9, 9);
  for (let hex = 0; hex < grid.size; hex += 1) {
    assert.equal(grid.distance(hex, hex), 0);
    for (const each of grid.neighbours(hex)) if (each >= 0) {
      assert.equal(grid.distance(hex, each), 1);
      assert.equal(grid.distance(each, hex), 1);
    }
  }
  assert.equal(grid.distance(grid.find("0101"), grid.find("0901")), 8);
});
