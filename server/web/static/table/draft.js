// One's orders while they are written: kept in this browser at once, checked and handed in soon after.
// Events besides those of what is written: "looked" (what the server says of it), "state" (saving, final, ...), "conflict", "closed".

import { api, Offline, Problem } from "../api.js";
import { Handed } from "./handed.js";
import { answered, kept } from "./looked.js";

const SOON = 350; // ms between the last change and looking at it
const SIGNED_OUT = ["not_signed_in", "bad_token", "csrf"]; // the session has ended, or is another one
const AGAIN = 5000; // ms until a lost server is asked again

export class Draft extends Handed {
  /** What was handed in elsewhere meanwhile. @type {?{data: any, etag: string}} */ conflict = null;
  /** @type {?{given: any, orders: string, answer: Promise<any>}} */ early = null;
  /** @type {?Problem} */ refused = null;
  /** Called when nothing is under way any more. @type {?() => void} */ idle = null;
  /** @type {number | undefined} */ timer;
  working = false;
  again = false;

  constructor(about, seat) {
    super(about, seat);
    addEventListener("online", () => this.#later(0));
  }

  /** Fetch what was handed in, and have the server look at it, before anybody can see either. */
  async fetch() {
    const given = await api("GET", this.path + this.query), { orders } = given.data;
    const answer = this.#ask(orders);
    answer.catch(() => {}); // told to the code that takes it
    this.early = { given, orders: JSON.stringify(orders), answer };
  }

  /** Take what was handed in; what this browser has kept and not handed in goes before it. */
  async open() {
    const { data, etag } = this.early?.given ?? await api("GET", this.path + this.query);
    this.past = [];
    this.future = [];
    this.closed = false;
    this.take(data, etag);
    const here = kept(this.key);
    if (here?.dirty && JSON.stringify(here.orders) !== JSON.stringify(data.orders)) {
      this.load(here.orders);
      this.dirty = true;
      this.salt = here.salt || this.salt;
      if (here.revision !== data.revision) this.#conflict(data, etag);
    }
    this.tell("change");
    this.#say(this.dirty ? "waiting" : "saved");
    if (!this.conflict) await this.#look();
    if (this.dirty && !this.conflict && !this.locked) await this.#save();
  }

  /** The game master has stopped the clock, or lets it run again: then what waited is handed in. */
  pause(paused) {
    if (paused === this.paused) return;
    this.paused = paused;
    this.tell("change");
    if (!paused && this.dirty) this.#later(0);
  }

  // --- changing ---

  setSalt(salt) { this.salt = salt; this.touch(); }
  setTemporary(value) { this.temporary = value; this.touch(); }

  touch() {
    this.dirty = true;
    this.finalWaits = false;
    this.keep();
    super.touch();
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
    let looked = false;
    do {
      this.again = false;
      if ((looked = await this.#look()) && !this.again && this.dirty && !this.locked && !this.conflict) await this.#save();
    } while (this.again);
    if (this.finalWaits && looked && !this.dirty && !this.locked && !this.conflict) await this.#finalNow();
    this.working = false;
    this.idle?.();
  }

  /** What waited for a connection is done now; the server refuses it where the phase is over or the orders are others. */
  async #finalNow() {
    if (!(await this.#save(true)) || !this.final) return;
    this.finalWaits = false;
    this.tell("final_late");
  }

  /** Somebody has signed in again: what waited is handed in. */
  resume() {
    this.#say("waiting");
    this.#later(0);
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
      Object.assign(this, answered(items, data), { lookedAt: changed });
      this.tell("looked");
      return true;
    } catch (error) { this.#failed(error); return false; }
  }

  async #save(final = false) {
    const { orders, changed } = this;
    this.#say("saving");
    try {
      const body = { orders, number: this.number, lenient: true, salt: this.salt === this.mixed ? null : this.salt, temporary: this.temporary, final };
      const { data, etag } = await api("PUT", this.path + this.query, body, { headers: { "If-Match": this.etag } });
      Object.assign(this, { etag, revision: data.orders.revision, final: data.orders.final, updated: data.orders.updated_at });
      this.dirty = changed !== this.changed;
      this.mixed = body.salt ?? this.mixed;
      this.partly = data.problems.length > 0; // those that were refused are only here
      this.keep();
      this.#say(data.problems.length ? "partly" : "saved");
      return true;
    } catch (error) { this.#failed(error); return false; }
  }

  #failed(error) {
    if (error instanceof Offline) {
      this.#say(this.finalWaits ? "final_waits" : "offline");
      this.#later(AGAIN);
    } else if (error instanceof Problem && SIGNED_OUT.includes(error.code)) {
      if (this.state !== "signed_out") this.tell("signed_out");
      this.#say("signed_out");
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
    this.tell("closed");
  }

  async #fetchConflict() {
    try {
      const { data, etag } = await api("GET", this.path + this.query);
      if (data.number !== this.number) this.close();
      else if (JSON.stringify(data.orders) === JSON.stringify(this.orders)) { this.take(data, etag); this.#say("saved"); } else this.#conflict(data, etag);
    } catch (error) { this.#failed(error); }
  }

  #conflict(data, etag) {
    const asked = Boolean(this.conflict); // a refused write and the news of the other one may both find it
    this.conflict = { data, etag };
    this.#say("conflict");
    if (!asked) this.tell("conflict");
  }

  /** Settle a conflict: `theirs` takes what was handed in elsewhere, otherwise what is here is handed in over it. */
  async settle(theirs) {
    const { data, etag } = this.conflict;
    this.conflict = null;
    if (theirs) await this.takeOver(data, etag);
    else {
      Object.assign(this, { etag, revision: data.revision, final: data.final });
      this.#later(0);
    }
  }

  /** Have what was handed in elsewhere, or as text, here, too; what was here can be had back. */
  async takeOver(data, etag) {
    this.past = [...this.past, this.items];
    this.take(data, etag);
    this.keep();
    this.tell("change");
    this.#say("saved");
    await this.#look();
  }

  /** Something was handed in elsewhere: take it over, unless there is something of one's own. */
  async noticed(revision) {
    if (revision <= this.revision || this.working || ["saving", "none"].includes(this.state)) return;
    if (this.dirty || this.partly) { await this.#fetchConflict(); return; }
    try {
      const { data, etag } = await api("GET", this.path + this.query);
      if (data.number !== this.number) { this.close(); return; }
      if (data.revision === this.revision) return;
      this.take(data, etag);
      this.tell("change");
      this.#say("saved");
      await this.#look();
    } catch (error) { this.#failed(error); }
  }

  /** Hand everything in and declare it final. Returns true when it is. */
  async declareFinal() {
    clearTimeout(this.timer);
    if (this.working) await new Promise((done) => { this.idle = () => done(true); });
    this.idle = null;
    this.working = true;
    const done = await this.#save(true);
    this.working = false;
    if (this.state === "offline") { this.finalWaits = true; this.#say("final_waits"); }
    return done && this.final;
  }

  async takeBack() {
    try {
      const { data, etag } = await api("DELETE", `${this.path}/final?number=${this.number}${this.seat ? `&seat=${encodeURIComponent(this.seat)}` : ""}`, undefined, { headers: { "If-Match": this.etag } });
      Object.assign(this, { etag, revision: data.revision, final: data.final });
      this.#say("saved");
    } catch (error) { this.#failed(error); }
  }

  #say(state) {
    if (this.closed && state !== "closed") return;
    this.state = state;
    this.tell("state");
  }
}
