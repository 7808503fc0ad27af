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

function understood(table, found, take) {
  const { position } = table, picked = new Set(found.units.keys());
  const use = button(t("table.roster.use", { n: picked.size }), () => take(found.units.filter((_, at) => picked.has(at))), { class: "primary", disabled: !picked.size });
  const row = (unit, at) => h("tr", {},
    h("td", {}, h("input", { type: "checkbox", checked: true, "aria-label": unit.name, onchange: (event) => {
      if (event.target.checked) picked.add(at); else picked.delete(at);
      use.textContent = t("table.roster.use", { n: picked.size });
      use.disabled = !picked.size;
    } })),
    h("th", { scope: "row" }, said(unit.name)), h("td", {}, position.word("slot", unit.slot)), h("td", { class: "number" }, unit.models), h("td", { class: "number" }, unit.points), h("td", {}, position.word("mobility", unit.mobility)));
  const notes = found.notes.map((each) => h("li", {}, t(`table.roster.note.${each.code}`), each.what ? [": ", said(each.what)] : ""));
  const shown = [
    h("p", {}, t("table.roster.found", { n: found.units.length, format: t(`table.roster.format.${found.format}`) })),
    found.units.length ? h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": t("table.units") }, h("table", { class: "small" }, h("thead", {}, h("tr", {}, ["", t("table.editor.name"), t("table.editor.slot"), t("table.models"), t("table.points"), t("table.editor.mobility")]
      .map((each) => (each ? h("th", { scope: "col" }, each) : h("td", {}))))), h("tbody", {}, found.units.map(row)))) : null,
    notes.length ? h("details", { open: true }, h("summary", {}, t("table.roster.notes", { n: notes.length })), h("ul", { class: "small" }, notes)) : null,
  ].filter(Boolean);
  return { shown, use };
}
