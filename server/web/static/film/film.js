// A finished phase as a film on the map: moved by time, keys and the bar; told in words at each step. Fetched when it is first watched.

import { t } from "../texts.js";
import { button, h, select } from "../table/dom.js";
import { battleCard, die } from "./film_card.js";
import { FilmMarks } from "./film_marks.js";
import { pastPicture, pastPosition } from "./film_past.js";

const SPEEDS = [["0.5", "½×"], ["1", "1×"], ["2", "2×"], ["4", "4×"]];
const MARCH = 5.6; // seconds that all marches take at most
const ROOM = 340; // pixels of the film with a whole battle
const NARROW = 0.55; // and on a phone, of the window

/** @typedef {{chapter: string, tone: string, text: string, parts: any[], seconds: number, hexes?: string[], details?: string[], moves?: any[], flips?: any[], card?: number, shows?: string, modifiers?: number, vp?: [string, number][], struck?: string[]}} Step */

export class Film {
  /** @type {Step[]} */ steps = [];
  /** @type {any[]} */ cards = [];
  at = 0;
  number = 0;
  stage = "";
  speed = 1;
  playing = false;
  /** @type {number | undefined} */ timer;

  /** @param {import("../table/table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.words = h("div", { class: "film-words", "aria-live": "polite" });
    this.card = h("div", { class: "film-card" });
    this.bar = h("div", { class: "film-bar", role: "group", "aria-label": t("table.film.chapters") });
    this.tools = h("div", { class: "film-tools" });
    this.heading = h("h2", {});
    this.place = h("section", { class: "film card", tabindex: "-1", hidden: true, "aria-label": t("table.film.title") }, h("header", {}, this.heading, this.tools), this.bar, this.card, this.words);
    document.querySelector("#table .map").append(this.place);
    this.marks = new FilmMarks(table);
    document.addEventListener("keydown", (event) => this.#pressed(event), true);
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.pause(); });
  }

  get shown() { return !this.place.hidden; }

  /** Fetch a phase, the last one by default; null where that fails. */
  async fetch(number = null) {
    const { about, seat } = this.table, query = new URLSearchParams({ ...(number === null ? {} : { number }), ...(seat ? { seat } : {}) });
    const answer = await fetch(`/campaigns/${about.campaign}/table/film.json?${query}`, { credentials: "same-origin" }).catch(() => null);
    return answer?.ok ? answer.json() : null;
  }

  /** Watch a phase. Returns false where there is nothing to watch. `alone`: nobody asked for it. `fetched`: it is on its way already. */
  async open(number = null, alone = false, fetched = this.fetch(number)) {
    const found = await fetched;
    if (!found?.steps.length) return false;
    Object.assign(this, { steps: found.steps, cards: found.cards, number: found.number, stage: found.stage });
    this.past = found.number !== found.newest;
    const old = this.steps.some((each) => each.struck) ? pastPicture(this.table, found.number - 1).catch(() => null) : null;
    if (this.past) this.table.map.show(await pastPosition(this.table, found.number));
    this.marks.before(await old);
    this.table.results.card.close(true);
    if (this.table.form) this.table.deselect();
    this.place.hidden = false;
    this.heading.textContent = this.stage;
    this.#chapters();
    this.show(0, !this.still);
    if (!alone) this.place.focus({ preventScroll: true });
    return true;
  }

  close() {
    if (!this.shown) return;
    const had = this.place.contains(document.activeElement), { table } = this;
    this.pause();
    this.marks.clear();
    this.#strip(this.steps.length);
    this.place.hidden = true;
    if (this.past) { table.map.show(table.position); table.refresh(); }
    if (had) table.results.opener.focus({ preventScroll: true });
  }

  get last() { return this.steps.length - 1; }

  /** Show a step; all that is seen follows from its number. `on`: the next one comes by itself. */
  show(at, on = this.playing) {
    clearTimeout(this.timer);
    this.at = Math.max(0, Math.min(this.last, at));
    const step = this.steps[this.at], before = this.steps[this.at - 1], ended = this.at === this.last;
    this.playing = on && !ended;
    const seconds = this.#seconds(step);
    this.marks.show(this.steps, this.at, { moving: !this.still, seconds: seconds / this.speed });
    this.#strip(this.at);
    this.card.replaceChildren(...(step.card === undefined ? [] : [battleCard(this.cards[step.card], step)]));
    this.words.replaceChildren(h("p", { class: `film-said result ${step.tone}` }, ...this.#said(step)), ...(step.details ?? []).map((each) => h("p", { class: "muted small" }, each)), ...(ended ? [this.#ending()] : []));
    this.#draw();
    if (ended) this.marks.back();
    else if (step.hexes?.length && (!before || before.chapter !== step.chapter || before.card !== step.card || step.chapter === "failed")) this.#look(step.hexes);
    if (this.playing) this.timer = setTimeout(() => this.show(this.at + 1), (seconds * 1000) / this.speed);
  }

  /** Bring a hex into sight; a battle will need more room than it takes at first. */
  #look(hexes) {
    const battle = this.table.dock.narrow ? innerHeight * NARROW : ROOM;
    this.marks.look(hexes, this.place, this.steps[this.at].card === undefined ? 0 : battle);
  }

  /** What a step says; dice also show their faces. */
  #said(step) {
    const { position } = this.table;
    return step.parts.map((part) => (part.player && position.seat(part.player) >= 0 ? h("bdi", { class: "seat", "data-seat": position.seat(part.player) + 1 }, part.text)
      : part.hex ? button(part.text, () => this.#look([part.hex]), { class: "link" }) : h("bdi", {}, part.text)));
  }

  /** A march takes a beat for each hex of the longest one. */
  #seconds(step) {
    const beats = Math.max(1, ...(step.moves ?? []).map((each) => each.path.length - 1));
    return step.moves ? Math.min(MARCH, step.seconds * beats) + 0.6 : step.seconds;
  }

  play() { this.show(this.at === this.last ? 0 : this.at, true); }
  pause() { clearTimeout(this.timer); this.playing = false; if (this.shown) { this.marks.hold(); this.#draw(); } }
  skip() { if (this.at === this.last) this.close(); else this.show(this.last, false); }
  step(by) { this.show(this.at + by, false); }

  /** The points in the strip are those of this moment. */
  #strip(at) {
    const later = {};
    for (const step of this.past ? [] : this.steps.slice(at + 1)) for (const [player, vp] of step.vp ?? []) later[player] = (later[player] ?? 0) + vp;
    for (const item of document.querySelectorAll("#score-strip .score-player")) {
      const shown = item.querySelector(".score-vp strong");
      item.dataset.vp ??= shown.textContent;
      const now = String(Number(item.dataset.vp) - (later[item.dataset.player] ?? 0));
      item.classList.toggle("gains", shown.textContent !== now && at < this.steps.length && Number(now) > Number(shown.textContent));
      shown.textContent = now;
    }
  }

  // --- controls ---

  #chapters() {
    const starts = this.steps.flatMap((step, at) => (at && this.steps[at - 1].chapter === step.chapter && this.steps[at - 1].card === step.card ? [] : [at]));
    this.starts = starts;
    this.bar.replaceChildren(...starts.map((at) => button("", () => this.show(at, false), { "aria-label": `${t(`table.film.chapter.${this.steps[at].chapter}`)}: ${this.steps[at].text}`, title: t(`table.film.chapter.${this.steps[at].chapter}`) })));
  }

  #draw() {
    [...this.bar.children].forEach((each, place) => {
      const from = this.starts[place], to = this.starts[place + 1] ?? this.steps.length;
      each.setAttribute("aria-current", String(this.at >= from && this.at < to));
      each.classList.toggle("past", this.at >= to);
    });
    const key = document.activeElement?.getAttribute("data-key"), had = this.tools.contains(document.activeElement);
    const chosen = select(SPEEDS, String(this.speed), (value) => { this.speed = Number(value); this.show(this.at); }, "film-speed");
    chosen.setAttribute("aria-label", t("table.film.speed"));
    this.tools.replaceChildren(
      button("‹", () => this.step(-1), { key: "film-back", class: "quiet icon", disabled: this.at === 0, "aria-label": t("table.film.back") }),
      ...(this.still ? [] : [button(this.playing ? "❚❚" : "▶", () => (this.playing ? this.pause() : this.play()), { key: "film-play", class: "quiet icon", "aria-label": t(this.playing ? "table.film.pause" : "table.film.play") })]),
      button(this.still ? t("table.film.on") : "›", () => this.step(1), { key: "film-on", class: this.still ? "primary" : "quiet icon", disabled: this.at === this.last, "aria-label": t("table.film.on") }),
      ...(this.still ? [] : [chosen]),
      button(t(this.at === this.last ? "table.close" : "table.film.skip"), () => this.skip(), { key: "film-skip", class: "quiet" }));
    if (had) (this.tools.querySelector(`[data-key="${key}"]:not(:disabled)`) ?? this.place).focus({ preventScroll: true });
  }

  #ending() {
    const { table } = this, { about, results } = table;
    return h("p", { class: "row film-end" }, button(t("table.results.done"), () => this.close(), { class: "primary", key: "film-done" }),
      button(t("table.film.again"), () => this.show(0, !this.still)),
      h("a", { class: "button quiet", download: "", href: `/campaigns/${about.campaign}/table/film.gif?${new URLSearchParams({ number: String(this.number), ...(table.seat ? { seat: table.seat } : {}) })}` }, t("table.film.save")),
      results.items.length ? button(t("table.film.text"), () => this.text()) : null,
      this.cards.some((each) => each.dice.length) ? h("a", { class: "button quiet", href: `/campaigns/${about.campaign}/dice` }, `${die(6)} ${t("table.film.dice")}`) : null);
  }

  /** All of it as a list to read. */
  text() { this.close(); this.table.results.card.open(0); }

  #pressed(event) {
    if (!this.shown || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, select, textarea, dialog")) return;
    if (event.target.closest?.("#dock") && event.key !== "Escape") return; // who has just finalised is still there
    const onButton = event.target.closest?.("button, a") && this.place.contains(event.target);
    const act = { ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1), Escape: () => this.skip(), s: () => this.skip(), r: () => this.show(0, !this.still), t: () => this.text(),
      "+": () => this.#faster(1), "-": () => this.#faster(-1), " ": onButton || this.still ? null : () => (this.playing ? this.pause() : this.play()) }[event.key];
    if (!act || (event.target.closest?.("#surface") && event.key.startsWith("Arrow"))) return;
    act();
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #faster(by) {
    const all = SPEEDS.map(([value]) => Number(value));
    this.speed = all[Math.max(0, Math.min(all.length - 1, all.indexOf(this.speed) + by))];
    this.show(this.at);
  }
}
