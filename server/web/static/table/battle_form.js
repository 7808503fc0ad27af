// The fields of an order of battle: whom it is about, and how it may go.

import { t } from "../texts.js";
import { button, field, h, select, tick } from "./dom.js";
import { ASSAULTS } from "./kinds.js";

/** How far down the list a target stands: whom one would strike or help comes first, where one stands oneself last. */
function far(form, type, value) {
  const { position, thing } = form, war = ASSAULTS.includes(type);
  if (position.things.has(value) && !war) return 0;
  const here = position.at(position.things.get(value)?.hex ?? position.grid.find(value));
  if (war && here.some((each) => each.owner === thing.owner)) return 3;
  return here.some((each) => position.enemy(each.owner) === war) ? 1 : 2;
}

/** The choice of a target. */
export function targetField(form, more = {}) {
  const { type } = form;
  const same = form.order?.type === type ? form.order.target : "";
  const names = form.listed(type, same).map((each) => [each, form.targetName(each)]).sort(([a], [b]) => far(form, type, a) - far(form, type, b));
  const chosen = select([["", t("table.choose_target")], ...names], same, (target) => { if (target) form.write({ type, target, ...more }); else if (form.item) form.draft.remove(form.item.uid); }, "target");
  chosen.disabled = form.draft.locked;
  return field(t("table.target"), chosen, t("table.target_hint"));
}

/** Help for a force reaches the battle it begins, or the one it is attacked in, only next to it. */
export function helpless(form) {
  const { draft, position, thing } = form, order = form.order?.type === "support" ? form.order : {};
  const attack = draft.items.find((each) => ASSAULTS.includes(each.order.type) && each.order.detachment === order.target);
  const hex = position.grid.find(attack && draft.says.get(attack.uid)?.target);
  return hex >= 0 && position.grid.distance(thing.hex, hex) !== 1 ? h("p", { class: "warned small" }, t("table.help_too_far", { hex: position.placeName(hex) })) : null;
}

/** The fields of an attack of any kind. */
export function assaultForm(form) {
  const order = form.order?.type === form.type ? form.order : {}, again = (more) => form.write({ type: form.type, target: order.target, planned: order.planned, primary: order.primary, ...more });
  return [
    targetField(form, { planned: order.planned, primary: order.primary }),
    order.target ? [
      tick(t("table.planned_box"), Boolean(order.planned), (planned) => again({ planned }), "planned"),
      tick(t("table.primary_box"), Boolean(order.primary), (primary) => again({ primary }), "primary"),
      outlook(form),
      helper(form, order.target),
    ] : null,
  ];
}

/** Who could still help, with the chance that this gives; one click has them do it. */
function helper(form, target) {
  const { attempts } = form.table, place = h("div", { class: "helper" });
  if (form.draft.locked || form.type !== "attack") return null;
  attempts.ask(form.thing.id, target).then((found) => {
    const best = attempts.best(found), name = best && form.position.things.get(best.id)?.name;
    if (found) place.append(h("p", { class: "chance-line" }, attempts.sentence(found)));
    if (best) place.append(button(t("table.attempt.let", { who: name, chance: best.chance }), () => attempts.help(best.id, form.thing.id), { key: `help-${best.id}`, class: "primary" }));
  });
  return place;
}

/** What an attack meets, and how help would count. */
function outlook(form) {
  const says = form.item && form.draft.says.get(form.item.uid), { position } = form;
  if (!says?.support_from) return null;
  const enemies = says.enemies.map((each) => h("li", {}, t("table.enemy_there", { who: position.things.get(each.force)?.name ?? t("table.force"), player: position.player(each.owner), points: each.ready_points })));
  const sides = ["front", "flank", "rear"].map((side) => ({ side, labels: Object.keys(says.support_from).filter((label) => says.support_from[label] === side) })).filter(({ labels }) => labels.length);
  return h("div", { class: "outlook small" },
    enemies.length ? h("ul", {}, enemies) : h("p", {}, t("table.nobody_seen")),
    h("p", {}, t("table.your_strength", { points: says.ready_points }), says.attacker_modifier ? ` · ${t("table.modifier", { n: signed(says.attacker_modifier) })}` : ""),
    form.table.prospects.panel(form.thing.id, says.target),
    h("p", {}, t("table.support_counts")),
    h("ul", {}, sides.map(({ side, labels }) => h("li", {}, h("strong", {}, `${t(`table.side.${side}`)} ${signed(says.support_modifiers[side])}`), `: ${labels.join(", ")}`))));
}

function signed(n) { return n > 0 ? `+${n}` : String(n).replace("-", "−"); }
