// The card of a battle in the film: both sides, and below them what has been told so far.

import { t } from "../texts.js";
import { h, said } from "../table/dom.js";

const FACES = ["⚀", "⚁", "⚂", "⚃", "⚄", "⚅"];
const ORDER = ["start", "forces", "modifiers", "dice", "totals", "losses", "outcome", "retreat", "vp"];

/** The face of a die. */
export const die = (face) => FACES[face - 1] ?? String(face);

const signed = (n) => (n > 0 ? `+${n}` : String(n).replace("-", "−"));

/** Draw a card as far as a step shows it. */
export function battleCard(card, step) {
  const reached = ORDER.indexOf(step.shows), after = (name) => reached >= ORDER.indexOf(name);
  const added = card.modifiers.slice(0, step.modifiers ?? 0);
  const damage = (place) => (after("totals") && card.damage.length ? h("strong", { class: "film-damage" }, t("table.film.damage", { n: card.damage[place] })) : null);
  const side = (each, place) => h("div", { class: `film-side${each.you ? " you" : ""}` },
    h("p", { class: "film-name" }, said(each.name)),
    h("ul", {}, each.forces.map((force) => h("li", { class: force.support ? "muted" : "" }, said(force.name), h("span", { class: "numbers" }, ` ${t("table.film.force", { points: force.points, ready: force.ready, models: force.models })}`)))),
    h("ul", { class: "film-modifiers" }, added.filter((row) => row.you === each.you).map((row) => h("li", {}, row.text, h("strong", { class: "numbers" }, ` ${signed(row.n)}`)))),
    after("dice") && card.dice[place] ? h("p", { class: "film-dice" }, card.dice[place].map((face) => h("span", { class: "die", role: "img", "aria-label": String(face) }, die(face))), after("totals") && card.sums.length ? h("span", { class: "film-sum" }, sum(card, place)) : null, damage(place)) : damage(place));
  return h("div", { class: "film-battle" }, h("p", { class: "film-place" }, h("strong", {}, t("table.film.battle", { hex: card.place }))), after("forces") ? h("div", { class: "film-sides" }, card.sides.map(side)) : null,
    after("outcome") && card.losses.length ? h("p", { class: "small" }, card.losses.join(" ")) : null);
}

/** The sum of a side as a sum: dice, modifiers, what remains of the smaller side's extra die. */
function sum(card, place) {
  const you = card.sides[place].you, parts = [...card.dice[place], ...card.modifiers.filter((each) => each.you === you).map((each) => each.n)];
  const more = card.sums[place] - parts.reduce((all, each) => all + each, 0);
  if (more) parts.push(more);
  return `${parts.map((each, at) => (at ? ` ${each < 0 ? "−" : "+"} ${Math.abs(each)}` : String(each))).join("")} = ${card.sums[place]}`;
}
