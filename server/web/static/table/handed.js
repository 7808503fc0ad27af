// What was handed in of the orders one writes, and how that stands: what the server knows, and what this browser keeps.

import { keep } from "./looked.js";
import { Written } from "./written.js";

export class Handed extends Written {
  /** @type {Map<number, Record<string, any>>} */ says = new Map();
  /** @type {Map<number, any[]>} */ problems = new Map();
  /** @type {any[]} */ general = [];
  /** @type {any[]} */ options = [];
  /** @type {Record<string, any>} */ stores = {};
  /** @type {Record<string, any>} */ left = {};
  /** Which change all this is about. */ lookedAt = -1;
  /** "loading", "none", "waiting", "saving", "saved", "partly", "offline", "refused", "conflict" or "closed". */
  state = "loading";
  /** The phase it is for. @type {number | undefined} */ number;
  /** @type {number | undefined} */ branch;
  /** @type {number | undefined} */ turn;
  /** @type {string | undefined} */ phase;
  /** @type {string | undefined} */ deadline;
  /** @type {string | undefined} */ updated;
  revision = 0;
  /** @type {?string} */ etag = null;
  /** @type {?string} */ salt = null;
  /** The salt that was handed in. @type {?string} */ mixed = null;
  partly = false; // handed in, but some were refused: those are only here
  final = false;
  /** They were declared final without a connection: that is done when it is back, as long as nothing else has changed. */
  finalWaits = false;
  temporary = false;
  wanted = true;
  dirty = false;
  closed = false;

  /** `about` of the page, the seat one orders for ("" for one's own). */
  constructor(about, seat) {
    super();
    this.about = about;
    this.seat = seat;
    this.paused = about.status === "paused";
  }

  get path() { return `/campaigns/${this.about.campaign}/orders`; }
  get query() { return this.seat ? `?seat=${encodeURIComponent(this.seat)}` : ""; }
  get key() { return `orders ${this.about.user} ${this.about.campaign} ${this.seat} ${this.branch ?? ""}.${this.number}`; }
  get locked() { return this.final || this.paused || this.state === "closed"; }

  /** Take what the server has. */
  take(data, etag) {
    const { number, branch, phase, turn, deadline, revision, wanted, final, temporary, salt } = data;
    Object.assign(this, { number, branch, phase, turn, deadline, revision, wanted, final, temporary, salt, mixed: salt, etag, partly: false, dirty: false });
    this.load(data.orders);
    if (this.finalWaits && !final) this.tell("final_dropped");
    this.finalWaits = false;
  }

  /** Keep all of it in this browser. */
  keep() {
    keep(this.key, { orders: this.orders, revision: this.revision, salt: this.salt, dirty: this.dirty || this.partly, at: Date.now(), phase: this.phase, turn: this.turn });
  }
}
