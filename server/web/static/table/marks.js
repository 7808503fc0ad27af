// What is marked on the map: the hex under the pointer, what is chosen, where one may go, orders as arrows.

import { s } from "./dom.js";
import { RADIUS } from "./geometry.js";

/** Marks lie in two layers: `below` what stands and is written on the map, and `above` it. */
export class Marks {
  constructor(layers, pictures) {
    this.pictures = pictures;
    this.under = s("path", { class: "mark-hover", fill: "none" });
    this.parts = { reach: s("g"), costs: s("g", { class: "mark-costs", "text-anchor": "middle", "font-size": 9 }), orders: s("g"), chosen: s("g"), path: s("g") };
    layers.below.append(this.parts.reach);
    layers.above.append(this.under, this.parts.costs, this.parts.chosen, this.parts.orders, this.parts.path);
    layers.below.classList.add("marks");
    layers.above.classList.add("marks");
    layers.above.prepend(s("defs", {}, ["good", "war"].map((kind) => s("marker", { id: `tip-${kind}`, viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 3, markerHeight: 3, orient: "auto-start-reverse" },
      s("path", { class: `tip-${kind}`, d: "M0 0l10 5-10 5z" })))));
  }

  hover(grid, hex) {
    this.under.setAttribute("d", hex < 0 ? "" : grid.outline([hex]));
  }

  /** Mark a hex as chosen, -1 for none. */
  chosen(position, hex) {
    this.parts.chosen.replaceChildren(...(hex < 0 ? [] : [
      s("path", { class: "mark-chosen-back", d: position.grid.outline([hex]) }), s("path", { class: "mark-chosen", d: position.grid.outline([hex]) })]));
  }

  /** Shade hexes: `[{hex, kind: "good"|"last"|"war"|"place", text}]`. */
  reach(position, hexes) {
    const { grid } = position, kinds = new Map();
    for (const each of hexes) kinds.set(each.kind, [...(kinds.get(each.kind) ?? []), each.hex]);
    this.parts.reach.replaceChildren(...[...kinds].map(([kind, some]) => s("path", { class: `mark-${kind}`, d: grid.outline(some) })));
    this.parts.costs.replaceChildren(...hexes.filter((each) => each.text).map((each) =>
      s("text", { x: grid.x(each.hex).toFixed(1), y: (grid.y(each.hex) + RADIUS * 0.62).toFixed(1) }, String(each.text))));
  }

  /** Draw the path that is being written; `stops` is the number of steps that will be made. */
  path(position, start, hexes, stops) {
    const { grid } = position, parts = [];
    if (start >= 0 && hexes.length) {
      const made = [start, ...hexes.slice(0, stops)], rest = hexes.slice(stops);
      if (made.length > 1) parts.push(line(grid, made, "arrow good", "tip-good"));
      if (rest.length) parts.push(line(grid, [made.at(-1), ...rest], "arrow unsure", "tip-good"));
      for (const hex of hexes) parts.push(s("circle", { class: "step", cx: grid.x(hex), cy: grid.y(hex), r: 3 }));
    }
    this.parts.path.replaceChildren(...parts);
  }

  /** Draw orders: `[{from, path, kind: "move"|"attack"|"support"|"withdraw"|"sign", text, sure}]`. */
  orders(position, orders) {
    const { grid } = position;
    this.parts.orders.replaceChildren(...orders.map((each) => {
      const war = each.kind === "attack";
      if (each.kind === "sign") {
        return s("g", { transform: `translate(${grid.x(each.from)} ${grid.y(each.from) + RADIUS * 0.6})` },
          s("rect", { class: "order-sign", x: -15, y: -6, width: 30, height: 11, rx: 5 }), s("text", { class: "order-text", "text-anchor": "middle", y: 2.4, "font-size": 6.8 }, each.text));
      }
      const arrow = line(grid, [each.from, ...each.path], `arrow ${war ? "war" : each.kind}`, war ? "tip-war" : "tip-good");
      const last = each.path.at(-1), [x, y] = war ? [grid.x(last), grid.y(last) + RADIUS * 0.6] : [(grid.x(each.from) + grid.x(last)) / 2, (grid.y(each.from) + grid.y(last)) / 2];
      const label = each.text ? s("g", { transform: `translate(${x} ${y})` }, s("rect", { class: "order-sign", x: -15, y: -6, width: 30, height: 11, rx: 5 }),
        s("text", { class: "order-text", "text-anchor": "middle", y: 2.4, "font-size": 6.8 }, each.text)) : null;
      return s("g", {}, arrow, label);
    }));
  }

  /** Draw things that are to be placed: nodes of `things`. */
  extra(nodes) {
    this.parts.orders.append(...nodes);
  }

}

function line(grid, hexes, look, tip) {
  const points = hexes.map((hex) => [grid.x(hex), grid.y(hex)]);
  const [a, b] = [points.at(-2), points.at(-1)], short = look.includes("war") || look.includes("support") ? 0.62 : 0.86;
  const [c, d] = points[1];
  points[0] = [points[0][0] + (c - points[0][0]) * 0.28, points[0][1] + (d - points[0][1]) * 0.28]; // from the counter's edge
  points[points.length - 1] = [a[0] + (b[0] - a[0]) * short, a[1] + (b[1] - a[1]) * short];
  return s("path", { class: look, "marker-end": `url(#${tip})`, d: `M${points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")}` });
}
