// The panels beside (on phones: below) the map, and the bar that says how things stand.

import { t } from "../texts.js";
import { announce, button, field, h, newId, redraw, said, select } from "./dom.js";
import { buildPanel } from "./build_panel.js";
import { fightForm } from "./fight_form.js";
import { hexFacts, thingHead, units } from "./hex_panel.js";
import { wornNote } from "./losses.js";
import { notebookPanel, pinForm } from "./notebook_panel.js";
import { orderedHere, ordersPanel } from "./orders_panel.js";
import { restButton, restIsOpen } from "./setup_list.js";
import { thingsPanel, unordered } from "./things_panel.js";
import { confirmFinal } from "./troubles.js";

const TABS = ["things", "here", "orders"], NOTES = "notes";

export class Dock {
  constructor(table, place) {
    this.table = table;
    this.place = place;
    this.tab = "things";
    this.names = table.notebook ? [...TABS, NOTES] : TABS;
    this.panels = {};
    this.tabs = {};
    const list = h("div", { class: "dock-tabs", role: "tablist", "aria-label": t("table.dock") });
    for (const each of this.names) {
      const id = newId();
      this.panels[each] = h("div", { class: "panel stack", role: "tabpanel", id, tabindex: "0", "aria-labelledby": `tab-${each}`, hidden: each !== this.tab });
      this.tabs[each] = button(t(`table.tab.${each}`), () => this.show(each), { role: "tab", id: `tab-${each}`, "aria-controls": id });
      list.append(this.tabs[each]);
    }
    list.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      this.show(this.names[(this.names.indexOf(this.tab) + by + this.names.length) % this.names.length]);
      this.tabs[this.tab].focus();
    });
    this.handle = button("", () => this.raise(), { class: "handle quiet", "aria-label": t("table.raise_panel"), "aria-expanded": "false" });
    this.bar = h("div", { class: "dock-foot" });
    this.changed = h("div", { class: "dock-said", hidden: true });
    place.append(this.handle, list, ...Object.values(this.panels), this.changed, this.bar);
    // after a click another offer may lie under the pointer: the second half of a double click is not for it
    place.addEventListener("click", (event) => { if (event.detail > 1 && event.target.closest(".offers button")) event.stopPropagation(); }, true);
  }

  /** A phase has begun for this page: the first thing to look at. */
  begin(drawn = true) {
    this.panels.things.scrollTop = 0;
    this.show("things", false, drawn);
  }

  /** True where the panels lie below the map. */
  get narrow() { return getComputedStyle(this.handle).display !== "none"; }

  /** On phones the panels are a sheet: raise or lower it. */
  raise(up = !this.place.classList.contains("is-up")) {
    this.place.classList.toggle("is-up", up);
    this.handle.setAttribute("aria-expanded", String(up));
  }

  show(tab, focus = false, drawn = true) {
    // a panel that is hidden cannot keep the focus: it goes along
    const along = focus || (tab !== this.tab && this.panels[this.tab].contains(document.activeElement));
    this.tab = tab;
    for (const each of this.names) {
      this.panels[each].hidden = each !== tab;
      this.tabs[each].setAttribute("aria-selected", String(each === tab));
      this.tabs[each].tabIndex = each === tab ? 0 : -1;
    }
    if (drawn) this.draw();
    if (along) (this.panels[tab].querySelector("h3, h2") ?? this.panels[tab]).focus();
  }

  draw() {
    const { table } = this;
    if (!table.position) return;
    this.tabs.orders.textContent = table.draft.items.length ? `${t("table.tab.orders")} (${table.draft.items.length})` : t("table.tab.orders");
    this.tabs.orders.classList.toggle("wrong", table.draft.problems.size > 0);
    if (this.tab === "things") redraw(this.panels.things, thingsPanel(table));
    else if (this.tab === "orders") redraw(this.panels.orders, ordersPanel(table));
    else if (this.tab === NOTES) redraw(this.panels.notes, notebookPanel(table));
    else redraw(this.panels.here, this.#here());
    for (const each of this.panels[this.tab].querySelectorAll("h2, h3")) each.tabIndex = -1;
    this.foot();
  }

  /** What the last click changed, and the way back. */
  said() {
    const { table } = this, { changed, draft } = table;
    this.changed.hidden = !changed || draft.locked;
    redraw(this.changed, changed ? [h("span", {}, said(changed)), button(t("table.undo"), () => { draft.undo(); announce(t("table.undone")); }, { key: "undo-said", class: "quiet" })] : []);
  }

  #here() {
    const { table } = this, { position, selected, form } = table, { hex, thing } = selected;
    if (hex < 0 && !thing) return [h("h2", {}, t("table.tab.here")), h("p", { class: "empty" }, t("table.click_hex")), table.hexFinder()];
    const here = hex >= 0 ? position.at(hex) : [], others = here.filter((each) => each !== thing);
    const battle = table.draft.options.find((each) => each.order.type === "fight" && position.grid.find(each.order.battle) === hex);
    const back = button(`← ${t("table.back")}`, () => table.deselect(), { key: "deselect", class: "quiet" });
    const parts = [back];
    const shop = hex >= 0 ? buildPanel(table, hex) : []; // what can be built comes before what is there
    if (thing) parts.push(thingHead(position, thing), wornNote(table, thing), form ? form.draw() : null, !thing.units.length ? null : h("details", { class: "shop", open: !form && !shop.length }, h("summary", {}, t("table.units")), units(position, thing)));
    else parts.push(h("h2", {}, said(position.whereabouts(hex))), selected.missed ? this.#missed(selected.missed) : null);
    if (others.length) parts.push(h("section", {}, h("h3", {}, thing ? t("table.also_here") : t("table.who_is_here")), others.map((each) => (each.owner === position.me ? this.#own(each, hex)
      : h("div", { class: "card small" }, thingHead(position, each), wornNote(table, each), units(position, each))))));
    if (battle) parts.push(fightForm(table, battle));
    if (hex >= 0) {
      parts.push(orderedHere(table, hex), ...shop);
      parts.push(thing ? h("details", { class: "shop" }, h("summary", {}, said(position.whereabouts(hex))), hexFacts(position, hex)) : hexFacts(position, hex), pinForm(table, hex));
    }
    return parts;
  }

  /** One of one's own forces in a hex, and what it counts for: a click chooses it. */
  #own(thing, hex) {
    const { table } = this, points = thing.units.length ? h("span", { class: "muted" }, t("table.cards.points", { n: table.position.strength(thing) })) : null;
    return button([said(thing.name), points], () => table.select(hex, thing, true), { key: `see-${thing.id}`, class: "own-force" });
  }

  /** A force was sent where it cannot go: say so, and lead back to it. */
  #missed(missed) {
    return h("div", { class: "missed small" }, h("p", {}, missed.why),
      button(t("table.back_to", { who: missed.thing.name }), () => this.table.back(missed), { key: "missed" }));
  }

  /** The bar: how far one is, what is kept where, final. */
  foot() {
    const { table } = this, { draft } = table;
    if (!table.changed || draft?.locked) this.changed.hidden = true;
    if (!draft || draft.state === "none" || draft.state === "loading") {
      if (this.bar.contains(document.activeElement)) this.panels[this.tab].focus();
      redraw(this.bar);
      return;
    }
    const unplaced = restIsOpen(table);
    const left = unordered(table), state = t(`table.saved.${draft.state}`);
    const bad = ["offline", "final_waits", "signed_out", "partly", "refused", "conflict", "closed"].includes(draft.state);
    redraw(this.bar,
      h("div", { class: "stand" },
        h("strong", {}, draft.paused ? t("table.is_paused") : draft.final ? t("table.is_final") : left.length ? t("table.left_n", { n: left.length }) : t("table.orders_n", { n: draft.items.length })),
        h("span", { class: `small ${bad ? "warned" : "muted"}`, role: "status" }, draft.state === "refused" ? draft.refused.message : state)),
      left.length && !draft.locked ? button(t("table.next"), () => table.next(), { key: "next", title: `${t("table.next_force")} (N)`, "aria-label": t("table.next_force") }) : null,
      unplaced ? restButton(table) : null,
      draft.paused ? null : draft.final ? button(t("table.take_back"), () => draft.takeBack().then(() => { announce(t("table.taken_back")); this.draw(); }), { key: "final" })
        : button(t("table.declare_final"), () => this.#final(left), { key: "final", class: unplaced ? null : table.lessons.card() && !table.lessons.order ? "primary beckons" : "primary", disabled: ["closed", "conflict"].includes(draft.state) }));
  }

  async #final(left) {
    const { draft } = this.table;
    if (!(await confirmFinal(this.table, left))) return;
    if (await draft.declareFinal()) announce(t("table.is_final"));
    this.draw();
  }
}

/** A field that finds a hex by label or name. */
export function hexFinder(table) {
  const { position } = table, input = h("input", { type: "text", inputmode: "numeric", autocomplete: "off", list: "place-names", "data-key": "finder", placeholder: position.label(0) });
  const names = h("datalist", { id: "place-names" }, [...position.names].map(([hex, name]) => h("option", { value: position.label(hex) }, name)));
  const go = (event) => {
    event.preventDefault();
    const text = input.value.trim(), hex = position.grid.find(text) >= 0 ? position.grid.find(text) : [...position.names].find(([, name]) => name.toLowerCase() === text.toLowerCase())?.[0] ?? -1;
    if (hex >= 0) table.select(hex, null, true);
    else announce(t("table.no_such_hex", { hex: text }));
  };
  return h("form", { class: "inline finder", onsubmit: go }, field(t("table.find_hex"), input), names, h("button", { "data-key": "find" }, t("table.show")));
}

/** Words for the salt of the next phase, and whether the orders are only for the deadline. */
export function dicePanel(table) {
  const { draft } = table;
  if (draft.state === "none") return null;
  const salt = h("input", { type: "text", maxlength: 100, value: draft.salt ?? "", "data-key": "salt", disabled: draft.locked, onchange: () => draft.setSalt(salt.value) });
  const temporary = select([["", t("table.temporary_no")], ["yes", t("table.temporary_yes")]], draft.temporary ? "yes" : "", (value) => draft.setTemporary(value === "yes"), "temporary");
  temporary.disabled = draft.locked;
  return h("details", { class: "shop" }, h("summary", {}, t("table.dice")), h("div", { class: "stack" }, field(t("table.salt"), salt, t("table.salt_why")), field(t("table.temporary"), temporary)));
}
