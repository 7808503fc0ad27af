// What this browser keeps: orders that were not handed in before their phase closed; orders left for later phases.

import { api, Problem } from "../api.js";
import { nameOf, t } from "../texts.js";
import { toast } from "../toast.js";
import { announce, button, h, redraw, select } from "./dom.js";
import { anyForm } from "./any_form.js";
import { sentence } from "./sentences.js";
import { resourceSign, sign, townSign } from "./signs.js";

const PHASES = ["build", "movement", "battle_movement", "battles"];

/** Where in the campaign that is; before the first turn the phase alone. */
const stage = (turn, phase) => (turn ? t("table.later.phase", { phase: nameOf("phase", phase), turn }) : nameOf("phase", phase));

export class Kept {
  constructor(table) {
    this.table = table;
    this.place = h("details", { class: "shop", ontoggle: () => { if (this.place.open && !this.fetched) this.#fetch(); } }, h("summary", {}, t("table.later.title")), (this.body = h("div", { class: "stack" })));
  }

  /** Orders that were written for a phase that closed before they were handed in. */
  unsent() {
    const { about, draft } = this.table, found = [], mark = `orders ${about.user} ${about.campaign} `;
    for (let at = 0; at < localStorage.length; at += 1) {
      const key = localStorage.key(at);
      if (!key.startsWith(mark) || key === draft.key) continue;
      try {
        const kept = JSON.parse(localStorage.getItem(key));
        if (kept.dirty && kept.orders.length) found.push({ key, ...kept });
      } catch { /* not ours */ }
    }
    return found;
  }

  panel() {
    const { draft, position } = this.table;
    const unsent = this.unsent().map((each) => h("div", { class: "card small" },
      h("p", {}, t("table.unsent", { stage: stage(each.turn, each.phase) })),
      h("ul", {}, each.orders.map((order) => h("li", {}, sentence(position, order)))),
      h("div", { class: "row" }, button(t("table.copy"), () => copy(each.orders), { key: `copy-${each.key}` }),
        button(t("table.discard"), () => { localStorage.removeItem(each.key); this.table.refresh(); }, { key: `drop-${each.key}` }))));
    return [...unsent, draft.state === "none" ? null : this.place];
  }

  // --- for later phases ---

  get path() { return `/campaigns/${this.table.about.campaign}/orders/advance`; }

  async #fetch() {
    this.fetched = true;
    try {
      const { data } = await api("GET", this.path + this.table.draft.query);
      this.left = data.items;
      this.#draw();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.body.replaceChildren(h("p", { class: "problem" }, error.message));
    }
  }

  /** The phases to come: the rest of this turn and the next. @returns {[number, string][]} */
  #coming() {
    const { draft } = this.table, at = PHASES.indexOf(draft.phase);
    const of = (turn, phases) => phases.map((phase) => /** @type {[number, string]} */ ([turn, phase]));
    return [...of(draft.turn, PHASES.slice(at + 1)), ...of(draft.turn + 1, PHASES)];
  }

  #draw() {
    const { table } = this, coming = this.#coming(), value = ([turn, phase]) => `${turn} ${phase}`;
    this.chosen ??= value(coming[0]);
    const [turn, phase] = this.chosen.split(" "), there = this.left.find((each) => String(each.turn) === turn && each.phase === phase);
    const choice = select(coming.map((each) => [value(each), stage(...each)]), this.chosen, (given) => { this.chosen = given; this.#draw(); }, "later");
    choice.setAttribute("aria-label", t("table.later.which"));
    redraw(this.body, h("p", { class: "muted small" }, t("table.later.why")), choice,
      there?.orders.length ? h("ol", { class: "picked" }, there.orders.map((order, at) => h("li", {}, sentence(table.position, order),
        h("span", { class: "tools" }, button("×", () => this.#put(turn, phase, there.orders.filter((_, place) => place !== at)), { key: `off-${at}`, class: "quiet icon", "aria-label": t("table.remove_of", { what: sentence(table.position, order) }) }))))) : h("p", { class: "muted" }, t("table.later.none")),
      button(t("table.later.add"), () => anyForm(table, phase, null, (order) => this.#put(turn, phase, [...(there?.orders ?? []), order])), { key: "add" }));
  }

  async #put(turn, phase, orders) {
    try {
      if (orders.length) await api("PUT", `${this.path}/${turn}/${phase}${this.table.draft.query}`, { orders });
      else await api("DELETE", `${this.path}/${turn}/${phase}${this.table.draft.query}`);
      announce(t("table.later.saved"));
      await this.#fetch();
    } catch (error) { toast(error.message, "bad"); }
  }

  /** Signs of what is to be placed in Setup. */
  signs(pictures) {
    const { draft, position } = this.table;
    return draft.items.filter(({ order }) => order.type === "place" && position.grid.find(order.at) >= 0).map(({ order }) => {
      const hex = position.grid.find(order.at), seat = `planned s${position.seat(position.me) + 1}`;
      if (order.what === "resource") return sign(position, pictures, hex, resourceSign(position, order.size), "resource", { class: seat });
      const size = order.what === "capital" ? position.rules.start.capital_size : order.size ?? position.rules.urban[0].id;
      return sign(position, pictures, hex, townSign(position, size, order.what === "capital"), "town", { class: seat });
    });
  }
}

/** Put orders on the clipboard, as text that the API understands. */
export async function copy(orders) {
  const text = JSON.stringify(orders, null, 1);
  try {
    await navigator.clipboard.writeText(text);
    toast(t("table.copied"));
  } catch { prompt(t("table.copy"), text); }
}
