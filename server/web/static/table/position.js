// What one knows of the campaign now: the view, the map and the rules, made easy to ask.

import { called, nameOf, t } from "../texts.js";
import { Grid } from "./geometry.js";
import { place } from "./places.js";

/** One position. Forces are `{id, kind, owner, hex, name, units, ...}`; kinds: detachment, garrison, convoy. */
export class Position {
  constructor(view, board, rules, about) {
    this.view = view;
    this.board = board;
    this.rules = rules;
    this.about = about;
    this.state = view.state;
    this.me = view.viewer;
    this.turn = view.turn;
    this.phase = view.phase;
    /** What the server has drawn of it. @type {?SVGSVGElement} */
    this.picture = null;
    /** One's own pins, by hex. @type {?Map<number, string>} */
    this.pins = null;
    const { columns, rows } = view.state.board;
    this.grid = new Grid(columns, rows);
    this.terrain = board.board.flatMap((row) => [...row.replaceAll(" ", "")].map((letter) => board.terrain[letter]));
    this.names = new Map(Object.entries(board.places ?? {}).map(([label, name]) => [this.grid.find(label), name]));
    this.players = view.state.players;
    this.seats = new Map(this.players.map((each, place) => [each.id, place]));
    this.mine = this.seats.has(this.me) ? this.players[this.seats.get(this.me)] : null;
    this.sees = new Uint8Array(this.grid.size);
    for (const label of view.sees) this.sees[this.grid.find(label)] = 1;
    this.owner = new Array(this.grid.size).fill("");
    for (const [label, player] of Object.entries(view.state.owner)) this.owner[this.grid.find(label)] = player;
    this.byModel = (view.state.settings?.readings ?? 1) > 1;
    this.#stand();
  }

  #stand() {
    const { state } = this;
    this.things = new Map();
    this.here = new Map();
    const add = (kind, id, each, more = {}) => {
      const hex = each.at === "orbit" ? -1 : this.grid.find(each.at);
      const thing = { id, kind, hex, ...each, ...more };
      this.things.set(id, thing);
      if (hex >= 0) this.here.set(hex, [...(this.here.get(hex) ?? []), thing]);
    };
    for (const [id, each] of Object.entries(state.detachments)) add("detachment", id, each);
    for (const [id, each] of Object.entries(state.garrisons))
      add("garrison", id, each, { name: t("table.garrison_in", { hex: this.placeName(this.grid.find(each.at)) }) });
    for (const [id, each] of Object.entries(state.convoys)) add("convoy", id, each, { name: t("table.convoy_of", { bp: each.bp }), units: [] });
    this.#tellApart();
    const rank = { detachment: 0, convoy: 1, garrison: 2 };
    const by = (a, b) => rank[a.kind] - rank[b.kind] || a.hex - b.hex || (a.id < b.id ? -1 : 1);
    this.own = [...this.things.values()].filter((each) => each.owner === this.me).sort(by);
  }

  /** Where things of two owners share a name, every sentence names the owner. */
  #tellApart() {
    const owners = new Map();
    for (const each of this.things.values()) owners.set(each.name, (owners.get(each.name) ?? new Set()).add(each.owner));
    for (const each of this.things.values()) each.called = owners.get(each.name).size > 1 ? `${each.name} (${this.player(each.owner)})` : each.name;
  }

  /** Return the points of a force that count in a fight (D-62), as the campaign's readings have it. */
  strength(thing) {
    return thing.units.reduce((sum, unit) => sum + (this.byModel ? fitPoints(unit) : pointsByHalves(unit)), 0);
  }

  label(hex) { return this.grid.label(hex); }
  seat(player) { return this.seats.get(player) ?? -1; }
  at(hex) { return this.here.get(hex) ?? []; }
  urban(hex) { return this.state.urban[this.label(hex)] ?? null; }
  stronghold(hex) { return this.state.stronghold[this.label(hex)] ?? null; }
  resource(hex) { return this.state.resource[this.label(hex)] ?? ""; }
  store(hex) { return this.state.store[this.label(hex)] ?? 0; }
  harvest(hex) { return this.state.harvest[this.label(hex)] ?? 0; }
  battle(hex) { return Object.values(this.state.battles).find((each) => each.hex === this.label(hex)) ?? null; }
  land(hex) { return this.rules.terrain[this.terrain[hex]]?.land !== false; }

  /** Return the name of a player: what their seat is called. */
  player(id) {
    const seat = this.about.seats.find((each) => each.id === id);
    return seat ? seat.user || seat.name || id : id;
  }

  faction(id) {
    const faction = this.players[this.seat(id)]?.faction;
    return this.rules.factions[faction]?.name ?? faction ?? "";
  }

  enemy(player) {
    const me = this.mine, other = this.players[this.seat(player)];
    return player !== this.me && !(me?.allies.includes(player) && other?.allies.includes(this.me));
  }

  /** The hex of one's capital, -1 without one. */
  get capital() {
    const found = Object.entries(this.state.urban).find(([, each]) => each.capital === this.me);
    return found ? this.grid.find(found[0]) : -1;
  }

  /** Return what a hex is called: its name if it has one, and its label. */
  placeName(hex) {
    if (hex < 0) return t("table.orbit");
    const name = this.names.get(hex);
    return name ? `${name} (${this.label(hex)})` : this.label(hex);
  }

  /** Return where a hex is, by its own name or from the nearest place that has one. */
  whereabouts(hex) {
    return hex < 0 ? t("table.orbit") : place(this.grid, this.names, this.about.bearings ?? {}, hex);
  }

  /** Return in a few words what is in a hex, for lists and screen readers; `whole`: with the name of any hex. */
  describe(hex, whole = false) {
    if (hex < 0) return t("table.orbit");
    const urban = this.urban(hex), stronghold = this.stronghold(hex), found = [this.word("terrain", this.terrain[hex])];
    if (urban) found.push(this.word("urban", urban.size) + (urban.capital ? `, ${t("table.capital")}` : ""));
    if (stronghold) found.push(this.word("strongholds", stronghold.type));
    if (this.resource(hex)) found.push(t("table.resource_of", { size: this.word("resources", this.resource(hex)) }));
    if (this.owner[hex]) found.push(this.owner[hex] === this.me ? t("table.yours") : this.player(this.owner[hex]));
    for (const each of this.at(hex)) found.push(each.owner === this.me ? each.name : `${each.name} (${this.player(each.owner)})`);
    if (this.pins?.has(hex)) found.push(t("table.notebook.says", { text: this.pins.get(hex) }));
    return `${whole ? this.whereabouts(hex) : this.placeName(hex)}: ${found.join(", ")}`;
  }

  /** Return the name of one of the ruleset's words, in the reader's language where we have it. */
  word(table, id) {
    if (!(table in this.rules)) return nameOf(`word.${table}`, id);
    return called(this.data(table, id)?.name ?? (id.charAt(0).toUpperCase() + id.slice(1)).replaceAll("_", " "));
  }

  data(table, id) {
    const data = this.rules[table];
    return Array.isArray(data) ? data.find((each) => each.id === id) : data?.[id];
  }
}

function fitPoints(unit) {
  const fit = Math.floor((unit.points * unit.ready) / unit.models);
  return unit.damaged ? Math.ceil(fit / 2) : fit;
}

/** The first version of the readings: a unit counts whole, half or not at all. */
function pointsByHalves(unit) {
  if (unit.ready * 2 < unit.models || unit.ready === 0) return 0;
  return unit.damaged || unit.ready < unit.models ? Math.ceil(unit.points / 2) : unit.points;
}

/** Return the letters that stand for a type of detachment on its counter. */
export function letters(type) {
  return type.split("_").map((word) => word[0]).join("").toUpperCase().slice(0, 2);
}
