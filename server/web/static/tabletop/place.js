// Placing something on the table: tap or drag on the picture, exact inches beside it.

import { BORDER, PIXELS, pictureAddress } from "./board.js";
import { make, shape, t } from "./dom.js";
import { state } from "./store.js";

const STEP = 0.5;
const REACH = 12;

/** Let the player choose a place; returns `[x, y]` in inches, or null where they thought better of it. */
export function placeOn({ polygons, title, act, values, placed = [] }) {
  return new Promise((resolve) => {
    const { width, height } = state.position.view;
    const at = { x: 0, y: 0 };
    const drawing = shape("svg", { viewBox: `0 0 ${width * PIXELS + 2 * BORDER} ${height * PIXELS + 2 * BORDER}`, class: "tt-overlay" });
    const marks = shape("g");
    drawing.append(...polygons.filter((polygon) => polygon.length > 2).map((polygon) => shape("polygon", { points: polygon.map((corner) => pixels(corner, height).join(",")).join(" "), class: "allowed" })), marks);
    const x = number(() => move(Number(x.value), at.y));
    const y = number(() => move(at.x, Number(y.value)));
    const said = make("span", { class: "muted", role: "status" });
    const done = make("button", { class: "primary", id: "placed" }, t("tt.placed"));
    const dialog = make("dialog", { class: "tt-placing" },
      make("h2", {}, title),
      make("div", { class: "tt-canvas" }, make("img", { src: pictureAddress(), alt: "" }), drawing),
      make("p", { class: "tt-exact" }, make("label", {}, "x ", x), make("label", {}, "y ", y), ` ${t("tt.inches")} `, said),
      make("p", { class: "tt-buttons" }, make("button", { onclick: () => end(null) }, t("tt.cancel")), done));
    const marker = values?.marker;
    const move = (left, up) => {
      at.x = Math.min(width, Math.max(0, left));
      at.y = Math.min(height, Math.max(0, up));
      x.value = at.x;
      y.value = at.y;
      said.textContent = polygons.length && !polygons.some((polygon) => inside(at, polygon)) ? t("tt.outside") : "";
      marks.replaceChildren(...cross(at, height, act === "move" ? marker : null), ...placed.map(([px, py]) => dot({ x: px, y: py }, height)));
    };
    const touch = (event) => {
      const box = drawing.getBoundingClientRect();
      const scale = (width * PIXELS + 2 * BORDER) / box.width;
      move(snap(((event.clientX - box.left) * scale - BORDER) / PIXELS), snap(height - ((event.clientY - box.top) * scale - BORDER) / PIXELS));
    };
    drawing.addEventListener("pointerdown", (event) => { drawing.setPointerCapture(event.pointerId); touch(event); });
    drawing.addEventListener("pointermove", (event) => { if (drawing.hasPointerCapture(event.pointerId)) touch(event); });
    const end = (answer) => { dialog.close(); dialog.remove(); resolve(answer); };
    done.onclick = () => end([at.x, at.y]);
    dialog.oncancel = () => end(null);
    document.body.append(dialog);
    const [first] = polygons.filter((polygon) => polygon.length);
    const middle = first ? centre(first) : { x: width / 2, y: height / 2 };
    move(snap(middle.x), snap(middle.y));
    dialog.showModal();
  });
}

function number(changed) {
  return make("input", { type: "number", step: "any", inputmode: "decimal", onchange: changed });
}

function snap(inches) { return Math.round(inches / STEP) * STEP; }

function pixels([x, y], height) { return [BORDER + x * PIXELS, BORDER + (height - y) * PIXELS]; }

function centre(polygon) {
  const sum = polygon.reduce((total, [x, y]) => ({ x: total.x + x, y: total.y + y }), { x: 0, y: 0 });
  return { x: sum.x / polygon.length, y: sum.y / polygon.length };
}

/** Only a hint for the player: the referee decides. */
function inside({ x, y }, polygon) {
  let odd = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i];
    const [xj, yj] = polygon[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) odd = !odd;
  }
  return odd;
}

function dot(at, height) {
  const [cx, cy] = pixels([at.x, at.y], height);
  return shape("circle", { cx, cy, r: 9, class: "placed" });
}

/** The cross under the finger; a patrol marker's circle, and the chain to its neighbours. */
function cross(at, height, marker) {
  const [cx, cy] = pixels([at.x, at.y], height);
  const drawn = [shape("circle", { cx, cy, r: 14, class: "cross" }), shape("path", { d: `M${cx - 26} ${cy}h52M${cx} ${cy - 26}v52`, class: "cross" })];
  if (!marker) return drawn;
  drawn.push(shape("circle", { cx, cy, r: REACH * PIXELS, class: "reach" }));
  const [, side, place] = /^(\D+)(\d+)$/.exec(marker) ?? [];
  for (const next of [Number(place) - 1, Number(place) + 1]) {
    const other = state.position.view.rules.patrol?.[`${side}${next}`];
    if (!other?.at) continue;
    const [ox, oy] = pixels(other.at, height);
    const far = Math.hypot(other.at[0] - at.x, other.at[1] - at.y) > REACH;
    drawn.push(shape("line", { x1: cx, y1: cy, x2: ox, y2: oy, class: far ? "chain broken" : "chain" }));
  }
  return drawn;
}
