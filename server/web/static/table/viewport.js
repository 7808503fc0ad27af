// The window onto the map: moving and enlarging it by mouse, wheel, keys and fingers.

import { h } from "./dom.js";
import { WIDTH } from "./geometry.js";

const SMALLEST = 5, LARGEST = 200; // widths of a hex on the screen, in pixels
const STEP = 1.3;
const SETTLES = 140; // ms after the last change of size
const CLICK = 6; // pixels a press may stray
const DOUBLE = 350; // ms between the clicks of a double click

/** Where something that long begins so that it fills the room; in the middle if it is too short. */
const within = (at, from, to, length) => (length <= to - from ? (from + to - length) / 2 : Math.max(to - length, Math.min(from, at)));

/** Moves `world` inside `surface`. Told of `moved()`, `settled()`, `clicked(x, y, event, again)`, `hovered(x, y)`, `drawing(...)`; asks how much is `taken()` by tools: `{left, top}`. */
export class Viewport {
  constructor(surface, world, size, told) {
    this.surface = surface;
    this.world = world;
    this.size = size;
    this.told = told;
    this.x = 0;
    this.y = 0;
    this.scale = 1;
    this.drawn = 1;
    this.fingers = new Map();
    this.grip = h("div", { class: "grip", hidden: true });
    surface.append(this.grip);
    this.#listen();
    new ResizeObserver(() => this.#resized()).observe(surface);
  }

  get hexWidth() { return WIDTH * this.scale; }

  /** Show a part of the map as large as it fits beside its tools; all of it without a part. */
  fit(box = { x: 0, y: 0, width: this.size.width, height: this.size.height }) {
    const { left, top } = this.told.taken(), w = this.surface.clientWidth - left, h = this.surface.clientHeight - top;
    if (w <= 0 || h <= 0) return;
    this.scale = this.#bounded(Math.min(w / box.width, h / box.height));
    this.x = left + w / 2 - (box.x + box.width / 2) * this.scale;
    this.y = top + h / 2 - (box.y + box.height / 2) * this.scale;
    this.#settle();
  }

  /** Bring a point into the middle, at least `least` pixels a hex. */
  centre(x, y, least = 0) {
    if (this.hexWidth < least) this.scale = this.#bounded(least / WIDTH);
    const { clientWidth: w, clientHeight: h } = this.surface;
    this.x = w / 2 - x * this.scale;
    this.y = h / 2 - y * this.scale;
    this.#settle();
  }

  /** Move the map so that no empty ground lies beside it where more of it could be seen. */
  fill() {
    const { left, top } = this.told.taken(), { clientWidth: w, clientHeight: h } = this.surface;
    this.x = within(this.x, left, w, this.size.width * this.scale);
    this.y = within(this.y, top, h, this.size.height * this.scale);
    this.#settle();
  }

  /** Move a point into sight if it is not. */
  reveal(x, y, edge = 60) {
    const { clientWidth: w, clientHeight: h } = this.surface;
    const left = x * this.scale + this.x, top = y * this.scale + this.y;
    if (left < edge || top < edge || left > w - edge || top > h - edge) this.centre(x, y);
  }

  move(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.#draw();
  }

  zoom(factor, x = this.surface.clientWidth / 2, y = this.surface.clientHeight / 2) {
    const scale = this.#bounded(this.scale * factor), k = scale / this.scale;
    this.x = x - (x - this.x) * k;
    this.y = y - (y - this.y) * k;
    this.scale = scale;
    this.#draw();
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.#settle(), SETTLES);
  }

  /** Return the point of the map under a point of the window. */
  point(clientX, clientY) {
    const box = this.surface.getBoundingClientRect();
    return [(clientX - box.left - this.x) / this.scale, (clientY - box.top - this.y) / this.scale];
  }

  /** Return the part of the map in sight, `more` of it around. */
  sight(more = 0) {
    const { clientWidth: w, clientHeight: h } = this.surface;
    return { x: -this.x / this.scale - more, y: -this.y / this.scale - more, width: w / this.scale + 2 * more, height: h / this.scale + 2 * more };
  }

  #bounded(scale) {
    const all = Math.min(this.surface.clientWidth / this.size.width, this.surface.clientHeight / this.size.height);
    return Math.max(Math.min(SMALLEST / WIDTH, all), Math.min(LARGEST / WIDTH, scale));
  }

  #draw() {
    this.#hold();
    this.frame ||= requestAnimationFrame(() => this.#place());
  }

  /** Some of the map always stays in sight. */
  #hold() {
    const { clientWidth: w, clientHeight: h } = this.surface;
    this.x = Math.min(w - 60, Math.max(60 - this.size.width * this.scale, this.x));
    this.y = Math.min(h - 60, Math.max(60 - this.size.height * this.scale, this.y));
  }

  #place() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const k = this.scale / this.drawn;
    this.world.style.transform = `translate(${this.x}px, ${this.y}px)${k === 1 ? "" : ` scale(${k})`}`;
    this.told.moved();
  }

  /** Draw everything anew in the size it has now: size and place change together, at no moment is only one of them true. */
  #settle() {
    clearTimeout(this.settling);
    this.drawn = this.scale;
    this.world.style.width = `${this.size.width * this.scale}px`;
    this.world.style.height = `${this.size.height * this.scale}px`;
    this.#hold();
    this.#place();
    this.told.settled();
  }

  #resized() {
    if (!this.known) { this.known = true; return; }
    this.#draw();
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.#settle(), SETTLES);
  }

  #listen() {
    const { surface } = this;
    surface.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = surface.getBoundingClientRect();
      const amount = event.deltaMode === 1 ? event.deltaY * 30 : event.deltaY;
      this.zoom(Math.exp(-Math.max(-200, Math.min(200, amount)) / 350), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    surface.addEventListener("pointerdown", (event) => this.#down(event));
    surface.addEventListener("pointermove", (event) => this.#moved(event));
    for (const name of ["pointerup", "pointercancel"]) surface.addEventListener(name, (event) => this.#up(event));
    surface.addEventListener("pointerleave", () => this.told.hovered(null));
    surface.addEventListener("keydown", (event) => this.#key(event));
    surface.addEventListener("dblclick", (event) => event.preventDefault());
  }

  #down(event) {
    if (event.button > 1 || event.target.closest("button, a, select")) return;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.fingers.size === 1) {
      this.press = { x: event.clientX, y: event.clientY, strayed: false, drawing: false };
      if (event.button === 0) this.press.drawing = this.told.drawing("begin", ...this.point(event.clientX, event.clientY), event);
    } else {
      if (this.press?.drawing) this.told.drawing("stop");
      this.press = null;
    }
    this.surface.setPointerCapture(event.pointerId);
  }

  #moved(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) {
      if (event.pointerType !== "touch") this.told.hovered(...this.point(event.clientX, event.clientY));
      return;
    }
    const now = { x: event.clientX, y: event.clientY };
    if (this.fingers.size === 2) this.#pinch(event.pointerId, before, now);
    else if (this.press) {
      if (Math.hypot(now.x - this.press.x, now.y - this.press.y) > CLICK) this.press.strayed = true;
      if (this.press.drawing) this.told.drawing("over", ...this.point(now.x, now.y));
      else if (this.press.strayed) {
        this.grip.hidden = false;
        this.move(now.x - before.x, now.y - before.y);
      }
    }
    if (this.press?.strayed || this.fingers.size === 2) this.fingers.set(event.pointerId, now);
  }

  #pinch(id, before, now) {
    const [, other] = [...this.fingers].find(([each]) => each !== id);
    const box = this.surface.getBoundingClientRect();
    const was = Math.hypot(before.x - other.x, before.y - other.y), is = Math.hypot(now.x - other.x, now.y - other.y);
    this.move((now.x - before.x) / 2, (now.y - before.y) / 2);
    if (was > 10) this.zoom(is / was, (now.x + other.x) / 2 - box.left, (now.y + other.y) / 2 - box.top);
  }

  #up(event) {
    if (!this.fingers.delete(event.pointerId)) return;
    const press = this.press;
    this.press = null;
    this.grip.hidden = true;
    if (!press) {
      // the finger that stays of two moves the map on
      const [stays] = this.fingers.values();
      if (this.fingers.size === 1) this.press = { ...stays, strayed: true, drawing: false };
      return;
    }
    if (press.drawing) this.told.drawing("end", ...this.point(event.clientX, event.clientY));
    if (!press.strayed && event.type === "pointerup") this.told.clicked(...this.point(event.clientX, event.clientY), event, this.#twice(event));
    else if (press.strayed) this.told.settled();
  }

  /** Say whether a click is the second half of a double click. */
  #twice({ clientX: x, clientY: y, timeStamp: at }) {
    const before = this.before, again = Boolean(before) && at - before.at < DOUBLE && Math.hypot(x - before.x, y - before.y) <= CLICK;
    this.before = again ? null : { x, y, at };
    return again;
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const far = event.shiftKey ? 240 : 80;
    const moves = { ArrowLeft: [far, 0], ArrowRight: [-far, 0], ArrowUp: [0, far], ArrowDown: [0, -far] };
    if (moves[event.key] && this.told.still) return; // the page has another use for them
    if (moves[event.key]) this.move(...moves[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoom(STEP);
    else if (event.key === "-") this.zoom(1 / STEP);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.#settle(), SETTLES);
  }
}
