// Orders and choices as marks on the map.

import { t } from "../texts.js";
import { ASSAULTS, subjectOf } from "./kinds.js";

/** Return what `Marks.orders` draws for the orders there are. */
export function orderMarks(table) {
  const { draft, position, form } = table, { grid } = position, found = [];
  const repeated = (order) => (table.repeats.has(order) ? "↻ " : "");
  const find = (value) => position.things.get(value)?.hex ?? grid.find(value);
  for (const { uid, order } of draft.items) {
    const thing = position.things.get(subjectOf(order));
    if (thing && thing.hex < 0) continue;
    if (thing && Array.isArray(order.path)) {
      if (form?.thing === thing && !draft.locked) continue;
      const made = draft.says.get(uid)?.steps?.length ?? order.path.length; // as far as it comes
      const path = order.path.slice(0, made).map((each) => grid.find(each)).filter((each) => each >= 0);
      if (path.length) found.push({ from: thing.hex, path, kind: "move", text: order.type === "move_and_claim" ? t("table.short.claim") : "" });
    } else if (thing && ASSAULTS.includes(order.type)) {
      const at = find(order.target);
      if (at >= 0) found.push({ from: thing.hex, path: [at], kind: "attack", text: chanceOf(table, uid, order) || (order.type === "raid" ? t("table.short.raid") : "") });
    } else if (thing && order.type === "support") {
      const at = supported(draft, position, order, find);
      if (at.hex >= 0 && at.hex !== thing.hex) found.push({ from: thing.hex, path: [at.hex], kind: "support", text: sideOf(draft, position, thing.hex, at.hex) });
    } else if (thing && order.type === "follow") {
      const at = find(order.target);
      if (at >= 0 && at !== thing.hex) found.push({ from: thing.hex, path: [at], kind: "support", text: `${repeated(order)}${t("table.short.follow")}` });
    } else if (thing && order.type === "withdraw" && order.to?.length) {
      const at = grid.find(order.to[0]);
      if (at >= 0) found.push({ from: thing.hex, path: [at], kind: "withdraw" });
    } else if (thing && !order.units) found.push({ from: thing.hex, kind: "sign", text: `${repeated(order)}${t(`table.short.${order.type}`)}` });
    else if (order.type === "build_road" && find(order.from) >= 0 && find(order.to) >= 0) found.push({ from: find(order.from), path: [find(order.to)], kind: "support" });
    else {
      const at = find(order.at ?? order.detachment);
      if (at >= 0 && order.type !== "place") found.push({ from: at, kind: "sign", text: `${repeated(order)}+` });
    }
  }
  return found;
}

/** Return the chance of an attack to win; "" where it is not known. */
function chanceOf({ draft, prospects }, uid, order) {
  const hex = draft.says.get(uid)?.target;
  return prospects.of(order.detachment, hex)?.attacker === order.detachment ? prospects.word(order.detachment, hex) : "";
}

/** Return where help goes: to the hex of the battle that the helped force begins, else to where it is. */
function supported(draft, position, order, find) {
  const attack = draft.items.find((each) => ASSAULTS.includes(each.order.type) && each.order.detachment === order.target)?.order;
  return { hex: find(attack ? attack.target : order.target) };
}

/** Return as what a supporter of one's own attack on a hex counts. */
function sideOf(draft, position, from, hex) {
  const label = position.label(hex);
  const attack = draft.items.find((each) => ASSAULTS.includes(each.order.type) && draft.says.get(each.uid)?.target === label);
  const side = attack && draft.says.get(attack.uid).support_from?.[position.label(from)];
  return side ? t(`table.side.${side}`) : t("table.short.support");
}

/** Return which of one's forces have an order, and which could have one. */
export function orderBadges({ draft, position, over }, waiting) {
  if (draft.state === "none" || draft.locked || over) return [];
  const given = new Set(draft.items.map((each) => subjectOf(each.order)));
  const open = new Set(waiting.map((each) => each.id));
  return position.own.filter((each) => each.kind === "detachment" && each.hex >= 0 && (given.has(each.id) || open.has(each.id)))
    .map((each) => ({ hex: each.hex, done: given.has(each.id) }));
}

/** Return what `Marks.reach` highlights for what is being written. */
export function reachMarks(table) {
  const { form, draft, position } = table, { grid } = position;
  if (draft.locked) return [];
  if (!form) return table.placing.map((hex) => ({ hex, kind: "place" }));
  if (form.reach.length) return form.reach.map((each) => ({ hex: grid.find(each.hex), kind: each.exhausts ? "last" : "good", text: each.cost }));
  if (!form.type) return grid.neighbours(form.thing.hex).filter((hex) => form.strikes(hex)).map((hex) => ({ hex, kind: "war" }));
  if (ASSAULTS.includes(form.type)) return [...form.aims].map((hex) => ({ hex, kind: "war" }));
  if (["support", "withdraw", "follow"].includes(form.type)) return [...form.aims].map((hex) => ({ hex, kind: "good" }));
  return [];
}
