// The signs of the map: their drawings come with the picture, so here they are only placed.

import { s } from "./dom.js";

/** Return the colour of a seat, counted from 0. */
export function colour(pictures, seat) {
  const { seats } = pictures;
  return seats[((seat % seats.length) + seats.length) % seats.length].colour;
}

/** Draw a sign of the picture in its place in a hex. */
export function sign(position, pictures, hex, name, spot, attributes = {}) {
  const [dx, dy] = pictures.places[spot], { grid } = position;
  return s("g", { transform: `translate(${(grid.x(hex) + dx).toFixed(1)} ${(grid.y(hex) + dy).toFixed(1)})`, ...attributes }, s("use", { href: `#${name}` }));
}

/** Return which sign a town has. */
export function townSign(position, size, capital) {
  const level = position.rules.urban.findIndex((one) => one.id === size);
  return capital ? "capital" : `town-${Math.min(Math.max(level + 1, 1), 4)}`;
}

/** Return which sign a resource has. */
export function resourceSign(position, size) {
  return `ore-${Math.min(Math.max(position.rules.resources.findIndex((each) => each.id === size) + 1, 1), 4)}`;
}
