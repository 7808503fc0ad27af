// Points by round and what brought them: on a sheet that the score bar opens, and where the battle has ended.

import { data, fill, make, t, word } from "./dom.js";
import { player } from "./offers.js";
import { closeSheet, sheet, title } from "./sheet.js";
import { state } from "./store.js";

const SIDES = ["red", "blue"];
const HIGH = 56; // pixels of the highest bar
const LINES = 12; // lines of the log on the sheet

/** The points of a side in a round; without a round all of them. */
function points(side, round) {
  return state.position.view.vp_log.filter((one) => one.player === side && (round === undefined || one.round === round)).reduce((sum, one) => sum + one.vp, 0);
}

/** Bars for each round, and the score as it stood after it. */
export function bars() {
  const { view } = state.position;
  const all = Math.max(view.round ?? 0, ...view.vp_log.map((one) => one.round), 0);
  const rounds = Array.from({ length: all }, (_, place) => place + 1);
  const most = Math.max(1, ...rounds.flatMap((round) => SIDES.map((side) => points(side, round))));
  if (!rounds.length || !view.vp_log.length) return null;
  const until = (side, round) => rounds.filter((one) => one <= round).reduce((sum, one) => sum + points(side, one), 0);
  return make("ol", { class: "tt-bars" }, rounds.map((round) => make("li", { "aria-label": t("tt.round", { n: round }) },
    make("span", { class: "pair" }, SIDES.map((side) => bar(side, points(side, round), most))),
    make("b", {}, String(round)), make("small", {}, `${until("red", round)}–${until("blue", round)}`))));
}

/** A bar; its height is set by script, since styles inside pages are refused. */
function bar(side, vp, most) {
  const drawn = make("i", { class: side }, String(vp));
  drawn.style.height = `${Math.max(16, (vp / most) * HIGH)}px`;
  return drawn;
}

/** What the points are made of: a line for each reason, the sum below. */
export function sums() {
  const { vp, vp_log: scores } = state.position.view;
  const kinds = [...new Set(scores.map((one) => split(one.reason)[0]))];
  const line = (name, cells, kind = "") => make("tr", { class: kind }, make("th", { scope: "row" }, name), SIDES.map((side) => make("td", { class: side }, String(cells(side)))));
  const of = (kind) => (side) => scores.filter((one) => one.player === side && split(one.reason)[0] === kind).reduce((sum, one) => sum + one.vp, 0);
  return make("table", { class: "tt-sums" }, make("thead", {}, make("tr", {}, make("td", {}), SIDES.map((side) => make("th", { scope: "col", class: side }, player(side))))),
    make("tbody", {}, kinds.map((kind) => line(reasonName(kind), of(kind))), line(t("tt.result"), (side) => vp[side], "sum")));
}

/** What a score is for, as a known word, and behind that the marker or unit. @returns {[string, string]} */
function split(reason) {
  const words = reason.replaceAll(":", "").split(" ");
  const known = words.findLastIndex((_, place) => data.words[`table_word.${words.slice(0, place + 1).join("_")}`]);
  return [words.slice(0, Math.max(1, known + 1)).join("_"), words.slice(Math.max(1, known + 1)).join(" ")];
}

/** What points of a kind are for, with all markers and units that brought some. */
function reasonName(kind) {
  const things = new Set(state.position.view.vp_log.map((one) => split(one.reason)).filter(([one]) => one === kind).map(([, thing]) => state.position.view.units.find((unit) => unit.id === thing)?.name ?? thing));
  const name = word("table_word", kind).replace("{thing}", [...things].join(", "));
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Show the points by round, then what happened last. */
export function openScore() {
  if (!state.position || !state.info || state.info.status === "open") return;
  const { vp } = state.position.view;
  const lines = state.log.filter((entry) => entry.lines.length).slice(-LINES).reverse();
  fill(sheet(), title(`${player("red")} ${vp.red} : ${vp.blue} ${player("blue")}`), bars(), state.position.view.vp_log.length ? sums() : null,
    make("ol", { class: "tt-log" }, lines.map((entry) => make("li", { class: entry.by }, entry.lines.map((text) => make("p", {}, text))))),
    make("p", { class: "tt-buttons" }, make("button", { onclick: closeSheet }, t("tt.close"))));
  if (!sheet().open) sheet().showModal();
}
