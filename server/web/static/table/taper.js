// Arrows that grow towards their heads: the same outlines as server/render/taper.py draws.

const START = 16, STOP = 30, HEAD = 15, STEPS = 8;

/** Return a smooth way through the middles of hexes, without what lies under the counters at its ends. */
export function way(centres, start = START, stop = STOP) {
  let places;
  if (centres.length === 2) {
    const [[ax, ay], [bx, by]] = centres;
    places = bend(centres[0], [(ax + bx) / 2 - (by - ay) * 0.1, (ay + by) / 2 + (bx - ax) * 0.1], centres[1]);
  } else {
    const middles = centres.slice(1).map(([x, y], at) => [(centres[at][0] + x) / 2, (centres[at][1] + y) / 2]);
    places = [centres[0]];
    for (let at = 1; at < centres.length - 1; at += 1) places.push(...bend(middles[at - 1], centres[at], middles[at]));
    places.push(centres.at(-1));
  }
  return cut(cut(places, start).reverse(), stop).reverse();
}

function bend(start, control, end) {
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const t = step / STEPS, a = (1 - t) ** 2, b = 2 * t * (1 - t), c = t * t;
    return [a * start[0] + b * control[0] + c * end[0], a * start[1] + b * control[1] + c * end[1]];
  });
}

/** Return a way without its first piece of a length. */
function cut(places, length) {
  for (let at = 0; at < places.length - 1; at += 1) {
    const [ax, ay] = places[at], [bx, by] = places[at + 1], far = Math.hypot(bx - ax, by - ay);
    if (far >= length && far > 0) return [[ax + ((bx - ax) * length) / far, ay + ((by - ay) * length) / far], ...places.slice(at + 1)];
    length -= far;
  }
  return places.slice(-1);
}

/** Return the outline of an arrow along a way; empty where there is no room for one. */
export function tapered(places, narrow, wide, head = HEAD) {
  if (places.length < 2) return "";
  let shaft = cut([...places].reverse(), head).reverse();
  const tip = places.at(-1), left = [], right = [];
  if (shaft.length < 2) shaft = [places[0], places.length > 2 ? places.at(-2) : places[0]];
  shaft.forEach(([x, y], at) => {
    const [ax, ay] = shaft[Math.max(0, at - 1)], [bx, by] = shaft[at + 1] ?? tip, far = Math.hypot(bx - ax, by - ay) || 1;
    const half = (narrow + ((wide - narrow) * at) / Math.max(1, shaft.length - 1)) / 2, nx = (-(by - ay) / far) * half, ny = ((bx - ax) / far) * half;
    left.push([x + nx, y + ny]);
    right.push([x - nx, y - ny]);
  });
  const last = shaft.at(-1), far = Math.hypot(tip[0] - last[0], tip[1] - last[1]) || 1;
  const nx = (-(tip[1] - last[1]) / far) * wide * 1.05, ny = ((tip[0] - last[0]) / far) * wide * 1.05;
  return `M${written([...left, [last[0] + nx, last[1] + ny], tip, [last[0] - nx, last[1] - ny], ...right.reverse()])}z`;
}

/** Return path data of a way. */
export function line(places) {
  return `M${written(places)}`;
}

function written(places) {
  return places.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
}
