// Below the picture while something is placed: what to choose from, half-inch steps, and the filled button's words.

import { fill, make, t, word } from "./dom.js";
import { fromEdge, inches, screenStep } from "./ground.js";
import { perform } from "./next.js";
import { called, choose, distances, fieldsOf, giveUp, isAll, keep, nudge, placed, setCount, wrongPlace } from "./placing.js";
import { letters } from "./placing_marks.js";
import { about, goes } from "./placing_rules.js";
import { state } from "./store.js";

/** @type {[string, number[], string][]} */
const ARROWS = [["←", [-0.5, 0], "tt.left"], ["↑", [0, 0.5], "tt.up"], ["↓", [0, -0.5], "tt.down"], ["→", [0.5, 0], "tt.right"]];

/** Show cards to choose from, or the steps of what lies there already. */
export function showPlacing(place, now) {
  const focused = place.contains(document.activeElement) ? document.activeElement.id : "";
  fill(place, ...(now.at ? [steps(now), counts(now)] : [cards(now)]));
  place.hidden = false;
  if (focused) document.getElementById(focused)?.focus();
}

function cards(now) {
  return make("div", { class: "tt-place-cards" }, now.all.map((one) => make("button", {
    class: `tt-place-card ${now.side}${now.done[one.key] ? " done" : ""}`, id: `place-${one.key.replace(/\W+/g, "-")}`, "aria-pressed": String(one === now.chosen), onclick: () => choose(one.key) },
  make("b", { class: "badge", "aria-hidden": "true" }, badge(one)), make("span", {}, called(one)), make("small", {}, detail(one, now)))));
}

function badge(one) { return one.act === "move" || one.act === "jump_off" ? String(one.value).slice(1) : letters(called(one)); }

function detail(one, now) {
  if (now.done[one.key]) return t("tt.is_placed");
  if (one.act === "move") return t("tt.from_edge", { n: inches(fromEdge(now.side, state.position.view.rules.markers[one.value].at)) });
  const unit = state.position.view.units.find((found) => found.id === one.value);
  return unit ? modelCount(unit.models_now) : "";
}

/** How many models, in words. */
export function modelCount(n) { return n === 1 ? t("tt.one_model") : t("tt.models_count", { n }); }

function steps(now) {
  return make("div", { class: "tt-nudges", role: "group", "aria-label": t("tt.half_inch") },
    ARROWS.map(([sign, by, name]) => make("button", { id: `nudge-${name.slice(3)}`, "aria-label": t(name), onclick: () => nudge(now, screenStep(by)) }, sign)),
    make("button", { id: "place-cancel", onclick: giveUp }, t("tt.cancel")));
}

/** How many templates a gun fires. */
function counts(now) {
  const { count } = now.chosen;
  if (!count) return null;
  const numbers = Array.from({ length: count.to - count.from + 1 }, (_, place) => count.from + place);
  return make("div", { class: "tt-chips", role: "group", "aria-label": word("act_field", "templates") }, numbers.map((n) => make("button", { class: "tt-chip", "aria-pressed": String((now.count ?? count.from) === n), onclick: () => setCount(n) }, t("tt.templates", { n }))));
}

/** What the foot shows: `{text, more, act}` for a filled button, `{text, more, strip}` for a strip. */
export function placingFoot(now) {
  if (now.many && !now.at && isAll(now)) return { text: t("tt.seal_markers", { n: Object.keys(now.done).length }), more: t("tt.nobody_sees"), act: () => send(now) };
  if (!now.at) return { text: t("tt.tap_picture"), more: t("tt.tap_for", { what: called(now.chosen) }), strip: "tap" };
  const wrong = wrongPlace(now);
  if (wrong) return { text: t("tt.not_here"), more: wrong, strip: "warn" };
  return { text: matter(now), more: now.chosen.act === "move" || now.chosen.act === "jump_off" ? about(now.chosen, now.at) : distances(now), act: () => (now.many ? keep(now) : send(now)) };
}

/** The button's matter, by the act. */
function matter(now) {
  const { chosen } = now;
  const what = called(chosen);
  if (chosen.act === "move") return t("tt.move_marker", { what, n: inches(goes(chosen, now.at)) });
  if (chosen.act === "jump_off") return t("tt.place_point", { id: String(chosen.fixed.id).slice(1) });
  const known = { deploy: "tt.place_here", place_markers: "tt.hide_here", bombard: "tt.fire_here", moved: "tt.stands_here", move_sentry: "tt.move_here", hide: "tt.hide_place_here" }[chosen.act];
  return t(known ?? "tt.set_up_here", { what });
}

async function send(now) {
  const done = await perform(now.many ? now.all[0].option : now.chosen.option, fieldsOf(now));
  if (done === true) placed();
}

/** Beside it: a patrol marker may stay where it is. */
export function stays(now) {
  if (now.chosen.act !== "move") return null;
  const { at } = state.position.view.rules.markers[now.chosen.value];
  return { text: t("tt.stay", { what: called(now.chosen) }), act: async () => { if (await perform(now.chosen.option, { marker: now.chosen.value, to: at }) === true) placed(); } };
}

/** The headline of who places something; empty: the act's own words do. */
export function placingHead(now) {
  if (now.chosen.act === "move") return t("tt.your_move");
  if (now.chosen.act === "jump_off") return t("tt.place_behind", { what: called(now.chosen) });
  return now.chosen.act === "deploy" ? t("tt.your_deploy") : "";
}
