// Placing something on the table: tap or drag on the picture, or move by arrow keys; exact inches beside it.

import { BORDER, PIXELS, pictureAddress } from "./board.js";
import { make, shape, t } from "./dom.js";
import { state } from "./store.js";

const STEP = 0.5;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const FINE = 0.1; // inches with Shift
const COARSE = 6; // inches with Ctrl

/** Let the player choose a place; returns `[x, y]` in inches, or null where they thought better of it. */
export function placeOn({ polygons, title, act, values, placed = [] }) {
  return new Promise((resolve) => {
    const { width, height } = state.position.view;
    const at = { x: 0, y: 0 };
    const drawing = shape("svg", { viewBox: `0 0 ${width * PIXELS + 2 * BORDER} ${height * PIXELS + 2 * BORDER}`, class: "tt-overlay", preserveAspectRatio: "xMidYMin meet" });
    const marks = shape("g");
    drawing.append(...polygons.filter((polygon) => polygon.length > 2).map((polygon) => shape("polygon", { points: polygon.map((corner) => pixels(corner, height).join(",")).join(" "), class: "allowed" })), marks);
    const x = number(() => move(Number(x.value), at.y));
    const y = number(() => move(at.x, Number(y.value)));
    const said = make("p", { class: "muted small", id: "tt-place-said" });
    const spoken = make("p", { class: "visually-hidden", role: "status", id: "tt-place-spoken" });
    const canvas = make("div", { class: "tt-canvas", id: "tt-place-canvas", tabindex: 0, role: "application", "aria-label": t("tt.place_picture"), "aria-describedby": "tt-place-keys" },
      make("img", { src: pictureAddress(), alt: "" }), drawing);
    const done = make("button", { class: "primary", id: "placed" }, t("tt.placed"));
    const dialog = make("dialog", { class: "tt-placing", "aria-labelledby": "tt-place-title" },
      make("h2", { id: "tt-place-title" }, title), canvas,
      make("p", { class: "tt-exact" }, make("label", {}, "x ", x), make("label", {}, "y ", y), ` ${t("tt.inches")}`),
      said, make("p", { class: "muted small tt-keys", id: "tt-place-keys" }, t("tt.place_keys")), spoken,
      make("p", { class: "tt-buttons" }, make("button", { onclick: () => end(null) }, t("tt.cancel")), done));
    const marker = values?.marker;
    const move = (left, up) => {
      at.x = exact(Math.min(width, Math.max(0, left)));
      at.y = exact(Math.min(height, Math.max(0, up)));
      x.value = at.x;
      y.value = at.y;
      const outside = polygons.length && !polygons.some((polygon) => inside(at, polygon));
      const chain = act === "move" ? links(marker, at).map(({ id, inches }) => t("tt.to_marker", { id, inches: inches.toFixed(2) })) : [];
      said.textContent = [...chain, outside ? t("tt.outside") : ""].filter(Boolean).join(" · ");
      spoken.textContent = [t("tt.place_at", { x: at.x, y: at.y }), said.textContent].filter(Boolean).join(". ");
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
    canvas.addEventListener("keydown", (event) => {
      const by = ARROWS[event.key];
      if (!by && event.key !== "Enter") return;
      event.preventDefault();
      const step = event.shiftKey ? FINE : event.ctrlKey ? COARSE : 1;
      if (by) move(at.x + by[0] * step, at.y + by[1] * step);
      else done.click();
    });
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

/** Thousandths of an inch, as the referee counts: sums of tenths are not exact. */
function exact(inches) { return Math.round(inches * 1000) / 1000; }

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
  const reach = state.position.view.rules.reach;
  const drawn = [shape("circle", { cx, cy, r: 14, class: "cross" }), shape("path", { d: `M${cx - 26} ${cy}h52M${cx} ${cy - 26}v52`, class: "cross" })];
  if (!marker) return drawn;
  drawn.push(shape("circle", { cx, cy, r: reach * PIXELS, class: "reach" }));
  for (const { at: other, inches } of links(marker, at)) {
    const [ox, oy] = pixels(other, height);
    drawn.push(shape("line", { x1: cx, y1: cy, x2: ox, y2: oy, class: inches > reach ? "chain broken" : "chain" }));
  }
  return drawn;
}

/** The neighbours of a patrol marker in its chain, and how far they are from a place. */
function links(marker, at) {
  const [, side, place] = /^(\D+)(\d+)$/.exec(marker ?? "") ?? [];
  const near = [Number(place) - 1, Number(place) + 1].map((number) => ({ id: `${side}${number}`, at: state.position.view.rules.markers?.[`${side}${number}`]?.at }));
  return near.filter((one) => one.at).map((one) => ({ ...one, inches: Math.hypot(one.at[0] - at.x, one.at[1] - at.y) }));
}
