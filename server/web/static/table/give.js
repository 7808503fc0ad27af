// Writing orders that were offered: each once, also where the button is clicked twice.

import { t } from "../texts.js";
import { announce } from "./dom.js";
import { FORCE_ORDERS, subjectOf } from "./kinds.js";
import { sentence } from "./sentences.js";

/** True until the server has looked at the orders: until then an offer may be one that is no longer there. */
const unanswered = (draft) => draft.lookedAt !== draft.changed;

/** Write orders and say so. What was given a moment ago is not given again; a force has one order. */
export function give(table, ...orders) {
  const { draft, position } = table, fresh = orders.filter((order) => !(unanswered(draft) && draft.items.some((each) => JSON.stringify(each.order) === JSON.stringify(order))));
  if (!fresh.length) { announce(t("table.given_already", { order: sentence(position, orders[0]) })); return; }
  const toForce = FORCE_ORDERS[draft.phase] ?? [];
  for (const order of fresh) {
    if (toForce.includes(order.type)) draft.put(order, (each) => toForce.includes(each.type) && subjectOf(each) === subjectOf(order));
    else draft.add(order);
  }
  announce(t("table.given", { order: fresh.map((each) => sentence(position, each)).join(", ") }));
}
