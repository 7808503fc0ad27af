// What happened, beside the board: a few lines, each of which lights its hex.

import { t } from "../texts.js";
import { button, h } from "./dom.js";

const FEW = 5;

/** The list, also where it is empty; null while nothing is known. */
export function resultsList(table) {
  const { results } = table, { items } = results;
  if (!results.any) return null;
  if (!items.length) return nothing(results);
  const all = results.all || items.length <= FEW + 1, shown = all ? items : items.slice(0, FEW);
  const line = (item, at) => h("li", { class: `result ${item.tone}`, onmouseenter: () => results.light(item), onmouseleave: () => results.light(results.card.shown ? items[results.card.at] : null) },
    button([h("span", { class: "result-number" }, String(at + 1)), h("span", {}, stageOf(item), whoseLosses(item), item.text, reasonOf(item))],
      () => results.card.open(at), { key: `result-${at}`, class: "result-line", onfocus: () => results.light(item) }));
  return h("section", { class: "results-list card" },
    h("h3", {}, t("results.title"), results.unread ? h("span", { class: "badge accent" }, t("table.results.unread")) : null, h("span", { class: "muted small" }, ` ${results.stage}`)),
    h("ol", {}, shown.map(line)),
    othersOf(results),
    all ? null : button(t("table.results.all", { n: items.length }), () => { results.all = true; table.dock.draw(); }, { key: "results-all", class: "quiet small" }));
}

/** The phase that a line is about, where the list tells of several and it was not the last. */
export function stageOf(item) {
  return item.stage ? h("span", { class: "muted small block" }, item.stage) : null;
}

/** Whose losses a line is about, which the sentence leaves out; every other sentence says what it is itself. */
export function whoseLosses(item) {
  return item.kind === "lost" ? h("strong", { class: "result-kind" }, `${t(`table.results.lost.${item.tone}`)} `) : null;
}

/** Why an order of the reader's failed. */
function reasonOf(item) {
  return item.kind === "failed" && item.details.length ? ` ${item.details[0]}` : "";
}

/** Nothing has happened that one knows of: what happened before is one click away. */
function nothing(results) {
  return h("section", { class: "results-list card" },
    h("h3", {}, t("results.title"), h("span", { class: "muted small" }, ` ${results.stage}`)),
    h("p", { class: "muted" }, t("table.results.nothing")),
    othersOf(results),
    results.earlier === null ? null : button(t("table.results.earlier"), () => results.earlierOnes(), { key: "results-earlier", class: "quiet small" }));
}

/** Battles of others, folded: a newcomer looks at their own ones first. */
function othersOf(results) {
  const { others } = results;
  return others.length ? h("details", { class: "small" }, h("summary", {}, t("table.results.others", { n: others.length })),
    h("ol", {}, others.map((item) => h("li", { class: "result plain" }, button([h("span", {}, stageOf(item), item.text)], () => results.light(item, true), { class: "result-line" }))))) : null;
}
