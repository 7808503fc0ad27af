// Where hexes lie (D-01, D-02): pointy-top, odd rows shoved right, numbered row by row, directions clockwise from east.

export const WIDTH = 84; // both as in server/render/drawing/drawing.toml
export const RADIUS = WIDTH / Math.sqrt(3);
export const MARGIN = 44;
const ROW = (WIDTH * Math.sqrt(3)) / 2;
const half = WIDTH / 2;

/** Path data of one hex after a move to its upper right corner. */
export const OUTLINE = `l0 ${RADIUS.toFixed(2)}l${-half} ${(RADIUS / 2).toFixed(2)}l${-half} ${(-RADIUS / 2).toFixed(2)}l0 ${(-RADIUS).toFixed(2)}l${half} ${(-RADIUS / 2).toFixed(2)}z`;

/** Steps to the neighbours, by row (even, odd) and direction. */
const ACROSS = [[1, 0, -1, -1, -1, 0], [1, 1, 0, -1, 0, 1]], DOWN = [0, 1, 1, 0, -1, -1];

/** Path data of the edges of a hex, by direction, clockwise. */
const EDGES = (() => {
  const r = RADIUS.toFixed(3), h = (RADIUS / 2).toFixed(3);
  return [`v${r}`, `l${-half} ${h}`, `l${-half} -${h}`, `v-${r}`, `l${half} -${h}`, `l${half} ${h}`];
})();
const CORNERS = [[half, -RADIUS / 2], [half, RADIUS / 2], [0, RADIUS], [-half, RADIUS / 2], [-half, -RADIUS / 2], [0, -RADIUS]];
const INSIDE = 64; // above a bit for each edge

/** A map's grid. */
export class Grid {
  /** @type {Uint8Array | undefined} */ marks;

  constructor(columns, rows) {
    this.columns = columns;
    this.rows = rows;
    this.size = columns * rows;
    this.digits = Math.max(columns, rows) > 99 ? 3 : 2;
    this.width = (columns + (rows > 1 ? 0.5 : 0)) * WIDTH + 2 * MARGIN;
    this.height = (rows - 1) * ROW + 2 * RADIUS + 2 * MARGIN;
  }

  x(hex) {
    const row = Math.floor(hex / this.columns);
    return MARGIN + half + ((hex % this.columns) + (row & 1) / 2) * WIDTH;
  }

  y(hex) {
    return MARGIN + RADIUS + Math.floor(hex / this.columns) * ROW;
  }

  label(hex) {
    if (hex < 0) return "orbit";
    const row = Math.floor(hex / this.columns);
    const two = (n) => String(n + 1).padStart(this.digits, "0");
    return two(hex % this.columns) + two(row);
  }

  /** Return the hex of a label, -1 where the map has none. */
  find(label) {
    if (typeof label !== "string" || label.length !== 2 * this.digits || !/^\d+$/.test(label)) return -1;
    return this.number(Number(label.slice(0, this.digits)) - 1, Number(label.slice(this.digits)) - 1);
  }

  number(column, row) {
    return column >= 0 && row >= 0 && column < this.columns && row < this.rows ? row * this.columns + column : -1;
  }

  /** Return the neighbour in a direction, -1 where the map ends. */
  next(hex, direction) {
    const row = Math.floor(hex / this.columns);
    return this.number((hex % this.columns) + ACROSS[row & 1][direction], row + DOWN[direction]);
  }

  neighbours(hex) {
    return [0, 1, 2, 3, 4, 5].map((each) => this.next(hex, each)).filter((each) => each >= 0);
  }

  direction(from, to) {
    return [0, 1, 2, 3, 4, 5].findIndex((each) => this.next(from, each) === to && to >= 0);
  }

  axial(hex) {
    const row = Math.floor(hex / this.columns);
    return [(hex % this.columns) - (row - (row & 1)) / 2, row];
  }

  distance(a, b) {
    const [q, r] = this.axial(a), [v, w] = this.axial(b);
    return Math.max(Math.abs(q - v), Math.abs(r - w), Math.abs(q + r - v - w));
  }

  /** Return the hex under a point of the map, -1 beside it. */
  at(x, y) {
    const r = (y - MARGIN - RADIUS) / ROW, q = (x - MARGIN - half) / WIDTH - r / 2;
    let [rq, rr] = [Math.round(q), Math.round(r)];
    const rs = Math.round(-q - r), [dq, dr, ds] = [Math.abs(rq - q), Math.abs(rr - r), Math.abs(rs + q + r)];
    if (dq > dr && dq > ds) rq = -rr - rs;
    else if (dr > ds) rr = -rq - rs;
    return this.number(rq + (rr - (rr & 1)) / 2, rr);
  }

  /** Return the corner where edge `direction` begins. */
  corner(hex, direction, shrink = 1) {
    const [dx, dy] = CORNERS[direction % 6];
    return [this.x(hex) + dx * shrink, this.y(hex) + dy * shrink];
  }

  /** Return the path data of whole hexes. */
  outline(hexes) {
    const parts = [];
    for (const hex of hexes) parts.push(`M${(this.x(hex) + half).toFixed(1)} ${(this.y(hex) - RADIUS / 2).toFixed(1)}${OUTLINE}`);
    return parts.join("");
  }

  /** Return the path data of the area that hexes cover: its borders only, holes run round the other way. */
  region(hexes) {
    const parts = [], marks = this.marks ??= new Uint8Array(this.size); // empty again in the end
    for (const hex of hexes) marks[hex] = INSIDE;
    for (const hex of hexes)
      for (let direction = 0; direction < 6; direction += 1) {
        const beyond = this.next(hex, direction);
        if ((beyond >= 0 && marks[beyond]) || marks[hex] & (1 << direction)) continue;
        parts.push(this.#moveTo(hex, direction));
        let here = hex, edge = direction;
        while (!(marks[here] & (1 << edge))) {
          marks[here] |= 1 << edge;
          parts.push(EDGES[edge]);
          const turn = (edge + 1) % 6, next = this.next(here, turn);
          if (next >= 0 && marks[next]) [here, edge] = [next, (edge + 5) % 6];
          else edge = turn;
        }
        parts.push("z");
      }
    for (const hex of hexes) marks[hex] = 0;
    return parts.join("");
  }

  /** Return the path data of the lines between hexes, each of them once. */
  mesh(hexes) {
    const parts = [], [east, southEast, southWest] = EDGES;
    for (const hex of hexes) {
      parts.push(this.#moveTo(hex, 0), east, southEast, southWest);
      for (let direction = 3; direction < 6; direction += 1) if (this.next(hex, direction) < 0) parts.push(this.#moveTo(hex, direction), EDGES[direction]);
    }
    return parts.join("");
  }

  #moveTo(hex, direction) {
    const [x, y] = this.corner(hex, direction);
    return `M${x.toFixed(1)} ${y.toFixed(2)}`;
  }

  /** Return the path data of the edges beyond which `inside` does not hold. */
  edges(hexes, inside, shrink = 0.93) {
    const parts = [];
    for (const hex of hexes)
      for (let direction = 0; direction < 6; direction += 1) {
        const next = this.next(hex, direction);
        if (next >= 0 && inside(next)) continue;
        const [a, b] = this.corner(hex, direction, shrink), [c, d] = this.corner(hex, direction + 1, shrink);
        parts.push(`M${a.toFixed(1)} ${b.toFixed(1)}L${c.toFixed(1)} ${d.toFixed(1)}`);
      }
    return parts.join("");
  }
}
