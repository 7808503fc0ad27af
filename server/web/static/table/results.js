// What happened since one last looked: fetched with each phase, kept in reach, told once by a card over the map.

import { Offline } from "../api.js";
import { t } from "../texts.js";
import { announce, h } from "./dom.js";
import { keep, kept } from "./looked.js";
import { ResultsCard } from "./results_card.js";
import { ResultMarks } from "./results_marks.js";
import { chime } from "./sound.js";

const PASSED = 12; // phases without news that are passed by at a time
const LETTERS = 50; // that were told and are remembered
const QUIET = "results do not open"; // in this browser, for all campaigns

/**
 * One line: `kind`, `tone` (good, bad, plain), `text`, `parts` (`{text, hex, player}`), `hexes`, `details`, `dice`, `link`.
 * @typedef {{kind: string, tone: string, text: string, parts: {text: string, hex?: string, player?: string}[], hexes: string[],
 *   details: string[], dice: number[][], link: string, letter: string, ally: string, theirs: boolean, stage: string}} Result
 */

export class Results {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    /** @type {Result[]} */
    this.items = [];
    /** Battles that a newcomer did not fight in. @type {Result[]} */
    this.others = [];
    this.stage = "";
    this.last = -1;
    this.newestNumber = -1;
    /** @type {?number} */
    this.earlier = null;
    this.unread = false;
    /** The last battle in a few words. */
    this.brief = "";
    /** @type {import("../film/film.js").Film | undefined} */
    this.film = undefined;
    /** @type {ResultMarks | undefined} */
    this.marks = undefined;
    this.card = new ResultsCard(this, document.getElementById("results-card"));
    this.opener = document.getElementById("results-open");
    this.opener.addEventListener("click", () => this.card.open(0));
    this.opener.addEventListener("blur", () => this.#badge());
    document.addEventListener("keydown", (event) => this.card.pressed(event));
  }

  get #key() { const { about, seat } = this.table; return `results seen ${about.user} ${about.campaign} ${seat}`; }

  /** True where there is something to look at: now, or of phases before. */
  get any() { return this.items.length > 0 || this.others.length > 0 || this.earlier !== null || this.last < this.newestNumber; }

  get opensAlone() { try { return localStorage.getItem(QUIET) === null; } catch { return true; } }

  set opensAlone(value) {
    try { if (value) localStorage.removeItem(QUIET); else localStorage.setItem(QUIET, "1"); } catch { /* a private window forgets it */ }
  }

  /** The last phase whose results were seen; -1 for none. It is kept with the branch: after a rollback numbers count anew. */
  get #seen() {
    const { branch, number } = kept(this.#key) ?? {};
    return branch === this.table.position.view.branch ? number ?? -1 : -1;
  }

  /** The letters that were told: each is told once. @returns {string[]} */
  get #letters() { return kept(this.#key)?.letters ?? []; }

  /** True where something new may be told by itself as a film: pictures may move, and a phase has ended since the last look. */
  #films(seen, live = false) {
    const { number } = this.table.about;
    return this.opensAlone && this.table.about.mine.length > 0 && !this.#asked && !matchMedia("(prefers-reduced-motion: reduce)").matches && (live || number === null || seen < number - 1);
  }

  get #asked() { return new URLSearchParams(location.search).has("film"); }

  async #player() {
    const { Film } = await import("../film/film.js");
    return this.film ??= new Film(this.table);
  }

  /** Fetch the code of the film while the map loads, where it is about to be needed. */
  prepare() { if (this.#films(kept(this.#key)?.number ?? -1)) this.#player().catch(() => {}); }

  /** Fetch what the position on the table came from. `live`: a phase has just ended before one's eyes. */
  async load(live = false) {
    const { table } = this, seen = this.#seen, tells = this.opensAlone && !this.#asked && table.position.mine && !table.lessons.on;
    const film = tells && this.#films(seen, live) ? this.#player().then((player) => player.fetch()).catch(() => null) : undefined; // beside the list
    const found = await this.#fetch(seen >= 0 ? { since: seen } : {});
    if (!found) return;
    const before = this.#letters;
    found.items = found.items.filter((each) => !each.letter || !before.includes(each.letter));
    this.unread = found.newest > seen && found.items.length > 0;
    this.brief = found.brief;
    this.#facts(found.battle);
    this.#take(found);
    if (live && this.items.length) chime();
    if (this.unread && tells) await this.#told(film);
    else if (live) this.card.close(true); // it told of the phase before
  }

  /** Tell what is new: as a film, where pictures may move; else line by line. */
  async #told(film) {
    if (document.hidden) await new Promise((done) => { document.addEventListener("visibilitychange", done, { once: true }); });
    const { position } = this.table;
    if (film && await this.watch(null, true, film)) { if (this.table.position === position) this.read(); } else this.card.open(0);
  }

  /** Watch a phase as a film; `fetched`: what is on its way already. Returns whether there is something to watch. */
  async watch(number = null, alone = false, fetched = undefined) {
    return (await this.#player()).open(number, alone, fetched);
  }

  /** Show the results of the phases before those that are shown; or of the last ones again. */
  async earlierOnes() { await this.#turn(this.earlier === null ? {} : { until: this.earlier }); }
  async newest() { await this.#turn({}); }

  /** On the way back, phases in which nothing happened that one knows of are passed by. */
  async #turn(asked) {
    let found = await this.#fetch(asked);
    for (let tries = 1; asked.until && found && !found.items.length && found.earlier !== null && tries < PASSED; tries += 1) found = await this.#fetch({ until: found.earlier });
    if (!found) return;
    this.#take(found);
    this.card.open(0);
  }

  async #fetch(asked) {
    const { about, seat } = this.table, query = new URLSearchParams({ ...asked, ...(seat ? { seat } : {}) });
    try {
      const answer = await fetch(`/campaigns/${about.campaign}/table/results.json?${query}`, { credentials: "same-origin" });
      return answer.ok ? await answer.json() : null;
    } catch (error) {
      if (error instanceof Offline || error instanceof TypeError) return null; // without a connection it comes with the next phase
      throw error;
    }
  }

  #take(found) {
    // a newcomer has enough to read: battles of others lie folded below
    const items = found.items.filter((each) => !each.theirs || !this.table.about.first);
    Object.assign(this, { items, others: found.items.filter((each) => !items.includes(each)), stage: found.stage, last: found.last, newestNumber: found.newest, earlier: found.earlier });
    this.marks ??= new ResultMarks(this.table);
    this.#badge();
    this.table.dock.draw();
  }

  #badge() {
    const { opener, items } = this;
    opener.hidden = !this.any && document.activeElement !== opener; // hidden, it would take the focus along
    opener.classList.toggle("unread", this.unread);
    const count = h("span", { class: "count" }, String(items.length));
    const last = this.brief ? h("small", {}, t("score.last_battle", { text: this.brief })) : null;
    opener.replaceChildren(...(items.length ? [count] : []), h("span", {}, t("results.title"), " ", last));
  }

  /** All of it has been looked at: the badge beside the list goes at once. */
  read() {
    const was = this.unread;
    this.unread = false;
    const { branch } = this.table.position.view;
    const letters = [...this.#letters, ...this.items.flatMap((each) => each.letter || [])].slice(-LETTERS);
    keep(this.#key, { branch, number: this.newestNumber, letters: [...new Set(letters)] });
    this.#badge();
    if (was) this.table.dock.draw();
  }

  /** Light the hexes of a line; `go`: move the map there. */
  light(item, go = false) {
    const { position, map } = this.table, hexes = (item?.hexes ?? []).map((each) => position.grid.find(each)).filter((hex) => hex >= 0);
    this.marks.light(hexes, item ? this.items.indexOf(item) + 1 : 0, item?.tone ?? "plain");
    if (go && hexes.length) map.reveal(hexes[0]);
    if (go && item) announce([item.stage, item.text].filter(Boolean).join(": "));
  }

  /** The facts of the picture, for who cannot see it. */
  #facts(battle) {
    const place = document.getElementById("map-facts"), known = document.querySelector("#score-strip .score")?.dataset.facts ?? "";
    place.textContent = [known, battle ? t("score.last_battle", { text: battle }) : ""].filter(Boolean).join(" ");
    this.battle = battle;
  }

  /** The strip was drawn anew: the page's title and the picture's facts follow it. */
  follow() {
    const strip = document.querySelector("#score-strip .score");
    if (!strip) return;
    document.title = `${strip.dataset.title} · Sealed Orders`;
    this.#facts(this.battle ?? "");
  }
}
