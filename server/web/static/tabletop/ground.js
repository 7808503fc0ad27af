// Where things lie: inches of the table, pixels of its picture. The picture may be turned for the player who sits opposite.

import { data } from "./dom.js";
import { mine, state } from "./store.js";

/** The border of the picture around the table, and its pixels for an inch (as the picture is drawn). */
export const BORDER = 54;
export const PIXELS = 20;
const KEY = "sealed-orders/table/turned";

/** The edges of a side: where its player sits. */
export function edgesOf(side) {
  const role = side === state.position.view.attacker ? "attacker" : "defender";
  const known = state.rules?.edges?.[role];
  return known?.length ? known : [role === "attacker" ? "south" : "north"];
}

/** Say whether the own edge would be above, or on the right. */
function sitsOpposite() {
  return mine().length === 1 && Boolean(state.position.view.attacker) && ["north", "east"].includes(edgesOf(mine()[0])[0]);
}

/** Say whether the picture is turned: the own edge is below on both phones, unless this one was told otherwise. */
export function isTurned() { return sitsOpposite() !== (localStorage.getItem(KEY) === "true"); }

/** Turn the picture round; this device remembers it. */
export function turnRound() { localStorage.setItem(KEY, String(localStorage.getItem(KEY) !== "true")); }

/** Where a place of the table lies in the picture. @param {number[]} at */
export function inPicture([x, y]) {
  const { width, height } = state.position.view;
  const [right, down] = isTurned() ? [width - x, y] : [x, height - y];
  return [BORDER + right * PIXELS, BORDER + down * PIXELS];
}

/** The place of the table that lies there in the picture. @param {number[]} pixels */
export function onTable([px, py]) {
  const { width, height } = state.position.view;
  const [right, down] = [(px - BORDER) / PIXELS, (py - BORDER) / PIXELS];
  return isTurned() ? [width - right, down] : [right, height - down];
}

/** The size of the picture in its own pixels. */
export function pictureSize() {
  const { width, height } = state.position.view;
  return [width * PIXELS + 2 * BORDER, height * PIXELS + 2 * BORDER];
}

/** How far a place is from the own edge, in inches. */
export function fromEdge(side, [x, y]) {
  const { width, height } = state.position.view;
  const away = { south: y, north: height - y, west: x, east: width - x };
  return Math.min(...edgesOf(side).map((edge) => away[edge]));
}

const STEP = 0.5;
/** A place in half inches, on the table. @param {number[]} at */
export function snapped([x, y]) {
  const { width, height } = state.position.view;
  const snap = (value, most) => Math.min(most, Math.max(0, Math.round(value / STEP) * STEP));
  return [snap(x, width), snap(y, height)];
}

/** A direction on this screen as a direction on the table. @param {number[]} by */
export function screenStep([right, up]) { return isTurned() ? [-right, -up] : [right, up]; }

/** @param {number[]} one @param {number[]} other */
export function distance([x1, y1], [x2, y2]) { return Math.hypot(x1 - x2, y1 - y2); }

/** Inches with one decimal, as the language writes them. */
export function inches(value) {
  return `${value.toLocaleString(data.language || "en", { minimumFractionDigits: 1, maximumFractionDigits: 1 })}″`;
}

/** Say whether a place is within a polygon; its line belongs to it. @param {number[]} at @param {number[][]} polygon */
export function isInside([x, y], polygon) {
  let odd = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i];
    const [xj, yj] = polygon[j];
    if (isOnLine([x, y], polygon[i], polygon[j])) return true;
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) odd = !odd;
  }
  return odd;
}

/** @param {number[]} at @param {number[]} one @param {number[]} other */
function isOnLine([x, y], [x1, y1], [x2, y2]) {
  const cross = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
  if (Math.abs(cross) > 0.001 * Math.max(1, Math.hypot(x2 - x1, y2 - y1))) return false;
  return x >= Math.min(x1, x2) - 0.001 && x <= Math.max(x1, x2) + 0.001 && y >= Math.min(y1, y2) - 0.001 && y <= Math.max(y1, y2) + 0.001;
}

/**
 * The place within some polygons that is nearest to another one, in half inches where that is within.
 * @param {number[]} at @param {number[][][]} polygons @returns {number[]}
 */
export function nearestWithin(at, polygons) {
  const real = polygons.filter((polygon) => polygon.length);
  if (!real.length || real.some((polygon) => isInside(at, polygon))) return at;
  const edges = real.flatMap((polygon) => polygon.map((corner, i) => [corner, polygon[(i + 1) % polygon.length]]));
  const [best] = edges.map(([one, other]) => onSegment(at, one, other)).sort((one, other) => distance(one, at) - distance(other, at));
  const near = [[0, 0], [0.5, 0], [-0.5, 0], [0, 0.5], [0, -0.5]].map(([dx, dy]) => snapped([best[0] + dx, best[1] + dy]));
  return near.find((place) => real.some((polygon) => isInside(place, polygon))) ?? best.map((value) => Math.round(value * 1000) / 1000);
}

/** @param {number[]} at @param {number[]} one @param {number[]} other */
function onSegment([x, y], [x1, y1], [x2, y2]) {
  const long = (x2 - x1) ** 2 + (y2 - y1) ** 2;
  const part = long ? Math.min(1, Math.max(0, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / long)) : 0;
  return [x1 + part * (x2 - x1), y1 + part * (y2 - y1)];
}
