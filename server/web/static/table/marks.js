// What is marked on the map: the hex under the pointer, what is chosen, where one may go, orders as arrows.

import { s } from "./dom.js";
import { RADIUS } from "./geometry.js";
import { line, tapered, way } from "./taper.js";

const SHEET = 4000; // as far as the land is drawn around the board

/** Marks lie in layers of the picture: `reach` under what stands on the map, `chosen` under the forces, `plans` above all. */
export class Marks {
  constructor(pictures) {
    this.pictures = pictures;
    /** What each part shows, as text. @type {Record<string, string>} */
    this.shown = {};
    const g = (look) => s("g", { class: look, "aria-hidden": "true" });
    this.parts = { reach: g("marks-reach"), chosen: g("marks-chosen"), costs: g("mark-costs"), badges: g("marks-badges"), orders: g("marks-orders"), extra: g("marks-orders"), path: g("marks-path"), suggested: g("marks-suggested"), hover: g("marks-hover") };
  }

  /** Take the place of the layers of a new picture. */
  move(layers) {
    layers.reach.append(this.parts.reach);
    layers.chosen.append(this.parts.chosen);
    layers.plans.append(this.parts.costs, this.parts.orders, this.parts.extra, this.parts.path, this.parts.suggested, this.parts.badges, this.parts.hover);
  }

  /** Say whether a part has to be drawn: what it is to show is not what it shows. */
  #changed(part, what) {
    const now = JSON.stringify(what), same = this.shown[part] === now;
    this.shown[part] = now;
    return !same;
  }

  /** Outline the hex under the pointer, with its number. */
  hover(grid, hex) {
    if (hex < 0) { this.parts.hover.replaceChildren(); return; }
    const label = grid.label(hex), wide = 8 + label.length * 9;
    this.parts.hover.replaceChildren(
      s("path", { class: "mark-hover", d: grid.outline([hex]) }),
      s("g", { transform: `translate(${grid.x(hex).toFixed(1)} ${(grid.y(hex) - RADIUS + 2).toFixed(1)})` },
        s("rect", { class: "hover-plate", x: -wide / 2, y: -9, width: wide, height: 18, rx: 9 }), s("text", { class: "hover-number", y: 5 }, label)));
  }

  /** Mark a hex as chosen, -1 for none. */
  chosen(position, hex) {
    if (!this.#changed("chosen", hex)) return;
    const d = hex < 0 ? "" : position.grid.outline([hex]);
    this.parts.chosen.replaceChildren(...(d ? [s("path", { class: "mark-chosen-back", d }), s("path", { class: "mark-chosen", d })] : []));
  }

  /** Show where one may go: `[{hex, kind: "good"|"last"|"war"|"place", text}]`; everything else dims. `from`: where one stands. */
  reach(position, hexes, from = -1) {
    if (!this.#changed("reach", [hexes, from])) return;
    const { grid } = position, kinds = new Map();
    for (const each of hexes) kinds.set(each.kind, [...(kinds.get(each.kind) ?? []), each.hex]);
    const all = [...new Set(hexes.map((each) => each.hex))], war = all.length > 0 && kinds.size === 1 && kinds.has("war");
    const bright = from >= 0 && !all.includes(from) ? [...all, from] : all, parts = [];
    if (all.length) {
      const d = `M${-SHEET} ${-SHEET}h${(2 * SHEET + grid.width).toFixed(0)}v${(2 * SHEET + grid.height).toFixed(0)}h${(-2 * SHEET - grid.width).toFixed(0)}z${grid.region(bright)}`;
      parts.push(s("path", { class: war ? "dim dim-war" : "dim", "fill-rule": "evenodd", d }));
    }
    for (const [kind, some] of kinds) {
      const region = grid.region(some), clip = `reach-${kind}`;
      parts.push(s("clipPath", { id: clip }, s("path", { d: region })),
        s("path", { class: `mark-${kind} mark-fill`, d: region }),
        s("path", { class: `mark-${kind} mark-glow`, "clip-path": `url(#${clip})`, d: region }),
        s("path", { class: `mark-${kind} mark-back`, d: region }), s("path", { class: `mark-${kind} mark-rim`, d: region }));
    }
    this.parts.reach.replaceChildren(...parts);
    this.parts.costs.replaceChildren(...hexes.filter((each) => each.text).map((each) => {
      const text = String(each.text);
      return s("g", { class: `cost cost-${each.kind}`, transform: `translate(${grid.x(each.hex).toFixed(1)} ${(grid.y(each.hex) + 36).toFixed(1)})` },
        s("circle", { r: 8.5 }), s("text", { y: 4 }, text));
    }));
  }

  /** Draw the path that is being written; `stops` is the number of steps that will be made. */
  path(position, start, hexes, stops) {
    if (!this.#changed("path", hexes.length ? [start, hexes, stops] : [])) return;
    const { grid } = position, parts = [];
    if (start >= 0 && hexes.length) {
      const made = [start, ...hexes.slice(0, stops)], rest = hexes.slice(stops);
      if (rest.length) parts.push(...dashes(grid, [made.at(-1), ...rest], "arrow unsure"));
      if (made.length > 1) parts.push(...pointed(grid, made, this.pictures.lines.attack, "arrow good"));
      for (const hex of hexes) parts.push(s("circle", { class: "step", cx: grid.x(hex).toFixed(1), cy: grid.y(hex).toFixed(1), r: 4 }));
    }
    this.parts.path.replaceChildren(...parts);
  }

  /** Draw orders: `[{from, path, kind: "move"|"attack"|"support"|"withdraw"|"sign", text, sure}]`. */
  orders(position, orders) {
    if (!this.#changed("orders", orders)) return;
    const { grid } = position;
    this.parts.orders.replaceChildren(...orders.map((each) => {
      if (each.kind === "sign") return tag(grid.x(each.from), grid.y(each.from) + 4, each.text, "order-sign");
      const hexes = [each.from, ...each.path], last = each.path.at(-1), war = each.kind === "attack";
      const drawn = each.kind === "support" ? ringed(grid, hexes) : each.kind === "withdraw" ? dashes(grid, hexes, "arrow withdraw")
        : pointed(grid, hexes, this.pictures.lines[war ? "attack" : "arrow"], `arrow ${war ? "war" : "move"}`);
      const [x, y] = war ? [grid.x(last), grid.y(last) + 12] : [(grid.x(each.from) + grid.x(last)) / 2, (grid.y(each.from) + grid.y(last)) / 2 + 12];
      return s("g", {}, drawn, each.text ? tag(x, y, each.text, war ? "order-sign odds-sign" : "order-sign") : null);
    }));
  }

  /** Say at each of one's forces whether it has an order: `[{hex, done}]`. */
  badges(position, forces) {
    if (!this.#changed("badges", forces)) return;
    const { grid } = position, [dx, dy] = this.pictures.places.counter;
    this.parts.badges.replaceChildren(...forces.map(({ hex, done }) =>
      s("g", { class: done ? "order-badge done" : "order-badge", transform: `translate(${(grid.x(hex) + dx + 26).toFixed(1)} ${(grid.y(hex) + dy - 16).toFixed(1)})` },
        s("circle", { r: 7.5 }), done ? s("path", { d: "M-3.4 .2L-1 2.8 3.6-2.6" }) : s("text", { y: 4 }, "?"))));
  }

  /** Show suggestions as ghosts with a label: `[{hex, text}]`. */
  suggested(position, places) {
    if (!this.#changed("suggested", places.map(({ hex, text }) => [hex, text]))) return;
    const { grid } = position;
    this.parts.suggested.replaceChildren(...places.filter(({ hex }) => hex >= 0).map(({ hex, text }) => {
      const d = grid.outline([hex]), wide = 18 + text.length * 8.2;
      return s("g", {}, s("path", { class: "ghost-back", d }), s("path", { class: "ghost", d }),
        s("g", { transform: `translate(${grid.x(hex).toFixed(1)} ${(grid.y(hex) - 4).toFixed(1)})` },
          s("rect", { class: "ghost-plate", x: -wide / 2, y: -13, width: wide, height: 26, rx: 13 }), s("text", { class: "ghost-text", y: 5 }, text)));
    }));
  }

  /** Draw things that are to be placed. */
  extra(nodes) {
    if (nodes.length || this.parts.extra.firstChild) this.parts.extra.replaceChildren(...nodes);
  }
}

const middles = (grid, hexes) => hexes.map((hex) => [grid.x(hex), grid.y(hex)]);

function pointed(grid, hexes, [narrow, wide], look) {
  return [s("path", { class: look, d: tapered(way(middles(grid, hexes), 16, look.includes("war") ? 24 : 12), narrow, wide) })];
}

function dashes(grid, hexes, look) {
  const d = line(way(middles(grid, hexes), 16, 14));
  return [s("path", { class: "arrow-back", d }), s("path", { class: look, d })];
}

function ringed(grid, hexes) {
  const places = way(middles(grid, hexes), 20, 28), [x, y] = places.at(-1), d = line(places);
  return [s("path", { class: "arrow-back", d }), s("path", { class: "arrow support", d }), s("circle", { class: "support-ring", cx: x.toFixed(1), cy: y.toFixed(1), r: 5 })];
}

function tag(x, y, text, look) {
  const wide = Math.max(30, 12 + String(text).length * 6.6);
  return s("g", { class: "order-tag", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
    s("rect", { class: look, x: -wide / 2, y: -9, width: wide, height: 18, rx: 9 }), s("text", { class: "order-text", y: 4.2 }, text));
}
