// The order of one force: which, and what it needs. The map is a second way to fill in the same fields.

import { t } from "../texts.js";
import { announce, button, field, h, newId, select, tick } from "./dom.js";
import { orderedHexes } from "./ordered.js";
import { ASSAULTS, FORCE_ORDERS, MARCHES, subjectOf } from "./kinds.js";
import { refusal, stopReason } from "./sentences.js";

const DIRECTIONS = ["e", "se", "sw", "w", "nw", "ne"];

/** The form of a detachment or convoy; null where it takes no orders in this phase. */
export class ForceForm {
  constructor(table, thing) {
    Object.assign(this, { table, thing, field: thing.kind === "convoy" ? "convoy" : "detachment" });
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
    return this.draft.options.find((each) => each.order.type === type && each.order[this.field] === this.thing.id);
  }

  get types() { return (FORCE_ORDERS[this.draft.phase] ?? []).filter((each) => this.options(each) || this.order?.type === each); }

  /** Draw the form anew. */
  draw() {
    const { types, thing } = this;
    if (!types.length) return [h("p", { class: "muted" }, thing.ready_in ? t("table.builds_on", { n: thing.ready_in }) : t("table.no_orders_now"))];
    const name = newId();
    const chips = h("fieldset", { class: "chips", disabled: this.draft.locked }, h("legend", {}, t("table.order_for", { who: thing.name })),
      types.map((type) => h("label", { class: "chip", title: t(`table.type_why.${type}`) },
        h("input", { type: "radio", name, value: type, checked: type === this.type, "data-key": `type-${type}`, onchange: () => this.choose(type) }),
        h("span", {}, t(`table.type.${type}`)))));
    const detail = this.type ? [h("p", { class: "muted small" }, t(`table.type_why.${this.type}`)), this.#detail()] : [h("p", { class: "muted small" }, t("table.choose_type"))];
    const clear = this.order && !this.draft.locked ? button(t("table.remove_order"), () => { this.chosen = ""; this.draft.remove(this.item.uid); announce(t("table.removed")); }, { key: "clear", class: "quiet" }) : null;
    return [chips, detail, this.#told(), clear];
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

  #detail() {
    if (MARCHES.includes(this.type)) return this.#march();
    if (ASSAULTS.includes(this.type)) return this.#assault();
    if (this.type === "follow") return this.#target(this.type);
    if (this.type === "support") return [this.#target(this.type), this.#helpless()];
    if (this.type === "withdraw") return orderedHexes(this.position, (this.options("withdraw")?.choices.to ?? []).flat(), this.order?.to ?? [], (to) => this.write({ type: "withdraw", to: to.length ? to : undefined }), t("table.withdraw_to"), this.draft.locked);
    return null;
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

  #march() {
    const { path, position } = this, { grid } = position, locked = this.draft.locked;
    const goals = this.reach.map((each) => [each.hex, t("table.goal", { hex: position.describe(grid.find(each.hex)), cost: each.cost })]);
    const goal = select([["", t("table.choose_goal")], ...goals, ...(path.length && !goals.some(([hex]) => hex === path.at(-1)) ? [[path.at(-1), position.describe(this.end)]] : [])],
      path.at(-1) ?? "", (value) => this.setPath(this.reach.find((each) => each.hex === value)?.path ?? []), "goal");
    goal.disabled = locked;
    const steps = h("div", { class: "compass", role: "group", "aria-label": t("table.step") }, DIRECTIONS.map((each, direction) => {
      const next = grid.next(this.end, direction);
      return button(t(`table.direction.${each}`), () => this.setPath([...path, grid.label(next)]), { key: `step-${each}`, disabled: locked || next < 0, "aria-label": next < 0 ? t(`table.direction_long.${each}`) : `${t(`table.direction_long.${each}`)}: ${position.describe(next)}` });
    }));
    return [
      h("div", { class: "walk small" }, path.length ? this.#arrival() : h("p", {}, t("table.draw_hint"))),
      field(t("table.goal_label"), goal),
      h("div", { class: "row" }, steps,
        button(t("table.step_back"), () => this.setPath(path.slice(0, -1)), { key: "back", disabled: locked || !path.length })),
      this.#steps(),
      this.field === "convoy" ? tick(t("table.unload"), Boolean(this.order?.unload), (unload) => this.write({ type: "path", path, unload }), "unload") : null,
    ];
  }

  get #walked() {
    const says = this.item && this.draft.says.get(this.item.uid);
    return this.path.length && says?.steps ? says : null;
  }

  /** Where the way ends, and why: above the fields, so that it is in sight while they are used. */
  #arrival() {
    const says = this.#walked, { position } = this;
    if (!says) return h("p", { class: "path-line" }, this.path.join(" → "));
    return [
      h("p", { class: says.stop ? "warned" : "" }, t("table.ends_at", { hex: position.placeName(position.grid.find(says.ends_at)) }), says.stop ? ` ${stopReason(says.stop)}` : ""),
      says.inactive ? h("p", { class: "warned" }, t("table.will_be_inactive")) : null,
      says.unloads ? h("p", {}, t("table.will_unload")) : null,
    ];
  }

  /** The way, hex by hex, with what each costs. */
  #steps() {
    const says = this.#walked, { position } = this;
    return says && h("table", { class: "small way" }, h("caption", { class: "visually-hidden" }, t("table.the_way")),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("table.hex")), h("th", { scope: "col", class: "number" }, t("table.cost")), h("th", { scope: "col", class: "number" }, t("table.mv_left", { mv: says.mv })))),
      h("tbody", {}, says.steps.map((each) => h("tr", {}, h("th", { scope: "row" }, position.placeName(position.grid.find(each.hex)), each.enemy_zoc ? h("span", { class: "badge warn" }, t("table.zoc")) : null),
        h("td", { class: "number" }, each.cost), h("td", { class: "number" }, each.left)))));
  }

  // --- battle ---

  /** The hexes of the targets there are. A click on one's own force chooses it; to attack where it stands is in the list. */
  get aims() {
    const { position, thing } = this, choices = this.options(this.type)?.choices ?? {};
    const found = (choices.target ?? (choices.to ?? []).flat()).map((each) => position.things.get(each)?.hex ?? position.grid.find(each));
    const own = (hex) => position.at(hex).some((each) => each.owner === thing.owner);
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
    announce(this.#targetName(target));
    return true;
  }

  /** Return why a click on a hex gave it nothing to do; "" where none could. */
  get miss() {
    if (this.draft.locked) return "";
    if (this.reach.length) return t("table.out_of_reach", { who: this.thing.name });
    return ASSAULTS.includes(this.type) && this.aims.size ? t("table.not_next", { who: this.thing.name }) : "";
  }

  targets(type) { return this.options(type)?.choices.target ?? []; }

  #targetName(value) {
    const { position } = this, thing = position.things.get(value);
    return thing ? `${thing.name} (${position.player(thing.owner)}, ${position.placeName(thing.hex)})` : position.describe(position.grid.find(value));
  }

  /** How far down the list a target stands: whom one would strike or help comes first, where one stands oneself last. */
  #far(type, value) {
    const { position, thing } = this, war = ASSAULTS.includes(type);
    if (position.things.has(value)) return 0;
    const here = position.at(position.grid.find(value));
    if (war && here.some((each) => each.owner === thing.owner)) return 3;
    return here.some((each) => position.enemy(each.owner) === war) ? 1 : 2;
  }

  #target(type, more = {}) {
    const same = this.order?.type === type ? this.order.target : "";
    const names = this.targets(type).map((each) => [each, this.#targetName(each)]).sort(([a], [b]) => this.#far(type, a) - this.#far(type, b));
    if (same && !names.some(([each]) => each === same)) names.push([same, this.#targetName(same)]);
    const chosen = select([["", t("table.choose_target")], ...names], same, (target) => { if (target) this.write({ type, target, ...more }); else if (this.item) this.draft.remove(this.item.uid); }, "target");
    chosen.disabled = this.draft.locked;
    return field(t("table.target"), chosen, t("table.target_hint"));
  }

  /** Help for a force reaches the battle it begins, or the one it is attacked in, only next to it. */
  #helpless() {
    const { draft, position, thing } = this, order = this.order?.type === "support" ? this.order : {};
    const attack = draft.items.find((each) => ASSAULTS.includes(each.order.type) && each.order.detachment === order.target);
    const hex = position.grid.find(attack && draft.says.get(attack.uid)?.target);
    return hex >= 0 && position.grid.distance(thing.hex, hex) !== 1 ? h("p", { class: "warned small" }, t("table.help_too_far", { hex: position.placeName(hex) })) : null;
  }

  #assault() {
    const order = this.order?.type === this.type ? this.order : {}, again = (more) => this.write({ type: this.type, target: order.target, planned: order.planned, primary: order.primary, ...more });
    return [
      this.#target(this.type, { planned: order.planned, primary: order.primary }),
      order.target ? [
        tick(t("table.planned_box"), Boolean(order.planned), (planned) => again({ planned }), "planned"),
        tick(t("table.primary_box"), Boolean(order.primary), (primary) => again({ primary }), "primary"),
        this.#outlook(),
      ] : null,
    ];
  }

  /** What an attack meets, and how help would count. */
  #outlook() {
    const says = this.item && this.draft.says.get(this.item.uid), { position } = this;
    if (!says?.support_from) return null;
    const enemies = says.enemies.map((each) => h("li", {}, t("table.enemy_there", { who: position.things.get(each.force)?.name ?? t("table.force"), player: position.player(each.owner), points: each.ready_points })));
    const sides = ["front", "flank", "rear"].map((side) => [side, Object.entries(says.support_from).filter(([, each]) => each === side).map(([label]) => label)]).filter(([, labels]) => labels.length);
    return h("div", { class: "outlook small" },
      enemies.length ? h("ul", {}, enemies) : h("p", {}, t("table.nobody_seen")),
      h("p", {}, t("table.your_strength", { points: says.ready_points }), says.attacker_modifier ? ` · ${t("table.modifier", { n: signed(says.attacker_modifier) })}` : ""),
      this.table.prospects.panel(this.thing.id, says.target),
      h("p", {}, t("table.support_counts")),
      h("ul", {}, sides.map(([side, labels]) => h("li", {}, h("strong", {}, `${t(`table.side.${side}`)} ${signed(says.support_modifiers[side])}`), `: ${labels.join(", ")}`))));
  }

  #told() {
    const problems = (this.item && this.draft.problems.get(this.item.uid)) ?? [];
    return problems.map((each) => h("p", { class: "problem small" }, refusal(each).said, refusal(each).exact ? h("span", { class: "exact" }, ` ${refusal(each).exact}`) : null));
  }
}

export function signed(n) { return n > 0 ? `+${n}` : String(n).replace("-", "−"); }
