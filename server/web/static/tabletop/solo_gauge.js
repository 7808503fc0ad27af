// The gauge of a posture: its bands, a needle for the score, a dashed one for what it would become.

import { make, shape } from "./dom.js";
import { signed } from "./solo.js";

const MOST = 46; // scores beyond this lie at the end of the gauge
const RADIUS = 88;
const COLOURS = ["#7a97bb", "#a3b6c9", "#9c937c", "#cfa57a", "#bb7a66"];

function angle(score) { return Math.PI * (1 - (Math.max(-MOST, Math.min(MOST, score)) + MOST) / (2 * MOST)); }
function point(score, radius) { return [100 + radius * Math.cos(angle(score)), 100 - radius * Math.sin(angle(score))]; }

/** @param {number} score @param {number} next @param {any[]} postures @param {(name: string) => string} named */
export function gauge(score, next, postures, named) {
  const bands = postures.map((one, place) => {
    const [from, to] = [Math.max(-MOST, one.from), place + 1 < postures.length ? postures[place + 1].from : MOST];
    const own = score >= one.from && (place + 1 === postures.length || score < postures[place + 1].from);
    const [[x1, y1], [x2, y2]] = [point(from, RADIUS), point(to, RADIUS)];
    return shape("path", { d: `M${x1} ${y1}A${RADIUS} ${RADIUS} 0 0 1 ${x2} ${y2}`, fill: "none", stroke: COLOURS[place % COLOURS.length], "stroke-width": own ? 20 : 13 }, shape("title", {}, named(one.name)));
  });
  const needle = (value, kind) => {
    const [[x1, y1], [x2, y2]] = [point(value, RADIUS - 14), point(value, RADIUS + 12)];
    return shape("line", { x1, y1, x2, y2, class: kind });
  };
  const own = postures.findLast((one) => one.from <= score) ?? postures[0];
  return make("figure", { class: "tt-gauge" },
    shape("svg", { viewBox: "0 0 200 108", role: "img", "aria-label": `${named(own.name)}: ${signed(score)}` }, ...bands,
      ...(next === score ? [] : [needle(next, "next")]), needle(score, "needle"),
      shape("text", { x: 100, y: 78, class: "score" }, signed(score)), shape("text", { x: 100, y: 98, class: "name" }, named(own.name))),
    make("figcaption", {}, make("span", {}, named(postures[0].name)), make("span", {}, named(postures.at(-1).name))));
}
