// The order of one force: which, and what it needs. Fields and map are two ways to fill in the same.

import { t } from "../texts.js";
import { announce } from "./dom.js";
import { ASSAULTS, FORCE_ORDERS, MARCHES, optionsOf, subjectOf } from "./kinds.js";

/** The order of a detachment or convoy, in this phase. */
export class ForceOrder {
  constructor(table, thing) {
    this.table = table;
    this.thing = thing;
    this.field = thing.kind === "convoy" ? "convoy" : "detachment";
    /** The type one has chosen; "" for that of the order. */
    this.chosen = "";
  }

  get position() { return this.table.position; }
  get draft() { return this.table.draft; }
  get item() { return this.draft.items.find((each) => subjectOf(each.order) === this.thing.id && FORCE_ORDERS[this.draft.phase]?.includes(each.order.type)); }
  get order() { return this.item?.order; }

  /** The type that is shown: the chosen one, else that of the order, else a march, which most forces make. */
  get type() {
    const known = (each) => each && (this.options(each) || this.order?.type === each);
    return [this.chosen, this.order?.type, "path"].find(known) ?? "";
  }

  options(type) {
    return optionsOf(this.draft.options, this.thing.id).find((option) => option.order.type === type && option.order[this.field] === this.thing.id);
  }

  get types() { return (FORCE_ORDERS[this.draft.phase] ?? []).filter((each) => this.options(each) || this.order?.type === each); }

  /** True where nothing is open in the order that is shown: a click elsewhere does not mean it. */
  get complete() { return Boolean(this.order) && this.order.type === this.type && !MARCHES.includes(this.type) && this.type !== "withdraw"; }

  /** The target that an attack on a hex would have, "" where there is no enemy to attack there. */
  strikes(hex) {
    const { position, thing } = this, choices = this.options("attack")?.choices?.target ?? (this.order?.type === "attack" ? [this.order.target] : []);
    const there = position.at(hex).filter((each) => position.enemy(each.owner)), label = position.label(hex);
    if (!there.length || hex === thing.hex) return "";
    return choices.includes(label) ? label : choices.find((each) => there.some((one) => one.id === each)) ?? "";
  }

  /** An enemy was clicked while no order's name was lit: attack it. Returns whether it can be attacked. */
  strike(hex) {
    if (this.type || !this.strikes(hex)) return false;
    this.chosen = "attack";
    return this.aim(hex);
  }

  /** Take a type of order; what needs nothing more is written at once. */
  choose(type) {
    this.chosen = type;
    if (MARCHES.includes(type)) {
      const path = MARCHES.includes(this.order?.type) ? this.order.path : [];
      if (path.length) this.write({ type, path: this.#within(type, path) });
    } else if (ASSAULTS.includes(type)) {
      const before = this.order;
      if (ASSAULTS.includes(before?.type)) this.write({ type, target: before.target, planned: before.planned, primary: before.primary });
    } else if (!["follow", "support"].includes(type)) this.write({ type });
    this.table.refresh();
  }

  /** Return the part of a path that another type of march can reach. */
  #within(type, path) {
    const reach = new Set(this.options(type)?.reach.map((each) => each.hex));
    const last = path.findLastIndex((each) => reach.has(each));
    return last < 0 ? path : path.slice(0, last + 1);
  }

  write(fields) {
    const order = { [this.field]: this.thing.id };
    for (const [name, value] of Object.entries(fields)) if (value !== undefined && value !== false && value !== "") order[name] = value;
    this.draft.put({ type: order.type, ...order }, (each) => subjectOf(each) === this.thing.id && FORCE_ORDERS[this.draft.phase].includes(each.type));
  }

  // --- marches ---

  get path() { return MARCHES.includes(this.order?.type) ? this.order.path : []; }
  get reach() { return (MARCHES.includes(this.type) && this.options(this.type)?.reach) || []; }
  get end() { return this.path.length ? this.position.grid.find(this.path.at(-1)) : this.thing.hex; }

  setPath(path) {
    if (path.length) this.write({ type: this.type, path, unload: this.field === "convoy" ? this.order?.unload : undefined });
    else if (this.item) this.draft.remove(this.item.uid);
    announce(path.length ? t("table.path_now", { path: path.join(", ") }) : t("table.path_empty"));
  }

  /** A hex was clicked: go on to it, back to it, or the cheapest way to it. Returns false where it is none of these. */
  towards(hex) {
    const { grid } = this.position, label = grid.label(hex), { path } = this;
    if (hex === this.thing.hex) { this.setPath([]); return true; }
    const there = path.indexOf(label);
    if (there >= 0) { this.setPath(path.slice(0, there + 1)); return true; }
    const cheapest = this.reach.find((each) => each.hex === label);
    if (path.length && grid.distance(this.end, hex) === 1 && !(cheapest && cheapest.path.length <= path.length)) { this.setPath([...path, label]); return true; }
    if (cheapest) { this.setPath(cheapest.path); return true; }
    if (grid.distance(this.end, hex) === 1) { this.setPath([...path, label]); return true; }
    return false;
  }

  /** The pointer draws: each hex that is next to the last one is a step. */
  trace(hex) {
    const { grid } = this.position;
    if (hex < 0 || hex === this.end) return;
    const label = grid.label(hex), { path } = this, there = hex === this.thing.hex ? -1 : path.indexOf(label);
    if (hex === this.thing.hex) this.setPath([]);
    else if (there >= 0) this.setPath(path.slice(0, there + 1));
    else if (grid.distance(this.end, hex) === 1) this.setPath([...path, label]);
  }

  // --- battle ---

  /** The hexes of the targets there are. A click on one's own force chooses it; to attack where it stands is in the list. */
  get aims() {
    const { position, thing } = this, choices = this.options(this.type)?.choices ?? {};
    const found = (choices.target ?? (choices.to ?? []).flat()).map((each) => this.#hexOf(each));
    const own = (hex) => position.at(hex).some((each) => each.owner === thing.owner)
      || (position.owner[hex] === thing.owner && !position.at(hex).some((each) => position.enemy(each.owner)));
    return new Set(ASSAULTS.includes(this.type) ? found.filter((hex) => !own(hex)) : found);
  }

  /** A hex was clicked: take it, or the force in it, as target. Returns false where it is none. */
  aim(hex) {
    if (!this.aims.has(hex)) return false;
    const { position } = this, label = position.label(hex);
    if (this.type === "withdraw") {
      const to = this.order?.to ?? [];
      this.write({ type: "withdraw", to: to.includes(label) ? to.filter((each) => each !== label) : [...to, label] });
      return true;
    }
    const before = this.order?.type === this.type ? this.order : {};
    const choices = this.targets(this.type), inside = choices.filter((each) => position.things.get(each)?.hex === hex);
    const target = ASSAULTS.includes(this.type) && choices.includes(label) ? label : inside[0] ?? label;
    if (!choices.includes(target)) return false;
    this.write({ type: this.type, target, planned: before.planned, primary: before.primary });
    announce(this.targetName(target));
    return true;
  }

  targets(type) { return this.options(type)?.choices.target ?? []; }

  /** The targets a list offers, `kept` first. To attack, a hex and the enemies in it are one target, and one's own land without them is none. */
  listed(type, kept = "") {
    const all = [...(kept ? [kept] : []), ...this.targets(type)], found = new Map();
    if (!ASSAULTS.includes(type)) return [...new Set(all)];
    const { aims } = this;
    for (const value of all) {
      const hex = this.#hexOf(value);
      if (!found.has(hex) && (value === kept || aims.has(hex) || this.#enemies(hex).length)) found.set(hex, value);
    }
    return [...found.values()];
  }

  #hexOf(value) { return this.position.things.get(value)?.hex ?? this.position.grid.find(value); }
  #enemies(hex) { return this.position.at(hex).filter((each) => each.kind !== "convoy" && this.position.enemy(each.owner)); }

  /** What a target is called: forces with their owner and place, to attack all that are there; or a place. */
  targetName(value) {
    const { position } = this, thing = position.things.get(value), hex = this.#hexOf(value);
    const there = ASSAULTS.includes(this.type) ? this.#enemies(hex) : thing ? [thing] : [];
    if (!there.length) return position.describe(hex);
    const owners = new Set(there.map((each) => position.player(each.owner)));
    return `${there.map((each) => each.name).join(", ")} (${[...owners].join(", ")}, ${position.placeName(hex)})`;
  }
}
