// The detachment editor: units with their slots, points and kinds; limits, price and readiness as one types.

import { api, Offline, Problem } from "../api.js";
import { t } from "../texts.js";
import { toast } from "../toast.js";
import { Unfinished } from "../unfinished.js";
import { announce, ask, button, field, h, newId, openDialog, redraw, said, select, tick } from "./dom.js";
import { FLAGS, MOBILITIES, SLOTS } from "./kinds.js";
import { refusal } from "./sentences.js";
import { rosterDialog } from "./roster.js";
import { templateList, saveTemplate } from "./templates.js";
import { isReady, leastOf, likeOthers, readyUnits, unitCards } from "./unit_cards.js";

const SOON = 300;
const MAX_TOLD = 3; // problems that are shown at once: the foot of the editor stays small

/** Return a unit as it may be sent: without what is empty. */
function clean(unit) {
  const made = { name: unit.name || unit.slot, slot: unit.slot, models: Number(unit.models) || 0, points: Number(unit.points) || 0, mobility: unit.mobility };
  if (unit.flags?.length) made.flags = unit.flags;
  if (unit.flags?.includes("artillery")) made.bombardment = Number(unit.bombardment) || 1;
  return made;
}

/** Edits the units of one order. `order` as it is so far, `option` what may be ordered, `before` the orders ahead of it. */
export class UnitEditor {
  constructor(table, { order, option, before, done }) {
    this.table = table;
    this.given = order;
    this.option = option;
    this.before = before;
    this.done = done;
    this.needs = option?.needs?.units ?? {};
    const names = this.needs.names ?? [];
    this.suggested = names[Math.floor(Math.random() * names.length)] ?? ""; // its name where none is written
    this.body = h("div", { class: "editor-body stack" });
    this.counts = h("div", { class: "slots" });
    this.verdict = h("div", { class: "verdict", "aria-live": "polite" });
    const { user, campaign } = table.about;
    this.unfinished = new Unfinished(`${user} ${campaign} ${table.seat} ${order.type} ${order.at ?? order.detachment} ${order.units.length ? "edit" : ""}`, JSON.stringify(order));
    this.#begin(this.unfinished.get());
  }

  /** Begin with what was left unfinished, else with the order as it is; a new detachment with the least it needs. */
  #begin(kept) {
    this.kept = Boolean(kept);
    this.order = structuredClone(kept?.order ?? this.given);
    this.units = (kept?.units ?? this.given.units).map((each) => ({ flags: [], ...each }));
    if (!kept && !this.units.length && this.detachment) this.#suggest();
  }

  get detachment() { return this.order.type === "build_detachment"; }
  get types() { return this.needs.types ?? null; }
  get limits() { return this.types?.[this.order.detachment_type ?? this.standard]?.slots ?? null; }
  get standard() { return Object.keys(this.types ?? {}).find((each) => !this.table.position.rules.detachment_types[each]?.share) ?? Object.keys(this.types ?? {})[0] ?? ""; }

  show() {
    const head = newId();
    this.dialog = h("dialog", { class: "dialog editor", "aria-labelledby": head },
      h("h2", { id: head }, this.title), this.body,
      h("div", { class: "end stack" }, this.counts, this.verdict,
        h("div", { class: "row end" }, button(t("table.cancel"), () => this.#end()), this.give = button(t("table.editor.give"), () => this.#finish(), { class: "primary" }))));
    this.#draw();
    this.#look();
    openDialog(this.dialog);
  }

  /** Leave it: what was written is done with. Closed in any other way, it is there again the next time. */
  #end() {
    this.unfinished.drop();
    this.dialog.close();
  }

  #anew() {
    this.unfinished.drop();
    this.#begin(null);
    this.#draw();
    this.#look();
  }

  get title() {
    const where = this.order.at ? this.table.position.placeName(this.table.position.grid.find(this.order.at)) : this.table.position.things.get(this.order.detachment)?.name ?? "";
    return t(`table.editor.title_${this.detachment ? "detachment" : this.order.type === "build_garrison" ? "garrison" : "units"}`, { where });
  }

  /** Write down the least a detachment needs, so that there is something to change. */
  #suggest() {
    this.units = leastOf(this.table.position, this.limits);
    if (this.units.length) return;
    for (const [slot, [least]] of Object.entries(this.limits ?? {}))
      for (let n = 0; n < least; n += 1) this.units.push({ name: "", slot, models: slot === "hq" ? 1 : 10, points: slot === "hq" ? 80 : 100, mobility: "infantry", flags: [] });
  }

  #changed(drawn = true) {
    this.unfinished.set({ order: this.order, units: this.units });
    if (drawn) this.#draw();
    this.#counts();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#look(), SOON);
  }

  #draw() {
    const { position } = this.table;
    const head = this.detachment ? h("div", { class: "columns tight" },
      field(t("table.editor.name"), this.#input("text", this.order.name ?? "", (value) => { this.order.name = value; }, { maxlength: 60, "data-key": "name", dir: "auto", placeholder: this.suggested })),
      this.types && Object.keys(this.types).length > 1 ? field(t("table.editor.type"), select(Object.keys(this.types).map((each) => [each, position.word("detachment_types", each)]), this.order.detachment_type ?? this.standard,
        (value) => { this.order.detachment_type = value; this.#changed(); }, "type")) : null) : null;
    const own = this.units.some((each) => !isReady(position, each)), ready = readyUnits(position).length > 0;
    redraw(this.body, head, this.detachment ? likeOthers(position, (units, type) => this.#taken({ units, detachment_type: type })) : null,
      unitCards(position, this.units, this.limits, this.types?.[this.order.detachment_type ?? this.standard]?.kinds ?? this.needs.kinds ?? null, (units) => { this.units = units; this.#changed(); }),
      h("div", { class: "row" },
        button(t("table.editor.add"), () => this.#add(), { key: "add" }),
        button(t("table.editor.import"), () => rosterDialog(this.table, (units, name) => this.#imported(units, name)), { key: "import" }),
        button(t("table.editor.from_template"), () => templateList(this.table, (found) => this.#taken(found)), { key: "template" }),
        button(t("table.editor.save_template"), () => saveTemplate(this.table, this.order.name, this.units.map(clean), this.order.detachment_type), { key: "save", disabled: !this.units.length })),
      this.kept ? h("div", { class: "row small" }, h("span", {}, t("table.editor.kept")), button(t("table.editor.anew"), () => this.#anew(), { key: "anew" })) : null,
      this.#rows(ready && !own),
      this.detachment && this.units.some((each) => each.mobility === "infantry") && this.units.some((each) => each.mobility !== "infantry")
        ? tick(t("table.editor.mounted"), Boolean(this.order.mounted), (value) => { this.order.mounted = value; this.#changed(false); }, "mounted") : null);
    this.#counts();
  }

  /** The units as rows that can be written freely; behind one click where all of them are ready-made. */
  #rows(folded) {
    const rows = this.units.length ? h("ol", { class: "unit-rows" }, this.units.map((each, at) => this.#row(each, at))) : h("p", { class: "empty" }, t("table.editor.empty"));
    if (!readyUnits(this.table.position).length) return rows;
    const fold = h("details", { class: "shop", open: this.unfolded ?? !folded }, h("summary", {}, t("table.cards.own")), rows);
    fold.addEventListener("toggle", () => { this.unfolded = fold.open; });
    return fold;
  }

  #input(type, value, set, attributes = {}) {
    const made = h("input", { type, value: String(value ?? ""), ...attributes, oninput: () => { set(made.value); this.#changed(false); } });
    return made;
  }

  #row(unit, at) {
    const { position } = this.table, name = this.#nameOf(unit, at);
    const slots = SLOTS.map((each) => [each, position.word("slot", each)]);
    const flags = h("details", { class: "flags", open: unit.open }, h("summary", {}, unit.flags.length ? unit.flags.map((each) => position.word("flag", each)).join(", ") : t("table.editor.flags")),
      h("div", { class: "flag-list" }, FLAGS.map((each) => tick(position.word("flag", each), unit.flags.includes(each), (on) => {
        unit.flags = on ? [...unit.flags, each] : unit.flags.filter((one) => one !== each);
        this.#changed();
      }, `flag-${at}-${each}`)),
      unit.flags.includes("artillery") ? field(t("table.editor.bombardment"), this.#input("number", unit.bombardment || 1, (value) => { unit.bombardment = value; }, { min: 1, max: 2 })) : null));
    flags.addEventListener("toggle", () => { unit.open = flags.open; });
    return h("li", {}, h("fieldset", {}, h("legend", { class: "visually-hidden" }, name),
      field(t("table.editor.name"), this.#input("text", unit.name, (value) => { unit.name = value; }, { maxlength: 60, "data-key": `name-${at}`, dir: "auto" })),
      field(t("table.editor.slot"), select(slots, unit.slot, (value) => { unit.slot = value; this.#changed(false); }, `slot-${at}`)),
      field(t("table.models"), this.#input("number", unit.models, (value) => { unit.models = value; }, { min: 1, max: 1000, "data-key": `models-${at}` })),
      field(t("table.points"), this.#input("number", unit.points, (value) => { unit.points = value; }, { min: 1, max: 100000, "data-key": `points-${at}` })),
      field(t("table.editor.mobility"), select(MOBILITIES.map((each) => [each, position.word("mobility", each)]), unit.mobility, (value) => { unit.mobility = value; this.#changed(); }, `mobility-${at}`)),
      flags,
      h("span", { class: "tools" },
        button("×2", () => { this.units.splice(at + 1, 0, structuredClone(unit)); this.#changed(); }, { key: `copy-${at}`, class: "quiet icon", "aria-label": t("table.editor.copy", { what: name }), title: t("table.editor.copy", { what: name }) }),
        button("×", () => { this.units.splice(at, 1); this.#changed(); announce(t("table.removed")); }, { key: `off-${at}`, class: "quiet icon", "aria-label": t("table.remove_of", { what: name }), title: t("table.remove_of", { what: name }) }))));
  }

  #add() {
    const short = Object.entries(this.limits ?? {}).find(([slot, [least]]) => this.units.filter((each) => each.slot === slot).length < least)?.[0];
    this.units.push({ name: "", slot: short ?? "troops", models: 10, points: 100, mobility: "infantry", flags: [] });
    this.#changed();
    this.body.querySelector(`[data-key="name-${this.units.length - 1}"]`)?.focus();
  }

  #imported(units, name, replace = false) {
    const made = units.map((each) => ({ flags: [], ...each }));
    this.units = replace || !this.units.some((each) => each.name) ? made : [...this.units, ...made];
    if (this.detachment && name && !this.order.name) this.order.name = name.slice(0, 60);
    this.#changed();
    announce(t("table.editor.imported", { n: made.length }));
  }

  #taken(template) {
    if (this.types?.[template.detachment_type]) this.order.detachment_type = template.detachment_type;
    this.#imported(template.units, template.name, true);
  }

  /** Slots and points, as they are and as they may be. */
  #counts() {
    const { limits, units } = this, points = units.reduce((sum, each) => sum + (Number(each.points) || 0), 0), most = this.needs.most_points;
    const chip = (text, bad) => h("span", { class: `badge ${bad ? "bad" : "good"}` }, text);
    const slots = limits ? SLOTS.map((slot) => {
      const [least, top] = limits[slot] ?? [0, 0], n = units.filter((each) => each.slot === slot).length;
      return chip(`${this.table.position.word("slot", slot)} ${n} (${least}–${top})`, n < least || n > top);
    }) : [];
    this.counts.replaceChildren(...slots, chip(most === undefined ? t("table.editor.points_n", { n: points }) : t("table.editor.points_of", { n: points, most }), most !== undefined && points > most));
  }

  get written() {
    const made = { ...this.order, units: this.units.map(clean) };
    if (this.detachment) {
      made.name = (this.order.name ?? "").trim() || this.suggested || undefined;
      if (!made.mounted) delete made.mounted;
    }
    return JSON.parse(JSON.stringify(made));
  }

  /** Return which unit a problem is about, "" where it is about none. */
  #unitOf(problem) {
    const at = /^units\.(\d+)/.exec(problem.field)?.[1];
    return at === undefined ? "" : [said(this.#nameOf(this.units[at], Number(at))), ": "];
  }

  #nameOf(unit, at) { return unit.name || t("table.editor.unit_n", { n: at + 1 }); }

  async #look() {
    if (!this.units.length) { this.verdict.replaceChildren(); this.give.disabled = true; return; }
    const order = this.written;
    try {
      const { data } = await api("POST", `/campaigns/${this.table.about.campaign}/preview${this.table.draft.query}`, { order, before: this.before });
      if (JSON.stringify(order) !== JSON.stringify(this.written)) return;
      const { says } = data;
      this.give.disabled = false;
      this.wrong = data.problems;
      this.verdict.replaceChildren(...(data.problems.length
        ? [...data.problems.slice(0, MAX_TOLD).map((each) => h("p", { class: "problem small" }, this.#unitOf(each), refusal(each, this.table.position).said, refusal(each, this.table.position).exact ? ` ${refusal(each, this.table.position).exact}` : "")),
          data.problems.length > MAX_TOLD ? h("p", { class: "muted small" }, t("table.editor.more_wrong", { n: data.problems.length - MAX_TOLD })) : ""]
        : [h("p", { class: "good-news" }, t("table.editor.costs", { bp: says.cost ?? 0 }), says.paid_by ? ` · ${t("table.left_there", { bp: says.paid_by.after })}` : "",
          says.turns > 0 ? ` · ${t("table.editor.ready", { n: says.turns, turn: says.ready_turn })}` : ` · ${t("table.editor.at_once")}`)]));
    } catch (error) {
      if (error instanceof Offline) this.verdict.replaceChildren(h("p", { class: "warned" }, t("frame.offline")));
      else if (error instanceof Problem) this.verdict.replaceChildren(h("p", { class: "problem" }, error.message));
      else throw error;
    }
  }

  async #finish() {
    if (this.wrong?.length && await ask(t("table.editor.still_wrong"), h("p", {}, t("table.editor.still_wrong_why")), [["", t("table.cancel")], ["yes", t("table.editor.give_anyway"), "primary"]]) !== "yes") return;
    this.done(this.written);
    this.#end();
    toast(t("table.editor.given"));
  }
}
