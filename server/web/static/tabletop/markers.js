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

/** What was changed, in words; empty: nothing. */
export function changes() {
  if (!counting()) return "";
  const { holders, battleline } = current();
  const told = Object.entries(holders).map(([id, value]) => t("tt.marker_is", { id, who: holderName(value) }));
  const marks = Object.keys(battleline).filter((id) => battleline[id]).map((id) => t("tt.secures", { id }));
  return [...told, ...marks].join(" · ");
}

/** Who holds each marker as it was reported, for the one who checks it. */
export function told() {
  return lying().map(([id]) => t("tt.marker_is", { id, who: holderName(holder(id)) })).join(" · ");
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

/** The chips below the picture: each marker with its holder, what Battleline secures, and back to what was. */
export function markerChips() {
  const side = counting();
  if (!side) return [];
  const options = offered("control", side) ?? [];
  const secures = state.position.view.phase === "command" && !isDisputing()
    ? lying().map(([id]) => id).filter((id) => holder(id) === side && state.position.view.markers[id].secured !== side && options.some((option) => `markers.${id}.battleline` in option.fields)) : [];
  return [
    make("div", { class: "tt-holders" }, lying().map(([id, marker]) => make("button", { class: `tt-holder ${holder(id)}${isTouched(id) ? " changed" : ""}`, "data-marker": id, onclick: () => stepOn(id) },
      make("b", {}, id), make("span", {}, holderName(holder(id))), marker.secured ? make("small", {}, t("tt.secured")) : null))),
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

