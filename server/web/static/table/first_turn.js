// The first turn: five bubbles that point at what matters, one after the other. Shown until they were read or skipped.

import { t } from "../texts.js";
import { announce, button, h } from "./dom.js";

const KNOWN = "first turn known"; // in this browser
const GAP = 14; // pixels between a bubble and what it points at
const EDGE = 8; // pixels kept free at the edge of the window
const CORNER = 20; // pixels of a bubble's side its point keeps off

/** @typedef {{hex?: number, place?: Element | null, text: string, title: string}} Step */

export class FirstTurn {
  /** @param {any} table */
  constructor(table) {
    this.table = table;
    this.at = -1;
    this.bubble = h("section", { class: "bubble card", role: "dialog", tabindex: "-1", "aria-labelledby": "bubble-title", "aria-describedby": "bubble-text", hidden: true });
    document.getElementById("table").append(this.bubble);
    document.addEventListener("keydown", (event) => {
      if (this.shown && event.key === "Escape" && !event.defaultPrevented) { this.done(); event.preventDefault(); event.stopImmediatePropagation(); }
    });
    addEventListener("resize", () => this.place());
  }

  get shown() { return !this.bubble.hidden; }

  get #known() { try { return localStorage.getItem(KNOWN) !== null; } catch { return true; } }

  /** Begin in somebody's first campaign, once there is a capital to point at. */
  begin() {
    const { about } = this.table;
    if (about.first && !this.shown && !this.#known && this.#steps().length === 5) this.show(0);
  }

  /** Show them again. */
  again() { this.show(0); }

  done() {
    const had = this.bubble.contains(document.activeElement);
    try { localStorage.setItem(KNOWN, "1"); } catch { /* a private window shows them again */ }
    this.bubble.hidden = true;
    this.at = -1;
    this.table.map.marks.chosen(this.table.position, this.table.selected.hex);
    if (had) document.getElementById("surface").focus({ preventScroll: true });
  }

  /** @param {number} at */
  show(at) {
    const steps = this.#steps(), step = steps[at];
    if (!step) { this.done(); return; }
    this.at = at;
    if (step.hex !== undefined) this.table.map.reveal(step.hex, this.table.dock.narrow);
    this.table.map.marks.chosen(this.table.position, step.hex ?? -1);
    const last = at === steps.length - 1;
    this.bubble.replaceChildren(
      h("p", { class: "muted small numbers" }, t("table.results.place", { at: at + 1, of: steps.length })),
      h("h2", { id: "bubble-title" }, step.title), h("p", { id: "bubble-text" }, step.text),
      h("div", { class: "row" },
        last ? null : button(t("table.first.skip"), () => this.done(), { class: "quiet" }),
        at ? button(`‹ ${t("table.results.back")}`, () => this.show(at - 1), { class: "push" }) : null,
        button(last ? t("table.first.begin") : `${t("table.results.on")} ›`, () => this.show(at + 1), { class: at ? "primary" : "primary push" })),
      h("span", { class: "bubble-point", "aria-hidden": "true" }));
    this.bubble.hidden = false;
    this.place();
    this.bubble.focus({ preventScroll: true });
    announce(`${step.title}. ${step.text}`);
  }

  /** Put the bubble beside what it points at; the map may have moved. */
  place() {
    if (!this.shown) return;
    const step = this.#steps()[this.at];
    if (!step) return;
    const goal = this.#box(step), { offsetWidth: width, offsetHeight: height } = this.bubble;
    const above = goal.top - GAP - height >= EDGE, below = goal.bottom + GAP + height <= innerHeight - EDGE;
    const side = above ? "above" : below ? "below" : "over";
    const top = above ? goal.top - GAP - height : below ? goal.bottom + GAP : Math.max(EDGE, goal.top - height / 2);
    const middle = (goal.left + goal.right) / 2, left = Math.max(EDGE, Math.min(innerWidth - EDGE - width, middle - width / 2));
    this.bubble.dataset.side = side;
    Object.assign(this.bubble.style, { left: `${left}px`, top: `${top}px` });
    this.bubble.style.setProperty("--point", `${Math.max(CORNER, Math.min(width - CORNER, middle - left))}px`);
  }

  /** Where on the screen a step points. @param {Step} step */
  #box(step) {
    if (step.place) return step.place.getBoundingClientRect();
    const { map, position } = this.table, { viewport, surface } = map, around = surface.getBoundingClientRect();
    const x = around.left + position.grid.x(step.hex) * viewport.scale + viewport.x, y = around.top + position.grid.y(step.hex) * viewport.scale + viewport.y;
    const half = viewport.hexWidth / 2;
    return { left: x - half, right: x + half, top: y - half, bottom: y + half };
  }

  /** @returns {Step[]} */
  #steps() {
    const { position } = this.table, home = position?.capital ?? -1;
    if (home < 0 || !position.mine) return [];
    const { grid } = position, near = (/** @type {number[]} */ hexes) => hexes.reduce((best, hex) => (best < 0 || grid.distance(hex, home) < grid.distance(best, home) ? hex : best), -1);
    const things = [...position.things.values()].filter((each) => each.hex >= 0);
    const force = near(things.filter((each) => each.owner === position.me && each.kind === "detachment").map((each) => each.hex));
    const seen = near(things.filter((each) => position.enemy(each.owner) && each.kind !== "garrison").map((each) => each.hex));
    const land = near(position.owner.flatMap((/** @type {string} */ owner, /** @type {number} */ hex) => (owner && position.enemy(owner) ? [hex] : [])));
    const say = (/** @type {string} */ name) => ({ title: t(`table.first.${name}_title`), text: t(`table.first.${name}`) });
    const news = document.getElementById("results-open"), things_tab = document.getElementById("tab-things");
    return [
      { hex: home, ...say("town") },
      force >= 0 ? { hex: force, ...say("force") } : { hex: home, ...say("no_force") },
      seen >= 0 ? { hex: seen, ...say("enemy") } : { hex: land >= 0 ? land : home, ...say("no_enemy") },
      { place: document.querySelector(".dock-foot button.primary") ?? document.querySelector(".dock-foot"), ...say("final") },
      { place: news?.hidden ? things_tab : news, ...say("results") },
    ];
  }
}
