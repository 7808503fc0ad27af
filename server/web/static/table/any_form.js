// A form that can write any order there is: for what the map and the lists do not offer, and to change what was written.

import { t } from "../texts.js";
import { button, field, h, newId, redraw, select, tick } from "./dom.js";
import { kindsOf } from "./kinds.js";
import { sentence } from "./sentences.js";

/** Ask for an order; `done(order)`. `order` is the one to change, if any. `phase` may be a later one. */
export function anyForm(table, phase, order, done) {
  const { position } = table, kinds = kindsOf(phase), head = newId();
  const values = { ...(order ?? {}) };
  let type = order?.type ?? Object.keys(kinds)[0];
  const place = h("div", { class: "stack" });
  const draw = () => redraw(place,
    field(t("table.any.type"), select(Object.keys(kinds).map((each) => [each, t(`table.type.${each}`)]), type, (value) => { type = value; draw(); }, "type")),
    Object.entries(kinds[type] ?? {}).map(([name, kind]) => input(name.replace("?", ""), kind, name.endsWith("?"))));
  const input = (name, kind, optional) => {
    const label = t(`table.field.${name}`) + (optional ? ` (${t("table.any.optional")})` : "");
    const set = (value) => { if (value === "" || value === undefined || (Array.isArray(value) && !value.length)) delete values[name]; else values[name] = value; };
    if (kind === "flag") return tick(label, Boolean(values[name]), (value) => set(value || undefined), name);
    if (kind === "units") return h("p", { class: "muted small" }, t("table.any.units", { n: values.units?.length ?? 0 }));
    const choices = options(position, kind, values);
    if (choices) return field(label, select([["", "–"], ...choices], values[name] ?? "", set, name));
    const list = kind === "hexes" || kind === "ids";
    const box = h("input", { type: kind === "number" ? "number" : "text", value: list ? (values[name] ?? []).join(" ") : String(values[name] ?? ""), "data-key": name,
      oninput: () => set(kind === "number" ? (box.value === "" ? "" : Number(box.value)) : list ? box.value.split(/[\s,]+/).filter(Boolean) : box.value.trim()) });
    return field(label, box, kind === "hex" ? t("table.any.hex_hint", { example: position.label(0) }) : kind === "hexes" ? t("table.any.hexes_hint", { example: `${position.label(0)} ${position.label(1)}` }) : null);
  };
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": head }, h("h2", { id: head }, order ? sentence(position, order) : t("table.other_order")), place,
    h("div", { class: "row end" }, button(t("table.cancel"), () => dialog.close()), button(t("table.any.give"), () => {
      const names = new Set(Object.keys(kinds[type]).map((each) => each.replace("?", "")));
      done({ type, ...Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name) || name === "as")) });
      dialog.close();
    }, { class: "primary" })));
  dialog.addEventListener("close", () => dialog.remove());
  draw();
  document.body.append(dialog);
  dialog.showModal();
}

function options(position, kind, values) {
  const own = (what) => position.own.filter((each) => each.kind === what).map((each) => [each.id, `${each.name} (${position.label(each.hex)})`]);
  const words = (table) => (Array.isArray(position.rules[table]) ? position.rules[table].map((each) => each.id) : Object.keys(position.rules[table])).map((each) => [each, position.word(table, each)]);
  switch (kind) {
    case "detachment": case "convoy": return own(kind);
    case "unit": return position.own.flatMap((each) => each.units.map((one) => [one.id, `${one.name} (${each.name})`]));
    case "what": return ["capital", "urban", "resource"].map((each) => [each, t(`table.what.${each}`)]);
    case "size": return words(values.what === "resource" ? "resources" : "urban");
    case "mode": return ["quick", "tabletop"].map((each) => [each, t(`table.mode.${each}`)]);
    case "player": return position.players.filter((each) => each.id !== position.me).map((each) => [each.id, position.player(each.id)]);
    case "buildings": case "defences": case "weapons": case "detachment_types": return words(kind);
    default: return null;
  }
}
