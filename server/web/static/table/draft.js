// One's orders while they are written: kept in this browser at once, checked and handed in soon after.
// Events: "change" (the orders), "looked" (what the server says of them), "state" (saving, final, ...), "conflict", "closed".

import { api, Offline, Problem } from "../api.js";

const SOON = 350; // ms between the last change and looking at it
const AGAIN = 5000; // ms until a lost server is asked again
const MAX_STEPS = 200;

export class Draft extends EventTarget {
  /** `about` of the page, the seat one orders for ("" for one's own). */
  constructor(about, seat) {
    super();
    Object.assign(this, { about, seat, items: [], says: new Map(), problems: new Map(), options: [], stores: {}, left: {}, general: [] });
    Object.assign(this, { past: [], future: [], state: "loading", paused: about.status === "paused", partly: false, final: false, temporary: false, wanted: true, dirty: false, serial: 0, lookedAt: -1 });
    addEventListener("online", () => this.#later(0));
  }

  get path() { return `/campaigns/${this.about.campaign}/orders`; }
  get query() { return this.seat ? `?seat=${encodeURIComponent(this.seat)}` : ""; }
  get key() { return `orders ${this.about.user} ${this.about.campaign} ${this.seat} ${this.branch ?? ""}.${this.number}`; }
  get orders() { return this.items.map((each) => each.order); }
  get locked() { return this.final || this.paused || this.state === "closed"; }

  /** Fetch what was handed in, and have the server look at it, before anybody can see either. */
  async fetch() {
    const given = await api("GET", this.path + this.query), { orders } = given.data;
    const answer = this.#ask(orders);
    answer.catch(() => {}); // told to whoever takes it
    this.early = { given, orders: JSON.stringify(orders), answer };
  }

  /** Take what was handed in; what this browser has kept and not handed in goes before it. */
  async open() {
    const { data, etag } = this.early?.given ?? await api("GET", this.path + this.query);
    this.past = [];
    this.future = [];
    this.closed = false;
    this.#take(data, etag);
    const kept = this.#kept();
    if (kept?.dirty && JSON.stringify(kept.orders) !== JSON.stringify(data.orders)) {
      this.#load(kept.orders);
      this.dirty = true;
      this.salt = kept.salt || this.salt;
      if (kept.revision !== data.revision) this.#conflict(data, etag);
    }
    this.#tell("change");
    this.#say(this.dirty ? "waiting" : "saved");
    if (!this.conflict) await this.#look();
    if (this.dirty && !this.conflict && !this.locked) await this.#save();
  }

  /** The game master has stopped the clock, or lets it run again: then what waited is handed in. */
  pause(paused) {
    if (paused === this.paused) return;
    this.paused = paused;
    this.#tell("change");
    if (!paused && this.dirty) this.#later(0);
  }

  #take(data, etag) {
    Object.assign(this, { number: data.number, branch: data.branch, phase: data.phase, turn: data.turn, deadline: data.deadline, revision: data.revision, partly: false,
      wanted: data.wanted, final: data.final, temporary: data.temporary, salt: data.salt || this.salt || randomSalt(), etag, dirty: false });
    this.#load(data.orders);
  }

  #load(orders) {
    this.items = orders.map((order) => ({ uid: (this.serial += 1), order }));
    this.changed = (this.changed ?? 0) + 1;
  }

  // --- changing ---

  add(order) { this.#change([...this.items, { uid: (this.serial += 1), order }]); return this.serial; }
  replace(uid, order) { this.#change(this.items.map((each) => (each.uid === uid ? { uid, order } : each))); }
  remove(uid) { this.#change(this.items.filter((each) => each.uid !== uid)); }

  /** Put an order in the place of the first for which `same` holds; at the end where there is none. */
  put(order, same) {
    const there = this.items.find((each) => same(each.order));
    if (there && JSON.stringify(there.order) === JSON.stringify(order)) return;
    if (there) this.replace(there.uid, order);
    else this.add(order);
  }

  move(uid, by) {
    const from = this.items.findIndex((each) => each.uid === uid), to = from + by;
    if (from < 0 || to < 0 || to >= this.items.length) return;
    const items = [...this.items];
    items.splice(to, 0, ...items.splice(from, 1));
    this.#change(items);
  }

  /** What changes until the stroke ends is one step to undo. */
  beginStroke() { this.stroke = { begun: false }; }
  endStroke() { this.stroke = null; }

  undo() { this.#back(this.past, this.future); }
  redo() { this.#back(this.future, this.past); }

  #back(from, to) {
    if (!from.length || this.locked) return;
    to.push(this.items);
    this.items = from.pop();
    this.#changed();
  }

  #change(items) {
    if (this.locked) return;
    if (!this.stroke?.begun) this.past = [...this.past.slice(-MAX_STEPS), this.items];
    if (this.stroke) this.stroke.begun = true;
    this.future = [];
    this.items = items;
    this.#changed();
  }

  setSalt(salt) { this.salt = salt; this.#changed(); }
  setTemporary(value) { this.temporary = value; this.#changed(); }

  #changed() {
    this.changed += 1;
    this.dirty = true;
    this.#keep();
    this.#tell("change");
    this.#say("waiting");
    this.#later(SOON);
  }

  #later(wait) {
    clearTimeout(this.timer);
    if (this.number === undefined) return;
    this.timer = setTimeout(() => this.#work(), wait);
  }

  /** One thing at a time: look, then hand in; once more if something has changed meanwhile. */
  async #work() {
    if (this.working) { this.again = true; return; }
    this.working = true;
    do {
      this.again = false;
      if (await this.#look() && !this.again && this.dirty && !this.locked && !this.conflict) await this.#save();
    } while (this.again);
    this.working = false;
    this.idle?.();
  }

  // --- the server ---

  #ask(orders) { return api("POST", `${this.path}/draft${this.query}`, { orders }); }

  async #look() {
    const { items, changed } = this;
    try {
      const early = this.early?.orders === JSON.stringify(this.orders) ? this.early.answer : null;
      this.early = null;
      const { data } = await (early ?? this.#ask(this.orders));
      if (changed !== this.changed) { this.again = this.working; if (!this.working) this.#later(SOON); return false; }
      this.says = new Map(items.map((each, place) => [each.uid, data.says[place] ?? {}]));
      this.problems = new Map();
      this.general = data.problems.filter((each) => !items[each.order]);
      for (const each of data.problems) {
        const uid = items[each.order]?.uid;
        if (uid) this.problems.set(uid, [...(this.problems.get(uid) ?? []), each]);
      }
      Object.assign(this, { options: data.options, stores: data.stores, left: data.left, lookedAt: changed });
      this.#tell("looked");
      return true;
    } catch (error) { this.#failed(error); return false; }
  }

  async #save(final = false) {
    const { orders, changed } = this;
    this.#say("saving");
    try {
      const body = { orders, number: this.number, lenient: true, salt: this.salt, temporary: this.temporary, final };
      const { data, etag } = await api("PUT", this.path + this.query, body, { headers: { "If-Match": this.etag } });
      Object.assign(this, { etag, revision: data.orders.revision, final: data.orders.final, updated: data.orders.updated_at });
      this.dirty = changed !== this.changed;
      this.partly = data.problems.length > 0; // those that were refused are only here
      this.#keep();
      this.#say(data.problems.length ? "partly" : "saved");
      return true;
    } catch (error) { this.#failed(error); return false; }
  }

  #failed(error) {
    if (error instanceof Offline) {
      this.#say("offline");
      this.#later(AGAIN);
    } else if (error instanceof Problem && error.status === 412) this.#fetchConflict();
    else if (error instanceof Problem && ["wrong_phase", "phase_closed", "deadline_passed", "wrong_status"].includes(error.code)) this.#over(error);
    else if (error instanceof Problem) { this.refused = error; this.#say("refused"); } else throw error;
  }

  /** Nothing is taken any more: the campaign is paused, or the phase is over. */
  async #over(error) {
    if (error.field === "status") {
      try {
        const { data } = await api("GET", `/campaigns/${this.about.campaign}`);
        if (data.status === "paused") { this.#say("waiting"); this.pause(true); return; }
      } catch (other) { this.#failed(other); return; }
    }
    this.close();
  }

  /** The phase is over: what was written stays here, to be copied. */
  close() {
    if (this.closed) return;
    this.closed = true;
    this.#say("closed");
    this.#tell("closed");
  }

  async #fetchConflict() {
    try {
      const { data, etag } = await api("GET", this.path + this.query);
      if (data.number !== this.number) this.close();
      else if (JSON.stringify(data.orders) === JSON.stringify(this.orders)) { this.#take(data, etag); this.#say("saved"); } else this.#conflict(data, etag);
    } catch (error) { this.#failed(error); }
  }

  #conflict(data, etag) {
    const asked = Boolean(this.conflict); // a refused write and the news of the other one may both find it
    this.conflict = { data, etag };
    this.#say("conflict");
    if (!asked) this.#tell("conflict");
  }

  /** Settle a conflict: `theirs` takes what was handed in elsewhere, otherwise what is here is handed in over it. */
  async settle(theirs) {
    const { data, etag } = this.conflict;
    this.conflict = null;
    if (theirs) {
      this.past = [...this.past, this.items];
      this.#take(data, etag);
      this.#keep();
      this.#tell("change");
      this.#say("saved");
      await this.#look();
    } else {
      Object.assign(this, { etag, revision: data.revision, final: data.final });
      this.#later(0);
    }
  }

  /** Something was handed in elsewhere: take it over, unless there is something of one's own. */
  async noticed(revision) {
    if (revision <= this.revision || this.working || ["saving", "none"].includes(this.state)) return;
    if (this.dirty || this.partly) { await this.#fetchConflict(); return; }
    try {
      const { data, etag } = await api("GET", this.path + this.query);
      if (data.number !== this.number) { this.close(); return; }
      if (data.revision === this.revision) return;
      this.#take(data, etag);
      this.#tell("change");
      this.#say("saved");
      await this.#look();
    } catch (error) { this.#failed(error); }
  }

  /** Hand everything in and declare it final. Returns true when it is. */
  async declareFinal() {
    clearTimeout(this.timer);
    if (this.working) await new Promise((done) => { this.idle = done; });
    this.idle = null;
    this.working = true;
    const done = await this.#save(true);
    this.working = false;
    return done && this.final;
  }

  async takeBack() {
    try {
      const { data, etag } = await api("DELETE", `${this.path}/final?number=${this.number}${this.seat ? `&seat=${encodeURIComponent(this.seat)}` : ""}`, undefined, { headers: { "If-Match": this.etag } });
      Object.assign(this, { etag, revision: data.revision, final: data.final });
      this.#say("saved");
    } catch (error) { this.#failed(error); }
  }

  // --- this browser ---

  #keep() {
    try {
      localStorage.setItem(this.key, JSON.stringify({ orders: this.orders, revision: this.revision, salt: this.salt, dirty: this.dirty || this.partly, at: Date.now(), phase: this.phase, turn: this.turn }));
    } catch { /* private windows may refuse: the server has it soon */ }
  }

  #kept() {
    try { return JSON.parse(localStorage.getItem(this.key)); } catch { return null; }
  }

  #say(state) {
    if (this.closed && state !== "closed") return;
    this.state = state;
    this.#tell("state");
  }

  #tell(what) { this.dispatchEvent(new Event(what)); }
}

function randomSalt() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((each) => each.toString(16).padStart(2, "0")).join("");
}
