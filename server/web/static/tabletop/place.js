// Placing something on the table: tap or drag on the picture, or move by arrow keys; exact inches beside it.

import { pictureAddress } from "./board.js";
import { PIXELS, inPicture, isInside, onTable, pictureSize, screenStep, snapped } from "./ground.js";
import { make, shape, t } from "./dom.js";
import { state } from "./store.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const FINE = 0.1; // inches with Shift
const COARSE = 6; // inches with Ctrl

/** Let the player choose a place; returns `[x, y]` in inches, or null where they thought better of it. */
export function placeOn({ polygons, title, placed = [] }) {
  return new Promise((resolve) => {
    const { width, height } = state.position.view;
    const at = { x: 0, y: 0 };
    const drawing = shape("svg", { viewBox: `0 0 ${pictureSize().join(" ")}`, class: "tt-overlay", preserveAspectRatio: "xMidYMin meet" });
    const marks = shape("g");
    drawing.append(...polygons.filter((polygon) => polygon.length > 2).map((polygon) => shape("polygon", { points: polygon.map((corner) => inPicture(corner).join(",")).join(" "), class: "allowed" })), marks);
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
    const move = (left, up) => {
      at.x = exact(Math.min(width, Math.max(0, left)));
      at.y = exact(Math.min(height, Math.max(0, up)));
      x.value = at.x;
      y.value = at.y;
      const outside = polygons.length && !polygons.some((polygon) => isInside([at.x, at.y], polygon));
      said.textContent = outside ? t("tt.outside") : "";
      spoken.textContent = [t("tt.place_at", { x: at.x, y: at.y }), said.textContent].filter(Boolean).join(". ");
      marks.replaceChildren(...cross(at), ...placed.map(dot));
    };
    const touch = (event) => {
      const box = drawing.getBoundingClientRect();
      const scale = pictureSize()[0] / box.width;
      move(...snapped(onTable([(event.clientX - box.left) * scale, (event.clientY - box.top) * scale])));
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
      const [right, up] = by ? screenStep(by) : [0, 0];
      if (by) move(at.x + right * step, at.y + up * step);
      else done.click();
    });
    dialog.oncancel = () => end(null);
    document.body.append(dialog);
    const [first] = polygons.filter((polygon) => polygon.length);
    const middle = first ? centre(first) : { x: width / 2, y: height / 2 };
    move(...snapped([middle.x, middle.y]));
    dialog.showModal();
  });
}

function number(changed) {
  return make("input", { type: "number", step: "any", inputmode: "decimal", onchange: changed });
}

/** Thousandths of an inch, as the referee counts: sums of tenths are not exact. */
function exact(inches) { return Math.round(inches * 1000) / 1000; }

function centre(polygon) {
  const sum = polygon.reduce((total, [x, y]) => ({ x: total.x + x, y: total.y + y }), { x: 0, y: 0 });
  return { x: sum.x / polygon.length, y: sum.y / polygon.length };
}

function dot(at) {
  const [cx, cy] = inPicture(at);
  return shape("circle", { cx, cy, r: 9, class: "placed" });
}

/** The cross under the finger. */
function cross(at) {
  const [cx, cy] = inPicture([at.x, at.y]);
  const wide = 1.3 * PIXELS;
  return [shape("circle", { cx, cy, r: 14, class: "cross" }), shape("path", { d: `M${cx - wide} ${cy}h${2 * wide}M${cx} ${cy - wide}v${2 * wide}`, class: "cross" })];
}
