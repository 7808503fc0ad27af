// A game act by act: a slider, the picture of the table then, and what happened in words.

import { data, fill, make, t } from "./dom.js";

/** @typedef {{number: number, by: string, lines: string[], secret: boolean[], dice: {label: string, face: number}[]}} Entry */

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const slider = /** @type {HTMLInputElement} */ (part("at"));
const picture = /** @type {HTMLImageElement} */ (part("replay-picture"));
const play = part("play");
const PAUSE = 1200;

/** @type {Entry[]} */
let log = [];
let timer = 0;

function viewer() {
  return /** @type {HTMLInputElement} */ (document.querySelector("input[name=viewer]:checked")).value;
}

/** @param {Record<string, string | number>} more */
function query(more) {
  const params = new URLSearchParams(data.watch ? { watch: data.watch } : {});
  params.set("as", viewer());
  for (const [name, value] of Object.entries(more)) params.set(name, String(value));
  return params.toString();
}

/** @param {number} at */
function address(at) {
  return `/api/v1/tables/${data.id}/picture.svg?${query({ at, language: data.language })}`;
}

async function readLog() {
  const response = await fetch(`/tables/${data.id}/log.json?${query({})}`);
  log = response.ok ? (await response.json()).items : [];
  show();
}

function show() {
  const at = Number(slider.value);
  part("at-label").textContent = t("tt.replay_at", { n: at, all: data.acts });
  slider.setAttribute("aria-valuetext", t("tt.replay_at", { n: at, all: data.acts }));
  picture.src = address(at);
  const entry = log.find((one) => one.number === at - 1);
  const lines = entry?.lines ?? [];
  const told = lines.map((line, place) => make("li", { class: entry?.secret[place] ? "was-secret" : "" },
    entry?.secret[place] ? make("span", { class: "badge" }, t("tt.secret_then")) : null, line));
  const dice = entry?.dice.length ? make("p", { class: "muted" }, entry.dice.map((die) => `${die.label}: ${die.face}`).join("; ")) : null;
  fill(part("told"), told.length ? make("ul", {}, told) : make("p", { class: "muted" }, t("tt.nothing_told")), dice);
  picture.alt = `${t("tt.replay_at", { n: at, all: data.acts })} ${lines.join(" ")}`;
}

/** @param {number} at */
function go(at) {
  slider.value = String(Math.max(0, Math.min(data.acts, at)));
  show();
}

/** @param {boolean} on */
function playing(on) {
  clearInterval(timer);
  play.setAttribute("aria-pressed", String(on));
  if (!on) return;
  if (Number(slider.value) >= data.acts) go(0);
  timer = window.setInterval(() => {
    go(Number(slider.value) + 1);
    if (Number(slider.value) >= data.acts) playing(false);
  }, PAUSE);
}

slider.addEventListener("input", show);
part("first").addEventListener("click", () => go(0));
part("back").addEventListener("click", () => go(Number(slider.value) - 1));
part("forward").addEventListener("click", () => go(Number(slider.value) + 1));
part("last").addEventListener("click", () => go(data.acts));
play.addEventListener("click", () => playing(play.getAttribute("aria-pressed") !== "true"));
for (const choice of document.querySelectorAll("input[name=viewer]")) choice.addEventListener("change", readLog);
await readLog();
