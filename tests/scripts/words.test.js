// Which words of a text the rulebook explains.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Words } from "../../server/web/static/help/words.js";

const GIVEN = {
  terms: [["word.bp", "BP", ["BP"]], ["word.town", "Urban hex, town", ["Urban hex", "town"]], ["building.command_post", "Command post", ["Command post"]], ["word.zone", "Zone of control, ZOC", ["Zone of control", "ZOC"]]],
  sections: ["5.1", "6.2.3.9"],
  decisions: ["D-43"],
};
const found = (text, language = "en") => new Words(GIVEN, language).find(text).map((each) => each.key);

test("terms are found whole, in any case, with their endings", () => {
  assert.deepEqual(found("Two towns with command posts"), ["word.town", "building.command_post"]);
  assert.deepEqual(found("downtown, townhouse"), []);
  assert.deepEqual(found("a zone of  control"), ["word.zone"]);
});

test("words in capitals count only as they are", () => {
  assert.deepEqual(found("50 BP, not bp"), ["word.bp"]);
});

test("sections are cited in brackets, never just a number", () => {
  assert.deepEqual(found("A raid takes them (5.1, 6.2.3.9)."), ["5.1", "6.2.3.9"]);
  assert.deepEqual(found("It weighs 5.1 kg and (9.9)"), []);
});

test("decisions", () => {
  assert.deepEqual(found("(our decision, D-43) and D-99"), ["D-43"]);
});

test("places are where the words are", () => {
  const [first] = new Words(GIVEN, "en").find("Pay 50 BP.");
  assert.deepEqual([first.at, first.length], [7, 2]);
});

test("a ruleset without terms is no mistake", () => {
  assert.deepEqual(new Words({ terms: [], sections: ["5.1"], decisions: [] }, "de").find("(5.1)").map((each) => each.key), ["5.1"]);
});
