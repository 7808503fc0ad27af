// Why something cannot be ordered now: asked of the server with orders that would do it, which it refuses.

import { api, Offline, Problem } from "../api.js";
import { t } from "../texts.js";
import { FORCE_ORDERS, MOBILITIES, SLOTS, fieldsOf, subjectOf } from "./kinds.js";
import { refusal } from "./sentences.js";

const NOT_UNDERSTOOD = ["bad_value", "missing_field", "unknown_field", "unknown_type"]; // says something of the trial, not of the game

export class Reasons {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.known = new Map();
  }

  /**
   * Return what was found, at once where it is known; else null, and the panel is drawn again when it is.
   * `trials` are `[name, order]`; what is found are `[name, {said, hint}]` of those that are refused.
   */
  of(key, trials, without = "") {
    const { draft } = this.table, orders = draft.orders.filter((each) => !without || subjectOf(each) !== without);
    const asked = `${draft.branch}.${draft.number} ${key} ${JSON.stringify(orders)}`;
    if (!this.known.has(asked) && trials.length) {
      if (this.known.size > 100) this.known.clear();
      this.known.set(asked, null);
      this.#ask(asked, orders, trials).catch((error) => {
        if (!(error instanceof Offline || error instanceof Problem)) throw error;
        this.known.delete(asked);
      });
    }
    return this.known.get(asked) ?? null;
  }

  async #ask(asked, orders, trials) {
    const found = await this.#refusals(orders, trials);
    this.known.set(asked, trials.filter(([name]) => found.has(name)).map(([name]) => [name, found.get(name)]));
    this.table.refresh();
  }

  /** Trials of one force stand in each other's way where one is possible: those that did are asked again. @returns {Promise<Map<string, any>>} */
  async #refusals(orders, trials) {
    const { draft } = this.table, found = new Map(), again = [];
    const { data } = await api("POST", `${draft.path}/draft${draft.query}`, { orders: [...orders, ...trials.map(([, order]) => order)] });
    trials.forEach((trial, place) => {
      const problem = data.problems.find((each) => each.order === orders.length + place);
      if (problem?.code === "duplicate_order" && trials.length > 1) again.push(trial);
      else if (problem && !NOT_UNDERSTOOD.includes(problem.code)) found.set(trial[0], { ...refusal(problem, this.table.position), hint: hintOf(problem.code) });
    });
    for (const each of again) for (const [name, why] of await this.#refusals(orders, [each])) found.set(name, why);
    return found;
  }

  /** The kinds of orders that a force cannot be given now, with the reason of each. */
  ofForce(form) {
    const { draft, position } = this.table, { thing } = form, offered = new Set(form.types);
    const trials = (FORCE_ORDERS[draft.phase] ?? []).filter((type) => !offered.has(type) && fieldsOf(type).some((each) => each.name === form.field))
      .map((type) => [type, trial(position, type, thing, form.field)]);
    return this.of(`force ${thing.id}`, trials, thing.id);
  }

  /** What cannot be built in a hex now: buildings, towns, strongholds, detachments. */
  ofPlace(hex, offered) {
    const { position } = this.table, label = position.label(hex), { rules } = position;
    const has = (type, more = {}) => offered.some(({ order }) => order.type === type && Object.entries(more).every(([name, value]) => order[name] === value));
    const trials = [];
    const add = (name, order) => { if (!has(order.type, order.building ? { building: order.building } : {})) trials.push([name, order]); };
    add(t("table.raise"), { type: "build_detachment", at: label, units: [{ name: SLOTS[0], slot: SLOTS[0], models: 1, points: 1, mobility: MOBILITIES[0] }] });
    if (position.urban(hex)) {
      add(t("table.grow"), { type: "upgrade_urban", at: label });
      for (const id of Object.keys(rules.buildings)) add(position.word("buildings", id), { type: "build_building", at: label, building: id });
    } else add(t("table.camp"), { type: "build_camp", at: label });
    if (position.stronghold(hex)) add(t("table.strengthen"), { type: "upgrade_stronghold", at: label });
    return this.of(`place ${label}`, trials);
  }
}

/** An order of a kind that would be tried first: towards an enemy next to it, else to the first hex beside it. */
function trial(position, type, thing, field) {
  const order = { type, [field]: thing.id }, around = position.grid.neighbours(thing.hex);
  const near = around.find((hex) => position.at(hex).some((each) => position.enemy(each.owner))) ?? around[0] ?? thing.hex;
  for (const each of fieldsOf(type)) {
    if (each.name === field || !each.needed) continue;
    if (["path", "hexes"].includes(each.kind)) order[each.name] = [position.label(near)];
    else if (["enemy", "friend", "place", "seen_detachment", "hex"].includes(each.kind)) order[each.name] = position.label(near);
  }
  return order;
}

/** What would make it possible; "" where nothing general can be said. */
function hintOf(code) {
  const key = `table.possible_if.${code}`, found = t(key);
  return found === key ? "" : found;
}
