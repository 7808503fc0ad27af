// Orders and refusals as sentences.

import { t, told } from "../texts.js";
import { flagsOf, sentenceOf } from "./kinds.js";

const HEADQUARTERS = "D-32"; // the rule of which building lets detachments be raised; each ruleset has its own name for it

/** Return what an order says, as one sentence. */
export function sentence(position, order) {
  const key = `table.order.${sentenceOf(order)}`;
  const filled = {
    who: thing(position, order.detachment ?? order.convoy), at: place(position, order.at), target: target(position, order.target),
    path: steps(position, order.path), goal: place(position, Array.isArray(order.path) ? order.path.at(-1) : ""), convoy: thing(position, order.convoy),
    from: place(position, order.from), to: Array.isArray(order.to) ? steps(position, order.to) : place(position, order.to),
    building: word(position, "buildings", order.building), weapon: order.weapon ? ` (${word(position, "weapons", order.weapon)})` : "",
    defence: word(position, "defences", order.defence), what: order.what ? t(`table.what.${order.what}`) : "", size: order.size ? ` (${word(position, order.what === "resource" ? "resources" : "urban", order.size)})` : "",
    changes: changes(position, order).join(", "), bp: order.bp ?? "?", name: text(order.name) || t("table.unnamed"), n: order.models ?? "?", unit: unit(position, order.unit ?? order.from_unit), other: unit(position, order.to_unit),
    units: Array.isArray(order.units) ? order.units.length : 0, points: Array.isArray(order.units) ? order.units.reduce((sum, each) => sum + (Number(each?.points) || 0), 0) : 0,
    player: position.seats.has(order.with) ? position.player(order.with) : text(order.with), battle: place(position, order.battle), mode: order.mode ? t(`table.mode.${order.mode}`) : t("table.mode.quick"),
  };
  let said = t(key, filled);
  if (said === key) said = text(JSON.stringify(order)).slice(0, 200);
  const more = flagsOf(order).map((each) => t(`table.${each}`));
  return said + (more.length ? ` (${more.join(", ")})` : "");
}

/** Return what a detachment becomes (`restructure`). */
function changes(position, order) {
  const of = (field, key) => (Array.isArray(order[field]) ? order[field] : []).map((each) => t(`table.${key}`, { unit: unit(position, each) }));
  const type = order.detachment_type ? [t("table.becomes", { type: word(position, "detachment_types", order.detachment_type) })] : [];
  const rides = typeof order.mounted === "boolean" ? [t(order.mounted ? "table.mounts" : "table.dismounts")] : [];
  return [...of("drop", "leaves"), ...of("to_garrison", "to_garrison"), ...of("from_garrison", "from_garrison"), ...type, ...rides];
}

function text(value) { return typeof value === "string" ? value : value === undefined || value === null ? "" : String(value); }
function word(position, table, id) { return typeof id === "string" ? position.word(table, id) : "?"; }
function place(position, label) {
  const hex = position.grid.find(label);
  return hex < 0 ? text(label) : position.placeName(hex);
}
function steps(position, path) { return Array.isArray(path) ? path.map(text).join(" → ") : ""; }
function thing(position, id) { return position.things.get(id)?.called ?? text(id); }

function target(position, value) {
  const found = position.things.get(value);
  return found ? `${found.called} (${position.label(found.hex)})` : place(position, value);
}

/** Return the name of a unit by its id. */
export function unit(position, id) {
  for (const each of position.things.values()) {
    const found = each.units.find((one) => one.id === id);
    if (found) return found.name;
  }
  return text(id);
}

/** Return what units are called in a list, by id: those of one name are told apart by their force and by number. */
export function unitNames(position, ids) {
  const all = ids.map((id) => ({ id, name: unit(position, id), force: [...position.things.values()].find((each) => each.units.some((one) => one.id === id)) }));
  return new Map(all.map(({ id, name, force }) => {
    const same = all.filter((each) => each.name === name), twins = same.filter((each) => each.force === force);
    const number = twins.length > 1 ? ` ${twins.findIndex((each) => each.id === id) + 1}` : "";
    return [id, `${name}${number}${twins.length < same.length && force ? ` (${force.name})` : ""}`];
  }));
}

/** Return what speaks against an order: in the reader's language where the code says it all. */
export function refusal(problem, position = null) {
  if (problem.code === "needs_building" && problem.rule === HEADQUARTERS) {
    const building = Object.entries(position?.rules.buildings ?? {}).find(([, each]) => each.detachments);
    if (building) return { said: t("table.problem.needs_building"), exact: t("table.needs_headquarters", { hex: problem.value, building: word(position, "buildings", building[0]) }), rule: problem.rule };
  }
  const key = `table.problem.${problem.code}`, ours = t(key);
  const message = told(problem.template, position ? named(problem.params, position) : problem.params) || problem.message;
  return { said: ours === key ? message : ours, exact: ours === key || ours === message ? "" : message, rule: problem.rule };
}

const NAMED = ["hex", "other", "a", "b", "target", "player"]; // as server/web/translations.py has them

/** What fills a refusal, with hexes and players as the reader calls them. */
function named(params = {}, position) {
  const call = (value) => {
    if (position.seats.has(value)) return position.player(value);
    const hex = position.grid.find(value);
    return hex >= 0 ? position.placeName(hex) : value;
  };
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, NAMED.includes(name) && typeof value === "string" ? call(value) : value]));
}

/** Return why a march ends where it ends. */
export function stopReason(stop) {
  const key = `table.stop.${stop}`, ours = t(key);
  return ours === key ? stop : ours;
}
