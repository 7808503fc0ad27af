// What may be built and placed: only what is allowed, with prices.

import { t } from "../texts.js";
import { button, field, h, newId, said, select } from "./dom.js";
import { give } from "./give.js";
import { lossOffers, structureOffers, transferOffers } from "./losses.js";
import { impossible } from "./impossible.js";
import { edit, newOrder } from "./order_edits.js";
import { sentence, unit } from "./sentences.js";
import { townHead, townTabs } from "./town_panel.js";

/** Return the options that belong to a hex: of the place itself, and of one's own things there. */
export function optionsAt(table, hex) {
  const about = belongs(table, hex);
  return table.draft.options.filter(({ order }) => about(order));
}

/** Return what says whether an order belongs to a hex: to the place itself, or to one's own things there. */
export function belongs(table, hex) {
  const label = table.position.label(hex), here = new Set(table.position.at(hex).map((each) => each.id));
  return (order) => order.at === label || order.urban === label || here.has(order.detachment) || here.has(order.convoy) || here.has(table.unitOwner(order.from_unit));
}

/** Return the options that are not yet tied to a hex and could be for this one: placements, musters. */
export function placesAt(table, hex) {
  const label = table.position.label(hex);
  return table.draft.options.filter(({ order, choices }) => !order.at && choices.at?.includes(label));
}

/** The shop of a hex. */
export function buildPanel(table, hex) {
  const { draft, position } = table;
  if (!["setup", "build"].includes(draft.phase) || draft.locked) return [];
  const all = optionsAt(table, hex), placing = placesAt(table, hex), label = position.label(hex);
  const of = (...types) => all.filter((each) => types.includes(each.order.type));
  const parts = [];
  const town = draft.phase === "build" && position.urban(hex) && position.owner[hex] === position.me, sections = [];
  const section = (title, rows, name = "") => {
    if (!rows.length) return;
    const made = h("section", { class: "shop" }, h("h3", {}, title), h("ul", { class: "offers" }, rows));
    if (town && name) sections.push([name, title, made]);
    else parts.push(made);
  };

  section(t("table.shop.place"), placing.filter((each) => each.order.type === "place").flatMap((each) =>
    (each.choices.size ?? [""]).map((size) => offer(table, { ...each.order, at: label, ...(size ? { size } : {}) }, { text: placeText(position, each.order.what, size), verb: t("table.place_it") }))));
  const raising = [...of("build_detachment"), ...placing.filter((each) => each.order.type === "build_detachment")];
  section(t("table.shop.forces"), [
    ...raising.map((each) => opener(t("table.raise"), t("table.raise_why", { points: each.needs.units.types ? each.needs.units.most_points : 0 }), () => edit(table, { order: { ...each.order, at: label, units: [] }, option: each }), `raise-${label}`)),
    ...of("build_garrison").map((each) => opener(t("table.garrison_new"), t("table.at_most", { points: each.needs.units.most_points }), () => edit(table, { order: { ...each.order, units: [] }, option: each }), `garrison-${label}`)),
    ...of("add_units").map((each) => opener(each.order.detachment ? t("table.add_units_to", { who: position.things.get(each.order.detachment)?.name }) : t("table.add_to_garrison"),
      t("table.at_most", { points: each.needs.units.most_points }), () => edit(table, { order: { ...each.order, units: [] }, option: each }), `units-${each.order.detachment ?? label}`)),
    ...lossOffers(table, of("buy_models"), label),
    ...of("repair").map((each) => offer(table, each.order, { cost: each.cost, text: t("table.repair", { unit: unit(position, each.order.unit) }) })),
    ...transferOffers(table, of("transfer_models")),
    ...structureOffers(table, of("restructure"), (order, title) => newOrder(table, order, title)),
  ], "forces");
  section(t("table.shop.town"), [
    ...of("upgrade_urban").map((each) => offer(table, each.order, { cost: each.cost, text: t("table.grow") })),
    ...of("build_building").map((each) => offer(table, each.order, { cost: each.cost, text: position.word("buildings", each.order.building), why: buildingWhy(position, each.order.building) })),
    ...of("build_village").map((each) => offer(table, each.order, { cost: each.cost, text: t("table.village"), why: t("table.paid_by_convoy") })),
  ], "town");
  section(t("table.shop.stronghold"), [
    ...of("build_camp").map((each) => offer(table, each.order, { cost: each.cost, text: t("table.camp"), why: each.order.convoy ? t("table.paid_by_convoy") : "" })),
    ...of("upgrade_stronghold").map((each) => offer(table, each.order, { cost: each.cost, text: t("table.strengthen") })),
    ...defences(table, of("build_defence")),
  ], "stronghold");
  section(t("table.shop.roads"), of("build_road").map((each) => roadOffer(table, each)), "roads");
  section(t("table.shop.convoys"), [
    ...of("create_convoy").map((each) => convoyOffer(table, each)),
    ...of("unload_convoy").map((each) => offer(table, each.order, { text: t("table.unload_here", { who: position.things.get(each.order.convoy)?.name }) })),
  ], "convoys");
  const away = [
    ...of("disband_building").map((each) => offer(table, each.order, { cost: each.cost, text: position.word("buildings", each.order.building), verb: t("table.disband") })),
    ...of("disband_detachment").map((each) => offer(table, each.order, { text: position.things.get(each.order.detachment)?.name ?? "", verb: t("table.disband"), why: t("table.no_refund") })),
  ];
  if (away.length) parts.push(h("details", { class: "shop" }, h("summary", {}, t("table.shop.away")), h("ul", { class: "offers" }, away)));
  if (position.owner[hex] === position.me && draft.phase === "build") {
    const refused = table.reasons.ofPlace(hex, all), [raise, others] = [refused?.filter(([name]) => name === t("table.raise")) ?? [], refused?.filter(([name]) => name !== t("table.raise")) ?? []];
    if (raise.length) parts.push(h("section", { class: "shop" }, h("ul", { class: "offers" }, h("li", { class: "impossible" }, h("span", {}, t("table.raise")), button(t("table.choose_dots"), () => {}, { disabled: true, "aria-label": `${t("table.raise")} …` }))), impossible(raise)));
    if (others.length) parts.push(h("details", { class: "shop", "data-key": "impossible" }, h("summary", {}, t("table.not_possible_n", { n: others.length })), impossible(others)));
  }
  if (town) return [townHead(table, hex), ...townTabs(table, hex, sections), ...parts].filter(Boolean);
  const store = draft.stores[label];
  if (!parts.length && position.owner[hex] === position.me) return [h("p", { class: "muted small" }, t(draft.phase === "setup" ? "table.no_place" : "table.no_shop"))];
  if (parts.length && store !== undefined) parts.unshift(h("p", { class: "purse" }, t("table.store_left", { bp: store })));
  return parts;
}

function placeText(position, what, size) {
  return size ? `${t(`table.what.${what}`)}: ${position.word(what === "resource" ? "resources" : "urban", size)}` : t(`table.what.${what}`);
}

/** Return what a building does, as the rulebook says it, and what it costs each turn. */
function buildingWhy(position, id) {
  const { maintenance } = position.rules.buildings[id];
  return [position.about.buildings[id], maintenance ? t("table.maintenance", { bp: maintenance }) : ""].filter(Boolean).join(" · ");
}

function price(cost) {
  if (!cost) return null;
  return h("span", { class: "price" }, cost < 0 ? t("table.refund", { bp: -cost }) : `${cost} BP`);
}

function offer(table, order, { cost = 0, text, why = "", verb = t("table.do_it") }) {
  const id = newId();
  return h("li", {}, h("span", { id }, said(text), why ? h("small", { class: "muted" }, why) : null), price(cost),
    button(verb, () => give(table, order), { key: JSON.stringify(order), "aria-describedby": id, "aria-label": `${verb}: ${text}` }));
}

function opener(text, why, onclick, key) {
  return h("li", {}, h("span", {}, text, h("small", { class: "muted" }, why)), button(t("table.choose_dots"), onclick, { key, "aria-label": `${text} …` }));
}

function defences(table, options) {
  const { position } = table, armed = new Map(), plain = [];
  for (const each of options) {
    if (each.order.weapon) armed.set(each.order.defence, [...(armed.get(each.order.defence) ?? []), each]);
    else plain.push(each);
  }
  return [
    ...plain.map((each) => offer(table, each.order, { cost: each.cost, text: position.word("defences", each.order.defence) })),
    ...[...armed].map(([id, some]) => {
      const weapon = select(some.map((each) => [each.order.weapon, `${position.word("weapons", each.order.weapon)} · ${each.cost} BP`]), some[0].order.weapon, () => {}, `weapon-${id}`);
      weapon.setAttribute("aria-label", t("table.weapon_for", { what: position.word("defences", id) }));
      return h("li", {}, h("span", {}, position.word("defences", id)), weapon,
        button(t("table.do_it"), () => give(table, some.find((each) => each.order.weapon === weapon.value).order), { key: `armed-${id}`, "aria-label": `${t("table.do_it")}: ${position.word("defences", id)}` }));
    }),
  ];
}

function roadOffer(table, option) {
  const { position } = table, { from } = option.order;
  const to = select(option.choices.to.map((each) => [each, `${position.placeName(position.grid.find(each))}${option.faces[each] > 1 ? ` · ${t("table.needs_face", { n: option.faces[each] })}` : ""}`]), option.choices.to[0], () => {}, `road-${from}`);
  to.setAttribute("aria-label", t("table.road_from", { from }));
  return h("li", {}, h("span", {}, t("table.road_from", { from })), to, price(option.cost),
    button(t("table.do_it"), () => give(table, { ...option.order, to: to.value }), { key: `lay-${from}`, "aria-label": t("table.road_from", { from }) }));
}

function convoyOffer(table, option) {
  const amount = h("input", { type: "number", min: option.least, max: option.most, value: String(Math.min(option.most, Math.max(option.least, 100))), "data-key": `bp-${option.order.at}` });
  const made = h("form", { class: "inline", onsubmit: (event) => { event.preventDefault(); give(table, { ...option.order, bp: Number(amount.value) }); } },
    field(t("table.convoy_bp"), amount, t("table.from_to", { least: option.least, most: option.most })), h("button", { "data-key": `load-${option.order.at}` }, t("table.load")));
  return h("li", { class: "wide" }, made);
}

/** Alliances: options that belong to no hex. */
export function alliances(table) {
  const rows = table.draft.options.filter((each) => each.order.with).map((each) => offer(table, each.order, { text: sentence(table.position, each.order), verb: t("table.declare") }));
  return rows.length && !table.draft.locked ? h("details", { class: "shop" }, h("summary", {}, t("table.shop.alliances")), h("ul", { class: "offers" }, rows)) : null;
}

