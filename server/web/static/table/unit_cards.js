// Ready-made units as cards with + and −: those of one's army list, and those one's own forces are made of.

import { t } from "../texts.js";
import { button, h, said } from "./dom.js";

/** What makes two units the same kind. */
const kindOf = (unit) => [unit.name, unit.slot, Number(unit.models), Number(unit.points), unit.mobility, [...(unit.flags ?? [])].sort()].join("|");

/** Return a unit of the ruleset as an order has it. */
function fromList({ name, slot, models, points, mobility, flags = [], bombardment }) {
  return { name, slot, models, points, mobility: mobility ?? "infantry", flags: [...flags], ...(bombardment ? { bombardment } : {}) };
}

/** Return the units of one's army list that come ready-made. */
export function readyUnits(position) {
  const faction = position.rules.factions?.[position.mine?.faction];
  return (faction?.ready_units ?? []).map(fromList);
}

/** Return which kind of building a unit needs: its slot, or that of a vehicle. */
function needOf(unit) {
  return unit.flags.includes("vehicle") ? "vehicle" : unit.flags.includes("light_vehicle") ? "light_vehicle" : unit.slot;
}

/** Return the least a detachment needs, of ready-made units; nothing where the army list brings none. */
export function leastOf(position, limits) {
  const ready = readyUnits(position);
  return Object.entries(limits ?? {}).flatMap(([slot, [least]]) => {
    const first = ready.find((each) => each.slot === slot);
    return first ? Array.from({ length: least }, () => structuredClone(first)) : [];
  });
}

/** True where a unit is one of the ready-made. */
export function isReady(position, unit) {
  return readyUnits(position).some((each) => kindOf(each) === kindOf(unit));
}

/** Return the cards; `change(units)` takes the units as they are afterwards. `kinds` are what the place can build, null for all. */
export function unitCards(position, units, limits, kinds, change) {
  const ready = readyUnits(position);
  if (!ready.length) return null;
  const card = (unit) => {
    const n = units.filter((each) => kindOf(each) === kindOf(unit)).length, need = needOf(unit);
    const inSlot = units.filter((each) => each.slot === unit.slot).length, most = limits?.[unit.slot]?.[1] ?? Infinity;
    const why = kinds && !kinds.includes(need) ? t("table.cards.no_building", { what: position.word("slot", need) })
      : inSlot >= most ? t("table.cards.slot_full", { slot: position.word("slot", unit.slot), n: most }) : "";
    const less = () => {
      const at = units.findLastIndex((each) => kindOf(each) === kindOf(unit));
      change(units.filter((_, place) => place !== at));
    };
    const facts = [t("table.cards.models", { n: unit.models }), unit.mobility === "infantry" ? "" : position.word("mobility", unit.mobility), ...unit.flags.map((each) => position.word("flag", each))];
    return h("li", { class: `unit-card ${n ? "is-in" : ""} ${why && !n ? "is-out" : ""}` },
      h("div", {}, h("strong", {}, unit.name), h("span", { class: "badge" }, position.word("slot", unit.slot)),
        h("span", { class: "muted small block" }, facts.filter(Boolean).join(" · ")), why ? h("span", { class: "small block why" }, why) : null),
      h("span", { class: "price" }, t("table.cards.points", { n: unit.points })),
      h("span", { class: "stepper" },
        button("−", less, { key: `less-${unit.name}`, class: "icon", disabled: !n, "aria-label": t("table.cards.less", { what: unit.name }) }),
        h("output", { "aria-live": "polite", "aria-label": t("table.cards.count", { what: unit.name }) }, String(n)),
        button("+", () => change([...units, structuredClone(unit)]), { key: `more-${unit.name}`, class: "icon", disabled: Boolean(why), "aria-label": t("table.cards.more", { what: unit.name }), title: why || null })));
  };
  return h("section", {}, h("h3", {}, t("table.cards.title", { army: position.faction(position.me) })), h("ul", { class: "unit-cards" }, ready.map(card)));
}

/** Return buttons that copy what one's other detachments are made of; `take(units, type)`. */
export function likeOthers(position, take) {
  const seen = new Set();
  const others = position.own.filter((each) => each.kind === "detachment" && each.units.length).filter((each) => {
    const made = each.units.map(kindOf).sort().join("+");
    return seen.has(made) ? false : seen.add(made);
  }).slice(0, 6);
  if (!others.length) return null;
  const copy = (force) => take(force.units.map((each) => fromList(each)), force.type);
  return h("div", { class: "row small likes" }, h("span", { class: "muted" }, t("table.cards.like")),
    others.map((each) => button(said(each.name), () => copy(each), { key: `like-${each.id}`, class: "quiet", "aria-label": t("table.cards.like_of", { who: each.name }) })));
}
