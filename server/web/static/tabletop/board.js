// The table as a picture one can zoom and move. Secrets stay covered until one looks.

import { data, fill, make, shape, t } from "./dom.js";
import { counting, holder, holderName, isTouched, stepOn } from "./markers.js";
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
  if (place.querySelector("img")) showTold(place.querySelector(".tt-told-markers"));
  if (shown === address) return;
  shown = address;
  let picture = place.querySelector("img");
  if (!picture) {
    picture = make("img", { draggable: "false", alt: "" });
    const told = shape("svg", { class: "tt-told-markers", "aria-hidden": "true", preserveAspectRatio: "xMidYMin meet" });
    const moved = make("div", { class: "tt-picture" }, picture, told);
    const stage = make("div", { class: "tt-stagebox", tabindex: 0, role: "group", "aria-label": t("tt.move_picture") }, moved);
    place.replaceChildren(stage, tools(place));
    moves(stage, moved);
    showTold(told);
  }
  picture.src = address;
  picture.alt = `${document.title}: ${t("tt.vp")} ${state.position.view.vp.red} : ${state.position.view.vp.blue}`;
}

/** Where something lies in the picture, in its own pixels. */
function inPicture([x, y]) { return [BORDER + x * PIXELS, BORDER + (state.position.view.height - y) * PIXELS]; }

/** The markers as one is about to report them, over the picture: touched ones are amber. */
function showTold(told) {
  const { width, height, markers } = state.position.view;
  told.setAttribute("viewBox", `0 0 ${width * PIXELS + 2 * BORDER} ${height * PIXELS + 2 * BORDER}`);
  const lying = counting() ? Object.entries(markers).filter(([, marker]) => marker.at && !marker.removed) : [];
  told.replaceChildren(...lying.map(([id, marker]) => {
    const [cx, cy] = inPicture(marker.at);
    return shape("g", { class: `${holder(id)}${isTouched(id) ? " changed" : ""}` },
      shape("title", {}, `${id}: ${holderName(holder(id))}`), shape("circle", { cx, cy, r: 26, class: "rim" }), shape("circle", { cx, cy, r: 20 }),
      holder(id) === "contested" ? shape("path", { d: `M${cx} ${cy - 20}a20 20 0 0 1 0 40z`, class: "half" }) : "",
      shape("text", { x: cx, y: cy + 8 }, id));
  }));
}

const NEAR = 26; // screen pixels around a marker that take a tap

/** A tap on the picture: the nearest marker goes one step on. */
function tapped(moved, event) {
  if (!counting()) return;
  const box = moved.querySelector("img").getBoundingClientRect();
  const scale = box.width / (state.position.view.width * PIXELS + 2 * BORDER);
  const [nearest] = Object.entries(state.position.view.markers).filter(([, marker]) => marker.at && !marker.removed).map(([id, marker]) => {
    const [x, y] = inPicture(marker.at);
    return { id, away: Math.hypot(box.left + x * scale - event.clientX, box.top + y * scale - event.clientY) };
  }).sort((one, other) => one.away - other.away);
  if (nearest && nearest.away <= Math.max(NEAR, 26 * scale)) stepOn(nearest.id);
}

function tools(place) {
  const picture = () => place.querySelector(".tt-picture");
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
  let from = null; // where a single finger came down: it taps where it has not moved
  stage.addEventListener("pointerdown", (event) => { from = fingers.size ? null : event; fingers.set(event.pointerId, event); stage.setPointerCapture(event.pointerId); apart = 0; });
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
  stage.addEventListener("pointerup", (event) => { if (from && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < 8) tapped(picture, event); });
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
  stage.addEventListener("dblclick", () => counting() || zoomTo(picture, view.scale > 1 ? 1 : 2.5));
}

/** Show the game as it stood after some acts; null: now. */
export async function showAt(at) {
  state.at = at;
  await refresh();
}
