// One's orders as text: shown, and taken over, in the words that mails and `sealed-orders orders` use, too.

import { api } from "../api.js";
import { t, told } from "../texts.js";
import { announce, button, h } from "./dom.js";

/** @typedef {{message?: string, detail?: string, template?: string, params?: Record<string, any>}} Told */

export class TextPanel {
  /** @param {any} table */
  constructor(table) {
    this.table = table;
    this.area = /** @type {HTMLTextAreaElement} */ (h("textarea", { class: "orders-text", rows: 12, spellcheck: "false", "aria-label": t("table.text.title"), "data-key": "orders-text" }));
    this.told = h("ul", { class: "problem small", role: "alert", hidden: true });
    this.takes = /** @type {HTMLButtonElement} */ (button(t("table.text.take"), () => this.#take(), { key: "text-take", class: "primary" }));
    this.place = /** @type {HTMLDetailsElement} */ (h("details", { class: "shop", ontoggle: () => { if (this.place.open) this.#show(); } },
      h("summary", {}, t("table.text.title")),
      h("div", { class: "stack" }, h("p", { class: "muted small" }, t("table.text.why"), " ", h("a", { href: "/guides/orders" }, t("table.text.guide"))), this.area, this.told,
        h("div", { class: "row" }, this.takes, button(t("table.text.again"), () => this.#show(), { key: "text-again", class: "quiet" })))));
  }

  panel() {
    const { draft } = this.table;
    this.takes.disabled = draft.locked;
    return draft.state === "none" ? null : this.place;
  }

  get #path() { return this.table.draft.path + this.table.draft.query; }

  /** Write down what is handed in. */
  async #show() {
    const found = await this.#ask(() => api("GET", this.#path, undefined, { headers: { Accept: "text/plain" } }));
    if (found) this.area.value = found.data;
  }

  /** Hand in what is written, in place of all there was. */
  async #take() {
    const { draft } = this.table;
    const done = await this.#ask(() => api("PUT", this.#path, new Blob([this.area.value], { type: "text/plain;charset=utf-8" }), { headers: { "If-Match": draft.etag } }));
    if (!done) return;
    await draft.takeOver(done.data.orders, done.etag);
    await this.table.repeats.load();
    announce(t("table.text.taken"));
  }

  /** @param {() => Promise<any>} ask */
  async #ask(ask) {
    this.#tell([]);
    try {
      return await ask();
    } catch (error) {
      const refused = /** @type {Told & {problems?: Told[]}} */ (error);
      this.#tell(refused.problems?.length ? refused.problems : [refused]);
      return null;
    }
  }

  /** @param {Told[]} problems */
  #tell(problems) {
    this.told.replaceChildren(...problems.map((each) => h("li", {}, told(each.template ?? "", each.params) || each.message || each.detail || "")));
    this.told.hidden = !problems.length;
  }
}
