// The land of a very large map on a canvas: drawn piece by piece into tiles, which are kept and only moved about.

import { WIDTH } from "./geometry.js";
import { blocks, grouped, hidden, roads } from "./ground.js";
import { colour } from "./signs.js";

const TILE = 512; // pixels of a tile's side
const BLOCK = 8; // hexes of a block's side
const MAX_TILES = 160;
const BUDGET = 7; // ms a frame may spend on new tiles

/** Draws land, control, roads and fog. */
export class CanvasGround {
  constructor(surface, pictures) {
    this.surface = surface;
    this.pictures = pictures;
    this.tiles = new Map();
    this.version = 0;
    /** Everything, small. @type {HTMLCanvasElement | null} */
    this.small = null;
    /** Parts of the land, with what is filled in them. @type {{hexes: number[], box?: number[], fills?: any[], grid?: Path2D}[]} */
    this.blocks = [];
    this.element = document.createElement("canvas");
    this.element.className = "ground";
    this.element.setAttribute("aria-hidden", "true");
    this.context = this.element.getContext("2d", { alpha: false });
  }

  /** Take over a position; what was drawn of another one is thrown away. */
  show(position) {
    this.position = position;
    this.version += 1;
    this.tiles.clear();
    const { grid } = position, players = [...position.seats.keys()];
    const fog = new Set(hidden(position)), kinds = [...new Set(position.terrain)];
    const style = getComputedStyle(this.surface), named = (name) => style.getPropertyValue(`--m-${name}`).trim();
    this.paper = style.backgroundColor;
    this.ink = named("grid");
    this.road = named("road");
    this.roadEdge = named("road-edge");
    this.fog = named("fog-name-back");
    const ground = (kind) => named(this.pictures.terrains.includes(kind) ? kind : "other");
    this.blocks = blocks(grid, position.terrain.keys(), BLOCK).map((hexes) => ({ hexes }));
    for (const block of this.blocks) {
      const pick = (test) => block.hexes.filter(test), path = (hexes) => new Path2D(grid.region(hexes));
      const xs = block.hexes.map((hex) => grid.x(hex)), ys = block.hexes.map((hex) => grid.y(hex));
      block.box = [Math.min(...xs) - WIDTH, Math.min(...ys) - WIDTH, Math.max(...xs) + WIDTH, Math.max(...ys) + WIDTH];
      block.fills = kinds.map((kind) => [ground(kind), 1, path(pick((hex) => position.terrain[hex] === kind))]);
      for (const player of players) {
        const held = pick((hex) => position.owner[hex] === player);
        if (held.length) block.fills.push([colour(this.pictures, position.seat(player)), 0.12, path(held)]);
      }
      block.fills.push([this.fog, 0.42, path(pick((hex) => fog.has(hex)))]);
      block.grid = new Path2D(grid.mesh(block.hexes));
    }
    this.roads = new Path2D(roads(position));
    this.borders = [...grouped(position.owner)].map(([player, hexes]) =>
      [colour(this.pictures, position.seat(player)), this.#dash(position.seat(player)), new Path2D(grid.edges(hexes, (hex) => position.owner[hex] === player))]);
    if (this.viewport) this.draw(this.viewport);
  }

  #dash(seat) {
    const { dash } = this.pictures.seats[seat % this.pictures.seats.length];
    return dash ? dash.split(" ").map(Number) : [];
  }

  /** Draw what is in sight. Tiles that are not ready are stood in for by a small picture of everything. */
  draw(viewport) {
    this.viewport = viewport;
    const { element, context, surface } = this, ratio = Math.min(2, devicePixelRatio);
    const [w, h] = [surface.clientWidth, surface.clientHeight];
    if (element.width !== Math.round(w * ratio) || element.height !== Math.round(h * ratio)) {
      element.width = Math.round(w * ratio);
      element.height = Math.round(h * ratio);
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = this.paper;
    context.fillRect(0, 0, element.width, element.height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { x, y, scale, size } = viewport;
    this.#small();
    context.imageSmoothingEnabled = true;
    context.drawImage(this.small, x, y, size.width * scale, size.height * scale);
    if (scale * size.width <= this.small.width) return;
    const level = 2 ** Math.round(Math.log2(scale)), side = TILE / level / ratio, began = performance.now();
    let waits = false;
    for (let row = Math.floor(-y / scale / side); row * side * scale + y < h; row += 1)
      for (let column = Math.floor(-x / scale / side); column * side * scale + x < w; column += 1) {
        if (column < 0 || row < 0 || column * side > size.width || row * side > size.height) continue;
        const key = `${level}:${column}:${row}`;
        let tile = this.tiles.get(key);
        if (!tile && performance.now() - began < BUDGET) tile = this.#tile(key, column * side, row * side, TILE / side, side);
        if (tile) context.drawImage(tile, column * side * scale + x, row * side * scale + y, side * scale + 0.5, side * scale + 0.5);
        else waits = true;
      }
    if (waits && !this.waiting) this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.draw(this.viewport); });
  }

  #tile(key, left, top, scale, side) {
    const made = document.createElement("canvas");
    made.width = made.height = TILE;
    this.#paint(made.getContext("2d"), left, top, side, side, scale);
    this.tiles.set(key, made);
    if (this.tiles.size > MAX_TILES) this.tiles.delete(this.tiles.keys().next().value);
    return made;
  }

  #small() {
    if (this.small && this.smallVersion === this.version) return;
    const { grid } = this.position, scale = Math.min(1, 1600 / Math.max(grid.width, grid.height));
    this.small ??= document.createElement("canvas");
    this.small.width = Math.round(grid.width * scale);
    this.small.height = Math.round(grid.height * scale);
    this.smallVersion = this.version;
    this.#paint(this.small.getContext("2d"), 0, 0, grid.width, grid.height, scale);
  }

  #paint(context, left, top, width, height, scale) {
    context.setTransform(scale, 0, 0, scale, -left * scale, -top * scale);
    for (const block of this.blocks) {
      const [x1, y1, x2, y2] = block.box;
      if (x2 < left || y2 < top || x1 > left + width || y1 > top + height) continue;
      for (const [fill, opacity, path] of block.fills) {
        context.globalAlpha = opacity;
        context.fillStyle = fill;
        context.fill(path);
      }
      if (scale * WIDTH > 9) {
        context.globalAlpha = 1;
        context.lineWidth = 1;
        context.strokeStyle = this.ink;
        context.stroke(block.grid);
      }
    }
    context.globalAlpha = 1;
    context.lineCap = "round";
    for (const [width_, stroke] of [[5, this.roadEdge], [2.9, this.road]]) {
      context.lineWidth = width_;
      context.strokeStyle = stroke;
      context.stroke(this.roads);
    }
    context.lineWidth = Math.max(4.7, 1.2 / scale);
    for (const [stroke, dash, path] of this.borders) {
      context.strokeStyle = stroke;
      context.setLineDash(scale * WIDTH > 9 ? dash : []);
      context.stroke(path);
    }
    context.setLineDash([]);
  }
}
