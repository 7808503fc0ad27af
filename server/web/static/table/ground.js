// The land as SVG: a few paths for each terrain, player and layer, however many hexes there are.

import { s } from "./dom.js";
import { RADIUS } from "./geometry.js";

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

/** Return paths of the area that hexes cover, one a block: once for each set of attributes. */
function filled(grid, hexes, ...looks) {
  const areas = blocks(grid, hexes).map((some) => grid.region(some));
  return looks.flatMap((attributes) => areas.map((d) => s("path", { ...attributes, d })));
}

/** Return the colour of a seat, counted from 0. */
export function colour(pictures, seat) {
  return pictures.players[((seat % pictures.players.length) + pictures.players.length) % pictures.players.length];
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

/** Return the patterns of all terrains, and of fog, as `<defs>`. */
export function patterns(pictures, names) {
  const parser = new DOMParser();
  const made = s("defs", {});
  for (const name of names) {
    const look = pictures.terrain[name] ?? pictures.unknown;
    // the drawings are the server's own, never a user's
    const drawn = parser.parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${look.pattern}</svg>`, "image/svg+xml");
    const pattern = s("pattern", { id: `t-${name}`, width: 24, height: 24, patternUnits: "userSpaceOnUse", patternTransform: "scale(1.1)" },
      s("g", { fill: "none", stroke: look.ink, "stroke-width": 1.3, "stroke-linecap": "round", "stroke-linejoin": "round" },
        [...drawn.documentElement.children].map((each) => document.importNode(each, true))));
    made.append(pattern);
  }
  made.append(s("pattern", { id: "fog", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    s("rect", { width: 7, height: 7, fill: pictures.fog, "fill-opacity": 0.16 }),
    s("path", { d: "M0 0v7", stroke: pictures.fog, "stroke-opacity": 0.28, "stroke-width": 1.6 })));
  return made;
}

/** Draw what never changes: terrain and grid. */
export function land(position, pictures) {
  const { grid } = position, made = s("g", {});
  const kinds = grouped(position.terrain);
  for (const [name, hexes] of kinds) {
    const look = pictures.terrain[name] ?? pictures.unknown;
    made.append(...filled(grid, hexes, { fill: look.ground }, { class: "near", fill: `url(#t-${name})` }));
  }
  made.append(...blocks(grid, position.terrain.keys()).map((some) =>
    s("path", { class: "grid", fill: "none", stroke: pictures.ink, "stroke-opacity": 0.25, "stroke-width": 0.8, d: grid.mesh(some) })));
  return made;
}

/** Draw who controls what, roads, fog. */
export function control(position, pictures) {
  const { grid } = position, made = s("g", {}), held = grouped(position.owner);
  for (const [player, hexes] of held)
    made.append(...filled(grid, hexes, { fill: colour(pictures, position.seat(player)), "fill-opacity": 0.2 }));
  const lines = roads(position);
  made.append(s("path", { class: "road", fill: "none", stroke: pictures.ink, "stroke-width": 5, "stroke-linecap": "round", d: lines }),
    s("path", { fill: "none", stroke: "#fff", "stroke-width": 2.6, "stroke-linecap": "round", d: lines }));
  made.append(...filled(grid, hidden(position), { class: "near", fill: "url(#fog)" }, { class: "far", fill: pictures.fog, "fill-opacity": 0.24 }));
  for (const [player, hexes] of held) {
    const seat = position.seat(player), dash = pictures.dashes[seat % pictures.dashes.length];
    made.append(s("path", { fill: "none", stroke: colour(pictures, seat), "stroke-width": 3.2, "stroke-dasharray": dash || null,
      d: grid.edges(hexes, (hex) => position.owner[hex] === player) }));
  }
  return made;
}

/** Draw labels and names of the hexes in a part of the map; only what can be read is drawn. */
export function writing(position, pictures, hexes, width) {
  const { grid } = position, made = s("g", { "text-anchor": "middle", fill: pictures.ink, "paint-order": "stroke" });
  if (width >= 40) {
    const labels = s("g", { "font-size": 6.6, stroke: "#fff", "stroke-opacity": 0.6, "stroke-width": 1.6 });
    for (const hex of hexes) labels.append(s("text", { x: grid.x(hex).toFixed(1), y: (grid.y(hex) - RADIUS * 0.6).toFixed(1) }, grid.label(hex)));
    made.append(labels);
  }
  if (width >= 22) {
    const names = s("g", { "font-size": 8, "font-style": "italic", stroke: "#fff", "stroke-width": 2.4 });
    for (const hex of hexes) if (position.names.has(hex))
      names.append(s("text", { x: grid.x(hex).toFixed(1), y: (grid.y(hex) + RADIUS * 0.86).toFixed(1) }, position.names.get(hex)));
    made.append(names);
  }
  return made;
}
