// The result of a campaign's battle: one line a unit with its name and pips; only what was lost is tapped.

import { fill, make, t } from "./dom.js";
import { enter } from "./fields.js";
import { pips } from "./losses.js";
import { perform } from "./next.js";
import { player } from "./offers.js";
import { closeSheet, sheet, title } from "./sheet.js";
import { state } from "./store.js";

const SIDES = ["red", "blue"];
/** What was tapped so far; it outlasts the sheet. */
const draft = { lost: {}, winner: undefined, retreated: "", bombarded: [] };

/** Show the result to be sent: losses by unit, and what the battle needs besides. */
export function openReport(option) {
  draw(option);
  if (!sheet().open) sheet().showModal();
}

/** A side's units: those that may still lose something, and those that are gone already. */
function units(option, side) {
  return state.position.view.units.filter((unit) => unit.side === side && (isLeft(option, unit) || unit.state === "destroyed"));
}
function isLeft(option, unit) { return Boolean(option.fields[`losses.${unit.id}.lost`]); }

function draw(option) {
  const focused = document.activeElement?.id;
  const { winner, retreated, bombarded } = option.fields;
  const needs = winner && !winner.optional;
  const send = make("button", { class: `primary ${option.by}`, id: "do-act", disabled: needs && draft.winner === undefined, onclick: () => submit(option) }, make("b", {}, t("tt.send_result")), make("small", {}, summary(option)));
  fill(sheet(), title(t("tt.result_of_battle")), make("p", { class: "muted" }, t("tt.only_losses")),
    needs ? choice(option, "winner", t("tt.who_won"), [...SIDES.map((side) => [side, player(side)]), ["", t("tt.draw")]], draft.winner, (value) => { draft.winner = value; }) : null,
    retreated ? choice(option, "retreated", t("tt.who_retreated"), [["", t("tt.no_control")], ...SIDES.map((side) => [side, player(side)])], draft.retreated, (value) => { draft.retreated = value; }) : null,
    SIDES.map((side) => (units(option, side).length ? make("section", { class: `tt-form ${side}` }, make("h3", {}, player(side)), units(option, side).map((unit) => line(option, unit))) : null)),
    bombarded?.some_of.of.length ? make("section", { class: "tt-segment", role: "group" }, make("span", {}, t("tt.bombarded")), bombarded.some_of.of.map((id) => make("button", { id: `bombarded-${id}`, "aria-pressed": String(draft.bombarded.includes(id)), onclick: () => { draft.bombarded = draft.bombarded.includes(id) ? draft.bombarded.filter((one) => one !== id) : [...draft.bombarded, id]; draw(option); } }, enter.named(id)))) : null,
    make("p", { role: "alert", class: "bad", id: "report-said" }), make("p", { class: "tt-buttons" }, make("button", { onclick: closeSheet }, t("tt.cancel")), send));
  if (focused) document.getElementById(focused)?.focus();
}

/** A unit: what is left of it, and two buttons. */
function line(option, unit) {
  if (!isLeft(option, unit)) return make("div", { class: "tt-tally gone", "data-unit": unit.id }, make("span", {}, make("b", {}, unit.name), make("small", {}, t("tt.destroyed"))));
  const { to: left } = option.fields[`losses.${unit.id}.lost`].integer;
  const lost = Math.min(left, draft.lost[unit.id] ?? 0);
  const before = lostBefore(unit);
  const step = (by) => () => { draft.lost[unit.id] = Math.max(0, Math.min(left, lost + by)); draw(option); };
  return make("div", { class: "tt-tally", "data-unit": unit.id }, make("span", {}, make("b", {}, unit.name), pips(left, Math.max(unit.models, left), lost), make("small", {}, lost >= left ? t("tt.destroyed") : lost || before ? t("tt.lost_of", { n: before + lost, left: left - lost }) : t("tt.no_losses"))),
    make("button", { id: `back-${unit.id}`, "aria-label": `${unit.name}: ${t("tt.fewer")}`, disabled: !lost, onclick: step(-1) }, "−"),
    make("button", { id: `lost-${unit.id}`, "aria-label": `${unit.name}: ${t("tt.more_lost")}`, disabled: lost >= left, onclick: step(1) }, "+"));
}

/** What a unit has lost in the battle so far: what was told then stands in the result. */
function lostBefore(unit) { return state.position.view.rules.lost?.[unit.id] ?? 0; }

function choice(option, id, name, values, value, set) {
  return make("div", { class: "tt-segment", role: "group", "aria-label": name }, make("span", {}, name),
    values.map(([key, text]) => make("button", { id: `${id}-${key || "none"}`, "aria-pressed": String(key === value), onclick: () => { set(key); draw(option); } }, text)));
}

function summary(option) {
  return SIDES.map((side) => `${player(side)}: ${t("tt.count_lost", { n: units(option, side).reduce((sum, unit) => sum + (isLeft(option, unit) ? lostBefore(unit) + (draft.lost[unit.id] ?? 0) : unit.models), 0) })}`).join(" · ");
}

async function submit(option) {
  const fields = {};
  for (const side of SIDES) for (const unit of units(option, side)) if (isLeft(option, unit) && draft.lost[unit.id]) fields[`losses.${unit.id}.lost`] = draft.lost[unit.id];
  if (draft.winner !== undefined) fields.winner = draft.winner;
  if (draft.retreated) fields.retreated = draft.retreated;
  if (draft.bombarded.length) fields.bombarded = draft.bombarded;
  const done = await perform(option, fields);
  if (done === true) closeSheet();
  else document.getElementById("report-said").textContent = done;
}
