// What one knows of a hex and of what stands there.

import { t } from "../texts.js";
import { h, said } from "./dom.js";

/** The chip of a player: colour, number and name. */
export function seatChip(position, player) {
  return h("span", { class: "seat", "data-seat": position.seat(player) + 1 }, `${position.seat(player) + 1} `, said(position.player(player)));
}

/** What a hex is: terrain, owner, towns, strongholds, resources, BP. */
export function hexFacts(position, hex) {
  const facts = [], { rules } = position, add = (name, ...value) => facts.push(h("dt", {}, name), h("dd", {}, ...value));
  const terrain = rules.terrain[position.terrain[hex]];
  add(t("table.terrain"), `${position.word("terrain", position.terrain[hex])} · ${t("table.enter_cost", { n: terrain.cost })}`,
    h("span", { class: "muted small" }, ` (${terrain.enter.map((each) => position.word("mobility", each)).join(", ")})`));
  add(t("table.owner"), position.owner[hex] ? seatChip(position, position.owner[hex]) : t("table.nobody"));
  const urban = position.urban(hex), stronghold = position.stronghold(hex), resource = position.resource(hex);
  if (urban) {
    const data = position.data("urban", urban.size);
    add(t("table.urban"), position.word("urban", urban.size), urban.capital ? ` · ${t("table.capital_of", { player: position.player(urban.capital) })}` : "",
      ` · ${t("table.income", { bp: data?.income ?? 0 })}`);
    if (urban.buildings.length) add(t("table.buildings"), urban.buildings.map((each) => position.word("buildings", each)).join(", "));
  }
  if (stronghold) {
    add(t("table.stronghold"), position.word("strongholds", stronghold.type));
    const defences = Object.entries(stronghold.defences).map(([id, n]) => `${n} × ${position.word("defences", id)}`);
    if (defences.length) add(t("table.defences"), defences.join(", "));
  }
  if (resource) add(t("table.resource"), `${position.word("resources", resource)} · ${t("table.income", { bp: position.data("resources", resource)?.income ?? 0 })}`);
  if (position.store(hex)) add(t("table.store"), `${position.store(hex)} BP`);
  if (position.harvest(hex)) add(t("table.harvest"), `${position.harvest(hex)} BP`);
  if (position.state.corrupted[position.label(hex)]) add(t("table.spoilt"), t("table.corrupted"));
  if (position.state.infested[position.label(hex)]) add(t("table.spoilt"), t("table.infested"));
  const battle = position.battle(hex);
  if (battle) add(t("table.battle"), t("table.battle_between", { a: position.player(battle.attacking), b: position.player(battle.defended_by) }),
    " ", h("a", { href: `/campaigns/${position.about.campaign}/battles` }, t("table.to_battles")));
  add(t("table.sight"), position.sees[hex] ? t("table.in_sight") : t("table.not_in_sight"));
  return h("dl", { class: "facts" }, facts);
}

/** What a force is made of. */
export function units(position, thing) {
  if (!thing.units.length) return null;
  const row = (unit) => h("tr", {},
    h("th", { scope: "row" }, said(unit.name), h("span", { class: "muted small" }, ` ${position.word("slot", unit.slot)}`)),
    h("td", { class: "number" }, `${unit.ready}/${unit.models}`),
    h("td", { class: "number" }, unit.points),
    h("td", {}, [unit.wounded ? t("table.wounded", { n: unit.wounded }) : null, unit.damaged ? t("table.damaged") : null,
      ...unit.flags.map((each) => position.word("flag", each))].filter(Boolean).join(", ")));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("table.units") }, h("table", { class: "units small" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("table.unit")), h("th", { scope: "col", class: "number" }, t("table.models")),
      h("th", { scope: "col", class: "number" }, t("table.points")), h("th", { scope: "col" }, t("table.state")))),
    h("tbody", {}, thing.units.map(row))));
}

/** The head of a force: name, whose, how strong, in which state. */
export function thingHead(position, thing) {
  const marks = [];
  if (thing.kind === "detachment") {
    marks.push(position.word("detachment_types", thing.type));
    if (thing.mounted) marks.push(t("table.mounted"));
    if (thing.ready_in) marks.push(t("table.ready_in", { n: thing.ready_in }));
    if (thing.pinned) marks.push(t("table.pinned"));
    if (thing.battle_order) marks.push(t(`table.type.${thing.battle_order}`));
    if (thing.dxp) marks.push(t("table.dxp", { n: thing.dxp }));
  }
  return h("div", { class: "thing-head" },
    h("h3", {}, said(thing.name)),
    h("p", { class: "row small" }, seatChip(position, thing.owner),
      thing.kind === "convoy" ? h("span", {}, `${thing.bp} BP`) : h("span", { class: "numbers" }, t("table.ready_points", { n: position.strength(thing) })),
      marks.map((each) => h("span", { class: "badge" }, each))));
}
