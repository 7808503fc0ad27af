// Terrain before the start: choose a piece, tap where it lies. Its twin lies opposite, so that the table stays fair.

import { fill, make, sayProblem, t } from "./dom.js";
import { BORDER, PIXELS } from "./ground.js";
import { change, state } from "./store.js";

/** What may be laid: width and depth in inches; a line has no depth. */
const SHAPES = {
  ruin: { size: [8, 6], piece: { kind: "ruin", building: true } },
  wood: { size: [8, 6], piece: { kind: "wood" } },
  hill: { size: [8, 6], piece: { kind: "hill", cover: false } },
  rocks: { size: [5, 4], piece: { kind: "rocks" } },
  hedge: { size: [8, 0], piece: { kind: "hedge" } },
};
const MOST = 40;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
let chosen = "ruin";
let upright = false;
/** Where keys would lay it, in inches; null: no key was used. */
let cursor = null;

function pieces() { return state.info.setup.table.terrain ?? []; }
function corners(piece) { return piece.polygon ?? piece.line; }

/** The box of a piece. */
function box(piece) {
  const [xs, ys] = [0, 1].map((axis) => corners(piece).map((corner) => corner[axis]));
  return { left: Math.min(...xs), right: Math.max(...xs), low: Math.min(...ys), high: Math.max(...ys) };
}

/** The size of the table, as its picture shows it. */
function table(image) { return [image.naturalWidth, image.naturalHeight].map((pixels) => Math.round((pixels - 2 * BORDER) / PIXELS)); }

/** A piece of the chosen kind with its middle there, on the table as a whole. */
function shaped([x, y], [width, height], id) {
  const { size, piece } = SHAPES[chosen];
  const [wide, deep] = upright ? [size[1], size[0]] : size;
  const [cx, cy] = [[x, wide, width], [y, deep, height]].map(([at, own, all]) => Math.min(all - own / 2, Math.max(own / 2, Math.round(at))));
  const [left, right, low, high] = [cx - wide / 2, cx + wide / 2, cy - deep / 2, cy + deep / 2];
  const where = size[1] ? { polygon: [[left, low], [right, low], [right, high], [left, high]] } : { line: [[left, low], [right, high]] };
  return { id, ...piece, ...where };
}

/** The same piece opposite: turned by half round the middle of the table. */
function twin(piece, [width, height], id) {
  const turned = ([x, y]) => [width - x, height - y];
  return { ...piece, id, ...(piece.polygon ? { polygon: piece.polygon.map(turned) } : { line: piece.line.map(turned) }) };
}

function overlap(one, other) {
  const [a, b] = [box(one), box(other)];
  return a.left < b.right && b.left < a.right && a.low < b.high && b.low < a.high;
}

/** Lay a piece there with its twin, or take away what lies there. */
async function tap(at, size, said) {
  const hit = pieces().find((piece) => { const b = box(piece); return at[0] >= b.left - 0.5 && at[0] <= b.right + 0.5 && at[1] >= b.low - 0.5 && at[1] <= b.high + 0.5; });
  let next;
  if (hit) {
    const pair = hit.id.replace(/[ab]$/, "");
    next = pieces().filter((piece) => piece.id.replace(/[ab]$/, "") !== pair);
  } else {
    if (pieces().length >= MOST) return;
    const number = Math.max(0, ...pieces().map((piece) => Number.parseInt(piece.id.slice(1), 10) || 0)) + 1;
    let one = shaped(at, size, `t${number}a`);
    const other = twin(one, size, `t${number}b`);
    const both = !overlap(one, other) || !one.polygon;
    if (!both) one = shaped([size[0] / 2, size[1] / 2], size, `t${number}a`); // over the middle it is its own twin
    next = [...pieces(), one, ...(both ? [other] : [])];
  }
  await save(next, said);
}

async function save(terrain, said) {
  try { await change("PATCH", "", { table: { ...state.info.setup.table, terrain } }); } catch (error) { said.textContent = sayProblem(error); }
}

/** Say whether terrain may be laid here: by the maker of the game, for a mission that does not roll it. */
export function mayLay() { return state.info.owner && state.info.mission && !state.info.battle && !state.info.setup.solo && state.info.mission !== "normal_battle"; }

/** The chips of the pieces, and the picture as the place to tap. @param {HTMLImageElement} image */
export function terrainTools(image) {
  const said = make("p", { role: "alert", class: "bad" });
  const chips = make("div", { class: "tt-chips", role: "group", "aria-label": t("tt.terrain") });
  const mark = make("i", { class: "tt-terrain-cursor", hidden: true });
  const place = make("div", { class: "tt-terrain", tabindex: 0, role: "group", "aria-label": t("tt.terrain_picture") }, image, mark);
  const showCursor = () => {
    const [width, height] = [image.naturalWidth, image.naturalHeight];
    mark.hidden = !cursor;
    if (!cursor) return;
    mark.style.left = `${((BORDER + cursor[0] * PIXELS) / width) * 100}%`;
    mark.style.top = `${((height - BORDER - cursor[1] * PIXELS) / height) * 100}%`;
  };
  const show = () => fill(chips, ...Object.keys(SHAPES).map((name) => make("button", { class: "tt-chip", id: `terrain-${name}`, "aria-pressed": String(name === chosen), onclick: () => { chosen = name; show(); } }, t(`tt.terrain_${name}`))),
    make("button", { class: "tt-chip", id: "terrain-turn", "aria-pressed": String(upright), onclick: () => { upright = !upright; show(); } }, t("tt.terrain_turn")),
    pieces().length ? make("button", { class: "tt-chip", id: "terrain-clear", onclick: () => save([], said) }, t("tt.terrain_clear")) : null);
  place.addEventListener("click", (event) => {
    const drawn = image.getBoundingClientRect();
    const scale = drawn.width / image.naturalWidth;
    const [width, height] = table(image);
    const at = [(event.clientX - drawn.left) / scale / PIXELS - BORDER / PIXELS, height - ((event.clientY - drawn.top) / scale / PIXELS - BORDER / PIXELS)];
    if (at[0] >= 0 && at[0] <= width && at[1] >= 0 && at[1] <= height) tap(at, [width, height], said);
  });
  place.addEventListener("keydown", (event) => {
    const size = table(image);
    const by = KEYS[event.key];
    if (!by && event.key !== "Enter") return;
    event.preventDefault();
    cursor = cursor ?? size.map((length) => Math.round(length / 4));
    if (by) cursor = [0, 1].map((axis) => Math.min(size[axis], Math.max(0, cursor[axis] + by[axis] * (event.shiftKey ? 6 : 1))));
    else tap(cursor, size, said);
    showCursor();
  });
  image.addEventListener("load", showCursor);
  show();
  return make("section", { class: "tt-terrain-tools" }, make("h3", {}, t("tt.terrain")), make("p", { class: "muted small" }, t("tt.terrain_why")), place, chips, said);
}
