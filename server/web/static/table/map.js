// The map: layers of SVG (the land on a canvas where there is much of it), what is marked on it, and the way about it.

import { h, s } from "./dom.js";
import { MARGIN, WIDTH } from "./geometry.js";
import { control, land, patterns, writing } from "./ground.js";
import { CanvasGround } from "./canvas.js";
import { Marks } from "./marks.js";
import { forces, places } from "./things.js";
import { Viewport } from "./viewport.js";

/** So many hexes are drawn as SVG; more on a canvas. */
export const MAX_SVG = 10000;
const GREAT = 1200; // hexes of a map of which one's own part is shown first
const FINGER = 38; // pixels a hex has at least where it is chosen by a finger

/** The map in an element. `told`: `hex(hex)`, `thing(thing)`, `hover(hex)`, `draw(what, hex, event)`. */
export class MapView {
  constructor(surface, pictures, told) {
    Object.assign(this, { surface, pictures, told });
  }

  /** Show a position. The land is drawn once, what can change each time. */
  show(position) {
    const first = !this.position;
    this.position = position;
    if (first) this.#build();
    else this.canvas?.show(position);
    if (!this.canvas) this.layers.control.replaceChildren(control(position, this.pictures));
    this.layers.places.replaceChildren(places(position, this.pictures));
    this.layers.forces.replaceChildren(forces(position, this.pictures, this.told.thing));
    this.#write();
  }

  #build() {
    const { grid } = this.position, box = `0 0 ${grid.width.toFixed(1)} ${grid.height.toFixed(1)}`;
    const large = grid.size > MAX_SVG;
    this.layers = Object.fromEntries(["land", "control", "below", "places", "writing", "forces", "above"].map((each) => [each, s("g", { class: `layer-${each}`, "aria-hidden": each === "forces" ? null : "true" })]));
    const sheet = (...layers) => s("svg", { viewBox: box, preserveAspectRatio: "none", role: "presentation", focusable: "false" }, layers.map((each) => this.layers[each]));
    this.world = h("div", { class: "world" });
    this.world.style.aspectRatio = `${grid.width} / ${grid.height}`; // on paper
    if (large) {
      this.canvas = new CanvasGround(this.surface, this.pictures);
      this.canvas.show(this.position);
      this.surface.append(this.canvas.element);
    } else {
      const kinds = [...new Set(this.position.terrain)];
      const ground = sheet("land", "control");
      ground.prepend(patterns(this.pictures, kinds));
      this.layers.land.append(land(this.position, this.pictures));
      this.world.append(ground);
    }
    this.world.append(sheet("below", "places", "writing", "forces", "above"));
    this.surface.append(this.world);
    this.viewport = new Viewport(this.surface, this.world, { width: grid.width, height: grid.height }, {
      taken: () => this.#tools(),
      moved: () => { this.canvas?.draw(this.viewport); this.#follow(); },
      settled: () => this.#write(),
      clicked: (x, y, event) => this.#clicked(x, y, event),
      hovered: (x, y) => this.#hovered(x === null ? -1 : grid.at(x, y)),
      drawing: (what, x, y, event) => this.told.draw(what, x === undefined ? -1 : grid.at(x, y), event),
    });
    this.marks = new Marks(this.layers, this.pictures);
    if (grid.size > GREAT) this.home();
    else this.fit();
  }

  /** How wide the tools stand at the left of the map; where they lie along its top, the land may reach under them. */
  #tools() {
    const tools = this.surface.parentElement.querySelector(".map-tools"), box = tools.getBoundingClientRect();
    return box.height > box.width ? box.right - this.surface.getBoundingClientRect().left : 0;
  }

  /** Show the whole map. */
  fit() { this.viewport.fit(); }

  /** Show where one's own things stand. */
  home() {
    const { grid, own } = this.position;
    const hexes = own.map((each) => each.hex).filter((hex) => hex >= 0);
    this.position.owner.forEach((owner, hex) => { if (owner && owner === this.position.me) hexes.push(hex); });
    if (!hexes.length) { this.fit(); return; }
    const xs = hexes.map((hex) => grid.x(hex)), ys = hexes.map((hex) => grid.y(hex)), more = WIDTH * 1.6;
    const least = Math.min(...xs) - more, top = Math.min(...ys) - more;
    this.viewport.fit({ x: least, y: top, width: Math.max(...xs) + more - least, height: Math.max(...ys) + more - top });
  }

  /** Bring a hex into sight; `near`: into the middle, large enough for a finger. */
  reveal(hex, near = false) {
    if (hex < 0) return;
    const [x, y] = [this.position.grid.x(hex), this.position.grid.y(hex)];
    if (near) this.viewport.centre(x, y, FINGER);
    else this.viewport.reveal(x, y);
  }

  #clicked(x, y, event) {
    const hex = this.position.grid.at(x, y);
    if (hex < 0) return;
    const thing = this.position.things.get(event.target?.closest?.("[data-thing]")?.dataset.thing);
    this.told.hex(hex, thing ?? null);
  }

  #hovered(hex) {
    if (hex === this.over) return;
    this.over = hex;
    this.marks.hover(this.position.grid, hex);
    this.told.hover(hex);
  }

  #follow() {
    if (this.following) return;
    this.following = setTimeout(() => { this.following = 0; this.#write(); }, 120);
  }

  /** Write labels and names, only those in sight. */
  #write() {
    const { viewport, position } = this, width = viewport.hexWidth;
    if (width < 22) { this.layers.writing.replaceChildren(); this.written = null; return; }
    const { grid } = position, box = viewport.sight(WIDTH * 6);
    if (this.written && this.written.position === position && this.written.sharp === (width >= 40) && within(viewport.sight(WIDTH), this.written.box)) return;
    const rows = [Math.max(0, Math.floor((box.y - MARGIN) / (WIDTH * 0.866))), Math.min(grid.rows, Math.ceil((box.y + box.height) / (WIDTH * 0.866)))];
    const columns = [Math.max(0, Math.floor((box.x - MARGIN) / WIDTH) - 1), Math.min(grid.columns, Math.ceil((box.x + box.width) / WIDTH))];
    const hexes = [];
    for (let row = rows[0]; row < rows[1]; row += 1) for (let column = columns[0]; column < columns[1]; column += 1) hexes.push(grid.number(column, row));
    this.layers.writing.replaceChildren(writing(position, this.pictures, hexes, width));
    this.written = { box, position, sharp: width >= 40 };
  }
}

function within(inner, outer) {
  return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width && inner.y + inner.height <= outer.y + outer.height;
}
