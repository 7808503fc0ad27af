// @ts-check
// One's own pins, on the map.

import { s } from "./dom.js";

const AT = [-30, -18]; // where the point of a pin is, from the middle of its hex

export class PinMarks {
  constructor() {
    this.place = s("g", { class: "mark-pins", "aria-hidden": "true", "pointer-events": "none" });
  }

  /**
   * Show these pins.
   * @param {{layers: Record<string, Element>}} map
   * @param {any} position
   * @param {{hex: string}[]} pins
   */
  show(map, position, pins) {
    const { grid } = position;
    if (this.place.parentNode !== map.layers.plans) map.layers.plans.append(this.place);
    const hexes = pins.map((each) => grid.find(each.hex)).filter((/** @type {number} */ hex) => hex >= 0);
    this.place.replaceChildren(...hexes.map((/** @type {number} */ hex) => s("g", { transform: `translate(${(grid.x(hex) + AT[0]).toFixed(1)} ${(grid.y(hex) + AT[1]).toFixed(1)})` },
      s("path", { d: "M0 0C-3-7-9-10-9-17a9 9 0 0 1 18 0C9-10 3-7 0 0z" }), s("circle", { cy: -17, r: 3.4 }))));
  }
}
