// What a click on the map does: it gives the order whose name is lit, or none, and then it says why.

import { t } from "../texts.js";
import { ASSAULTS, MARCHES } from "./kinds.js";

const AIMED = ["support", "follow", "withdraw"]; // orders besides assaults that have a hex or a force as target

/**
 * What decides of a click, and nothing else.
 * @typedef {object} Facts
 * @property {boolean} force one of the player's forces is chosen and takes orders now
 * @property {"" | "march" | "assault" | "aimed" | "plain"} lit the kind of order whose name is lit
 * @property {boolean} locked nothing may be changed
 * @property {boolean} complete the lit order is given, and needs nothing more
 * @property {boolean} written a march is given
 * @property {boolean} here the hex is the chosen force's
 * @property {boolean} reach the hex is among those that are highlighted for a march
 * @property {boolean} step the march goes through the hex, or could go on to it
 * @property {boolean} aim the hex is among those that are highlighted as targets
 * @property {boolean} strike an enemy there can be attacked
 * @property {boolean} enemy an enemy is there
 * @property {"" | "same" | "other"} counter one of the player's counters is under the pointer: of the chosen force, or another
 * @property {"" | "garrison" | "force"} own what the player has there
 * @property {boolean} again the second half of a double click
 */

/**
 * Decide. `choose` looks at the hex and changes no order; `why` says what kept the lit order from being given.
 * @param {Facts} facts
 * @returns {{does: "choose" | "nothing" | "march" | "aim" | "attack", why: string}}
 */
export function decide(facts) {
  const choose = (why = "") => ({ does: /** @type {const} */ ("choose"), why });
  const { lit, own, here } = facts;
  if (facts.again) return { does: "nothing", why: "" };
  if (!facts.force || facts.locked) return choose();
  if (here) return lit === "march" && facts.written && facts.counter !== "other" ? { does: "march", why: "" } : choose();
  const aims = (lit === "assault" || lit === "aimed") && facts.aim;
  if (aims && !(facts.complete && own)) return { does: "aim", why: "" };
  if (facts.counter || own === "force") return choose();
  if (lit === "march") {
    if (facts.reach) return { does: "march", why: "" };
    if (own) return choose();
    if (facts.enemy) return choose("enemy_in_way");
    return facts.step ? { does: "march", why: "" } : choose("out_of_reach");
  }
  if (own) return choose();
  if (!lit && facts.strike) return { does: "attack", why: "" };
  if (lit === "assault") return choose("not_next");
  if (lit === "aimed") return choose(facts.complete ? "" : "no_target");
  return choose(lit && facts.strike ? "keeps_order" : "");
}

/** The kind of order whose name is lit. @param {any} form */
function litOf(form) {
  const { type } = form;
  if (!type) return "";
  return MARCHES.includes(type) ? "march" : ASSAULTS.includes(type) ? "assault" : AIMED.includes(type) ? "aimed" : "plain";
}

/** Find out what decides of a click on a hex; `thing` is the player's counter under the pointer. @returns {Facts} */
export function factsOf(table, hex, thing = null, again = false) {
  const { draft, form, position, selected } = table, { grid } = position, label = grid.label(hex);
  const there = position.at(hex), mine = there.filter((each) => each.owner === position.me);
  const lit = form ? litOf(form) : "";
  return {
    force: Boolean(form), lit, locked: Boolean(draft?.locked), again,
    complete: Boolean(form?.complete), written: Boolean(form?.path.length), here: Boolean(form) && hex === selected.hex,
    reach: lit === "march" && form.reach.some((each) => each.hex === label),
    step: lit === "march" && (form.path.includes(label) || grid.distance(form.end, hex) === 1),
    aim: Boolean(form) && form.aims.has(hex), strike: Boolean(form?.strikes(hex)), enemy: there.some((each) => position.enemy(each.owner)),
    counter: !thing ? "" : thing === selected.thing ? "same" : "other",
    own: mine.some((each) => each.kind !== "garrison") ? "force" : mine.length ? "garrison" : "",
  };
}

/** A hex of the map was clicked, or a counter in it. */
export function clicked(table, hex, thing = null, again = false) {
  const { form, position, selected } = table, { does, why } = decide(factsOf(table, hex, thing, again));
  if (does === "march") form.towards(hex);
  else if (does === "aim") form.aim(hex);
  else if (does === "attack") form.strike(hex);
  else if (does === "choose") {
    const own = position.at(hex).filter((each) => each.owner === position.me);
    const choices = [...own.filter((each) => each.kind === "detachment"), ...own.filter((each) => each.kind !== "detachment"), null];
    const next = thing ?? (hex === selected.hex ? choices[(choices.indexOf(selected.thing) + 1) % choices.length] : choices[0]);
    table.select(hex, next, false, why ? { thing: form.thing, type: form.type, why: reason(form, why) } : null);
  }
}

/** Why nothing was ordered, in words. */
function reason(form, why) {
  return t(`table.${why}`, { who: form.thing.name, order: form.type ? t(`table.type.${form.type}`) : "" });
}
