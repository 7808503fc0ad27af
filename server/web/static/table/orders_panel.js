// Orders as sentences, with what they cost and what speaks against them: all in their order, or those of one hex.

import { t } from "../texts.js";
import { announce, button, h, said } from "./dom.js";
import { alliances, belongs } from "./build_panel.js";
import { anyOrder, editOrder, showOrder } from "./order_edits.js";
import { refusal, sentence, stopReason } from "./sentences.js";

/** The list. */
export function ordersPanel(table) {
  const { draft, position } = table;
  const tools = h("div", { class: "row" },
    button(`↶ ${t("table.undo")}`, () => { draft.undo(); announce(t("table.undone")); }, { key: "undo", disabled: !draft.past.length || draft.locked, title: "Ctrl+Z" }),
    button(`↷ ${t("table.redo")}`, () => { draft.redo(); announce(t("table.redone")); }, { key: "redo", disabled: !draft.future.length || draft.locked, title: "Ctrl+Y" }));
  const list = draft.items.length
    ? h("ol", { class: "orders" }, draft.items.map((item, at) => row(table, item, at)))
    : h("p", { class: "empty" }, t("table.no_orders"));
  return [
    h("h2", {}, t("table.orders_title", { phase: table.phaseName, n: draft.items.length })), tools, list,
    draft.general.map((each) => h("p", { class: "problem small" }, refusal(each, table.position).said)),
    draft.locked ? null : button(t("table.other_order"), () => anyOrder(table), { key: "any", class: "quiet" }),
    table.repeats.panel(), alliances(table), table.text.panel(), table.kept.panel(), table.dicePanel(),
    position.mine ? null : h("p", { class: "muted" }, t("table.no_seat")),
  ];
}

function row(table, item, at) {
  const { draft } = table, { uid } = item, tool = toolOf(table, item);
  return h("li", { class: draft.problems.has(uid) ? "wrong" : "" },
    h("div", { class: "order-line" }, button(said(sentence(table.position, item.order)), () => showOrder(table, item), { key: `see-${uid}`, class: "sentence" }),
      h("span", { class: "tools" },
        tool("↑", "up", () => draft.move(uid, -1), at === 0), tool("↓", "down", () => draft.move(uid, 1), at === draft.items.length - 1),
        ...changing(table, item, tool))),
    told(table, item), table.repeats.tick(item));
}

/** What is ordered so far in one's places and for one's things in a hex, where it is chosen: Setup and Build. */
export function orderedHere(table, hex) {
  const { draft, position } = table, about = belongs(table, hex), items = draft.items.filter(({ order }) => about(order));
  if (!["setup", "build"].includes(draft.phase) || !items.length) return null;
  return h("section", { class: "shop" }, h("h3", {}, t("table.ordered_here")), h("ul", { class: "orders here" }, items.map((item) =>
    h("li", { class: draft.problems.has(item.uid) ? "wrong" : "" },
      h("div", { class: "order-line" }, h("span", { class: "sentence" }, said(sentence(position, item.order))), h("span", { class: "tools" }, changing(table, item, toolOf(table, item)))),
      told(table, item), table.repeats.tick(item)))));
}

function toolOf(table, { uid, order }) {
  const what = sentence(table.position, order), { locked } = table.draft;
  return (sign, name, onclick, disabled = false) => button(sign, onclick, { key: `${name}-${uid}`, class: "quiet icon", disabled: locked || disabled, "aria-label": t(`table.${name}_of`, { what }), title: t(`table.${name}`) });
}

function changing(table, item, tool) {
  return [tool("✎", "change", () => editOrder(table, item)), tool("×", "remove", () => { table.draft.remove(item.uid); announce(t("table.removed")); })];
}

/** What an order costs and brings, and what speaks against it. */
function told(table, { uid, order }) {
  const { draft, position } = table, says = draft.says.get(uid) ?? {}, notes = [];
  if (says.cost) notes.push(says.cost < 0 ? t("table.refund", { bp: -says.cost }) : `${says.cost} BP`);
  if (says.paid_by) notes.push(t("table.left_there", { bp: says.paid_by.after }));
  if (says.ready_turn > position.turn) notes.push(t("table.ready_turn", { turn: says.ready_turn }));
  if (says.stop) notes.push(`${t("table.ends_at", { hex: says.ends_at })} ${stopReason(says.stop)}`);
  const chance = says.target ? table.prospects.word(order.detachment, says.target) : "";
  if (chance) notes.push(`${chance} ${t("table.odds.wins")}`);
  if (says.needs > 1) notes.push(t("table.needs_face", { n: says.needs }));
  return [
    notes.length ? h("p", { class: "muted small" }, notes.join(" · ")) : null,
    (draft.problems.get(uid) ?? []).map((each) => {
      const { said: words, exact, rule } = refusal(each, table.position);
      return h("p", { class: "problem small" }, words, exact ? h("span", { class: "exact" }, ` ${exact}`) : null, rule ? h("span", { class: "rule" }, ` § ${rule}`) : null);
    }),
  ];
}
