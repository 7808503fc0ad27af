// The table as a picture one can zoom, move and turn. Secrets stay covered until one looks.

import { data, fill, make, shape, t } from "./dom.js";
import { inPicture, isTurned, onTable, pictureSize, screenStep, snapped, turnRound } from "./ground.js";
import { counting, holder, holderName, isTouched, stepOn } from "./markers.js";
import { awaitedStep } from "./awaited.js";
import { nudge, placing, putAt } from "./placing.js";
import { placingMarks } from "./placing_marks.js";
import { changed, mine, query, refresh, state } from "./store.js";

const view = { scale: 1, x: 0, y: 0 };
const KEY_STEP = 60; // pixels by an arrow key
const MOST = 4; // how much closer one may come
const NAMES_FROM = 1.7; // units are called by their names from this zoom on
const TOKEN = 11; // pixels from a token's middle to its side, on the screen
let shown = "";
let looking = false;
let closer = false; // the picture came closer for what is being placed, and goes back when that is done

/** How much larger marks are drawn, so that they keep their size on the screen at any zoom; in steps, each is a picture. */
function markSize(place) {
  const wide = (place.clientWidth || 360) / pictureSize()[0];
  const exact = TOKEN / 13 / (wide * view.scale);
  return Math.min(6, Math.max(0.5, Math.round(exact * 4) / 4));
}

/** What is being placed by tapping the picture; null: nothing. */
export function placingNow() { return state.info.status === "playing" ? placing(awaitedStep()) : null; }

/** The address of the picture as it is shown now. */
export function pictureAddress(size = 1) {
  const as = looking ? state.as || mine()[0] : "spectator";
  const viewer = mine().length || state.info.gm ? { as } : { as: null };
  const names = view.scale >= NAMES_FROM ? true : undefined;
  return `/api/v1/tables/${data.id}/picture.svg${query({ ...viewer, language: data.language, at: state.at ?? state.position.acts, turned: isTurned() || undefined, size: size === 1 ? undefined : size, names })}`;
}

export function showBoard(place) {
  if (closer && !placingNow()?.at) {
    closer = false;
    zoomTo(place.querySelector(".tt-picture"), 1);
  }
  const address = pictureAddress(markSize(place));
  if (place.querySelector("img")) showTold(place.querySelector(".tt-told-markers"));
  showTools(place);
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
  showTools(place);
  picture.src = address;
  picture.alt = `${document.title}: ${t("tt.vp")} ${state.position.view.vp.red} : ${state.position.view.vp.blue}`;
}

/** The markers as one is about to report them, over the picture: touched ones are amber; what is being placed. */
function showTold(told) {
  const size = markSize(told.closest("#tt-board") ?? told);
  const { markers } = state.position.view;
  told.setAttribute("viewBox", `0 0 ${pictureSize().join(" ")}`);
  const now = placingNow();
  if (now) { told.replaceChildren(...placingMarks(now, size)); return; }
  const lying = counting() ? Object.entries(markers).filter(([, marker]) => marker.at && !marker.removed) : [];
  told.replaceChildren(...lying.map(([id, marker]) => {
    const [cx, cy] = inPicture(marker.at);
    const r = 16 * size;
    return shape("g", { class: `${holder(id)}${isTouched(id) ? " changed" : ""}` },
      shape("title", {}, `${id}: ${holderName(holder(id))}`), shape("circle", { cx, cy, r: r * 1.3, class: "rim" }), shape("circle", { cx, cy, r }),
      holder(id) === "contested" ? shape("path", { d: `M${cx} ${cy - r}a${r} ${r} 0 0 1 0 ${2 * r}z`, class: "half" }) : "",
      shape("text", { x: cx, y: cy + r * 0.35, "font-size": r * 1.1 }, id));
  }));
}

const NEAR = 26; // screen pixels around a marker that take a tap
const CLOSER = 2; // how close the picture comes when something is placed

/** The place of the table under a finger. */
function under(moved, event) {
  const box = moved.querySelector("img").getBoundingClientRect();
  const scale = box.width / pictureSize()[0];
  return onTable([(event.clientX - box.left) / scale, (event.clientY - box.top) / scale]);
}

/** A tap on the picture: it puts down what is placed; else the nearest marker goes one step on. */
function tapped(moved, event) {
  const now = placingNow();
  if (now) {
    const first = !now.at;
    putAt(now, under(moved, event));
    const box = moved.parentElement.getBoundingClientRect();
    if (first && view.scale < CLOSER) closer = true;
    if (closer && first) zoomTo(moved, CLOSER, { x: event.clientX - box.left, y: event.clientY - box.top });
    return;
  }
  if (!counting()) return;
  const box = moved.querySelector("img").getBoundingClientRect();
  const scale = box.width / pictureSize()[0];
  const [nearest] = Object.entries(state.position.view.markers).filter(([, marker]) => marker.at && !marker.removed).map(([id, marker]) => {
    const [x, y] = inPicture(marker.at);
    return { id, away: Math.hypot(box.left + x * scale - event.clientX, box.top + y * scale - event.clientY) };
  }).sort((one, other) => one.away - other.away);
  if (nearest && nearest.away <= Math.max(NEAR, 26 * scale)) stepOn(nearest.id);
}

/** Say whether a finger lies on the token that is being placed: then it drags that, not the picture. */
function isOnToken(moved, event) {
  const now = placingNow();
  if (!now?.at) return false;
  const box = moved.querySelector("img").getBoundingClientRect();
  const scale = box.width / pictureSize()[0];
  const [x, y] = inPicture(now.at);
  return Math.hypot(box.left + x * scale - event.clientX, box.top + y * scale - event.clientY) <= NEAR;
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
  const turn = make("button", { id: "tt-turn", "aria-label": t("tt.turn_round"), onclick: () => { turnRound(); zoomTo(picture(), 1); changed(); } }, "⟲");
  return make("div", { class: "tt-tools" }, mine().length ? look : null, turn,
    make("button", { class: "tt-zoom-in", "aria-label": t("tt.zoom_in"), onclick: zoom(1.5) }, "+"),
    make("button", { class: "tt-zoom-out", "aria-label": t("tt.zoom_all"), onclick: () => zoomTo(picture(), 1) }, "⤢"));
}

/** Show the button for secrets where there are some, and the way back to the whole table where one came closer. */
function showTools(place) {
  const look = place.querySelector(".tt-look");
  if (look) look.hidden = !hasSecrets();
  const whole = place.querySelector(".tt-zoom-out");
  if (whole) whole.hidden = view.scale === 1;
}

/** Say whether there is anything on the picture that only its player may see. */
function hasSecrets() {
  const { view } = state.position;
  return looking || view.hidden > 0 || view.units.some((unit) => unit.secret || unit.state === "concealed") || Boolean(view.rules.concealed_deployment || view.rules.hidden_spy);
}

/** True while one looks at one's secrets. */
export function isLooking() { return looking; }

function zoomTo(picture, scale, about = null) {
  const before = view.scale;
  view.scale = Math.min(MOST, Math.max(1, scale));
  if (about) {
    view.x = about.x - ((about.x - view.x) * view.scale) / before;
    view.y = about.y - ((about.y - view.y) * view.scale) / before;
  }
  settle(picture);
  showTools(document.getElementById("tt-board"));
  if (before !== view.scale) showBoard(document.getElementById("tt-board"));
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
  let drags = false; // it drags what is being placed
  stage.addEventListener("pointerdown", (event) => { from = fingers.size ? null : event; fingers.set(event.pointerId, event); stage.setPointerCapture(event.pointerId); apart = 0; drags = fingers.size === 1 && isOnToken(picture, event); });
  stage.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    fingers.set(event.pointerId, event);
    if (drags && fingers.size === 1) { putAt(placingNow(), under(picture, event)); return; }
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
  stage.addEventListener("pointerup", (event) => { if (from && !drags && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < 8) tapped(picture, event); });
  for (const end of ["pointerup", "pointercancel"]) stage.addEventListener(end, (event) => { fingers.delete(event.pointerId); apart = 0; });
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = stage.getBoundingClientRect();
    zoomTo(picture, view.scale * (event.deltaY < 0 ? 1.2 : 1 / 1.2), { x: event.clientX - box.left, y: event.clientY - box.top });
  }, { passive: false });
  stage.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const now = placingNow();
    if (now && (by || event.key === "Enter")) {
      event.preventDefault();
      const step = event.shiftKey ? 0.1 : event.ctrlKey ? 6 : 0.5;
      if (now.at && by) nudge(now, screenStep([-by[0] * step, by[1] * step]));
      else if (now.at) document.getElementById("next-step")?.click();
      else putAt(now, middleOf(now), true);
      return;
    }
    if (!by || view.scale === 1) return;
    event.preventDefault();
    view.x += by[0] * KEY_STEP;
    view.y += by[1] * KEY_STEP;
    settle(picture);
  });
  stage.addEventListener("dblclick", () => counting() || placingNow() || zoomTo(picture, view.scale > 1 ? 1 : 2.5));
}

/** Where keys begin to place something: in the middle of where it may lie. */
function middleOf({ chosen }) {
  const { width, height, rules: known } = state.position.view;
  if (chosen.act === "move") return known.markers[chosen.value].at;
  const [first] = chosen.places ? [chosen.places] : chosen.area.filter((polygon) => polygon.length);
  if (!first) return [width / 2, height / 2];
  return chosen.places ? first[0] : snapped([0, 1].map((axis) => first.reduce((sum, corner) => sum + corner[axis], 0) / first.length));
}

/** Show the game as it stood after some acts; null: now. */
export async function showAt(at) {
  state.at = at;
  await refresh();
}
