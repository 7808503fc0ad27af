// Signs on the map: towns, strongholds, resources, forces, convoys, battles.

import { t } from "../texts.js";
import { s } from "./dom.js";
import { colour } from "./ground.js";
import { letters } from "./position.js";

function group(position, hex, x, y, attributes, ...children) {
  const { grid } = position;
  return s("g", { transform: `translate(${(grid.x(hex) + x).toFixed(1)} ${(grid.y(hex) + y).toFixed(1)})`, ...attributes }, ...children);
}

/** Draw towns, strongholds, resources and spoilt land. */
export function places(position, pictures) {
  const { grid, state, rules } = position, made = s("g", {});
  const ink = pictures.ink;
  for (const [table, fill, word] of [[state.corrupted, "#6a1b9a", "corrupted"], [state.infested, "#33691e", "infested"]])
    for (const label of Object.keys(table))
      made.append(group(position, grid.find(label), 0, 12, { fill, stroke: "#fff" }, s("title", {}, t(`table.${word}`)), s("path", { d: pictures.skull })));
  for (const [label, size] of Object.entries(state.resource)) {
    const level = rules.resources.findIndex((each) => each.id === size);
    made.append(group(position, grid.find(label), 0, 9, { fill: "#ffd54f", stroke: "#5d4037" }, s("path", { d: pictures.resource, transform: `scale(${0.75 + level * 0.1})` })));
  }
  for (const [label, each] of Object.entries(state.stronghold)) {
    const level = rules.strongholds.findIndex((one) => one.id === each.type);
    const shape = pictures.strongholds[Math.min(Math.max(level, 0), pictures.strongholds.length - 1)];
    made.append(group(position, grid.find(label), -12, 10, { fill: "#fff", stroke: ink }, s("path", { d: shape, transform: "scale(.85)" })));
  }
  for (const [label, each] of Object.entries(state.urban)) made.append(urban(position, pictures, grid.find(label), each.size, Boolean(each.capital)));
  return made;
}

/** Draw an urban hex: more and larger houses for larger ones, a star for a capital. */
export function urban(position, pictures, hex, size, capital, attributes = {}) {
  const level = position.rules.urban.findIndex((one) => one.id === size);
  const houses = pictures.urban[Math.min(Math.max(level, 0), pictures.urban.length - 1)].map(([[x, y], scale]) =>
    s("path", { d: pictures.house, transform: `translate(${x} ${y}) scale(${scale})` }));
  return group(position, hex, 0, 9, { fill: "#fff", stroke: pictures.ink, ...attributes }, houses,
    capital ? s("path", { d: pictures.star, fill: "#ffd54f", transform: "translate(13 7)" }) : null);
}

/** Draw who stands where. Own forces can be reached with the Tab key; `chosen(thing)` is told of Enter there. */
export function forces(position, pictures, chosen) {
  const made = s("g", {});
  const kinds = { convoy: [], garrison: [], detachment: [] };
  for (const [hex, here] of [...position.here].sort((a, b) => a[0] - b[0]))
    for (const kind of ["convoy", "garrison", "detachment"]) {
      const some = here.filter((each) => each.kind === kind);
      some.forEach((thing, place) => kinds[kind].push(counter(position, pictures, thing, hex, place)));
    }
  for (const kind of ["convoy", "garrison", "detachment"])
    for (const [thing, sign] of kinds[kind]) {
      if (thing.owner === position.me) {
        sign.setAttribute("tabindex", "0");
        sign.setAttribute("role", "button");
        sign.setAttribute("aria-label", `${thing.name}, ${position.placeName(thing.hex)}`);
        sign.dataset.thing = thing.id;
        sign.addEventListener("keydown", (event) => {
          if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); chosen(thing); }
        });
      } else sign.setAttribute("aria-hidden", "true");
      made.append(sign);
    }
  for (const each of Object.values(position.state.battles))
    made.append(group(position, position.grid.find(each.hex), 15, 2, {}, s("circle", { r: 9, fill: "#fff3e0", stroke: "#bf360c", "stroke-width": 1.4 }),
      s("path", { d: pictures.swords, transform: "scale(.6)", fill: "none", stroke: "#bf360c", "stroke-width": 3, "stroke-linecap": "round" })));
  return made;
}

function counter(position, pictures, thing, hex, place) {
  const seat = position.seat(thing.owner), fill = colour(pictures, seat);
  const text = (x, y, size, what, more = {}) => s("text", { x, y, "font-size": size, "text-anchor": "middle", fill: "#fff", stroke: "none", ...more }, String(what));
  if (thing.kind === "convoy")
    return [thing, group(position, hex, -15 + Math.min(place, 3) * 6, -6, { class: "thing" },
      s("path", { d: pictures.crate, fill: "#fff", stroke: fill, "stroke-width": 1.8 }))];
  if (thing.kind === "garrison")
    return [thing, group(position, hex, 14, -8, { class: "thing", stroke: "#fff" },
      s("path", { d: "M-6-6h12v6q0 6-6 8-6-2-6-8z", fill }), text(0, 3, 8, seat + 1))];
  const raising = thing.ready_in > 0, strength = position.strength(thing);
  return [thing, group(position, hex, 0, raising ? 2 : -8, { class: raising ? "thing raising" : "thing", opacity: raising ? 0.75 : null },
    s("rect", { x: -13, y: -9, width: 26, height: 18, rx: 3, fill, stroke: "#fff", "stroke-width": 1.6, "stroke-dasharray": raising ? "3 2" : null }),
    s("rect", { x: -13, y: -9, width: 9, height: 18, rx: 3, fill: "#fff", "fill-opacity": 0.92 }),
    text(-8.5, 3.2, 9, seat + 1, { fill: pictures.ink, "font-weight": "bold" }),
    text(4.5, -1, 6.5, raising ? `+${thing.ready_in}` : letters(thing.type)), text(4.5, 6.5, strength > 999 ? 5.8 : 7, strength))];
}
