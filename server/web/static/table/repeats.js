// Orders that are repeated in each phase of their kind until one cancels them: a tick beside each, and the list of them.

import { api, Problem } from "../api.js";
import { nameOf, t } from "../texts.js";
import { toast } from "../toast.js";
import { announce, button, h, tick } from "./dom.js";
import { FORCE_ORDERS, repeats, subjectOf } from "./kinds.js";
import { refusal, sentence } from "./sentences.js";

/** Return an order as a text that is the same for the same order. */
const told = (order) => JSON.stringify(Object.entries(order).sort(([one], [other]) => (one < other ? -1 : 1)));

export class Repeats {
  /** What is repeated in each kind of phase. @type {{phase: string, revision: number, orders: any[], left_out: any[]}[]} */ rows = [];

  /** @param {any} table */
  constructor(table) { this.table = table; }

  get #path() { return `/campaigns/${this.table.about.campaign}/orders/repeated`; }
  get #query() { return this.table.draft.query; }

  async load() {
    try {
      this.rows = (await api("GET", this.#path + this.#query)).data.items;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.rows = []; // the orders themselves say what is wrong
    }
    if (this.rows.length) this.table.refresh();
  }

  #of(phase) { return this.rows.find((each) => each.phase === phase)?.orders ?? []; }

  /** Return whether an order of the open phase is repeated. */
  has(order) { return this.#of(this.table.draft.phase).some((each) => told(each) === told(order)); }

  /** Return the tick of an order; null where it cannot be repeated. */
  tick({ uid, order }) {
    const { draft } = this.table;
    if (!repeats(order.type, draft.phase) || order.as || draft.state === "none") return null;
    return h("div", { class: "repeat small" }, tick(t("table.repeat.tick"), this.has(order), (on) => this.#set(draft.phase, order, on), `repeat-${uid}`));
  }

  /** Say of an order whether it is repeated: what it was for its force before is so no longer. */
  #set(phase, order, on) {
    const one = FORCE_ORDERS[phase]?.includes(order.type);
    const rest = this.#of(phase).filter((each) => told(each) !== told(order) && !(one && subjectOf(each) === subjectOf(order)));
    return this.#put(phase, on ? [...rest, order] : rest, t(on ? "table.repeat.on" : "table.repeat.off"));
  }

  async #put(phase, orders, said) {
    const row = this.rows.find((each) => each.phase === phase);
    try {
      const { data } = await api("PUT", `${this.#path}/${phase}${this.#query}`, { orders }, { headers: { "If-Match": `"${row?.revision ?? 0}"` } });
      this.rows = [...this.rows.filter((each) => each !== row), data];
      announce(said);
      this.table.refresh();
    } catch (error) {
      toast(error.message, "bad");
      await this.load();
      this.table.refresh();
    }
  }

  /** What is repeated in phases of all kinds, and what was not possible when this one opened. */
  panel() {
    const { position, draft } = this.table, there = this.rows.filter((each) => each.orders.length);
    const left = this.rows.flatMap((each) => each.left_out).filter((each) => each.number === draft.number);
    if (!there.length && !left.length) return null;
    return h("section", { class: "shop repeats" }, h("h3", {}, t("table.repeat.title")),
      left.map((each) => h("p", { class: "problem small" }, t(each.ended ? "table.repeat.ended" : "table.repeat.left_out", { order: sentence(position, each.order), why: refusal(each.problem, position).said }))),
      there.map((row) => [h("p", { class: "muted small" }, nameOf("phase", row.phase)),
        h("ul", { class: "picked" }, row.orders.map((order, at) => h("li", {}, `↻ ${sentence(position, order)}`,
          h("span", { class: "tools" }, button(t("table.repeat.cancel"), () => this.#put(row.phase, row.orders.filter((_, place) => place !== at), t("table.repeat.off")),
            { key: `cancel-${row.phase}-${at}`, class: "quiet small", "aria-label": t("table.repeat.cancel_of", { what: sentence(position, order) }) })))))]));
  }
}
