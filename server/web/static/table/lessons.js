// The first turn, in the game's own order: raise a detachment, finalise, march, finalise, watch. Each step is a real order,
// one tap away in the list and on the map; whoever skips it leaves the game as it is.

import { t } from "../texts.js";
import { button, h, said } from "./dom.js";
import { MARCHES } from "./kinds.js";
import { sentence } from "./sentences.js";

const KNOWN = "first turn known"; // in this browser
const STEPS = { build: ["raise", "seal"], movement: ["march", "seal"] };
const LAST_TURN = 3; // raised in the first turn, a force marches in the second at the latest

export class Lessons {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.skipped = this.#known;
  }

  get #known() { try { return localStorage.getItem(KNOWN) !== null; } catch { return true; } }

  /** True while one learns: in somebody's first campaign, until they have marched or skip it. */
  get on() {
    const { about, draft } = this.table;
    return Boolean(about.first) && !this.skipped && Boolean(STEPS[draft?.phase]) && (draft.turn ?? 0) <= LAST_TURN;
  }

  /** Show them again. */
  again() { this.#keep(false); }

  skip() { this.#keep(true); }

  #keep(skipped) {
    this.skipped = skipped;
    try { if (skipped) localStorage.setItem(KNOWN, "1"); else localStorage.removeItem(KNOWN); } catch { /* a private window shows them again */ }
    this.table.suggestions.look();
    this.table.refresh();
  }

  /** The order that is taught now; none once it is given. */
  get order() {
    const { draft, suggestions } = this.table;
    if (!this.on || this.#given()) return null;
    if (draft.phase === "build") return suggestions.detachments[0] ?? null;
    const marches = suggestions.orders.filter((each) => MARCHES.includes(each.type));
    return marches.find((each) => each.type === "move_and_claim") ?? marches[0] ?? null;
  }

  #given() {
    const { draft } = this.table, kinds = draft.phase === "build" ? ["build_detachment"] : MARCHES;
    return draft.items.some((each) => kinds.includes(each.order.type));
  }

  /** A phase was declared final: who has marched knows enough. */
  sealed() {
    if (this.on && this.table.draft.phase === "movement" && this.#given()) this.skip();
  }

  /** The card; null where there is nothing to learn. */
  card() {
    const { table } = this, { draft, suggestions, position } = table;
    if (!this.on || draft.final) return null;
    const given = this.#given(), order = this.order;
    if (!given && !order) return null;
    const at = (draft.phase === "movement" ? 2 : 0) + (given ? 1 : 0), name = STEPS[draft.phase][given ? 1 : 0];
    const bp = Object.values(draft.stores).reduce((sum, each) => sum + each, 0);
    const offers = given ? [] : draft.phase === "build" ? suggestions.detachments.map((each) => h("li", {}, this.#offer(each, listed(each), points(each))))
      : [h("li", {}, this.#offer(order, said(sentence(position, order))))];
    return h("section", { class: "lesson card", "aria-labelledby": "lesson-title" },
      h("div", { class: "lesson-steps", "aria-hidden": "true" }, [0, 1, 2, 3].map((each) => h("i", { class: each < at ? "past" : each === at ? "now" : "" }))),
      h("p", { class: "small lesson-at" }, t("table.lesson.at", { at: at + 1, of: 4 })),
      h("h3", { id: "lesson-title" }, t(`table.lesson.${name}_title`)),
      h("p", {}, t(`table.lesson.${name}`, { bp })),
      offers.length ? h("ul", { class: "plain lesson-offers" }, offers) : null,
      h("p", {}, button(t("table.lesson.skip"), () => this.skip(), { key: "lesson-skip", class: "quiet" })));
  }

  #offer(order, text, price = "") {
    const { dock, suggestions } = this.table;
    const give = () => { dock.panels.things.scrollTop = 0; suggestions.give([order]); }; // the next step stands at the top
    return button([h("span", {}, text), price ? h("strong", {}, price) : null], give, { key: `lesson-${order.type}-${order.units?.map((each) => each.name).join()}`, class: "lesson-offer" });
  }
}

/** What a detachment is made of: "Captain, 3 × Guard section". */
function listed(order) {
  const counts = new Map();
  for (const unit of order.units) counts.set(unit.name, (counts.get(unit.name) ?? 0) + 1);
  return [...counts].map(([name, n]) => (n > 1 ? `${n} × ${name}` : name)).join(", ");
}

const points = (order) => `${order.units.reduce((sum, each) => sum + each.points, 0)} BP`;
