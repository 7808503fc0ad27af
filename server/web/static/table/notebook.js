// @ts-check
// One's own notes of turns and pins in the map: fetched once, kept on the server as they are written.

import { api, Offline, Problem } from "../api.js";
import { t } from "../texts.js";
import { toast } from "../toast.js";

/** @typedef {{turn: number, text: string}} Note */
/** @typedef {{hex: string, turn: number, text: string}} Pin */

const PAUSE = 800; // ms without a key after which a note is kept

/** A notebook. `changed` is told when pins have changed, `kept` how a note's turn stands: "typing", "kept" or "failed". */
export class Notebook {
  /**
   * @param {string} campaign
   * @param {string} seat
   * @param {{changed?: () => void, kept?: (turn: number, how: string) => void}} told
   */
  constructor(campaign, seat, told = {}) {
    this.path = `/campaigns/${campaign}/notebook`;
    this.query = seat ? `?seat=${encodeURIComponent(seat)}` : "";
    this.told = told;
    this.open = false;
    this.notes = /** @type {Map<number, string>} */ (new Map());
    this.pins = /** @type {Map<string, Pin>} */ (new Map());
    this.waits = /** @type {Map<number, ReturnType<typeof setTimeout>>} */ (new Map());
  }

  /** Fetch it. */
  async load() {
    const found = await this.#ask(() => api("GET", this.path + this.query));
    if (!found) return;
    this.open = true;
    this.take(found.data);
  }

  /** @param {{notes: Note[], pins: Pin[]}} found */
  take(found) {
    for (const each of found.notes) if (!this.waits.has(each.turn)) this.notes.set(each.turn, each.text);
    this.pins = new Map(found.pins.map((each) => [each.hex, each]));
    this.told.changed?.();
  }

  /** What is noted of a turn, as it stands on the page. @param {number} turn */
  note(turn) { return this.notes.get(turn) ?? ""; }

  /** The other turns of which something is noted, the last one first. @param {number} turn */
  others(turn) { return [...this.notes].filter(([each, text]) => each !== turn && text).map(([each]) => each).sort((a, b) => b - a); }

  /** The pins that were in the map in a turn; all of them without one. @param {number} [turn] @returns {Pin[]} */
  pinned(turn = Infinity) { return [...this.pins.values()].filter((each) => each.turn <= turn); }

  /** Take down what is typed of a turn; it is kept once one pauses. @param {number} turn @param {string} text */
  type(turn, text) {
    this.notes.set(turn, text);
    clearTimeout(this.waits.get(turn));
    this.waits.set(turn, setTimeout(() => this.keep(turn), PAUSE));
    this.told.kept?.(turn, "typing");
  }

  /** Keep what was typed of a turn. @param {number} turn */
  async keep(turn) {
    if (!this.waits.has(turn)) return;
    clearTimeout(this.waits.get(turn));
    this.waits.delete(turn);
    const text = this.note(turn).trim(), path = `${this.path}/notes/${turn}${this.query}`;
    const done = await this.#ask(() => (text ? api("PUT", path, { text }) : api("DELETE", path).catch(missing)));
    this.told.kept?.(turn, done ? "kept" : "failed");
  }

  /** Put a pin into a hex, or change the one there. @param {string} hex @param {string} text */
  async pin(hex, text) {
    const done = await this.#ask(() => api("PUT", `${this.path}/pins/${hex}${this.query}`, { text }));
    if (done) this.pins.set(hex, done.data);
    if (done) this.told.changed?.();
    return Boolean(done);
  }

  /** Pull a pin out. @param {string} hex */
  async unpin(hex) {
    const done = await this.#ask(() => api("DELETE", `${this.path}/pins/${hex}${this.query}`).catch(missing));
    if (done) this.pins.delete(hex);
    if (done) this.told.changed?.();
    return Boolean(done);
  }

  /**
   * Ask, and say what went wrong.
   * @param {() => Promise<any>} ask
   * @returns {Promise<any>}
   */
  async #ask(ask) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Offline || error instanceof Problem)) throw error;
      toast(error instanceof Offline ? t("frame.offline") : error.message, "bad");
      return null;
    }
  }
}

/** What is not there need not be taken away. @param {unknown} error */
function missing(error) {
  if (error instanceof Problem && /** @type {any} */ (error).status === 404) return { data: null };
  throw error;
}
