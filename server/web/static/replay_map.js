// The map of the replay: the same as the table's, of any finished phase.

import { api } from "./api.js";
import { t } from "./texts.js";
import { h } from "./table/dom.js";
import { hexFacts, thingHead, units } from "./table/hex_panel.js";
import { drawing } from "./table/load.js";
import { MapView } from "./table/map.js";
import { Notebook } from "./table/notebook.js";
import { PinMarks } from "./table/pins.js";
import { Position } from "./table/position.js";

const given = (id) => JSON.parse(document.getElementById(id).textContent);
const at = (id) => document.getElementById(id);

/** A map that shows finished phases. `settled` is told when one has moved it. */
export class ReplayMap {
  constructor(campaign, query, settled) {
    this.query = query;
    this.about = given("about");
    this.path = `/campaigns/${campaign}`;
    this.kept = new Map();
    /** Map and rules, fetched once. @type {Promise<any[]> | undefined} */
    this.ground = undefined;
    this.chosen = -1;
    at("board").hidden = false;
    at("picture").hidden = true;
    this.map = new MapView(at("surface"), given("pictures"), {
      still: true, settled, hex: (hex) => this.choose(hex), thing: (thing) => this.choose(thing.hex), hover: () => {}, draw: () => false,
    });
    this.#open(campaign);
    at("zoom-in").addEventListener("click", () => this.map.viewport?.zoom(1.4));
    at("zoom-out").addEventListener("click", () => this.map.viewport?.zoom(1 / 1.4));
    at("fit").addEventListener("click", () => this.map.fit());
    at("arrows").addEventListener("click", (event) => {
      const shown = event.currentTarget.getAttribute("aria-pressed") !== "true";
      event.currentTarget.setAttribute("aria-pressed", String(shown));
      this.map.happened(shown);
    });
  }

  /** Fetch a phase once: what was known after it, and its picture. */
  fetched(number) {
    if (!this.kept.has(number)) {
      const more = this.query ? `?${this.query}` : "", live = `${more}${more ? "&" : "?"}live=true`;
      const asked = Promise.all([
        api("GET", `${this.path}/phases/${number}${more}`), api("GET", `${this.path}/phases/${number}/map.svg${live}`, undefined, { headers: { Accept: "image/svg+xml" } }),
        (this.ground ??= Promise.all([api("GET", `${this.path}/board`), api("GET", `${this.path}/ruleset`)])),
      ]).then(([past, picture, [board, rules]]) => ({ view: { ...past.data.view, turn: past.data.turn, phase: past.data.phase }, picture: picture.data, board: board.data, rules: rules.data }));
      asked.catch(() => this.kept.delete(number));
      this.kept.set(number, asked);
    }
    return this.kept.get(number);
  }

  /** Show what was fetched of a phase. */
  show({ view, picture, board, rules }) {
    const position = new Position(view, board, rules, this.about);
    position.picture = drawing(picture);
    this.position = position;
    this.map.show(position);
    this.#noted();
    this.choose(this.chosen);
  }

  /** One's own notebook belongs to the replay, too. */
  #open(campaign) {
    const { mine } = this.about, viewer = new URLSearchParams(this.query).get("as");
    if (!mine.length) return;
    this.marks = new PinMarks();
    this.notebook = new Notebook(campaign, mine.includes(viewer) ? viewer : mine[0], { changed: () => this.#noted() });
    this.notebook.load();
  }

  /** Show what one noted of the turn that is shown, and the pins that were there. */
  #noted() {
    const { notebook, position } = this;
    if (!notebook?.open || !position) return;
    const pins = notebook.pinned(position.turn), note = notebook.note(position.turn);
    position.pins = new Map(pins.map((each) => [position.grid.find(each.hex), each.text]));
    this.marks.show(this.map, position, pins);
    at("noted").replaceChildren(...(note ? [h("h3", {}, t("table.notebook.of_turn", { turn: position.turn })), h("p", { class: "noted", dir: "auto" }, note)] : []));
    if (this.chosen >= 0) this.choose(this.chosen);
  }

  #pin(hex) {
    const text = this.position.pins?.get(hex);
    return text === undefined ? null : h("p", { class: "noted" }, h("strong", {}, t("table.notebook.pin")), ": ", h("bdi", {}, text));
  }

  /** Choose a hex: what was known of it then stands beside the map. */
  choose(hex) {
    const { position } = this;
    this.chosen = hex;
    this.map.marks.chosen(position, hex);
    at("place").replaceChildren(...(hex < 0 ? [] : [h("h3", {}, position.whereabouts(hex)), this.#pin(hex), hexFacts(position, hex),
      ...position.at(hex).flatMap((each) => [thingHead(position, each), units(position, each)])].filter(Boolean)));
    const address = new URL(location.href);
    if (hex < 0) address.searchParams.delete("hex");
    else address.searchParams.set("hex", position.label(hex));
    history.replaceState(null, "", address);
  }
}
