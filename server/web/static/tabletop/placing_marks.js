// What is placed, drawn over the picture: allowed ground in green, the thing under the finger, its path, chain and distances.

import { shape } from "./dom.js";
import { PIXELS, inPicture } from "./ground.js";
import { called } from "./placing.js";
import { chainOf, discs, ground, haltsAt } from "./placing_rules.js";
import { state } from "./store.js";

/** The shapes for what is placed now; *size* keeps tokens and words as large on the screen at any zoom. */
export function placingMarks(now, size) {
  const { chosen, at, side } = now;
  const drawn = [...areas(chosen), ...reaches(chosen), ...others(now, size)];
  if (at) drawn.push(...path(chosen, at, size), ...token(side, at, size, letters(called(chosen)), "ghost"));
  return drawn;
}

function points(polygon) { return polygon.map((corner) => inPicture(corner).join(",")).join(" "); }

/** Where it may lie. */
function areas(chosen) {
  const zone = ground(chosen);
  if (zone) {
    return [shape("polygon", { points: points(zone.wedge), class: "wedge" }),
      ...zone.cover.map((polygon) => shape("polygon", { points: points(polygon), class: "allowed" })),
      ...zone.edges.map((part) => shape("polyline", { points: points(part), class: "allowed edge" }))];
  }
  if (chosen.act === "move") return [];
  const spots = chosen.places ?? [];
  return [...chosen.area.filter((polygon) => polygon.length > 2).map((polygon) => shape("polygon", { points: points(polygon), class: "allowed" })),
    ...spots.map((place) => { const [cx, cy] = inPicture(place); return shape("circle", { cx, cy, r: 14, class: "allowed" }); })];
}

/** The rings of a patrol marker's reach and its enemies' circles; of what a jump-off point keeps away from. */
function reaches(chosen) {
  const { rules } = state.position.view;
  if (chosen.act === "move") return [ring(rules.markers[chosen.value].at, rules.reach, "reach")];
  return chosen.act === "jump_off" ? discs(chosen).map(({ at, needs }) => ring(at, needs, "away")) : [];
}

function ring(at, radius, kind) {
  const [cx, cy] = inPicture(at);
  return shape("circle", { cx, cy, r: radius * PIXELS, class: kind });
}

/** What was put down before and is not known to the referee yet. */
function others(now, size) {
  return now.all.filter((one) => now.done[one.key] && one !== now.chosen).flatMap((one) => token(now.side, now.done[one.key], size, letters(called(one)), one.spare ? "decoy" : "kept"));
}

function path(chosen, at, size) {
  const { rules } = state.position.view;
  if (chosen.act !== "move" && chosen.act !== "jump_off") return [];
  const from = rules.markers[chosen.value].at;
  const end = chosen.act === "move" ? haltsAt(chosen.value, at).at : at;
  const lines = chosen.act === "move" ? chainOf(chosen.value).map(([, other]) => link(other.at, end, rules.reach)) : [];
  const [[x1, y1], [x2, y2]] = [inPicture(from), inPicture(end)];
  return [...lines.filter(Boolean), shape("line", { x1, y1, x2, y2, class: "path" }), ...(end === at ? [] : [shape("circle", { cx: x2, cy: y2, r: 8 * size, class: "halt" })])];
}

function link(one, other, reach) {
  const apart = Math.hypot(one[0] - other[0], one[1] - other[1]);
  if (apart > 1.3 * reach) return null;
  const [[x1, y1], [x2, y2]] = [inPicture(one), inPicture(other)];
  return shape("line", { x1, y1, x2, y2, class: apart > reach + 0.001 ? "chain broken" : "chain" });
}

/** The letters on a token. */
export function letters(name) {
  const words = name.split(/\s+/).filter(Boolean);
  const number = /^(\d+|[IVX]+)$/.test(words.at(-1) ?? "") && words.length > 1 ? words.pop() : "";
  const numerals = { I: "1", II: "2", III: "3", IV: "4", V: "5" };
  return (words.length > 1 ? words[0][0] + words.at(-1)[0] : (words[0] ?? "").slice(0, number ? 1 : 2)).toUpperCase() + (numerals[number] ?? number).slice(0, 1);
}

/** A token: a square for red, a circle for blue. */
function token(side, at, size, text, kind) {
  const [x, y] = inPicture(at);
  const half = 13 * size;
  const body = side === "red" ? shape("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 3 * size }) : shape("circle", { cx: x, cy: y, r: half * 1.12 });
  return [shape("g", { class: `token ${side} ${kind}` }, body, shape("text", { x, y: y + 4 * size, "font-size": 11 * size }, text))];
}
