// The film on the map: counters that march again, land that still has its old owner, the hexes that are told of.

import { s } from "../table/dom.js";

export class FilmMarks {
  /** @param {import("../table/table.js").Table} table */
  constructor(table) {
    this.table = table;
    /** @type {Animation[]} */ this.running = [];
    /** Where the map was before the film moved it, and where that left it. @type {any} */ this.from = null;
    /** @type {any} */ this.moved = null;
    /** The counters before the phase, by the ids of their forces. @type {Map<string, SVGElement>} */ this.old = new Map();
    this.land = s("g", { class: "film-land", "aria-hidden": "true", "pointer-events": "none" });
    this.lit = s("g", { class: "film-lit", "aria-hidden": "true", "pointer-events": "none" });
  }

  get #grid() { return this.table.map.position.grid; }

  /** Show the moment of a step. */
  show(steps, at, { moving, seconds }) {
    const { map, position } = this.table, step = steps[at], grid = this.#grid, hexes = (labels) => labels.map((label) => grid.find(label)).filter((hex) => hex >= 0);
    map.layers.reach.append(this.land);
    map.layers.plans.append(this.lit);
    const old = new Map();
    for (const flip of steps.slice(at + 1).flatMap((each) => each.flips ?? [])) old.set(flip.before, [...old.get(flip.before) ?? [], flip.hex]);
    this.land.replaceChildren(...[...old].map(([player, labels]) => s("path", { class: "film-old", "data-seat": player ? position.seat(player) + 1 : null, d: grid.region(hexes(labels)) })));
    const told = step.chapter === "moves" ? [] : hexes(step.hexes ?? []);
    this.lit.replaceChildren(...(told.length ? [s("path", { class: "mark-result-back", d: grid.outline(told) }), s("path", { class: `mark-result ${step.tone}${step.flips ? " flips" : ""}`, d: grid.outline(told) })] : []));
    this.#stop();
    const ahead = (what) => steps.slice(at + 1).flatMap((each) => each[what] ?? []);
    for (const move of ahead("moves")) this.#put(move, 0);
    this.#hold(new Set(ahead("struck")));
    if (step.moves && moving) this.#march(step.moves, seconds);
  }

  /** Take the counters from the picture before the phase. @param {?SVGSVGElement} picture */
  before(picture) {
    this.old.clear();
    const known = this.table.map.world.querySelector("defs");
    for (const each of picture?.querySelectorAll("defs > [id]") ?? []) if (!known.querySelector(`#${CSS.escape(each.id)}`)) known.append(each);
    for (const sign of picture?.querySelectorAll(".layer-forces [data-thing]") ?? []) {
      this.old.set(sign.dataset.thing, sign);
      sign.removeAttribute("data-thing");
      sign.setAttribute("aria-hidden", "true");
    }
  }

  /** Forces look as before their battle until it is told what it did to them; arrows of retreats come last. */
  #hold(ids) {
    this.table.map.layers.last.style.visibility = ids.size ? "hidden" : "";
    for (const [id, sign] of this.old) {
      const now = this.#sign(id), held = ids.has(id);
      if (held) this.table.map.layers.forces.append(sign); else sign.remove();
      if (now) now.style.display = held ? "none" : "";
    }
  }

  /** Move the map no more than it takes to have a hex in sight above the film. @param {number} room that the film may take */
  look(labels, film, room) {
    const grid = this.#grid, hex = grid.find(labels[0]), { map } = this.table, { viewport, surface } = map;
    if (hex < 0) return;
    const box = surface.getBoundingClientRect(), { left, top } = viewport.told.taken(), card = film.getBoundingClientRect(), free = Math.max(90, Math.min(box.bottom, card.bottom - Math.max(room, card.height)) - box.top);
    const by = (at, from, length) => Math.max(from + edge(length), Math.min(length - edge(length), at)) - at, edge = (length) => Math.min(viewport.hexWidth, length / 3);
    this.from ??= this.#camera;
    viewport.move(by(grid.x(hex) * viewport.scale + viewport.x, left, box.width), by(grid.y(hex) * viewport.scale + viewport.y, top, free));
    this.moved = this.#camera;
  }

  get #camera() { const { x, y, scale } = this.table.map.viewport; return { x, y, scale }; }

  /** Move the map back to where it was, unless its reader has moved it since. */
  back() {
    const { viewport } = this.table.map, { x, y, scale } = this.moved ?? {};
    if (this.from && viewport.x === x && viewport.y === y && viewport.scale === scale) { Object.assign(viewport, this.from); viewport.zoom(1); }
    this.from = this.moved = null;
  }

  #sign(id) { return this.table.map.signs.get(id); }

  /** Where a counter is on its way, from where it ends. */
  #offset(path, place) {
    const grid = this.#grid, [there, end] = [grid.find(path[place]), grid.find(path.at(-1))];
    return there < 0 || end < 0 ? "0px 0px" : `${(grid.x(there) - grid.x(end)).toFixed(1)}px ${(grid.y(there) - grid.y(end)).toFixed(1)}px`;
  }

  #put(move, place) {
    const sign = this.#sign(move.force);
    if (sign) sign.style.translate = this.#offset(move.path, place);
  }

  /** All march by one hex a beat, together. */
  #march(moves, seconds) {
    const beats = Math.max(...moves.map((each) => each.path.length - 1));
    for (const { force, path } of moves) {
      const frames = path.map((_, place) => ({ translate: this.#offset(path, place), offset: place / beats, easing: "ease-in-out" }));
      if (path.length - 1 < beats) frames.push({ translate: "0px 0px", offset: 1, easing: "linear" });
      const running = this.#sign(force)?.animate(frames, { duration: Math.max(1, seconds * 1000 - 500), fill: "backwards" });
      if (running) this.running.push(running);
    }
  }

  hold() { for (const each of this.running) if (each.playState === "running") each.pause(); }

  #stop() {
    for (const each of this.running) each.cancel();
    this.running = [];
    for (const sign of this.table.map.signs.values()) if (sign.style.translate) sign.style.translate = "";
  }

  clear() {
    this.back();
    this.#stop();
    this.#hold(new Set());
    this.land.remove();
    this.lit.remove();
  }
}
