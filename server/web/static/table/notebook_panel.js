// @ts-check
// The notebook beside the map: what one noted of this turn and of others, and one's pins.

import { t } from "../texts.js";
import { announce, button, field, h, newId, said } from "./dom.js";

/** The tab with all notes and pins. @param {any} table */
export function notebookPanel(table) {
  const { notebook, position } = table;
  if (!notebook.open) return [h("h2", {}, t("table.notebook.title")), h("p", { class: "empty" }, t("table.notebook.closed"))];
  const others = notebook.others(position.turn), pins = notebook.pinned();
  return [
    h("h2", {}, t("table.notebook.title")), h("p", { class: "muted small" }, t("table.notebook.private")),
    noteField(table, position.turn),
    others.length ? h("section", { class: "shop" }, h("h3", {}, t("table.notebook.others")), others.map((/** @type {number} */ turn) =>
      h("details", { "data-turn": turn }, h("summary", {}, t("table.notebook.turn", { turn })), noteField(table, turn)))) : null,
    h("section", { class: "shop" }, h("h3", {}, t("table.notebook.pins")), pins.length ? h("ul", { class: "offers" }, pins.map((/** @type {any} */ each) => pinLine(table, each)))
      : h("p", { class: "empty" }, t("table.notebook.no_pins"))),
  ].filter(Boolean);
}

/** @param {any} table @param {number} turn */
function noteField(table, turn) {
  const { notebook } = table, area = h("textarea", { rows: 5, maxlength: table.about.notebook.note, "data-key": `note-${turn}`, id: newId(), value: notebook.note(turn),
    oninput: () => notebook.type(turn, area.value), onchange: () => notebook.keep(turn) });
  return h("div", {}, field(t("table.notebook.of_turn", { turn }), area), h("p", { class: "muted small note-state", role: "status", "data-turn": turn }));
}

/** How a note stands. @param {number} turn @param {string} how */
export function noteStands(turn, how) {
  for (const each of document.querySelectorAll(`.note-state[data-turn="${turn}"]`)) each.textContent = t(`table.notebook.is_${how}`);
}

/** @param {any} table @param {{hex: string, text: string}} pin */
function pinLine(table, pin) {
  const { position } = table, hex = position.grid.find(pin.hex);
  return h("li", {}, h("span", {}, button(said(position.placeName(hex)), () => table.select(hex, null, true), { class: "link", key: `pin-${pin.hex}` }), h("small", {}, said(pin.text))),
    button(t("table.notebook.unpin"), () => unpin(table, pin.hex), { class: "quiet", key: `unpin-${pin.hex}`, "aria-label": t("table.notebook.unpin_at", { hex: position.placeName(hex) }) }));
}

/** The pin of a hex: put, change, pull out. @param {any} table @param {number} hex */
export function pinForm(table, hex) {
  const { notebook, position } = table, label = position.label(hex), pin = notebook?.pins.get(label);
  if (!notebook?.open) return null;
  const input = h("input", { type: "text", maxlength: table.about.notebook.pin, required: true, autocomplete: "off", "data-key": `pin-text-${label}`, value: pin?.text ?? "" });
  const put = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (await notebook.pin(label, input.value)) announce(t("table.notebook.pinned"));
  };
  return h("details", { class: "shop pin-form", open: Boolean(pin) }, h("summary", {}, t("table.notebook.pin")),
    h("form", { class: "inline", onsubmit: put }, field(t("table.notebook.pin_text"), input),
      h("button", { "data-key": `pin-put-${label}` }, t(pin ? "table.notebook.change" : "table.notebook.put")),
      pin ? button(t("table.notebook.unpin"), () => unpin(table, label), { class: "quiet", key: `pin-out-${label}` }) : null));
}

/** @param {any} table @param {string} label */
async function unpin(table, label) {
  if (await table.notebook.unpin(label)) announce(t("table.notebook.unpinned"));
}
