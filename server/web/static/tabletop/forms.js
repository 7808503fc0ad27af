// Formations on one sheet: leaders, split squads, transports and reserves at once; sealed until both are in.

import { fill, make, t } from "./dom.js";
import { perform } from "./next.js";
import { offered } from "./offers.js";
import { modelCount } from "./placing_panel.js";
import { letters } from "./placing_marks.js";
import { closeSheet, sheet, title } from "./sheet.js";
import { state } from "./store.js";

const NUMERALS = ["I", "II"];
/** What was chosen, by unit: squads, whom a leader leads, where a unit is. It outlasts the sheet and a broken seal. */
const chosen = { split: {}, attached: {}, where: {} };
const FOOT = "";
const RESERVE = "reserve";

function own(side) { return state.position.view.units.filter((unit) => unit.side === side && unit.state !== "destroyed"); }
function isLeader(unit) { return unit.flags.includes("leader"); }
function maySplit(unit) { return unit.flags.includes("patrol_squads") && unit.models_now > 1; }
function halves(unit) { const half = Math.floor(unit.models_now / 2); return [unit.models_now - half, half]; }

/** A unit or each of its squads: what goes somewhere by itself. */
function parts(unit) {
  if (!chosen.split[unit.id]) return [{ id: unit.id, name: unit.name, models: unit.models_now, capacity: unit.capacity }];
  return halves(unit).map((models, place) => ({ id: `${unit.id}_${place + 1}`, name: `${unit.name} ${NUMERALS[place]}`, models, capacity: 0 }));
}

function bodies(side) { return own(side).filter((unit) => !isLeader(unit) && !unit.capacity).flatMap(parts); }

/** Let one choose; what does not fit together any more is put right first. */
export function openForms(side) {
  draw(side);
  if (!sheet().open) sheet().showModal();
}

function tidy(side) {
  const ids = new Set(bodies(side).map((part) => part.id));
  const led = new Set();
  for (const unit of own(side).filter(isLeader)) {
    const id = chosen.attached[unit.id];
    if (id && (!ids.has(id) || led.has(id))) delete chosen.attached[unit.id];
    else if (id) led.add(id);
  }
  const transports = new Set(own(side).filter((unit) => unit.capacity && chosen.where[unit.id] !== "gone").map((unit) => unit.id));
  const known = new Set(own(side).flatMap((unit) => parts(unit)).map((part) => part.id));
  for (const [id, where] of Object.entries(chosen.where)) if (!known.has(id) || (where && where !== RESERVE && !transports.has(where))) delete chosen.where[id];
  for (const unit of own(side).filter(isLeader)) if (chosen.attached[unit.id]) delete chosen.where[unit.id];
}

function aboard(side, transport, without = "") {
  const inside = own(side).flatMap(parts).filter((part) => part.id !== without && chosen.where[part.id] === transport);
  return inside.reduce((sum, part) => sum + part.models + led(side, part.id), 0);
}

/** The models of the leader who is with a unit. */
function led(side, id) { return own(side).filter((unit) => chosen.attached[unit.id] === id).reduce((sum, unit) => sum + unit.models_now, 0); }

function draw(side) {
  tidy(side);
  const send = make("button", { class: `primary ${side}`, id: "do-act", onclick: () => seal(side) }, make("b", {}, t("tt.seal_formations")), make("small", {}, summary(side)));
  const focused = document.activeElement?.id;
  fill(sheet(), title(t("tt.formations")), make("p", { class: "muted" }, t("tt.only_you_see")),
    own(side).map((unit) => card(side, unit)),
    make("p", { role: "alert", class: "bad", id: "forms-said" }),
    make("p", { class: "tt-buttons" }, make("button", { onclick: closeSheet }, t("tt.cancel")), send));
  if (focused) document.getElementById(focused)?.focus();
}

function card(side, unit) {
  const rows = [];
  if (maySplit(unit)) {
    const [one, other] = halves(unit);
    rows.push(segment(side, unit.id, "split", [[false, t("tt.one_unit", { n: unit.models_now })], [true, one === other ? t("tt.two_units", { n: one }) : t("tt.two_uneven", { one, other })]], Boolean(chosen.split[unit.id]), (value) => { chosen.split[unit.id] = value; }));
  }
  if (isLeader(unit)) {
    const free = bodies(side).filter((part) => !own(side).some((other) => other.id !== unit.id && chosen.attached[other.id] === part.id));
    rows.push(segment(side, unit.id, "with", [["", t("tt.alone")], ...free.map((part) => [part.id, t("tt.with_unit", { unit: part.name })])], chosen.attached[unit.id] ?? "", (value) => { chosen.attached[unit.id] = value; }));
  }
  if (!isLeader(unit) || !chosen.attached[unit.id]) rows.push(...parts(unit).map((part) => segment(side, part.id, "where", places(side, part), chosen.where[part.id] ?? FOOT, (value) => { chosen.where[part.id] = value; }, part.name === unit.name ? "" : part.name)));
  const seats = unit.capacity ? t("tt.seats_taken", { n: aboard(side, unit.id), all: unit.capacity }) : "";
  return make("section", { class: `tt-form ${side}` },
    make("h3", {}, make("b", { class: "badge", "aria-hidden": "true" }, letters(unit.name)), " ", unit.name, " ",
      make("small", {}, [modelCount(unit.models_now), isLeader(unit) ? t("tt.leader") : "", seats].filter(Boolean).join(" · "))), rows);
}

/** Where a unit may be: on the table, in a transport with room for it, in reserve. */
function places(side, part) {
  const room = part.capacity ? [] : own(side).filter((unit) => unit.capacity && aboard(side, unit.id, part.id) + part.models + led(side, part.id) <= unit.capacity);
  return [[FOOT, t(part.capacity ? "tt.on_table" : "tt.on_foot")], ...room.map((unit) => [unit.id, t("tt.in_transport", { unit: unit.name })]), [RESERVE, t("tt.hold_back")]];
}

function segment(side, id, kind, options, value, set, name = "") {
  return make("div", { class: "tt-segment", role: "group", "aria-label": name || id, "data-form": `${kind}-${id}` }, name ? make("span", {}, name) : null,
    options.map(([key, text]) => make("button", { id: `form-${kind}-${id}-${key}`, "aria-pressed": String(key === value), onclick: () => { set(key); draw(side); } }, text)));
}

/** What comes of it: how many are placed, aboard and in reserve. */
function summary(side) {
  const all = own(side).filter((unit) => !chosen.attached[unit.id]).flatMap(parts);
  const reserve = all.filter((part) => chosen.where[part.id] === RESERVE).length;
  const inside = all.filter((part) => chosen.where[part.id] && chosen.where[part.id] !== RESERVE).length;
  return [t("tt.to_place", { n: all.length - reserve - inside }), inside ? t("tt.aboard", { n: inside }) : "", reserve ? t("tt.reserve_count", { n: reserve }) : ""].filter(Boolean).join(" · ");
}

async function seal(side) {
  const [option] = offered("formations", side) ?? [];
  if (!option) { closeSheet(); return; }
  const split = Object.fromEntries(own(side).filter((unit) => chosen.split[unit.id]).map((unit) => [unit.id, halves(unit)]));
  const attached = Object.fromEntries(Object.entries(chosen.attached).filter(([, id]) => id));
  const where = Object.entries(chosen.where).filter(([id]) => !attached[id]);
  const embarked = Object.fromEntries(where.filter(([, place]) => place && place !== RESERVE));
  const reserves = where.filter(([, place]) => place === RESERVE).map(([id]) => id);
  const done = await perform(option, { split, attached, embarked, reserves });
  if (done === true) closeSheet();
  else document.getElementById("forms-said").textContent = done;
}
