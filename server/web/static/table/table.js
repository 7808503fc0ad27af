// The table as a whole: what is chosen, what the map shows of it, and what happens when something changes.

import { nameOf, t } from "../texts.js";
import { toast } from "../toast.js";
import { announce } from "./dom.js";
import { Attempts } from "./attempts.js";
import { changeOf } from "./changes.js";
import { clicked } from "./clicks.js";
import { Dock } from "./dock.js";
import { Draft } from "./draft.js";
import { orderBadges, orderMarks, reachMarks } from "./arrows.js";
import { ownNotes } from "./own_notes.js";
import { Kept } from "./kept.js";
import { Lessons } from "./lessons.js";
import { signInAgain } from "./sign_in_again.js";
import { Suggestions } from "./suggestions.js";
import { TextPanel } from "./text_panel.js";
import { ForceForm } from "./force_form.js";
import { FORCE_ORDERS } from "./kinds.js";
import { loadPosition } from "./load.js";
import { Pen } from "./pen.js";
import { Prospects } from "./prospects.js";
import { Reasons } from "./reasons.js";
import { Repeats } from "./repeats.js";
import { Results } from "./results.js";
import { conflictDialog, closedDialog } from "./troubles.js";
import { placesAt } from "./build_panel.js";
import { unordered } from "./things_panel.js";
import { Waiting } from "./waiting.js";

/** News after which another position may have to be shown. */
const REOPEN = ["seen_again", "phase_opened", "phase_resolved", "intervention", "rolled_back"];

/** What is chosen on the map; `missed` could not be sent to the hex. @typedef {{hex: number, thing: any, missed?: any}} Chosen */

export class Table {
  /** Until the first is there, there is none. @type {import("./position.js").Position} */ position;
  /** @type {Draft} */ draft;
  /** The order of the force that is chosen. @type {?ForceForm} */ form = null;
  /** @type {Chosen} */ selected = { hex: -1, thing: null };
  /** What the last change to the orders did, in words. @type {any} */ changed = null;
  /** @type {Promise<unknown>} */ reopening = Promise.resolve();
  final = false;

  /** @param {Record<string, any>} about of the page @param {any} pictures @param {import("./map.js").MapView} map */
  constructor(about, pictures, map) {
    this.about = about;
    this.pictures = pictures;
    this.map = map;
    const asked = new URLSearchParams(location.search).get("seat");
    this.seat = about.mine.includes(asked) ? asked : "";
    this.kept = new Kept(this);
    this.repeats = new Repeats(this);
    this.text = new TextPanel(this);
    this.prospects = new Prospects(this);
    this.attempts = new Attempts(this);
    this.reasons = new Reasons(this);
    this.waiting = new Waiting(this);
    this.pen = new Pen(this);
    this.notebook = ownNotes(this);
    this.dock = new Dock(this, document.getElementById("dock"));
    this.results = new Results(this);
    this.lessons = new Lessons(this);
    this.suggestions = new Suggestions(this);
  }

  /** True where the campaign has ended: by its rules, or by the game master's hand. */
  get over() { return this.position.phase === "over" || ["finished", "archived"].includes(this.about.status); }

  get phaseName() { return nameOf("phase", this.draft.phase ?? this.position.phase); }

  /** Fetch everything and show it; the map first. `live`: a phase has ended before one's eyes. */
  async open(live = false) {
    const draft = new Draft(this.about, this.seat), playing = this.about.mine.length > 0;
    // the first time the page itself says that there are orders to be written: they need not wait for the map
    const early = playing && !this.position && this.about.phase ? draft.fetch().catch(() => {}) : null;
    if (!this.position) this.results.prepare();
    const [position] = await Promise.all([loadPosition(this.about, this.seat || this.about.mine[0]), early]);
    Object.assign(this, { position, draft, form: null, final: false, changed: null, selected: { hex: -1, thing: null } });
    this.results.film?.close(); // it was of the phase before
    this.map.show(position);
    this.map.marks.chosen(position, -1);
    this.#listen();
    const orders = playing && !this.over;
    if (!orders) draft.state = "none";
    this.dock.begin(!draft.early); // else the orders are there already, and draw it
    if (orders) await draft.open();
    document.getElementById("table").dataset.phase = this.phaseName;
    if (draft.lookedAt < 0) this.refresh(); // else it was drawn with the answer
    if (orders) this.repeats.load();
    this.notebook?.load();
    this.results.load(live);
  }

  #listen() {
    const { draft } = this, mine = (act) => () => { if (draft === this.draft) act(); };
    draft.addEventListener("change", mine(() => this.refresh()));
    draft.addEventListener("edited", mine(() => { this.changed = changeOf(this); this.dock.said(); }));
    draft.addEventListener("looked", mine(() => { this.refresh(); this.prospects.look(); this.suggestions.look(); }));
    draft.addEventListener("state", mine(() => this.#stands()));
    draft.addEventListener("signed_out", mine(() => signInAgain(this)));
    draft.addEventListener("final_late", mine(() => toast(t("table.again.final_late"))));
    draft.addEventListener("final_dropped", mine(() => toast(t("table.again.final_dropped"), "bad")));
    draft.addEventListener("conflict", mine(() => conflictDialog(this)));
    draft.addEventListener("closed", mine(() => closedDialog(this)));
  }

  /** What was kept where has changed; where one became final, or no longer is, so has what there is to do. */
  #stands() {
    this.dock.foot();
    if (this.final === this.draft.final) return;
    this.final = this.draft.final;
    if (this.final) this.lessons.sealed();
    this.suggestions.look();
    this.refresh();
    this.waiting.look();
  }

  /** Something happened in the campaign. @param {{kind: string, data?: any}} news */
  async happened({ kind, data }) {
    if (!this.position) return; // what is being fetched is new enough
    if (kind === "orders_changed" && data?.number === this.draft?.number) await this.draft.noticed(data.revision);
    else if (kind === "finished") location.reload(); // nothing can be ordered any more
    else if (kind === "paused" || kind === "resumed") this.#pause(kind === "paused");
    else if (kind === "finality") await this.waiting.look();
    else if (REOPEN.includes(kind)) {
      // one after the other: what one has shown, the next need not show anew
      this.reopening = this.reopening.catch(() => {}).then(() => this.#reopen(kind));
      await this.reopening;
    }
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
    const edited = kind === "intervention";
    if (known && (!edited || before.dirty)) { await before.noticed(Infinity); return; }
    const unsent = before.dirty && before.number !== position.view.number;
    if (unsent && !before.closed) before.close();
    else if (!unsent) { await this.open(true); toast(edited ? t("table.edited") : t("table.phase_now", { phase: this.phaseName, turn: this.position.turn })); }
  }

  // --- choosing ---

  /** Choose a hex, and a thing in it; `focus` moves the keyboard there. `missed` could not be sent to the hex. */
  select(hex, thing = null, focus = false, missed = null) {
    const before = this.selected;
    this.selected = { hex, thing, missed };
    const takes = thing && thing.owner === this.position.me && this.draft.state !== "none" && FORCE_ORDERS[this.draft.phase];
    this.form = takes ? new ForceForm(this, thing) : null;
    this.map.marks.chosen(this.position, hex);
    this.map.reveal(hex, this.dock.narrow);
    if (hex >= 0) announce(this.position.describe(hex, true));
    this.mark();
    this.dock.show("here", focus);
    if (before.hex !== hex || before.thing !== thing) this.dock.panels.here.scrollTop = 0;
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
    this.mark();
    this.dock.show("things");
  }

  /** A hex of the map was clicked, or one of the player's counters in it; `again`: the second half of a double click. */
  clicked(hex, thing, again = false) { clicked(this, hex, thing, again); }

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

  /** Draw anew what depends on orders and choice. */
  refresh() {
    if (!this.position) return;
    this.mark();
    this.dock.draw();
  }

  /** Draw orders and choice on the map. */
  mark() {
    const { marks } = this.map, { position, form } = this;
    marks.orders(position, orderMarks(this));
    marks.extra(this.kept.signs(this.map.pictures));
    marks.reach(position, reachMarks(this), form?.thing.hex ?? -1);
    marks.suggested(position, this.suggestions.shown);
    marks.badges(position, orderBadges(this, unordered(this)));
    const says = form?.item && this.draft.says.get(form.item.uid);
    const path = form && !this.draft.locked ? form.path.map((each) => position.grid.find(each)) : [];
    marks.path(position, form?.thing.hex ?? -1, path, says?.steps ? says.steps.length : path.length);
  }

  /** Return the hexes where the next thing may be placed in Setup. */
  get placing() {
    const first = this.draft?.phase === "setup" && this.draft.options.find((each) => each.order.type === "place");
    return first ? first.choices.at.map((each) => this.position.grid.find(each)) : [];
  }

  mayPlace(hex) { return placesAt(this, hex).length > 0; }
}
