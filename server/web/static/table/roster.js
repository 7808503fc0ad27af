// A roster from elsewhere: read by the server, shown with what was understood and what was not.

import { t } from "../texts.js";
import { button, field, h, newId, openDialog, said } from "./dom.js";

/** Ask for a file or a pasted table; `chosen(units, name)`. */
export function rosterDialog(table, chosen) {
  const head = newId();
  const file = h("input", { type: "file", accept: ".ros,.rosz,.json,.csv,.tsv,.txt,.xml" });
  const text = h("textarea", { rows: 6, spellcheck: "false", placeholder: t("table.roster.example") });
  const result = h("div", { class: "stack", "aria-live": "polite" });
  const read = async () => {
    const form = new FormData();
    if (file.files.length) form.set("roster", file.files[0]);
    else form.set("text", text.value);
    end.replaceChildren(close);
    result.replaceChildren(h("p", { class: "muted" }, t("table.roster.reading")));
    try {
      const response = await fetch("/rosters", { method: "POST", body: form, credentials: "same-origin", headers: { "X-CSRF-Token": document.querySelector('meta[name="csrf-token"]').content, Accept: "application/json" } });
      const found = await response.json();
      if (!response.ok) { result.replaceChildren(h("p", { class: "problem" }, found.message)); return; }
      const { shown, use } = understood(table, found, (units) => { chosen(units, found.name); dialog.close(); });
      result.replaceChildren(...shown);
      end.append(use);
    } catch {
      result.replaceChildren(h("p", { class: "problem" }, t("frame.offline")));
    }
  };
  file.addEventListener("change", read);
  const close = button(t("table.close"), () => dialog.close()), end = h("div", { class: "row end" }, close);
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": head }, h("h2", { id: head }, t("table.roster.title")),
    h("div", { class: "stack" }, h("p", { class: "muted small" }, t("table.roster.lead")),
      field(t("table.roster.file"), file, ".ros, .rosz, .json, .csv"), field(t("table.roster.paste"), text, t("table.roster.columns")),
      button(t("table.roster.read"), read), result),
    end);
  openDialog(dialog);
}

/** The roll of what was understood: units to be corrected, points against the roster's own total, and each line. */
function understood(table, found, take) {
  const { position } = table, units = found.units.map((unit) => ({ ...unit })), picked = new Set(units);
  const use = button("", () => take(units.filter((unit) => picked.has(unit))), { class: "primary" });
  const sum = h("p", { class: "small" }), body = h("tbody");
  const count = () => {
    use.textContent = t("table.roster.use", { n: picked.size });
    use.disabled = !picked.size;
    const points = units.reduce((all, unit) => all + (picked.has(unit) ? unit.points : 0), 0), left = found.total - found.beside - points;
    sum.className = found.total !== null && left ? "problem" : "small";
    sum.textContent = found.total === null ? t("table.roster.sum", { n: points }) : t(left ? "table.roster.differs" : "table.roster.agrees", { n: points, total: found.total, beside: found.beside, left });
  };
  const number = (unit, key, label) => h("input", { type: "number", min: 1, value: unit[key], "aria-label": `${unit.name}: ${label}`, onchange: (event) => { unit[key] = Math.max(1, Math.round(Number(event.target.value) || 1)); count(); } });
  const slot = (unit) => h("select", { "aria-label": `${unit.name}: ${t("table.editor.slot")}`, onchange: (event) => { unit.slot = event.target.value; } },
    ["hq", "troops", "elite", "fast", "heavy"].map((each) => h("option", { value: each, selected: each === unit.slot }, position.word("slot", each))));
  const row = (unit) => h("tr", {},
    h("td", {}, h("input", { type: "checkbox", checked: true, "aria-label": unit.name, onchange: (event) => { if (event.target.checked) picked.add(unit); else picked.delete(unit); count(); } })),
    h("th", { scope: "row" }, said(unit.name)), h("td", {}, slot(unit)), h("td", { class: "number" }, number(unit, "models", t("table.models"))), h("td", { class: "number" }, number(unit, "points", t("table.points"))), h("td", {}, position.word("mobility", unit.mobility)));
  const add = (line) => {
    const as_unit = button(t("table.roster.as_unit"), () => {
      const unit = { name: line.text.slice(0, 60), slot: "troops", models: 1, points: 1, mobility: "infantry" };
      units.push(unit); picked.add(unit); body.append(row(unit)); as_unit.remove(); count();
    });
    return as_unit;
  };
  const notes = found.notes.map((each) => h("li", {}, t(`table.roster.note.${each.code}`), each.what ? [": ", said(each.what)] : ""));
  const lines = found.lines.map((line) => h("li", { value: line.number }, h("span", { class: "muted" }, t(`table.roster.kind.${line.kind}`)), " ", said(line.text), line.kind === "unread" ? [" ", add(line)] : ""));
  body.append(...units.map(row));
  count();
  const heads = ["", t("table.editor.name"), t("table.editor.slot"), t("table.models"), t("table.points"), t("table.editor.mobility")];
  const shown = [
    h("p", {}, t("table.roster.found", { n: units.length, format: t(`table.roster.format.${found.format}`) })), sum,
    units.length ? h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": t("table.units") }, h("table", { class: "small" }, h("thead", {}, h("tr", {}, heads.map((each) => (each ? h("th", { scope: "col" }, each) : h("td", {}))))), body)) : null,
    notes.length ? h("details", { open: true }, h("summary", {}, t("table.roster.notes", { n: notes.length })), h("ul", { class: "small" }, notes)) : null,
    lines.length ? h("details", {}, h("summary", {}, t("table.roster.roll", { n: lines.length })), h("ol", { class: "small" }, lines)) : null,
  ].filter(Boolean);
  return { shown, use };
}
