// Who holds the markers, told by tapping them: what was last true stands there, and only what was touched is sent.

import { fill, make, t } from "./dom.js";
import { offered, player } from "./offers.js";
import { changed, mine, state } from "./store.js";

const HOLDERS = ["red", "contested", "blue", "none"];
/** What was touched for one question: holders and marks by marker. */
let draft = { question: "", holders: {}, battleline: {}, disputes: false };

function question() {
  const { view, awaiting } = state.position;
  return [view.round, view.turn, view.phase, awaiting.for, awaiting.side].join("/");
}

function current() {
  const now = question();
  if (draft.question !== now) draft = { question: now, holders: {}, battleline: {}, disputes: false };
  return draft;
}

/** The side that may tell who holds the markers now by tapping them: its report is awaited, or it disputes one. */
export function counting() {
  const { awaiting, viewer } = state.position;
  if (!viewer || state.at !== null) return "";
  const side = mine().find((one) => awaiting.side === one || awaiting.side === "both");
  const options = side && offered("control", side);
  if (!options?.some(byHolder)) return "";
  return awaiting.for === "control" || current().disputes ? side : "";
}

function byHolder(option) { return Object.keys(option.fields).some((name) => name.endsWith(".holder")); }

/** Who holds a marker: as it was touched, else as it was last told. */
export function holder(id) {
  const marker = state.position.view.markers[id];
  return current().holders[id] ?? marker.holder ?? (marker.control || "none");
}

export function isTouched(id) { return id in current().holders; }

/** The next holder of a marker: one step on, from one's own side. */
export function stepOn(id) {
  if (!counting()) return;
  const order = counting() === "blue" ? [...HOLDERS].reverse() : HOLDERS;
  const own = order.indexOf(holder(id));
  const marker = state.position.view.markers[id];
  const value = order[(own + 1) % order.length];
  current().holders[id] = value;
  if (value === (marker.holder ?? (marker.control || "none")) && !current().disputes) delete current().holders[id];
  if (value !== counting()) delete current().battleline[id];
  changed();
}

function lying() { return Object.entries(state.position.view.markers).filter(([, marker]) => !marker.removed); }

/** The name of who holds a marker. */
export function holderName(value) {
  return value === "contested" ? t("tt.contested") : value === "none" || !value ? t("tt.no_control") : player(value);
}

/** Who holds these markers, by holder. @param {string[]} ids */
function inWords(ids) {
  return HOLDERS.map((value) => ({ value, held: ids.filter((id) => holder(id) === value) })).filter(({ held }) => held.length)
    .map(({ value, held }) => t(held.length > 1 ? "tt.markers_are" : "tt.marker_is", { id: held.join(", "), who: holderName(value) }));
}

/** What was changed, in words; empty: nothing. */
export function changes() {
  if (!counting()) return "";
  const { holders, battleline } = current();
  const marks = Object.keys(battleline).filter((id) => battleline[id]).map((id) => t("tt.secures", { id }));
  return [...inWords(Object.keys(holders)), ...marks].join(" · ");
}

/** Say whether a marker is reported as another's than the one who controlled it last. */
function isChanged(id) { return ["red", "blue"].find((side) => side === holder(id)) !== (state.position.view.markers[id].control || undefined); }

/** What a report changes, for the one who checks it: who holds which marker; the rest is as it was. */
export function told() {
  const ids = lying().map(([id]) => id).filter(isChanged);
  const rest = ids.length < lying().length ? [t(ids.length ? "tt.rest_as_before" : "tt.as_before")] : [];
  return [...inWords(ids), ...rest].join(" · ");
}

/** Say whether a report of holders is being checked: both phones show what it says. */
function isBeingChecked() {
  const { view, awaiting } = state.position;
  return view.stage === "battle" && awaiting.for === "confirm" && mine().some((side) => offered("control", side)?.some(byHolder));
}

/** The fields of the report: what was touched; a count against the other's names every marker. */
export function reported() {
  const { holders, battleline, disputes } = current();
  const fields = {};
  for (const [id] of disputes ? lying() : Object.entries(holders)) fields[`markers.${id}.holder`] = holder(id);
  for (const [id, on] of Object.entries(battleline)) if (on) fields[`markers.${id}.battleline`] = true;
  return fields;
}

export function isDisputing() { return Boolean(counting()) && current().disputes; }

/** Begin, or give up, a count of one's own against the one that is to be confirmed. */
export function dispute(on) {
  draft = { question: question(), holders: {}, battleline: {}, disputes: on };
  changed();
}

function asBefore() { dispute(current().disputes); }

/** What a chip says of a marker: its number, its holder, and whether it is secured. */
function chipOf([id, marker]) {
  return [make("b", {}, id), make("span", {}, holderName(holder(id))), marker.secured ? make("small", {}, t("tt.secured")) : null];
}

/** The chips below the picture: each marker with its holder, what Battleline secures, and back to what was. */
export function markerChips() {
  const side = counting();
  if (!side && isBeingChecked()) return [make("div", { class: "tt-holders" }, lying().map((one) => make("div", { class: `tt-holder ${holder(one[0])}${isChanged(one[0]) ? " changed" : ""}` }, chipOf(one))))];
  if (!side) return [];
  const options = offered("control", side) ?? [];
  const secures = state.position.view.phase === "command" && !isDisputing()
    ? lying().map(([id]) => id).filter((id) => holder(id) === side && state.position.view.markers[id].secured !== side && options.some((option) => `markers.${id}.battleline` in option.fields)) : [];
  return [
    make("div", { class: "tt-holders" }, lying().map((one) => make("button", { class: `tt-holder ${holder(one[0])}${isTouched(one[0]) ? " changed" : ""}`, "data-marker": one[0], onclick: () => stepOn(one[0]) }, chipOf(one)))),
    make("div", { class: "tt-chips" },
      secures.map((id) => make("button", { class: "tt-chip", "aria-pressed": String(Boolean(current().battleline[id])), onclick: () => { current().battleline[id] = !current().battleline[id]; changed(); } }, t("tt.secures", { id }))),
      changes() && !isDisputing() ? make("button", { class: "tt-chip", onclick: asBefore }, t("tt.as_before")) : null),
  ];
}

/** Show the chips where the report is told by tapping. */
export function showMarkers(place) {
  const focused = place.contains(document.activeElement) ? document.activeElement.getAttribute("data-marker") : null;
  const shown = state.position && state.info.status === "playing" ? markerChips() : [];
  fill(place, ...shown);
  place.hidden = !shown.length;
  if (focused) place.querySelector(`[data-marker="${CSS.escape(focused)}"]`)?.focus();
}

