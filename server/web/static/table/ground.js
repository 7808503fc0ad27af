// The land of a position in pieces, for the canvas.

/** Return for each value of a list the hexes that have it. */
export function grouped(values) {
  const found = new Map();
  values.forEach((value, hex) => { if (value) (found.get(value) ?? found.set(value, []).get(value)).push(hex); });
  return found;
}

const BLOCK = 12; // hexes of a block's side

/** Return hexes block by block, so that what is out of sight need not be drawn. */
export function blocks(grid, hexes, side = BLOCK) {
  const found = new Map();
  for (const hex of hexes) {
    const key = Math.floor((hex % grid.columns) / side) + Math.floor(hex / grid.columns / side) * 1000;
    (found.get(key) ?? found.set(key, []).get(key)).push(hex);
  }
  return [...found.values()];
}

/** Return the hexes that are not in sight. */
export function hidden(position) {
  const found = [];
  for (let hex = 0; hex < position.grid.size; hex += 1) if (!position.sees[hex]) found.push(hex);
  return found;
}

/** Return path data of the roads. */
export function roads(position) {
  const { grid } = position;
  return position.state.roads.map(([a, b]) => [grid.find(a), grid.find(b)])
    .map(([a, b]) => `M${grid.x(a).toFixed(1)} ${grid.y(a).toFixed(1)}L${grid.x(b).toFixed(1)} ${grid.y(b).toFixed(1)}`).join("");
}
