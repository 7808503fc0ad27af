// Where things happened, on the map: the hexes of the line one looks at, and its number.

import { s } from "./dom.js";
import { RADIUS } from "./geometry.js";

export class ResultMarks {
  constructor(table) {
    this.table = table;
    this.place = s("g", { class: "mark-results", "pointer-events": "none" });
  }

  /** Mark hexes with the number of their line; none takes the mark away. */
  light(hexes, number, tone) {
    const { map, position } = this.table, { grid } = position;
    if (this.place.parentNode !== map.layers.plans) map.layers.plans.append(this.place);
    this.place.setAttribute("class", `mark-results ${tone}`);
    this.place.replaceChildren(...(hexes.length ? [
      s("path", { class: "mark-result-back", d: grid.outline(hexes) }), s("path", { class: "mark-result", d: grid.outline(hexes) }),
      s("g", { transform: `translate(${grid.x(hexes[0]).toFixed(1)} ${(grid.y(hexes[0]) - RADIUS * 0.78).toFixed(1)})` },
        s("circle", { r: 13 }), s("text", { "text-anchor": "middle", y: 5, "font-size": 15 }, String(number)))] : []));
  }
}
