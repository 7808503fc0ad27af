// The table as a picture one can zoom and move. Secrets stay covered until one looks.

import { data, fill, make, t } from "./dom.js";
import { mine, query, refresh, state } from "./store.js";

const view = { scale: 1, x: 0, y: 0 };
const KEY_STEP = 60; // pixels by an arrow key
let shown = "";
let looking = false;

/** The border of the picture around the table, and its pixels for an inch (as the picture is drawn). */
export const BORDER = 54;
export const PIXELS = 20;

/** The address of the picture as it is shown now. */
export function pictureAddress() {
  const as = looking ? state.as || mine()[0] : "spectator";
  const viewer = mine().length || state.info.gm ? { as } : { as: null };
  return `/api/v1/tables/${data.id}/picture.svg${query({ ...viewer, language: data.language, at: state.at ?? state.position.acts })}`;
}

export function showBoard(place) {
  const address = pictureAddress();
  if (shown === address) return;
  shown = address;
  let picture = place.querySelector("img");
  if (!picture) {
    picture = make("img", { class: "tt-picture", draggable: "false", alt: "" });
    const stage = make("div", { class: "tt-stagebox", tabindex: 0, role: "group", "aria-label": t("tt.move_picture") }, picture);
    place.replaceChildren(stage, tools(place));
    moves(stage, picture);
  }
  picture.src = address;
  picture.alt = `${document.title}: ${t("tt.vp")} ${state.position.view.vp.red} : ${state.position.view.vp.blue}`;
}

function tools(place) {
  const picture = () => place.querySelector("img");
  const zoom = (by) => () => zoomTo(picture(), view.scale * by);
  const look = make("button", { class: "tt-look", "aria-pressed": "false" }, t("tt.look"));
  look.onclick = () => {
    looking = !looking;
    look.setAttribute("aria-pressed", String(looking));
    fill(look, looking ? t("tt.cover") : t("tt.look"));
    document.getElementById("tt").classList.toggle("looking", looking);
    showBoard(place);
    document.dispatchEvent(new CustomEvent("tt-look"));
  };
  return make("div", { class: "tt-tools" }, mine().length ? look : null,
    make("button", { "aria-label": t("tt.zoom_in"), onclick: zoom(1.5) }, "+"),
    make("button", { "aria-label": t("tt.zoom_out"), onclick: zoom(1 / 1.5) }, "−"),
    make("button", { "aria-label": t("tt.zoom_all"), onclick: () => zoomTo(picture(), 1) }, "⤢"));
}

/** True while one looks at one's secrets. */
export function isLooking() { return looking; }

function zoomTo(picture, scale, about = null) {
  const before = view.scale;
  view.scale = Math.min(8, Math.max(1, scale));
  if (about) {
    view.x = about.x - ((about.x - view.x) * view.scale) / before;
    view.y = about.y - ((about.y - view.y) * view.scale) / before;
  }
  settle(picture);
}

function settle(picture) {
  const box = picture.parentElement.getBoundingClientRect();
  const least = { x: box.width - picture.clientWidth * view.scale, y: box.height - picture.clientHeight * view.scale };
  view.x = Math.min(0, Math.max(Math.min(0, least.x), view.x));
  view.y = Math.min(0, Math.max(Math.min(0, least.y), view.y));
  picture.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
}

/** One finger moves, two zoom, the wheel zooms, a double tap comes closer. */
function moves(stage, picture) {
  const fingers = new Map();
  let apart = 0;
  stage.addEventListener("pointerdown", (event) => { fingers.set(event.pointerId, event); stage.setPointerCapture(event.pointerId); apart = 0; });
  stage.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    fingers.set(event.pointerId, event);
    if (fingers.size === 1) {
      view.x += event.clientX - before.clientX;
      view.y += event.clientY - before.clientY;
      settle(picture);
      return;
    }
    const [one, other] = [...fingers.values()];
    const now = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    const box = stage.getBoundingClientRect();
    if (apart) zoomTo(picture, (view.scale * now) / apart, { x: (one.clientX + other.clientX) / 2 - box.left, y: (one.clientY + other.clientY) / 2 - box.top });
    apart = now;
  });
  for (const end of ["pointerup", "pointercancel"]) stage.addEventListener(end, (event) => { fingers.delete(event.pointerId); apart = 0; });
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = stage.getBoundingClientRect();
    zoomTo(picture, view.scale * (event.deltaY < 0 ? 1.2 : 1 / 1.2), { x: event.clientX - box.left, y: event.clientY - box.top });
  }, { passive: false });
  stage.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!by || view.scale === 1) return;
    event.preventDefault();
    view.x += by[0] * KEY_STEP;
    view.y += by[1] * KEY_STEP;
    settle(picture);
  });
  stage.addEventListener("dblclick", () => zoomTo(picture, view.scale > 1 ? 1 : 2.5));
}

/** Show the game as it stood after some acts; null: now. */
export async function showAt(at) {
  state.at = at;
  await refresh();
}
