// The card over the map that walks through what happened, one line after the other.

import { api } from "../api.js";
import { t } from "../texts.js";
import { toast } from "../toast.js";
import { button, focused, h, tick } from "./dom.js";
import { give } from "./give.js";
import { stageOf, whoseLosses } from "./results_list.js";
import { soundWanted, wantSound } from "./sound.js";

/** Answers to a proposal of an alliance: an order, or a word to the other. Nothing while neither is possible. */
function proposal(table, player) {
  const { about, draft } = table, accept = draft.options.find(({ order }) => order.type === "declare_alliance" && order.with === player);
  if (!accept || draft.locked) return null;
  const decline = async () => {
    await api("POST", `/campaigns/${about.campaign}/declarations`, { kind: "statement", toward: player, body: t("table.alliance.declined") });
    toast(t("table.alliance.said"));
  };
  return h("p", { class: "row" }, button(t("table.alliance.accept"), () => give(table, accept.order), { key: "ally", class: "primary" }),
    button(t("table.alliance.decline"), (event) => { /** @type {any} */ (event.currentTarget).disabled = true; decline().catch((error) => toast(error.message, "bad")); }, { key: "no-ally" }));
}

const FACES = ["⚀", "⚁", "⚂", "⚃", "⚄", "⚅"];

/** A sentence whose hexes can be pressed and whose players have their colour. */
export function told(results, item) {
  const { position } = results.table;
  return item.parts.map((part) => {
    if (part.hex && position.grid.find(part.hex) >= 0) return button(part.text, () => results.table.map.reveal(position.grid.find(part.hex)), { class: "link" });
    if (part.player && position.seat(part.player) >= 0) return h("bdi", { class: "seat", "data-seat": position.seat(part.player) + 1 }, part.text);
    return h("bdi", {}, part.text);
  });
}

export class ResultsCard {
  constructor(results, place) {
    this.results = results;
    this.place = place;
    this.at = 0;
  }

  get shown() { return !this.place.hidden; }

  /** Show one line, and its hex on the map. */
  open(at) {
    const { items } = this.results;
    if (!this.results.any) return;
    const before = this.shown;
    this.results.film?.close();
    this.at = Math.max(0, Math.min(at, items.length - 1)); // 0 also where there is nothing new
    this.place.hidden = false;
    this.#draw();
    this.results.light(items[this.at], true);
    this.results.read();
    if (!before && [document.body, this.results.opener].includes(document.activeElement)) this.place.focus({ preventScroll: true });
  }

  /** `quiet`: something else takes its place. */
  close(quiet = false) {
    if (quiet && !this.shown) return;
    const had = this.place.contains(document.activeElement);
    this.place.hidden = true;
    this.results.light(null);
    if (had) this.results.opener.focus({ preventScroll: true });
  }

  /** Arrow keys walk, Escape closes; where one types or moves the map they keep their own meaning. */
  pressed(event) {
    if (!this.shown || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest("input, select, textarea, dialog, #surface, [role=tablist]")) return;
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by) this.open(this.at + by);
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #draw() {
    const { results } = this, { items } = results, item = items[this.at];
    const key = focused()?.dataset?.key, had = this.place.contains(focused());
    const last = this.at >= items.length - 1;
    this.place.replaceChildren(
      h("header", {}, h("h2", {}, t("results.title")), h("span", { class: "muted small" }, results.stage),
        h("span", { class: "push muted small numbers" }, item ? t("table.results.place", { at: this.at + 1, of: items.length }) : ""),
        button("×", () => this.close(), { key: "close", class: "quiet icon", "aria-label": t("table.close") })),
      item ? this.#line(item) : h("p", { class: "result" }, t("table.results.nothing")),
      h("footer", { class: "row" },
        button(`‹ ${t("table.results.back")}`, () => this.open(this.at - 1), { key: "back", disabled: this.at === 0 }),
        last ? button(t("table.results.done"), () => this.close(), { key: "on", class: "primary" }) : button(`${t("table.results.on")} ›`, () => this.open(this.at + 1), { key: "on", class: "primary" }),
        items.length ? button(`▶ ${t("table.film.watch")}`, () => results.watch(results.last === results.newestNumber ? null : results.last), { key: "watch", class: "quiet small" }) : null,
        results.earlier === null ? null : button(t("table.results.earlier"), () => results.earlierOnes(), { key: "earlier", class: "quiet small" }),
        results.last < results.newestNumber ? button(t("table.results.newest"), () => results.newest(), { key: "newest", class: "quiet small" }) : null,
        h("details", { class: "small push" }, h("summary", {}, t("table.results.options")),
          tick(t("table.results.alone"), results.opensAlone, (value) => { results.opensAlone = value; }, "alone"),
          tick(t("table.results.sound"), soundWanted(), wantSound, "sound"))));
    if (had) ([...this.place.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key && !each.disabled) ?? this.place).focus({ preventScroll: true });
  }

  #line(item) {
    const { results } = this, { about } = results.table;
    return h("div", { class: `result ${item.tone}`, "data-kind": item.kind },
      h("p", { class: "result-text" }, stageOf(item), whoseLosses(item), told(results, item)),
      item.dice.length ? this.#dice(item) : null,
      item.details.length ? h("ul", { class: "small" }, item.details.map((detail) => h("li", {}, detail))) : null,
      item.ally ? proposal(results.table, item.ally) : null,
      item.link ? h("a", { class: "small", href: `/campaigns/${about.campaign}${item.link}` }, t("table.results.more")) : null);
  }

  #dice(item) {
    const side = (faces, label) => h("span", { class: "dice-side" }, h("span", { class: "muted" }, `${label} `),
      faces.map((face) => h("span", { class: "die", role: "img", "aria-label": String(face) }, FACES[face - 1] ?? String(face))));
    return h("p", { class: "result-dice" }, side(item.dice[0], t("table.results.yours")), side(item.dice[1], t("table.results.theirs")));
  }
}
