// All orders as a list of sentences: in their order, with what they cost and what speaks against them.

import { t } from "../texts.js";
import { announce, button, h, said } from "./dom.js";
import { alliances } from "./build_panel.js";
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
    draft.general.map((each) => h("p", { class: "problem small" }, refusal(each).said)),
    draft.locked ? null : button(t("table.other_order"), () => table.any(), { key: "any", class: "quiet" }),
    alliances(table), table.kept.panel(), table.dicePanel(),
    position.mine ? null : h("p", { class: "muted" }, t("table.no_seat")),
  ];
}

function row(table, item, at) {
  const { draft, position } = table, { uid, order } = item, says = draft.says.get(uid) ?? {};
  const text = sentence(position, order), problems = draft.problems.get(uid) ?? [], locked = draft.locked;
  const notes = [];
  if (says.cost) notes.push(says.cost < 0 ? t("table.refund", { bp: -says.cost }) : `${says.cost} BP`);
  if (says.paid_by) notes.push(t("table.left_there", { bp: says.paid_by.after }));
  if (says.ready_turn > table.position.turn) notes.push(t("table.ready_turn", { turn: says.ready_turn }));
  if (says.stop) notes.push(`${t("table.ends_at", { hex: says.ends_at })} ${stopReason(says.stop)}`);
  const chance = says.target ? table.prospects.word(order.detachment, says.target) : "";
  if (chance) notes.push(`${chance} ${t("table.odds.wins")}`);
  if (says.needs > 1) notes.push(t("table.needs_face", { n: says.needs }));
  const tool = (sign, name, onclick, disabled = false) => button(sign, onclick, { key: `${name}-${uid}`, class: "quiet icon", disabled: locked || disabled, "aria-label": t(`table.${name}_of`, { what: text }), title: t(`table.${name}`) });
  return h("li", { class: problems.length ? "wrong" : "" },
    h("div", { class: "order-line" }, button(said(text), () => table.showOrder(item), { key: `see-${uid}`, class: "sentence" }),
      h("span", { class: "tools" },
        tool("↑", "up", () => draft.move(uid, -1), at === 0), tool("↓", "down", () => draft.move(uid, 1), at === draft.items.length - 1),
        tool("✎", "change", () => table.editOrder(item)), tool("×", "remove", () => { draft.remove(uid); announce(t("table.removed")); }))),
    notes.length ? h("p", { class: "muted small" }, notes.join(" · ")) : null,
    problems.map((each) => {
      const { said: told, exact, rule } = refusal(each);
      return h("p", { class: "problem small" }, told, exact ? h("span", { class: "exact" }, ` ${exact}`) : null, rule ? h("span", { class: "rule" }, ` § ${rule}`) : null);
    }));
}
