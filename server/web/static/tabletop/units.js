// Units as cards with pips, and both sides' lists with what units are.

import { isLooking } from "./board.js";
import { data, make, t, word } from "./dom.js";
import { countLosses, losing, pips } from "./losses.js";
import { isShared, player } from "./offers.js";
import { letters } from "./placing_marks.js";
import { mine, state } from "./store.js";

const SIDES = ["red", "blue"];
const GONE = ["destroyed", "escaped"];

/** What is left of a unit and what it began with. */
function strength(unit) {
  return unit.models === 1 && unit.wounds ? [unit.wounds_now, unit.wounds] : [unit.models_now, unit.models];
}

/** One's own units, as cards: a tap reports losses. Whoever watches sees both sides. */
export function unitCards() {
  const own = isShared() ? [state.position.view.turn || "red"] : mine();
  return (own.length ? own : SIDES).flatMap((side) => {
    const units = state.position.view.units.filter((unit) => unit.side === side);
    const lost = new Map(losing(side).map((one) => [one.unit.id, one]));
    return units.length ? [make("div", { class: "tt-own-units" }, units.map((unit) => card(side, unit, lost.get(unit.id))))] : [];
  });
}

function card(side, unit, loss) {
  const [now, all] = strength(unit);
  const gone = GONE.includes(unit.state);
  const inside = [make("b", { class: "badge", "aria-hidden": "true" }, letters(unit.name)), make("span", {}, make("span", { class: "name", dir: "auto" }, unit.name), make("small", {}, gone ? word("unit_state", unit.state) : told(unit))),
    gone ? null : pips(now, all)];
  const classes = `tt-own-unit ${side}${gone ? " gone" : ""}`;
  return loss ? make("button", { class: classes, "data-unit": unit.id, "aria-label": `${unit.name}: ${t("tt.losses")}`, onclick: () => countLosses(side, loss) }, inside) : make("div", { class: classes, "data-unit": unit.id }, inside);
}

/** One line about a unit: where it is when it is not on the table, who leads it, else what it is. */
function told(unit) {
  if (unit.state === "concealed" && !isLooking()) return word("unit_state", unit.state);
  const carrier = state.position.view.units.find((one) => one.id === unit.in);
  if (carrier) return t(carrier.models === 1 ? "tt.in_transport" : "tt.with_unit", { unit: carrier.name });
  const led = state.position.view.units.filter((one) => one.in === unit.id && unit.models > 1).map((one) => one.name);
  if (unit.state === "reserve") return t("tt.hold_back");
  if (led.length) return `+ ${led.join(", ")}`;
  return what(unit)[0] ?? "";
}

/** What a unit is, in words: flags first, then its role, its keywords. */
function what(unit) {
  const known = (name) => data.words[`unit_word.${name}`];
  const [, all] = strength(unit);
  const words = [...unit.flags.map(known), unit.wounds && unit.models === 1 ? t("tt.wounds", { n: all }) : null, known(unit.role), ...unit.keywords.map(known)];
  return [...new Set(words.filter(Boolean))];
}

/** An army before the start: each unit with what it is. */
export function armyList(units) {
  return make("ul", { class: "tt-list" }, units.map((unit) => make("li", {}, make("b", { dir: "auto" }, (unit.models ?? 10) > 1 ? `${unit.models ?? 10} ${unit.name || unit.id}` : unit.name || unit.id),
    make("small", { class: "tt-what" }, [...what({ flags: [], role: "troops", keywords: [], models: 10, ...unit, wounds_now: unit.wounds, models_now: unit.models }), unit.points === undefined ? null : t("tt.points", { n: unit.points })].filter(Boolean).join(" · ")),
    unit.about ? make("small", { class: "tt-what", dir: "auto" }, unit.about) : null)));
}

/** Both sides' lists: each unit with what it is, what is left of it, and where it is. */
export function unitLists() {
  const { view } = state.position;
  return SIDES.map((side) => make("section", { class: `tt-units ${side}` }, make("h2", {}, player(side), make("small", { class: "muted" }, ` · ${sum(side)}`)),
    make("ul", { class: "tt-list" }, view.units.filter((unit) => unit.side === side).map(row))))
    .concat(view.hidden ? [make("p", { class: "muted" }, t("tt.hidden_units", { n: view.hidden }))] : []);
}

function sum(side) {
  const units = state.position.view.units.filter((unit) => unit.side === side);
  const points = units.reduce((total, unit) => total + unit.points, 0);
  return t("tt.list_sum", { n: units.length, points });
}

function row(unit) {
  const [now, all] = strength(unit);
  const secret = mine().includes(unit.side) && !isLooking() && unit.state === "concealed";
  const where = unit.state === "table" ? "" : ` · ${word("unit_state", unit.state)}`;
  return make("li", { class: GONE.includes(unit.state) ? "gone" : "" }, make("b", { dir: "auto" }, unit.name), " ",
    make("small", { class: "muted" }, secret ? t("tt.covered") : `${t("tt.models", { now, all })}${where}`),
    make("small", { class: "tt-what" }, [...what(unit), t("tt.points", { n: unit.points })].join(" · ")),
    unit.about ? make("small", { class: "tt-what", dir: "auto" }, unit.about) : null,
    make("progress", { max: all || 1, value: now, "aria-label": t("tt.models", { now, all }) }));
}
