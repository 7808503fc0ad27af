// What is offered where forces have lost models: new ones for old units, another structure, help for the worn.

import { t } from "../texts.js";
import { button, h, newId, said, select } from "./dom.js";
import { give } from "./give.js";
import { unit, unitNames } from "./sentences.js";

const bought = (option, models) => ({ ...option.order, models });
const most = (option) => option.choices.models.at(-1);

/** Return as many dead models of several units as the store of a hex can pay, unit by unit, and what they cost. */
function affordable(options, store) {
  const orders = [];
  let cost = 0;
  for (const each of options) {
    const models = each.costs.filter((price) => cost + price <= store).length;
    if (!models) continue;
    orders.push(bought(each, models));
    cost += each.costs[models - 1];
  }
  return { orders, cost, models: orders.reduce((sum, each) => sum + each.models, 0) };
}

/** "Make up losses": all of the place, all of a force, or some models of one unit. */
export function lossOffers(table, options, label) {
  if (!options.length) return [];
  const { draft, position } = table, store = draft.stores[label] ?? 0, rows = [], forces = new Map();
  for (const each of options) {
    const holder = each.order.detachment ?? "";
    forces.set(holder, [...(forces.get(holder) ?? []), each]);
  }
  const line = (text, who, cost, verb, onclick, key) => {
    const id = newId();
    return h("li", {}, h("span", { id }, text, who ? h("small", { class: "muted" }, who) : null), h("span", { class: "price" }, `${cost} BP`),
      button(verb, onclick, { key, "aria-describedby": id, "aria-label": `${verb}: ${who ? `${who}, ` : ""}${text}` }));
  };
  if (options.length > 1) {
    const all = affordable(options, store);
    rows.push(line(t("table.make_up_all", { n: all.models }), "", all.cost, t("table.do_make_up"), () => give(table, ...all.orders), `make-up-${label}`));
  }
  for (const [holder, some] of forces) {
    const name = holder ? (position.things.get(holder)?.name ?? "") : t("table.garrison_in", { hex: label }), all = affordable(some, store);
    if (forces.size > 1 || options.length === 1) rows.push(line(t("table.make_up_some", { n: all.models }), name, all.cost, t("table.do_make_up"), () => give(table, ...all.orders), `make-up-${holder || label}`));
    const names = unitNames(position, some.map((each) => each.order.unit));
    if (all.models > 1) rows.push(...some.map((each) => oneUnit(table, each, names.get(each.order.unit))));
  }
  return rows;
}

function oneUnit(table, option, name) {
  const number = select(option.choices.models.map((n) => [String(n), `${n} · ${option.costs[n - 1]} BP`]), String(most(option)), () => {}, `models-${option.order.unit}`);
  number.setAttribute("aria-label", t("table.models_of", { unit: name }));
  return h("li", {}, h("span", {}, said(t("table.make_up", { unit: name }))), number,
    button(t("table.do_make_up"), () => give(table, bought(option, Number(number.value))), { key: `buy-${option.order.unit}`, "aria-label": t("table.make_up", { unit: name }) }));
}

/** Models that may change units: one choice for each force, for there are many. */
export function transferOffers(table, options) {
  const { position } = table, forces = new Map();
  for (const each of options) {
    const id = table.unitOwner(each.order.from_unit) ?? "";
    forces.set(id, [...(forces.get(id) ?? []), each.order]);
  }
  return [...forces].map(([id, orders]) => {
    const names = unitNames(position, orders.flatMap((each) => [each.from_unit, each.to_unit])), who = position.things.get(id)?.name ?? "";
    const chosen = select(orders.map((each, place) => [String(place), t("table.order.transfer_models", { n: each.models, unit: names.get(each.from_unit), other: names.get(each.to_unit) })]), "0", () => {}, `transfer-${id}`);
    chosen.setAttribute("aria-label", t("table.transfer_in", { who }));
    return h("li", {}, h("span", {}, said(t("table.transfer_in", { who }))), chosen,
      button(t("table.do_move"), () => give(table, orders[Number(chosen.value)]), { key: `move-${id}`, "aria-label": t("table.transfer_in", { who }) }));
  });
}

/** What may be changed of a detachment at a headquarters, one change at a time; `several(order, title)` asks for more of them. */
export function structureOffers(table, options, several) {
  const { position } = table, forces = new Map();
  for (const each of options) forces.set(each.order.detachment, [...(forces.get(each.order.detachment) ?? []), each]);
  return [...forces].map(([id, some]) => {
    const who = position.things.get(id)?.name ?? "";
    const orders = some.flatMap((each) => Object.entries(each.choices ?? {}).flatMap(([field, values]) => values.map((value) => ({ ...each.order, [field]: value }))));
    const choices = orders.map((order, place) => [String(place), change(position, order)]);
    const chosen = choices.length ? select(choices, "0", () => {}, `change-${id}`) : null;
    chosen?.setAttribute("aria-label", t("table.restructure_who", { who }));
    return h("li", {}, h("span", {}, said(t("table.restructure_who", { who }))), chosen,
      chosen ? button(t("table.do_restructure"), () => give(table, orders[Number(chosen.value)]), { key: `restructure-${id}`, "aria-label": t("table.restructure_who", { who }) }) : null,
      some.some((each) => each.needs) ? button(t("table.several_changes"), () => several({ type: "restructure", detachment: id }, t("table.several_changes_of", { who })), { key: `several-${id}`, "aria-label": t("table.several_changes_of", { who }) }) : null);
  });
}

function change(position, order) {
  if (order.drop) return t("table.leaves", { unit: unit(position, order.drop[0]) });
  if (order.to_garrison) return t("table.to_garrison", { unit: unit(position, order.to_garrison[0]) });
  if (order.from_garrison) return t("table.from_garrison", { unit: unit(position, order.from_garrison[0]) });
  if (order.detachment_type) return t("table.becomes", { type: position.word("detachment_types", order.detachment_type) });
  return t(order.mounted ? "table.mounts" : "table.dismounts");
}

/** Where a force without ready points stands: what that means, and what helps it now. */
export function wornNote(table, thing) {
  const { draft, position } = table;
  if (!position.byModel || !thing.units.length || thing.ready_in || position.strength(thing) > 0) return null;
  const mine = thing.owner === position.me && !draft.locked, has = new Set(thing.units.map((each) => each.id));
  const of = (type) => (mine ? draft.options.filter(({ order }) => order.type === type && (order.detachment === thing.id || has.has(order.from_unit) || (thing.kind === "garrison" && has.has(order.unit)))) : []);
  const label = position.label(thing.hex), models = affordable(of("buy_models"), draft.stores[label] ?? 0);
  const helps = [
    ...of("recover").map((each) => button(t("table.worn_recover"), () => give(table, each.order), { key: `worn-recover-${thing.id}` })),
    models.models ? button(`${t("table.make_up_some", { n: models.models })} · ${models.cost} BP`, () => give(table, ...models.orders), { key: `worn-models-${thing.id}` }) : null,
    ...(of("transfer_models").length ? transferOffers(table, of("transfer_models")) : []),
    ...of("disband_detachment").map((each) => button(t("table.worn_disband"), () => give(table, each.order), { key: `worn-disband-${thing.id}` })),
  ].filter(Boolean);
  return h("div", { class: "worn card small", role: "note" }, h("p", {}, h("strong", {}, t("table.worn")), " ", t("table.worn_why", { who: thing.name })),
    mine ? h("p", { class: "muted small" }, t("table.worn_build")) : null, helps.length ? h("ul", { class: "offers plain row" }, helps.map((each) => (each.tagName === "LI" ? each : h("li", {}, each)))) : null);
}
