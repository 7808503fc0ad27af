// Placing on the picture: choose what, tap where. The filled button then names it with its distances.

import { t, word } from "./dom.js";
import { enter } from "./fields.js";
import { fromEdge, inches, isInside, nearestWithin, snapped } from "./ground.js";
import { far, ground } from "./placing_rules.js";
import { changed, state } from "./store.js";

const SUBJECTS = ["unit", "marker", "sentry", "place", "feature"];
const POINTS = ["at", "to", "aim"];
const MOST_TEMPLATES = 5;

/** What is being placed: for which question, what was chosen, where it lies now, what lies there already (`place_markers`). */
const draft = { question: "", asked: /** @type {any[] | null} */ (null), key: "", at: null, done: {}, count: undefined };

/** The things that an act places, each `{key, option, subject, value, point, area, places, fixed}`; empty: it asks for more than a tap. */
function things(option) {
  if (option.do === "place_markers") return hidden(option);
  const names = Object.keys(option.fields);
  const needed = names.filter((name) => !option.fields[name].optional);
  const point = names.find((name) => POINTS.includes(name) && (option.fields[name].point || isPlaces(option.fields[name].one_of)));
  const subject = names.find((name) => SUBJECTS.includes(name) && option.fields[name].one_of && (needed.includes(name) || option.fields[name].one_of.length === 1));
  const others = needed.filter((name) => name !== point && name !== subject);
  if (!point || !others.every((name) => option.fields[name].one_of && (name === "id" || option.fields[name].one_of.length === 1))) return [];
  const fixed = Object.fromEntries(others.map((name) => [name, option.fields[name].one_of[0]]));
  const count = option.fields.templates?.integer;
  return (subject ? option.fields[subject].one_of : [""]).map((value) => ({
    key: JSON.stringify([value, fixed.pair ?? null]), option, subject, value, point, fixed, act: option.do,
    area: option.fields[point].point ?? [], places: option.fields[point].one_of ?? null, count: count && count.to <= MOST_TEMPLATES ? count : null,
  }));
}

function isPlaces(values) { return Array.isArray(values) && values.every((value) => Array.isArray(value) && value.length === 2 && value.every(Number.isFinite)); }

/** Set-up markers are put down one by one, and sealed all at once. */
function hidden(option) {
  const markers = Object.entries(option.fields).filter(([, choice]) => choice.point).map(([name, choice]) => ({
    key: name, option, subject: name, value: name.split(".").at(-1), point: name, fixed: {}, act: "place_markers", area: choice.point, places: null, count: null }));
  const decoys = option.fields.decoys?.points;
  const more = decoys ? Array.from({ length: decoys.to }, (_, place) => ({
    key: `decoy ${place + 1}`, option, subject: "decoys", value: place + 1, point: "decoys", fixed: {}, act: "place_markers", area: decoys.in, places: null, count: null, spare: true })) : [];
  return [...markers, ...more];
}

/** Say whether an act is done by tapping the picture. */
export function isPlaced(options) { return options.some((option) => things(option).length); }

/** Place something that nobody waits for: until it is done, or given up. */
export function beginPlacing(options) {
  Object.assign(draft, { asked: options, key: "", at: null });
  changed();
}

/**
 * What is placed now: the side, the things to choose from, the chosen one, where it lies; null where nothing is.
 * @param {any[] | null} step the ways of the awaited act
 */
export function placing(step) {
  if (state.at !== null || !state.position?.viewer) return null;
  const options = draft.asked ?? step;
  const found = options?.flatMap(things) ?? [];
  if (!found.length) return null;
  const question = JSON.stringify([options[0].do, options[0].by, state.position.view.stage]);
  if (draft.question !== question) Object.assign(draft, { question, key: "", at: null, done: {}, count: undefined });
  const chosen = found.find((one) => one.key === draft.key) ?? found.find((one) => !draft.done[one.key] && !one.spare) ?? found[0];
  if (chosen.key !== draft.key) Object.assign(draft, { key: chosen.key, at: null });
  if (!draft.at && chosen.places?.length === 1) draft.at = chosen.places[0]; // there is one place only: on its marker
  return { side: options[0].by, all: found, chosen, at: draft.at, done: draft.done, many: found[0].act === "place_markers", asked: Boolean(draft.asked), count: draft.count };
}

export function choose(key) { Object.assign(draft, { key, at: draft.done[key] ?? null, count: undefined }); changed(); }
export function setCount(count) { draft.count = count; changed(); }

/** The thing lies here now: in half inches unless it is exact, or at the nearest of the places there are. */
export function putAt(now, at, exact = false) {
  const { chosen } = now;
  const spots = chosen.places ?? [];
  const wedge = ground(chosen);
  if (wedge) draft.at = wedge.edges.length ? nearestWithin(at, wedge.edges) : snapped(at);
  else draft.at = spots.length ? [...spots].sort((one, other) => Math.hypot(one[0] - at[0], one[1] - at[1]) - Math.hypot(other[0] - at[0], other[1] - at[1]))[0] : exact ? at : snapped(at);
  changed();
}

/** Move it by some inches: half an inch, with keys also a tenth or six. @param {any} now @param {number[]} by */
export function nudge(now, by) {
  if (!now.at) return;
  const { width, height } = state.position.view;
  const at = [0, 1].map((axis) => Math.round(Math.min([width, height][axis], Math.max(0, now.at[axis] + by[axis])) * 1000) / 1000);
  const edges = ground(now.chosen)?.edges ?? [];
  draft.at = edges.length ? nearestWithin(at, edges) : at;
  changed();
}

export function giveUp() {
  Object.assign(draft, { at: null, asked: null });
  changed();
}

/** It is placed: the fields of its act, or null where more of its kind are placed first. */
export function fieldsOf(now) {
  const { chosen, at } = now;
  if (!now.many) return { ...chosen.fixed, ...(chosen.subject ? { [chosen.subject]: chosen.value } : {}), [chosen.point]: at, ...(now.count === undefined ? {} : { templates: now.count }) };
  const fields = {};
  for (const one of now.all) {
    const place = now.done[one.key];
    if (place && one.spare) (fields.decoys ??= []).push(place);
    else if (place) fields[one.point] = place;
  }
  return fields;
}

/** Keep a set-up marker where it lies, and go on to the next. */
export function keep(now) {
  draft.done = { ...draft.done, [now.chosen.key]: now.at };
  Object.assign(draft, { key: "", at: null });
  changed();
}

/** What was placed is known to the referee. */
export function placed() { Object.assign(draft, { question: "", asked: null, at: null, done: {} }); }

/** Say whether all that must be put down lies somewhere. */
export function isAll(now) { return now.all.every((one) => one.spare || now.done[one.key]); }

/** What a thing is called. */
export function called(one) {
  if (one.spare) return t("tt.decoy", { n: one.value });
  if (one.act === "move" || one.act === "jump_off") {
    const pair = one.fixed.pair?.map((id) => id.slice(1)).join(", ");
    const name = t("tt.marker", { id: String(one.value).slice(1) });
    return pair && isTwice(one) ? `${name} (${pair})` : name;
  }
  return one.value === "" ? word("act", one.act) : enter.named(one.value);
}

function isTwice(one) { return state.position.open.filter((option) => option.do === one.act && option.fields.marker?.one_of?.[0] === one.value).length > 1; }

/** Why a thing may not lie where it lies, with the inches that are missing; empty: it may. */
export function wrongPlace({ chosen, at }) {
  const own = far(chosen, at);
  if (own) return own;
  if (ground(chosen) || chosen.places || chosen.act === "move") return "";
  const areas = chosen.area.filter((polygon) => polygon.length);
  if (!areas.length || areas.some((polygon) => isInside(at, polygon))) return "";
  const near = nearestWithin(at, areas);
  return t("tt.outside_by", { n: inches(Math.hypot(near[0] - at[0], near[1] - at[1])) });
}

/** The distances of where a thing lies. */
export function distances({ side, chosen, at }) {
  const edge = t("tt.from_edge", { n: inches(fromEdge(side, at)) });
  const enemies = state.position.view.units.filter((unit) => unit.side !== side && unit.at && unit.state === "table").map((unit) => ({ unit, away: Math.hypot(unit.at[0] - at[0], unit.at[1] - at[1]) })).sort((one, other) => one.away - other.away);
  const enemy = enemies.length && state.position.view.stage === "battle" ? t("tt.from_enemy", { n: inches(enemies[0].away), who: enemies[0].unit.name }) : "";
  const inside = chosen.act === "deploy" || chosen.act === "set_up" || chosen.act === "place_markers" ? chosen.area.some((polygon) => polygon.length) ? t("tt.inside_zone") : "" : "";
  return [edge, enemy, inside].filter(Boolean).join(" · ");
}
