// When writing is disturbed: somebody else has written, or the phase is over. Nothing is thrown away unasked.

import { nameOf, t } from "../texts.js";
import { ask, h } from "./dom.js";
import { copy } from "./kept.js";
import { sentence } from "./sentences.js";
import { confirmUnplaced, placements } from "./setup_list.js";

const list = (table, orders) => orders.length ? h("ol", { class: "small" }, orders.map((each) => h("li", {}, sentence(table.position, each)))) : h("p", { class: "muted" }, t("table.no_orders"));

/** The orders were changed in another window or by a substitute: show both, let one be chosen. */
export async function conflictDialog(table) {
  const { draft } = table, theirs = draft.conflict.data;
  const content = h("div", { class: "columns tight" },
    h("section", {}, h("h3", {}, t("table.conflict.here")), list(table, draft.orders)),
    h("section", {}, h("h3", {}, t("table.conflict.there")), list(table, theirs.orders)));
  let choice = "";
  while (!choice) choice = await ask(t("table.conflict.title"), h("div", { class: "stack" }, h("p", {}, t("table.conflict.why")), content), [["mine", t("table.conflict.mine")], ["theirs", t("table.conflict.theirs"), "primary"]]);
  await draft.settle(choice === "theirs");
}

/** The phase closed while something was being written. */
export async function closedDialog(table) {
  const { draft } = table, lost = draft.dirty && draft.items.length > 0;
  const content = h("div", { class: "stack" }, h("p", {}, t(lost ? "table.closed.lost" : draft.finalWaits ? "table.again.too_late" : "table.closed.why")), lost ? list(table, draft.orders) : null);
  const choice = await ask(t("table.closed.title", { phase: nameOf("phase", draft.phase) }), content,
    [...(lost ? [["copy", t("table.copy")]] : []), ["", t("table.closed.go_on"), "primary"]]);
  if (choice === "copy") await copy(draft.orders);
  await table.open();
}

/** Ask before declaring final, where something is open or wrong. Returns true to go on. */
export async function confirmFinal(table, left) {
  const { draft } = table, wrong = [...draft.problems.keys()].length;
  if (draft.phase === "setup" && placements(table).left) return confirmUnplaced(table);
  if (!left.length && !wrong && draft.items.length) return true;
  const content = h("div", { class: "stack" },
    wrong ? h("p", { class: "problem" }, t("table.final.wrong", { n: wrong })) : null,
    draft.items.length ? null : h("p", {}, t("table.final.nothing")),
    left.length ? [h("p", {}, t(draft.phase === "movement" ? "table.final.guard" : "table.final.inactive", { n: left.length })), h("ul", { class: "small" }, left.slice(0, 12).map((each) => h("li", {}, h("bdi", {}, each.name), ` · ${table.position.placeName(each.hex)}`)))] : null,
    h("p", { class: "muted small" }, t("table.final.why")));
  return (await ask(t("table.final.title"), content, [["", t("table.final.not_yet")], ["yes", t("table.final.declare"), "primary"]])) === "yes";
}
