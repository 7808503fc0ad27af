// What the signs of the map mean.

import { t } from "../texts.js";
import { h, s } from "./dom.js";
import { colour } from "./ground.js";
import { urban } from "./things.js";

const TOWN = "-18 -5 38 28"; // towns stand in the lower half of their hex

/** Return the legend of a map: only what there is on it. */
export function legend(position, pictures) {
  const box = (inner, view = "-16 -14 32 28") => s("svg", { class: "key", viewBox: view, width: 36, height: 30, "aria-hidden": "true" }, inner);
  const row = (sign, text) => h("li", {}, sign, h("span", {}, text));
  const kinds = [...new Set(position.terrain)];
  const hexagon = "M0-13L11-6.5V6.5L0 13L-11 6.5V-6.5z";
  const ground = (kind) => {
    const look = pictures.terrain[kind] ?? pictures.unknown;
    return box([s("path", { d: hexagon, fill: look.ground, stroke: pictures.ink, "stroke-opacity": 0.4 }), s("path", { d: hexagon, fill: `url(#t-${kind})` })]);
  };
  const mark = (kind) => box(s("path", { d: hexagon, class: `mark-${kind}` }));
  const counter = () => box([s("rect", { x: -13, y: -9, width: 26, height: 18, rx: 3, fill: colour(pictures, 0), stroke: "#fff" }), s("rect", { x: -13, y: -9, width: 9, height: 18, rx: 3, fill: "#fff" }),
    s("g", { "text-anchor": "middle", fill: "#fff" }, s("text", { x: -8.5, y: 3.2, "font-size": 9, "font-weight": "bold", fill: pictures.ink }, "1"), s("text", { x: 4.5, y: -1, "font-size": 6.5 }, "ST"), s("text", { x: 4.5, y: 6.5, "font-size": 7 }, "480"))]);
  const flat = { grid: { x: () => 0, y: () => 0 }, rules: position.rules };
  return [
    h("h2", {}, t("table.legend")),
    h("ul", { class: "keys" }, kinds.map((kind) => row(ground(kind), `${position.word("terrain", kind)} · ${t("table.enter_cost", { n: position.rules.terrain[kind].cost })}`))),
    h("ul", { class: "keys" }, position.players.map((each, seat) => row(
      box([s("rect", { x: -13, y: -9, width: 26, height: 18, rx: 3, fill: colour(pictures, seat), stroke: "#fff" }), s("rect", { x: -13, y: -9, width: 9, height: 18, rx: 3, fill: "#fff" }),
        s("text", { x: -8.5, y: 3.2, "font-size": 9, "font-weight": "bold", "text-anchor": "middle", fill: pictures.ink }, String(seat + 1))]),
      `${position.player(each.id)} · ${position.faction(each.id)}`))),
    h("ul", { class: "keys" }, row(counter(), t("table.counter"))),
    h("ul", { class: "keys" },
      row(mark("good"), t("table.mark.good")), row(mark("last"), t("table.mark.last")), row(mark("war"), t("table.mark.war")), row(mark("place"), t("table.mark.place"))),
    h("ul", { class: "keys" },
      row(box(s("path", { d: "M-6-6h12v6q0 6-6 8-6-2-6-8z", fill: colour(pictures, 0), stroke: "#fff" })), t("table.garrison")),
      row(box(s("path", { d: pictures.crate, fill: "#fff", stroke: colour(pictures, 0), "stroke-width": 1.8 })), t("table.convoy")),
      position.rules.urban.map((each) => row(box(urban(flat, pictures, 0, each.id, false), TOWN), position.word("urban", each.id))),
      row(box(urban(flat, pictures, 0, position.rules.urban.at(-1).id, true), TOWN), t("table.capital")),
      position.rules.strongholds.map((each, level) => row(box(s("path", { d: pictures.strongholds[Math.min(level, pictures.strongholds.length - 1)], fill: "#fff", stroke: pictures.ink })), position.word("strongholds", each.id))),
      row(box(s("path", { d: pictures.resource, fill: "#ffd54f", stroke: "#5d4037", transform: "scale(1.2)" })), t("table.resource")),
      row(box([s("path", { d: "M-14 0h28", stroke: pictures.ink, "stroke-width": 5 }), s("path", { d: "M-14 0h28", stroke: "#fff", "stroke-width": 2.6 })]), t("table.road")),
      row(box([s("circle", { r: 9, fill: "#fff3e0", stroke: "#bf360c" }), s("path", { d: pictures.swords, transform: "scale(.6)", fill: "none", stroke: "#bf360c", "stroke-width": 3 })]), t("table.battle")),
      row(box(s("path", { d: hexagon, fill: "url(#fog)" })), t("table.not_in_sight"))),
  ];
}
