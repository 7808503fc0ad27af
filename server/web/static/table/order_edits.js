// Ways to an order: give a new one with units, change one where that is best done, see on the map what it is about.

import { t } from "../texts.js";
import { announce } from "./dom.js";
import { anyForm } from "./any_form.js";
import { UnitEditor } from "./editor.js";
import { FORCE_ORDERS, subjectOf } from "./kinds.js";
import { sentence } from "./sentences.js";

/** Edit the units of a new order, or of one there is. */
export function edit(table, { order, option, item = null }) {
  const at = item ? table.draft.items.indexOf(item) : table.draft.items.length;
  const before = table.draft.items.slice(0, at).map((each) => each.order);
  new UnitEditor(table, { order, option, before, done: (made) => { if (item) table.draft.replace(item.uid, made); else table.draft.add(made); announce(t("table.given", { order: sentence(table.position, made) })); } }).show();
}

/** Write any order of the phase, or change one, field by field. */
export function anyOrder(table, item = null) {
  anyForm(table, table.draft.phase, item?.order, (made) => { if (item) table.draft.replace(item.uid, made); else table.draft.add(made); });
}

/** Fill in the fields of an order that is begun. */
export function newOrder(table, order, title) {
  anyForm(table, table.draft.phase, order, (made) => table.draft.add(made), title);
}

/** Change an order where it is best changed. */
export function editOrder(table, item) {
  const { order } = item, thing = table.position.things.get(subjectOf(order));
  if (Array.isArray(order.units)) {
    const option = table.draft.options.find((each) => each.needs && each.order.type === order.type) ?? { needs: { units: kinds(table, order) } };
    edit(table, { order, option, item });
  } else if (FORCE_ORDERS[table.draft.phase]?.includes(order.type) && thing) table.select(thing.hex, thing, true);
  else if (order.type === "fight") showOrder(table, item);
  else anyOrder(table, item);
}

/** What a detachment may be made of, where it is no longer offered because it is ordered already. */
function kinds(table, order) {
  if (order.type !== "build_detachment") return {};
  const { rules } = table.position, id = order.detachment_type ?? Object.keys(rules.detachment_types)[0];
  const slots = (each) => ({ ...rules.detachment_types.standard?.slots, ...rules.detachment_types[each]?.slots });
  return { types: { [id]: { slots: slots(id) } }, most_points: rules.ranks?.[0]?.[2] };
}

/** Show on the map what an order is about. */
export function showOrder(table, item) {
  const { order } = item, { grid } = table.position, thing = table.position.things.get(subjectOf(order));
  const hex = thing ? thing.hex : grid.find(order.at ?? order.urban ?? order.battle);
  if (hex >= 0) table.select(hex, thing ?? null);
}
