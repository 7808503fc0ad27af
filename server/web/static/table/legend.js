// What the signs of the map mean: its own signs, with words.

import { t } from "../texts.js";
import { h, s } from "./dom.js";

const HEXAGON = "M0-14L12-7V7L0 14L-12 7V-7z";
const SAMPLES = { plains: "grass", forest: "fir", hills: "hill", mountains: "peak", swamp: "reed", jungle: "palm", sea: "wave", other: "stray" };

/** Return the legend of a map: only what there is on it. */
export function legend(position, pictures) {
  const box = (inner, view = "-20 -16 40 32") => s("svg", { class: "key sheet", viewBox: view, width: 40, height: 32, "aria-hidden": "true" }, inner);
  const row = (sign, text) => h("li", {}, sign, h("span", {}, text));
  const use = (name, transform) => s("use", { href: `#${name}`, transform: transform ?? null });
  const emblem = (seat) => `e-${(seat % pictures.seats.length) + 1}`;
  const chip = (seat, inner) => s("g", { class: `s${seat + 1}` }, s("rect", { class: "ct-rim", x: -16, y: -12, width: 32, height: 24, rx: 3 }), s("rect", { class: "ct-body", x: -14.5, y: -10.5, width: 29, height: 21, rx: 2 }),
    s("path", { class: "ct-stripe", d: "M-10.6-8V8", "stroke-dasharray": pictures.seats[seat % pictures.seats.length].dash || null }), s("g", { class: "ct-ink" }, inner));
  const ground = (kind) => {
    const look = pictures.terrains.includes(kind) ? kind : "other", wide = look === "hills" || look === "mountains";
    return box([s("path", { d: HEXAGON, class: `t-${look}` }), use(SAMPLES[look], `translate(0 ${look === "sea" ? 0 : 4}) scale(${wide ? 0.62 : 0.9})`)]);
  };
  const mark = (kind) => box([s("path", { d: HEXAGON, class: `mark-${kind} mark-fill` }), s("path", { d: HEXAGON, class: `mark-${kind} mark-back` }), s("path", { d: HEXAGON, class: `mark-${kind} mark-rim` })]);
  const town = (name) => box(use(name, "translate(0 10) scale(.86)"));
  return [
    h("h2", {}, t("table.legend")),
    h("ul", { class: "keys" }, [...new Set(position.terrain)].map((kind) => row(ground(kind), `${position.word("terrain", kind)} · ${t("table.enter_cost", { n: position.rules.terrain[kind].cost })}`))),
    h("ul", { class: "keys" }, position.players.map((each, seat) => row(box(chip(seat, use(emblem(seat), "translate(3 0) scale(1.6)"))), `${position.player(each.id)} · ${position.faction(each.id)}`))),
    h("ul", { class: "keys" }, row(box(chip(Math.max(0, position.seat(position.me)), use("k-infantry", "translate(3 0) scale(.9)"))), t("table.counter"))),
    h("ul", { class: "keys" },
      row(mark("good"), t("table.mark.good")), row(mark("last"), t("table.mark.last")), row(mark("war"), t("table.mark.war")), row(mark("place"), t("table.mark.place"))),
    h("ul", { class: "keys" },
      row(box(use("k-garrison", "scale(1.7)")), t("table.garrison")), row(box(use("k-convoy", "scale(1.5)")), t("table.convoy")),
      position.rules.urban.map((each, level) => row(town(`town-${Math.min(level + 1, 4)}`), position.word("urban", each.id))),
      row(box(s("g", { class: "s1" }, use("capital", "translate(0 10) scale(.7)"))), t("table.capital")),
      position.rules.strongholds.map((each, level) => row(town(`fort-${Math.min(level + 1, 3)}`), position.word("strongholds", each.id))),
      row(town("ore-2"), t("table.resource")),
      row(box([s("path", { d: "M-17 6Q-4-8 17-4", class: "road-edge" }), s("path", { d: "M-17 6Q-4-8 17-4", class: "road" })]), t("table.road")),
      row(box(use("clash", "scale(.95)")), t("table.battle")),
      row(box(s("g", { class: "fg" }, s("path", { d: HEXAGON, class: "t-plains" }))), t("table.not_in_sight"))),
  ];
}
