// The map: the picture the server has drawn of a position, what is marked on it, and the way about it.

import { h } from "./dom.js";
import { WIDTH } from "./geometry.js";
import { CanvasGround } from "./canvas.js";
import { Marks } from "./marks.js";
import { Viewport } from "./viewport.js";

const GREAT = 1200; // hexes of a map of which one's own part is shown first
const FINGER = 46; // pixels a hex has at least where it is chosen by a finger
const PHONE = 700; // pixels of a map on which one's capital is shown first
const LEGIBLE = 84; // pixels of a hex there
const BUTTON = 22; // pixels above the numbers of a map, so that the button of what happened lies on no hex

/** The map in an element. `told`: `hex(hex, thing, again)`, `thing(thing)`, `hover(hex)`, `draw(what, hex, event)`. */
export class MapView {
  constructor(surface, pictures, told) {
    this.surface = surface;
    this.pictures = pictures;
    this.told = told;
    this.marks = new Marks(pictures);
  }

  /** Show a position: its picture takes the place of the one before. */
  show(position) {
    const first = !this.position, svg = position.picture;
    this.position = position;
    this.layers = Object.fromEntries([...svg.querySelectorAll(":scope > g")].map((each) => [each.getAttribute("class").slice("layer-".length), each]));
    this.marks.move(this.layers);
    this.#things();
    if (first) this.#build(svg);
    else this.world.replaceChildren(svg);
    this.#ground();
  }

  #build(svg) {
    const { grid } = this.position;
    this.world = h("div", { class: "world" });
    this.world.style.aspectRatio = `${grid.width} / ${grid.height}`; // on paper
    this.surface.append(this.world);
    this.viewport = new Viewport(this.surface, this.world, { width: grid.width, height: grid.height }, {
      still: this.told.still,
      taken: () => this.#tools(),
      moved: () => { this.canvas?.draw(this.viewport); this.told.moved?.(); },
      settled: () => { this.#zoomed(); this.told.settled?.(); },
      clicked: (x, y, event, again) => this.#clicked(x, y, event, again),
      hovered: (x, y) => this.#hovered(x === null ? -1 : grid.at(x, y)),
      drawing: (what, x, y, event) => this.told.draw(what, x === undefined ? -1 : grid.at(x, y), event),
    });
    if (this.surface.clientWidth < PHONE && this.position.capital >= 0) {
      this.reveal(this.position.capital, true, LEGIBLE);
      this.viewport.fill();
    } else if (grid.size > GREAT) this.home();
    else this.fit();
    this.world.append(svg); // once the zoom is known: what it hides is never laid out
  }

  /** The land of a very large map is no part of its picture: a canvas draws it. */
  #ground() {
    if (this.layers.land.firstChild) return;
    if (!this.canvas) {
      this.canvas = new CanvasGround(this.surface, this.pictures);
      this.surface.prepend(this.canvas.element);
    }
    this.canvas.show(this.position);
    this.canvas.draw(this.viewport);
  }

  /** One's own forces can be reached with the Tab key, and say what they are. */
  #things() {
    /** The counters by the ids of their forces, also of others'. @type {Map<string, any>} */
    this.signs = new Map();
    for (const sign of this.layers.forces.querySelectorAll("[data-thing]")) {
      const thing = this.position.things.get(sign.dataset.thing);
      this.signs.set(sign.dataset.thing, sign);
      if (thing?.owner !== this.position.me) { sign.removeAttribute("data-thing"); sign.setAttribute("aria-hidden", "true"); continue; }
      sign.setAttribute("tabindex", "0");
      sign.setAttribute("role", "button");
      sign.setAttribute("aria-label", `${thing.name}, ${this.position.placeName(thing.hex)}`);
      sign.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); this.told.thing?.(thing); }
      });
    }
    for (const [name, layer] of Object.entries(this.layers)) if (name !== "forces") layer.setAttribute("aria-hidden", "true");
  }

  /** How much the tools take: at the left, below the button of what happened; or along the top where they lie there. */
  #tools() {
    const tools = this.surface.parentElement.querySelector(".map-tools"), box = tools?.getBoundingClientRect(), around = this.surface.getBoundingClientRect();
    if (!box?.width) return { left: 0, top: 0 };
    return box.height > box.width ? { left: box.right - around.left, top: BUTTON } : { left: 0, top: box.bottom - around.top };
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
  reveal(hex, near = false, least = FINGER) {
    if (hex < 0) return;
    const [x, y] = [this.position.grid.x(hex), this.position.grid.y(hex)];
    if (near) this.viewport.centre(x, y, least);
    else this.viewport.reveal(x, y);
  }

  /** Return what is in the middle, as `label,pixels a hex`; go there with `look`. */
  get looking() {
    const { x, y, width, height } = this.viewport.sight(), hex = this.position.grid.at(x + width / 2, y + height / 2);
    return hex < 0 ? "" : `${this.position.label(hex)},${Math.round(this.viewport.hexWidth)}`;
  }

  look(at) {
    const [label, pixels] = String(at).split(","), hex = this.position.grid.find(label);
    if (hex < 0 || !(Number(pixels) > 0)) return false;
    this.viewport.scale = 0;
    this.viewport.centre(this.position.grid.x(hex), this.position.grid.y(hex), Number(pixels));
    return true;
  }

  /** Show or hide the arrows of the last phase. */
  happened(shown) { this.surface.classList.toggle("no-arrows", !shown); }

  /** Let only what can be read be seen. */
  #zoomed() {
    const width = this.viewport.hexWidth, steps = Object.values(this.pictures.zoom).sort((a, b) => b - a);
    const step = steps.find((each) => width >= each) ?? 0;
    if (step === this.step) return;
    this.surface.classList.remove(`z-${this.step}`);
    this.surface.classList.add(`z-${step}`);
    this.step = step;
  }

  #clicked(x, y, event, again) {
    const hex = this.position.grid.at(x, y);
    if (hex < 0) return;
    const under = document.elementFromPoint(event.clientX, event.clientY); // the event's own target is the surface, which has caught the pointer
    const thing = this.position.things.get(/** @type {any} */ (under?.closest("[data-thing]"))?.dataset.thing);
    this.told.hex(hex, thing?.hex === hex ? thing : null, again);
  }

  #hovered(hex) {
    if (hex === this.over) return;
    this.over = hex;
    this.marks.hover(this.position.grid, hex);
    this.told.hover(hex);
  }
}
