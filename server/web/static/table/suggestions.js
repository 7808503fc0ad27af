// What somebody may want to order: the server's suggestions, on the map as ghosts and one tap away in the list.

import { api, Offline, Problem } from "../api.js";
import { t } from "../texts.js";
import { announce } from "./dom.js";
import { sentence } from "./sentences.js";

const PHASES = ["setup", "build", "movement"];

export class Suggestions {
  /** Orders that may all be added. @type {Record<string, any>[]} */ orders = [];
  /** Detachments, of which one may be raised. @type {Record<string, any>[]} */ detachments = [];
  /** On the map they can be hidden, to choose for oneself. */
  hidden = false;
  /** What they were made for. */
  asked = "";

  /** @param {import("./table.js").Table} table */
  constructor(table) { this.table = table; }

  /** True where they are shown: in Setup always, later while one learns. */
  get wanted() {
    const { draft, lessons } = this.table;
    return Boolean(draft) && !draft.locked && draft.state !== "none" && PHASES.includes(draft.phase) && (draft.phase === "setup" || lessons.on);
  }

  /** Ask for them, once for the same orders. */
  async look() {
    const { table } = this, { draft } = table;
    const now = this.wanted ? `${draft.branch} ${draft.number} ${JSON.stringify(draft.orders)}` : "";
    if (now === this.asked) return;
    this.asked = now;
    if (!now) { this.#take([], []); return; }
    try {
      const { data } = await api("POST", `${draft.path}/suggestions${draft.query}`, { orders: draft.orders });
      if (this.asked === now && draft === table.draft) this.#take(data.orders, data.detachments);
    } catch (error) {
      if (!(error instanceof Offline || error instanceof Problem)) throw error;
      this.asked = "-";
    }
  }

  #take(orders, detachments) {
    const before = this.orders.length + this.detachments.length;
    this.orders = orders;
    this.detachments = detachments;
    if (!before && !orders.length && !detachments.length) return;
    const { table } = this;
    table.mark();
    if (table.dock.tab === "things") table.dock.draw();
    else table.dock.foot(); // what somebody is just tapping elsewhere stays where it is
  }

  /** Where they stand on the map: `{hex, text, order}`, one a hex. */
  get shown() {
    const { table } = this, { position, draft } = table;
    if (this.hidden || !this.wanted) return [];
    const { grid } = position;
    if (draft.phase === "setup") return this.orders.filter((order) => order.type === "place").map((order) => ({ hex: grid.find(order.at), text: t(`table.what.${order.what}`), order }));
    const lesson = table.lessons.order;
    return lesson ? [{ hex: grid.find(lesson.path?.at(-1) ?? lesson.at), text: t(`table.lesson.here_${draft.phase}`), order: lesson }] : [];
  }

  /** Take the one that stands in a hex. @returns {boolean} whether there was one */
  take(hex) {
    const found = this.shown.find((each) => each.hex === hex);
    if (!found) return false;
    this.give([found.order]);
    return true;
  }

  /** Write orders; several are one step to undo. */
  give(orders) {
    const { draft, position } = this.table;
    draft.addAll(orders);
    announce(t("table.given", { order: orders.map((each) => sentence(position, each)).join(", ") }));
  }
}
