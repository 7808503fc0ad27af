// The orders table: everything one may give orders to, as a table that does all the map does.

import { t } from "../texts.js";
import { button, h, said } from "./dom.js";
import { FORCE_ORDERS, optionsOf, subjectOf } from "./kinds.js";
import { optionsAt } from "./build_panel.js";
import { resultsList } from "./results_list.js";
import { sentence } from "./sentences.js";

/** Rows of a table that are drawn at once; a button shows the others. */
export const MANY = 60;

/** Return the own forces and convoys that take an order in this phase. */
function takers(table) {
  const { draft, position } = table, kinds = FORCE_ORDERS[draft.phase];
  if (!kinds) return [];
  const able = new Set(draft.options.filter((each) => kinds.includes(each.order.type)).map((each) => subjectOf(each.order)));
  const near = facing(table);
  return position.own.filter((each) => able.has(each.id)).sort(first(near));
}

/** Sort those of `near` to the top. @param {Set<string>} near */
const first = (near) => (a, b) => Number(near.has(b.id)) - Number(near.has(a.id));

/** Return the ids of one's forces that may attack an enemy they see. */
function facing({ draft, position }) {
  const found = draft.options.filter((each) => each.order.type === "attack" && each.choices.target.some((target) => position.things.has(target)));
  return new Set(found.map((each) => each.order.detachment));
}

/** Return those of them that have none and for whom there is something to decide; convoys may always stay. */
export function unordered(table) {
  const ordered = new Set(table.draft.items.map((each) => subjectOf(each.order)));
  return takers(table).filter((each) => !ordered.has(each.id) && each.kind !== "convoy" && possibilities(table, each) > 1);
}

/** Return in how many ways a force can be ordered: each goal and each target is one. */
function possibilities({ draft }, thing) {
  const own = optionsOf(draft.options, thing.id).filter(({ order }) => FORCE_ORDERS[draft.phase].includes(order.type));
  return own.reduce((sum, each) => sum + (each.reach?.length ?? Math.max(1, ...Object.values(each.choices ?? {}).map((some) => some.length))), 0);
}

/** A substitute chooses for whom they order. */
function seatChoice(table) {
  const { about, position } = table;
  if (about.mine.length < 2) return null;
  const now = table.seat || about.mine[0];
  return h("nav", { class: "row whose", "aria-label": t("table.seat") }, h("span", { class: "muted small" }, t("table.seat")),
    about.mine.map((each) => h("a", { class: "button quiet", href: `?seat=${encodeURIComponent(each)}`, "aria-current": each === now ? "true" : null }, said(position.player(each)))));
}

/** How the last battle went, in two lines: on a phone the list of what happened is further down. */
function lastBattle({ results }) {
  return results.battle ? h("p", { class: "last-battle small" }, t("score.last_battle", { text: results.battle })) : null;
}

/** The table of one's forces, convoys and places. */
export function thingsPanel(table) {
  const { draft, position } = table, kinds = FORCE_ORDERS[draft.phase] ?? [];
  const orderOf = (id) => draft.items.filter((each) => subjectOf(each.order) === id && (!kinds.length || kinds.includes(each.order.type)));
  const missing = new Set(draft.locked ? [] : unordered(table).map((each) => each.id));
  const near = facing(table);
  const force = (each) => h("tr", { class: missing.has(each.id) ? "missing" : "" },
    h("th", { scope: "row" }, button(said(each.name), () => table.select(each.hex, each, true), { key: `thing-${each.id}`, class: "link" }),
      h("span", { class: "muted small" }, each.kind === "convoy" ? t("table.convoy") : t("table.ready_points", { n: position.strength(each) })),
      position.byModel && each.units.length && !each.ready_in && !position.strength(each) ? h("span", { class: "badge warn" }, t("table.worn")) : null,
      near.has(each.id) ? h("span", { class: "badge warn" }, t("table.enemy_near")) : null),
    h("td", {}, each.ready_in ? t("table.ready_in", { n: each.ready_in }) : position.placeName(each.hex)),
    h("td", {}, orderOf(each.id).map((item) => h("span", { class: "block" }, sentence(position, item.order))), orderOf(each.id).length ? null : h("span", { class: "muted" }, missing.has(each.id) ? t("table.none_yet") : "–")));
  const places = [...new Set([...Object.keys(position.state.urban), ...Object.keys(position.state.stronghold), ...Object.keys(position.state.resource)])]
    .map((label) => position.grid.find(label)).filter((hex) => position.owner[hex] && position.owner[hex] === position.me).sort((a, b) => a - b);
  const place = (hex) => h("tr", {},
    h("th", { scope: "row" }, button(position.placeName(hex), () => table.select(hex, null, true), { key: `place-${hex}`, class: "link" })),
    h("td", {}, position.urban(hex) ? position.word("urban", position.urban(hex).size) : position.stronghold(hex) ? position.word("strongholds", position.stronghold(hex).type) : t("table.resource")),
    h("td", { class: "number" }, draft.stores[position.label(hex)] ?? position.store(hex)),
    draft.phase === "build" ? h("td", { class: "number" }, optionsAt(table, hex).length) : null);
  const head = (names, numbers = []) => h("thead", {}, h("tr", {}, names.map((each) => h("th", { scope: "col" }, each)), numbers.map((each) => h("th", { scope: "col", class: "number" }, each))));
  const few = (name, all) => (table.allOf?.has(name) ? all : all.slice(0, MANY));
  const more = (name, all) => few(name, all).length === all.length ? null : button(t("table.all_n", { n: all.length }), () => {
    table.allOf = new Set([...table.allOf ?? [], name]);
    table.dock.draw();
  }, { key: `all-${name}`, class: "quiet small" });
  const scroll = (label, ...inner) => h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": label }, inner);
  const forces = position.own.length ? scroll(t("table.forces"), h("table", { class: "things" }, h("caption", {}, t("table.forces")), head([t("table.force"), t("table.where"), t("table.order_word")]), h("tbody", {}, few("forces", [...position.own].sort(first(near))).map(force))), more("forces", position.own)) : position.mine ? h("p", { class: "empty" }, t("table.no_forces")) : null;
  const held = places.length ? scroll(t("table.places"), h("table", { class: "things" }, h("caption", {}, t("table.places")), head([t("table.where"), t("table.what_it_is")], ["BP", ...(draft.phase === "build" ? [t("table.possible")] : [])]), h("tbody", {}, few("places", places).map(place))), more("places", places)) : null;
  const { narrow } = table.dock;
  return [
    h("h2", {}, t(draft.state === "none" ? "table.things_seen" : "table.things_title")),
    seatChoice(table), table.lessons.card(), narrow ? lastBattle(table) : resultsList(table), table.guide(), narrow ? resultsList(table) : null,
    ...(draft.phase === "build" ? [held, forces] : [forces, held]), // what one gives orders to comes first
    table.hexFinder(),
  ];
}
