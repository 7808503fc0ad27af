// One field of an act as something to touch: buttons, switches, steppers, a place on the table.

import { data, make, t, word } from "./dom.js";
import { fromEdge, inches } from "./ground.js";
import { placeOn } from "./place.js";
import { mine, state } from "./store.js";

export const enter = { named };

/** What a marker is called: by its number, a hiding place, or by its own word (the objective). */
function markerName(id) {
  const hiding = /^p(\d+)$/.exec(id);
  if (hiding) return t("tt.hiding_place", { n: hiding[1] });
  return data.words?.[`table_word.${id}`] ? word("table_word", id).replace(/^./, (first) => first.toUpperCase()) : t("tt.marker", { id });
}

/** A value as people call it: a unit by its name, a word by its translation. */
function named(value) {
  if (value === true) return t("tt.yes");
  if (value === false) return t("tt.no");
  if (value === "" || value === null) return t("tt.no_control");
  const unit = state.position?.view.units.find((one) => one.id === value);
  if (unit) return unit.name;
  if (Array.isArray(value)) return value.map(named).join(", ");
  if (typeof value !== "string") return typeof value === "object" ? JSON.stringify(value) : String(value);
  const player = state.info?.seats.find((seat) => seat.side === value);
  if (player?.name) return player.name;
  const stratagem = state.rules?.stratagems?.[value];
  if (stratagem) return stratagem.name;
  if (data.missions?.[value]) return data.missions[value];
  if (state.position?.view.markers[value]) return markerName(value);
  const patrol = state.position?.view.rules.markers?.[value];
  if (patrol) return t("tt.marker_of", { id: value.slice(1), who: state.info.seats.find((seat) => seat.side === patrol.side)?.name || word("table", patrol.side) });
  const numbered = /^[a-z](\d+)$/.exec(value);
  if (numbered) return numbered[1];
  const table = NAMED.find((one) => data.words?.[`${one}.${value}`]);
  const text = word(table ?? "table", value);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Where words of values are looked up, in this order. */
const NAMED = ["table", "table_word", "slot", "zone", "unit_state", "table_phase", "stage"];

/** A field with its title; *set* hears of every change, `undefined` for "left out". */
export function field(name, choice, set, context) {
  const kind = Object.keys(choice).find((key) => key !== "optional");
  const title = word("act_field", name.split(".").at(-1));
  const counted = kind === "integer" && context.act === "control"; // nobody near a marker is a report, too
  const body = KINDS[kind](choice[kind], set, choice.optional && !counted, context, title);
  const path = name.split(".").slice(0, -1).filter((part) => part !== "markers");
  const where = path.length ? `${path.map((part) => (part === "oc" ? "OC" : named(part))).join(" · ")} · ` : "";
  return make("fieldset", { class: `tt-field ${kind}`, "data-field": name },
    make("legend", {}, where + title, choice.optional ? make("small", {}, ` ${t("tt.optional")}`) : null), body);
}

const KINDS = { one_of: oneOf, some_of: someOf, integer, point, points, boolean, text };

function oneOf(values, set, optional) {
  const chosen = !optional && values.length === 1 ? values[0] : undefined;
  if (chosen !== undefined) set(chosen);
  const buttons = values.map((value) => {
    const button = make("button", { type: "button", "aria-pressed": value === chosen, "data-value": JSON.stringify(value) }, named(value));
    button.setAttribute("aria-pressed", String(value === chosen));
    button.onclick = () => {
      const off = optional && button.getAttribute("aria-pressed") === "true";
      for (const other of buttons) other.setAttribute("aria-pressed", String(!off && other === button));
      set(off ? undefined : value);
    };
    return button;
  });
  return make("div", { class: "tt-choices" }, buttons);
}

/** How many there can be: "2 to 4", or "4" if no other number is allowed. */
export function limits({ from, to }) { return from === to ? String(to) : t("tt.from_to", { from, to }); }

function someOf({ of, from, to }, set, optional) {
  const chosen = new Set(from >= of.length ? of : []);
  const tell = () => {
    const list = of.filter((value) => chosen.has(value));
    set(list.length < from || list.length > to ? undefined : optional && !list.length ? undefined : list);
  };
  const buttons = of.map((value) => {
    const button = make("button", { type: "button", "data-value": JSON.stringify(value) }, named(value));
    button.setAttribute("aria-pressed", String(chosen.has(value)));
    button.onclick = () => {
      if (chosen.has(value)) chosen.delete(value);
      else chosen.add(value);
      button.setAttribute("aria-pressed", String(chosen.has(value)));
      tell();
    };
    return button;
  });
  tell();
  return make("div", { class: "tt-choices" }, buttons, make("small", { class: "muted" }, limits({ from, to })));
}

function integer({ from, to }, set, optional) {
  let value = optional ? undefined : from;
  const shown = make("output", {}, value === undefined ? "–" : String(value));
  const step = (by) => () => {
    value = value === undefined ? from : Math.min(to, Math.max(from, value + by));
    shown.textContent = String(value);
    set(value);
  };
  if (value !== undefined) set(value);
  const typed = make("input", { type: "number", min: from, max: to, inputmode: "numeric", "aria-label": limits({ from, to }) });
  typed.oninput = () => { if (typed.value !== "") { value = Number(typed.value); step(0)(); } };
  return make("div", { class: "tt-stepper" },
    make("button", { type: "button", "aria-label": "−", onclick: step(-1) }, "−"), shown,
    make("button", { type: "button", "aria-label": "+", onclick: step(1) }, "+"),
    to - from > 12 ? typed : null, make("small", { class: "muted" }, limits({ from, to })));
}

function boolean(_, set, optional) {
  return oneOf([true, false], set, optional);
}

function text({ max }, set, optional, context, title) {
  return make("input", { maxlength: max, "aria-label": title, oninput: (event) => set(event.target.value.trim() || undefined) });
}

/** What is placed, as the heading over the table: the act, and whom it is about. */
function placing(title, { act, values }) {
  const what = values.marker ?? values.unit ?? values.id;
  return `${word("act", act)}: ${what === undefined ? title : named(what)}`;
}

function point(polygons, set, optional, context, title) {
  const button = make("button", { type: "button", class: "tt-place" }, t("tt.place"));
  button.onclick = async () => {
    const at = await placeOn({ polygons, title: placing(title, context), ...context });
    if (!at) return;
    set(at);
    button.textContent = distanceText(at);
  };
  return button;
}

/** How far a chosen place is from the own edge. */
function distanceText(at) { return t("tt.from_edge", { n: inches(fromEdge(mine()[0] ?? "red", at)) }); }

function points({ in: polygons, from, to }, set, optional, context, title) {
  const list = [];
  const shown = make("ol", {});
  const button = make("button", { type: "button", class: "tt-place" }, t("tt.place"));
  const tell = () => {
    shown.replaceChildren(...list.map((at, place) => make("li", {}, `${distanceText(at)} `,
      make("button", { type: "button", class: "quiet", "aria-label": t("tt.drop"), onclick: () => { list.splice(place, 1); tell(); } }, "×"))));
    button.disabled = list.length >= to;
    set(list.length < from ? undefined : [...list]);
  };
  button.onclick = async () => {
    const at = await placeOn({ polygons, title: placing(title, context), placed: list, ...context });
    if (at) { list.push(at); tell(); }
  };
  return make("div", {}, shown, button, make("small", { class: "muted" }, limits({ from, to })));
}
