// The table as a whole: what is chosen, what the map shows of it, and what happens when something changes.

import { nameOf, t } from "../texts.js";
import { toast } from "../toast.js";
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
import { Prospects } from "./prospects.js";
import { sentence } from "./sentences.js";
import { conflictDialog, closedDialog } from "./troubles.js";
import { placesAt } from "./build_panel.js";
import { unordered } from "./things_panel.js";
import { Waiting } from "./waiting.js";

/** News after which another position may have to be shown. */
const REOPEN = ["seen_again", "phase_opened", "phase_resolved", "position_edited", "rolled_back"];

export class Table {
  constructor(about, pictures, map) {
    Object.assign(this, { about, pictures, map, selected: { hex: -1, thing: null }, form: null, reopening: Promise.resolve() });
    const asked = new URLSearchParams(location.search).get("seat");
    this.seat = about.mine.includes(asked) ? asked : "";
    this.kept = new Kept(this);
    this.prospects = new Prospects(this);
    this.waiting = new Waiting(this);
    this.dock = new Dock(this, document.getElementById("dock"));
  }

  /** True where the campaign has ended: by its rules, or by the game master's hand. */
  get over() { return this.position.phase === "over" || ["finished", "archived"].includes(this.about.status); }

  get phaseName() { return nameOf("phase", this.draft.phase ?? this.position.phase); }

  /** Fetch everything and show it; the map first. */
  async open() {
    const draft = new Draft(this.about, this.seat), playing = this.about.mine.length > 0;
    // the first time the page itself says that there are orders to be written: they need not wait for the map
    const early = playing && !this.position && this.about.phase ? draft.fetch().catch(() => {}) : null;
    const [position] = await Promise.all([loadPosition(this.about, this.seat || this.about.mine[0]), early]);
    Object.assign(this, { position, draft, form: null, final: false, selected: { hex: -1, thing: null } });
    this.map.show(position);
    this.map.marks.chosen(position, -1);
    this.#listen();
    const orders = playing && !this.over;
    if (!orders) draft.state = "none";
    this.dock.begin();
    if (orders) await draft.open();
    document.getElementById("table").dataset.phase = this.phaseName;
    this.refresh();
  }

  #listen() {
    const { draft } = this, mine = (act) => () => { if (draft === this.draft) act(); };
    draft.addEventListener("change", mine(() => this.refresh()));
    draft.addEventListener("looked", mine(() => { this.refresh(); this.prospects.look(); }));
    draft.addEventListener("state", mine(() => this.#stands()));
    draft.addEventListener("conflict", mine(() => conflictDialog(this)));
    draft.addEventListener("closed", mine(() => closedDialog(this)));
  }

  /** What was kept where has changed; where one became final, or no longer is, so has what there is to do. */
  #stands() {
    this.dock.foot();
    if (this.final === this.draft.final) return;
    this.final = this.draft.final;
    this.refresh();
    this.waiting.look();
  }

  /** Something happened in the campaign. */
  async happened({ kind, data }) {
    if (!this.position) return; // what is being fetched is new enough
    if (kind === "orders_changed" && data?.number === this.draft?.number) await this.draft.noticed(data.revision);
    else if (kind === "finished") await this.#finish();
    else if (kind === "paused" || kind === "resumed") this.#pause(kind === "paused");
    else if (kind === "finality") await this.waiting.look();
    else if (REOPEN.includes(kind)) {
      // one after the other: what one has shown, the next need not show anew
      this.reopening = this.reopening.catch(() => {}).then(() => this.#reopen(kind));
      await this.reopening;
    }
  }

  /** The campaign is over: nothing can be ordered, and nothing is secret. */
  async #finish() {
    this.about.status = "finished";
    await this.open();
  }

  /** The game master has stopped the clock, or lets it run again. */
  #pause(paused) {
    this.about.status = paused ? "paused" : "running";
    this.draft.pause(paused);
  }

  /** Another phase may be open: show it, and keep what was not handed in. */
  async #reopen(kind) {
    const before = this.draft, position = await loadPosition(this.about, this.seat || this.about.mine[0]);
    const now = this.position.view, { view } = position;
    const known = view.number === now.number && view.branch === now.branch && view.phase === now.phase;
    if (known && kind !== "position_edited") { await before.noticed(Infinity); return; }
    const unsent = before.dirty && before.number !== position.view.number;
    if (unsent && !before.closed) before.close();
    else if (!unsent) { await this.open(); toast(t("table.phase_now", { phase: this.phaseName, turn: this.position.turn })); }
  }

  // --- choosing ---

  /** Choose a hex, and a thing in it; `focus` moves the keyboard there. `missed` could not be sent to the hex. */
  select(hex, thing = null, focus = false, missed = null) {
    this.selected = { hex, thing, missed };
    const takes = thing && thing.owner === this.position.me && this.draft.state !== "none" && FORCE_ORDERS[this.draft.phase];
    this.form = takes ? new ForceForm(this, thing) : null;
    this.map.marks.chosen(this.position, hex);
    this.map.reveal(hex, this.dock.narrow);
    if (hex >= 0) announce(this.position.describe(hex));
    this.dock.show("here", focus);
    this.refresh();
  }

  /** Go back to the force that could not be sent where one clicked. */
  back({ thing, type }) {
    this.select(thing.hex, thing, true);
    if (this.form) this.form.chosen = type;
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
    const missed = form?.miss && !own.length ? { thing: form.thing, type: form.type, why: form.miss } : null;
    const choices = [...own.filter((each) => each.kind === "detachment"), ...own.filter((each) => each.kind !== "detachment"), null];
    const next = thing ?? (hex === selected.hex ? choices[(choices.indexOf(selected.thing) + 1) % choices.length] : choices[0]);
    this.select(hex, next, false, missed);
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
    else if (order.type === "fight") this.showOrder(item);
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
