// What the fields of an order may hold, by name: for the form that can write any order.

import { t } from "../texts.js";
import { HALF } from "./kinds.js";
import { unit } from "./sentences.js";

/** Return `[value, text]`, or `[group, options]`, for a field; null where it can only be typed. */
export function choicesFor(table, { phase, type, name, kind, words: choices, values }) {
  const { position } = table;
  switch (kind) {
    case "detachment": case "convoy": return own(position, kind);
    case "unit": return position.own.flatMap((each) => each.units.map((one) => [one.id, `${one.name} (${each.name})`]));
    case "choice": return choices.map((each) => [each, t(`table.${name}.${each}`)]);
    case "size": return words(position, values.what === "resource" ? "resources" : "urban");
    case "player": return position.players.filter((each) => each.id !== position.me).map((each) => [each.id, position.player(each.id)]);
    case "buildings": case "defences": case "weapons": case "detachment_types": return words(position, kind);
    case "enemy": case "friend": case "seen_detachment": return targets(position, kind, position.things.get(values.detachment));
    case "place": return places(table, phase, type, values.what);
    case "battle": return Object.values(position.state.battles).map((each) => [each.hex, position.placeName(position.grid.find(each.hex))]);
    default: return null;
  }
}

/** Return the units that may stand in a list of casualties: one's own, or for `picks` the enemy's one knows. */
export function casualties(position, name, battle) {
  const mine = name === "casualties", hex = position.grid.find(battle);
  const known = [...position.things.values()].filter((each) => (each.owner === position.me) === mine && each.units.length
    && (mine || hex < 0 || position.grid.distance(each.hex, hex) <= 1));
  const whole = known.flatMap((each) => each.units.map((one) => [one.id, `${one.name} (${each.name})`]));
  const half = ([id]) => [id + HALF, t("table.half_of", { unit: unit(position, id) })];
  return mine ? [...whole, ...whole.map(half)] : whole;
}

/** Return the units a detachment may give away, or for `from_garrison` those of the garrison it stands with. */
export function unitsOf(position, name, detachment) {
  const force = position.things.get(detachment);
  const holder = name === "from_garrison" ? position.at(force?.hex ?? -1).find((each) => each.kind === "garrison" && each.owner === position.me) : force;
  return (holder?.units ?? []).map((each) => [each.id, each.name]);
}

function own(position, what) {
  return position.own.filter((each) => each.kind === what).map((each) => [each.id, `${each.name} (${position.label(each.hex)})`]);
}

function words(position, table) {
  const ids = Array.isArray(position.rules[table]) ? position.rules[table].map((each) => each.id) : Object.keys(position.rules[table]);
  return ids.map((each) => [each, position.word(table, each)]);
}

/** Forces first, nearest first; then the hexes around the force that is ordered. */
function targets(position, kind, thing) {
  const { grid } = position, far = (each) => (thing && thing.hex >= 0 && each.hex >= 0 ? grid.distance(thing.hex, each.hex) : 0);
  const hostile = kind === "enemy", seen = kind === "seen_detachment", friend = (each) => !position.enemy(each.owner);
  const forces = [...position.things.values()].filter((each) => each !== thing && each.kind !== "convoy" && each.hex >= 0
    && (each.kind === "detachment" || !seen) && (seen || friend(each) !== hostile));
  const named = forces.sort((a, b) => far(a) - far(b)).map((each) => [each.id, `${each.name} (${position.player(each.owner)}, ${position.placeName(each.hex)})`]);
  const around = !seen && thing && thing.hex >= 0 ? grid.neighbours(thing.hex).map((each) => [grid.label(each), position.describe(each)]) : [];
  return [...(named.length ? [[t("table.any.forces"), named]] : []), ...(around.length ? [[t("table.any.around"), around]] : [])];
}

/** What is offered now; for later phases one's own places. */
function places(table, phase, type, what) {
  const { draft, position } = table, { grid } = position;
  const offered = phase === draft.phase ? draft.options.filter(({ order }) => order.type === type && (!what || !order.what || order.what === what)).flatMap((each) => each.order.at ?? each.choices.at ?? []) : [];
  const held = [...Object.keys(position.state.urban), ...Object.keys(position.state.stronghold), ...Object.keys(position.state.resource)]
    .filter((label) => position.owner[grid.find(label)] === position.me);
  const labels = [...new Set(offered.length ? offered : held)].map((label) => grid.find(label)).filter((hex) => hex >= 0).sort((a, b) => a - b);
  return labels.map((hex) => [grid.label(hex), position.describe(hex)]);
}
