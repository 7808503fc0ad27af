// The table as a whole: what is chosen, what the map shows of it, and what happens when something changes.

import { nameOf, t } from "../texts.js";
import { announce } from "./dom.js";
import { anyForm } from "./any_form.js";
import { Dock } from "./dock.js";
import { Draft } from "./draft.js";
import { UnitEditor } from "./editor.js";
import { orderMarks, reachMarks } from "./arrows.js";
import { Kept } from "./kept.js";
import { ForceForm } from "./force_form.js";
import { FORCE_ORDERS, subjectOf } from "./kinds.js";
import { loadPosition } from "./load.js";
import { sentence } from "./sentences.js";
import { conflictDialog, closedDialog } from "./troubles.js";
import { placesAt } from "./build_panel.js";
import { unordered } from "./things_panel.js";

export class Table {
  constructor(about, pictures, map) {
    Object.assign(this, { about, pictures, map, selected: { hex: -1, thing: null }, form: null });
    const asked = new URLSearchParams(location.search).get("seat");
    this.seat = about.mine.includes(asked) ? asked : "";
    this.kept = new Kept(this);
    this.dock = new Dock(this, document.getElementById("dock"));
  }

  get phaseName() { return nameOf("phase", this.draft.phase ?? this.position.phase); }

  /** Fetch everything and show it; the map first. */
  async open() {
    this.position = await loadPosition(this.about, this.seat || this.about.mine[0]);
    this.draft = new Draft(this.about, this.seat);
    this.form = null;
    this.selected = { hex: -1, thing: null };
    this.map.show(this.position);
    this.map.marks.chosen(this.position, -1);
    this.#listen();
    const orders = this.about.mine.length > 0 && this.position.phase !== "over";
    if (!orders) this.draft.state = "none";
    this.dock.begin();
    if (orders) await this.draft.open();
    document.getElementById("table").dataset.phase = this.phaseName;
    this.refresh();
  }

  #listen() {
    const { draft } = this, mine = (act) => () => { if (draft === this.draft) act(); };
    draft.addEventListener("change", mine(() => this.refresh()));
    draft.addEventListener("looked", mine(() => this.refresh()));
    draft.addEventListener("state", mine(() => this.dock.foot()));
    draft.addEventListener("conflict", mine(() => conflictDialog(this)));
    draft.addEventListener("closed", mine(() => closedDialog(this)));
  }

  /** Something happened in the campaign. */
  async happened({ kind, data }) {
    if (kind === "orders_changed" && data?.number === this.draft?.number) await this.draft.noticed(data.revision);
    else if (kind === "finality") this.dock.foot();
    else if (kind === "seen_again" || kind === "phase_opened" || kind === "position_edited" || kind === "rolled_back" || kind === "phase_resolved") await this.#reopen(kind);
  }

  /** Another phase may be open: show it, and keep what was not handed in. */
  async #reopen(kind) {
    const before = this.draft, position = await loadPosition(this.about, this.seat || this.about.mine[0]);
    if (kind === "seen_again" && position.view.number === this.position.view.number && position.view.branch === this.position.view.branch) { await before.noticed(Infinity); return; }
    const unsent = before.dirty && before.number !== position.view.number;
    if (unsent && !before.closed) before.close();
    else if (!unsent) { await this.open(); announce(t("table.phase_now", { phase: this.phaseName, turn: this.position.turn })); }
  }

  // --- choosing ---

  /** Choose a hex, and a thing in it; `focus` moves the keyboard there. */
  select(hex, thing = null, focus = false) {
    this.selected = { hex, thing };
    const takes = thing && thing.owner === this.position.me && this.draft.state !== "none" && FORCE_ORDERS[this.draft.phase];
    this.form = takes ? new ForceForm(this, thing) : null;
    this.map.marks.chosen(this.position, hex);
    this.map.reveal(hex, this.dock.narrow);
    if (hex >= 0) announce(this.position.describe(hex));
    this.dock.show("here", focus);
    this.refresh();
  }

  deselect() {
    this.selected = { hex: -1, thing: null };
    this.form = null;
    this.map.marks.chosen(this.position, -1);
    this.dock.show("things");
    this.refresh();
  }

  /** A hex of the map was clicked. */
  clicked(hex, thing) {
    const { position, form, selected } = this;
    const own = position.at(hex).filter((each) => each.owner === position.me);
    if (form && !this.draft.locked && hex !== selected.hex) {
      if (form.reach.length || form.path.length) {
        if (!thing && !own.length && form.towards(hex)) return;
      } else if (form.aim(hex)) return;
    } else if (form && hex === selected.hex && form.path.length && !this.draft.locked) { form.towards(hex); return; }
    const choices = [...own.filter((each) => each.kind === "detachment"), ...own.filter((each) => each.kind !== "detachment"), null];
    const next = thing ?? (hex === selected.hex ? choices[(choices.indexOf(selected.thing) + 1) % choices.length] : choices[0]);
    this.select(hex, next);
  }

  /** The pointer draws on the map. Returns whether it draws at all. */
  drawing(what, hex, event) {
    const { position } = this;
    if (what === "begin") {
      if (this.draft?.phase !== "movement" || this.draft.locked || event.shiftKey) return false;
      const mine = position.at(hex).find((each) => each.owner === position.me && each.kind !== "garrison" && !each.ready_in);
      const chosen = this.form && this.selected.hex === hex;
      if (!mine || (event.pointerType === "touch" && !chosen)) return false;
      this.pen = { thing: chosen ? this.selected.thing : mine, started: false };
      return true;
    }
    if (!this.pen) return false;
    if (what === "over" && hex >= 0) {
      if (!this.pen.started) {
        if (hex === this.pen.thing.hex) return true;
        if (this.selected.thing !== this.pen.thing) this.select(this.pen.thing.hex, this.pen.thing);
        if (!this.form?.reach.length) this.form?.choose("path");
        if (!this.form?.reach.length) { this.pen = null; return false; }
        this.pen.started = true;
        this.draft.beginStroke();
        this.form.setPath(position.grid.distance(this.pen.thing.hex, hex) === 1 ? [position.label(hex)] : []);
      }
      this.form.trace(hex);
    } else {
      this.draft.endStroke();
      this.pen = null;
    }
    return true;
  }

  /** Go to the next of one's forces that has no order. */
  next(by = 1) {
    const left = unordered(this), all = left.length ? left : this.position.own;
    if (!all.length) return;
    const at = all.findIndex((each) => each.id === this.selected.thing?.id);
    const thing = all[(at + by + all.length) % all.length];
    this.select(thing.hex, thing, true);
  }

  unitOwner(id) {
    return id ? this.position.own.find((each) => each.units.some((unit) => unit.id === id))?.id : undefined;
  }

  // --- orders ---

  /** Edit the units of a new order, or of one there is. */
  edit({ order, option, item = null }) {
    const at = item ? this.draft.items.indexOf(item) : this.draft.items.length;
    const before = this.draft.items.slice(0, at).map((each) => each.order);
    new UnitEditor(this, { order, option, before, done: (made) => { if (item) this.draft.replace(item.uid, made); else this.draft.add(made); announce(t("table.given", { order: sentence(this.position, made) })); } }).show();
  }

  any(item = null) {
    anyForm(this, this.draft.phase, item?.order, (made) => { if (item) this.draft.replace(item.uid, made); else this.draft.add(made); });
  }

  /** Change an order where it is best changed. */
  editOrder(item) {
    const { order } = item, thing = this.position.things.get(subjectOf(order));
    if (Array.isArray(order.units)) {
      const option = this.draft.options.find((each) => each.needs && each.order.type === order.type) ?? { needs: { units: this.kinds(order) } };
      this.edit({ order, option, item });
    } else if (FORCE_ORDERS[this.draft.phase]?.includes(order.type) && thing) this.select(thing.hex, thing, true);
    else this.any(item);
  }

  /** What a detachment may be made of, where it is no longer offered because it is ordered already. */
  kinds(order) {
    if (order.type !== "build_detachment") return {};
    const { rules } = this.position, id = order.detachment_type ?? Object.keys(rules.detachment_types)[0];
    const slots = (each) => ({ ...rules.detachment_types.standard?.slots, ...rules.detachment_types[each]?.slots });
    return { types: { [id]: { slots: slots(id) } }, most_points: rules.ranks?.[0]?.[2] };
  }

  /** Show on the map what an order is about. */
  showOrder(item) {
    const { order } = item, { grid } = this.position, thing = this.position.things.get(subjectOf(order));
    const hex = thing ? thing.hex : grid.find(order.at ?? order.urban ?? order.battle);
    if (hex >= 0) this.select(hex, thing ?? null);
  }

  /** Draw anew what depends on orders and choice. */
  refresh() {
    if (!this.position) return;
    const { marks } = this.map, { position, form } = this;
    marks.orders(position, orderMarks(this));
    marks.extra(this.kept.signs(this.map.pictures));
    marks.reach(position, reachMarks(this));
    const says = form?.item && this.draft.says.get(form.item.uid);
    const path = form && !this.draft.locked ? form.path.map((each) => position.grid.find(each)) : [];
    marks.path(position, form?.thing.hex ?? -1, path, says?.steps ? says.steps.length : path.length);
    this.dock.draw();
  }

  /** Return the hexes where the next thing may be placed in Setup. */
  get placing() {
    const first = this.draft?.phase === "setup" && this.draft.options.find((each) => each.order.type === "place");
    return first ? first.choices.at.map((each) => this.position.grid.find(each)) : [];
  }

  mayPlace(hex) { return placesAt(this, hex).length > 0; }
}
