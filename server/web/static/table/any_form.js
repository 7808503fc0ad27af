// A form that can write any order there is: for what the map and the lists do not offer, and to change what was written.

import { t } from "../texts.js";
import { button, field, h, newId, openDialog, redraw, select, tick } from "./dom.js";
import { casualties, choicesFor, unitsOf } from "./choices.js";
import { kindsOf } from "./kinds.js";
import { ordered } from "./ordered.js";
import { sentence } from "./sentences.js";

const LISTED = ["casualties", "picks"]; // kinds that are lists of units
const OTHER = "?"; // another hex than those that are named
const TYPED = ["enemy", "friend", "seen_detachment", "place"]; // kinds that may also be the number of any hex

/** Ask for an order; `done(order)`. `order` is the one to change, if any. `phase` may be a later one. */
export function anyForm(table, phase, order, done, title = "") {
  const { position } = table, kinds = kindsOf(phase), head = newId();
  const values = { ...(order ?? {}) }, typed = new Set();
  let type = order?.type ?? Object.keys(kinds)[0];
  const place = h("div", { class: "stack" });
  const draw = () => redraw(place,
    field(t("table.any.type"), select(Object.keys(kinds).map((each) => [each, t(`table.type.${each}`)]), type, (value) => { type = value; draw(); }, "type")),
    why(type) ? h("p", { class: "muted small" }, why(type)) : null,
    (kinds[type] ?? []).map((each) => input(each)));
  const input = ({ name, kind, needed, keeps, choices: words }) => {
    const label = t(`table.field.${name}`) + (needed ? "" : ` (${t("table.any.optional")})`);
    const set = (value) => { if (value === "" || value === undefined || (Array.isArray(value) && !value.length)) delete values[name]; else values[name] = value; };
    if (kind === "flag" && keeps) {
      const answers = [["", t("table.any.leave")], ["yes", t(`table.${name}`)], ["no", t(`table.not_${name}`)]];
      return field(label, select(answers, { true: "yes", false: "no" }[values[name]] ?? "", (value) => set(value && value === "yes"), name));
    }
    if (kind === "flag") return tick(label, Boolean(values[name]), (value) => set(value || undefined), name);
    if (kind === "new_units") return h("p", { class: "muted small" }, t("table.any.units", { n: values.units?.length ?? 0 }));
    if (LISTED.includes(kind)) return ordered(casualties(position, name, values.battle), values[name] ?? [], set, label);
    if (kind === "own_units") return ordered(unitsOf(position, name, values.detachment), values[name] ?? [], set, label);
    const choices = choicesFor(table, { phase, type, name, kind, words, values });
    if (choices) return chosen(name, kind, label, choices, set);
    const list = kind === "hexes" || kind === "path";
    const box = h("input", { type: kind === "number" ? "number" : "text", value: list ? (values[name] ?? []).join(" ") : String(values[name] ?? ""), "data-key": name,
      oninput: () => set(kind === "number" ? (box.value === "" ? "" : Number(box.value)) : list ? box.value.split(/[\s,]+/).filter(Boolean) : box.value.trim()) });
    return field(label, box, list ? t("table.any.hexes_hint", { example: `${position.label(0)} ${position.label(1)}` }) : null);
  };
  const chosen = (name, kind, label, choices, set) => {
    const known = choices.flatMap(([value, text]) => (Array.isArray(text) ? text.map(([inner]) => inner) : [value])), now = values[name] ?? "";
    const free = TYPED.includes(kind), other = free && (typed.has(name) || (now !== "" && !known.includes(now)));
    const all = [["", "–"], ...choices, ...(free ? [[OTHER, t("table.any.other_hex")]] : now && !known.includes(now) ? [[now, now]] : [])];
    const take = (value) => {
      if (value === OTHER) typed.add(name); else typed.delete(name);
      set(value === OTHER ? "" : value);
      draw();
    };
    const box = other ? h("input", { type: "text", inputmode: "numeric", value: now, "data-key": `${name}-hex`, oninput: () => { set(box.value.trim()); seen.textContent = seenAs(box.value.trim()); } }) : null;
    const seenAs = (value) => (position.grid.find(value) >= 0 ? position.describe(position.grid.find(value)) : t("table.any.hex_hint", { example: position.label(0) }));
    const seen = other ? h("p", { class: "muted small", "aria-live": "polite" }, seenAs(String(now))) : null;
    return [field(label, select(all, other ? OTHER : now, take, name)), other ? [field(t("table.any.hex"), box), seen] : null];
  };
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": head }, h("h2", { id: head }, title ? title : order ? sentence(position, order) : t("table.other_order")), place,
    h("div", { class: "row end" }, button(t("table.cancel"), () => dialog.close()), button(t("table.any.give"), () => {
      const names = new Set(kinds[type].map((each) => each.name));
      done({ type, ...Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name) || name === "as")) });
      dialog.close();
    }, { class: "primary" })));
  draw();
  openDialog(dialog);
}

/** Return what a kind of order does, "" where its name says it all. */
function why(type) {
  const key = `table.type_why.${type}`, said = t(key);
  return said === key ? "" : said;
}
