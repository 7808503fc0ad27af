// The past as a film: a slider over all phases on the same map as the table's, what happened beside it.

import { ReplayMap } from "./replay_map.js";
import { t } from "./texts.js";

const stage = document.getElementById("replay");
const { phases, at } = JSON.parse(document.getElementById("phases").textContent);
const { campaign, query } = stage.dataset;
const part = (name) => document.getElementById(name);
const [time, play, story, when, whole, speed] = ["time", "play", "story", "when", "whole", "speed"].map(part);
const AHEAD = 3;
const stories = new Map();
let now = at;
let timer = null;

const more = (sign) => (query ? sign + query : "");
const asked = new URL(location.href).searchParams;
let first = true;

const board = new ReplayMap(campaign, query, () => {
  if (first || !board.map.looking) return;
  const address = new URL(location.href);
  address.searchParams.set("at", board.map.looking);
  history.replaceState(null, "", address);
});

/** Show a phase on the map; the first time where the address says. */
function drawn(found) {
  board.show(found);
  if (!first) return;
  if (asked.get("at")) board.map.look(asked.get("at"));
  const hex = board.position.grid.find(asked.get("hex"));
  if (hex >= 0) board.choose(hex);
  first = false;
}

/** Return what happened in a phase, as a piece of a page of ours. */
function told(place) {
  if (!stories.has(place)) {
    const address = `/campaigns/${campaign}/reports/${phases[place].number}/story${more("?")}`;
    stories.set(place, fetch(address, { credentials: "same-origin", headers: { "HX-Request": "true" } })
      .then((answer) => { if (!answer.ok) throw new Error(String(answer.status)); return answer.text(); }));
  }
  return stories.get(place);
}

function fail(place) {
  stories.delete(place);
  stop();
  if (now === place) when.textContent = t("history.js.failed");
}

/** Show a phase; what comes late for a phase that has been left is not shown. */
async function show(place) {
  now = Math.max(0, Math.min(phases.length - 1, place));
  const shown = now;
  time.value = shown;
  time.setAttribute("aria-valuetext", phases[shown].title);
  when.textContent = phases[shown].title;
  stage.classList.add("loading");
  const address = new URL(location.href);
  address.searchParams.set("number", phases[shown].number);
  history.replaceState(null, "", address);
  whole.href = `/campaigns/${campaign}/reports/${phases[shown].number}${more("?")}`;
  for (const field of ["at-number", "practice-number"]) part(field)?.setAttribute("value", phases[shown].number);
  for (let ahead = 1; ahead <= AHEAD; ahead += 1) if (shown + ahead < phases.length) board.fetched(phases[shown + ahead].number).catch(() => {});
  const image = board.fetched(phases[shown].number).then((found) => {
    if (now !== shown) return;
    drawn(found);
    part("surface").setAttribute("aria-label", phases[shown].alt);
  }).catch(() => fail(shown));
  const words = told(shown).then((html) => {
    if (now !== shown) return;
    // the piece is made by our own templates, which escape everything in it
    story.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
    story.scrollTop = 0;
  }).catch(() => fail(shown));
  await Promise.all([image, words]);
  if (now === shown) { stage.classList.remove("loading"); stage.dataset.shown = String(phases[shown].number); }
}

function stop() {
  clearTimeout(timer);
  timer = null;
  play.textContent = t("history.js.play");
  play.setAttribute("aria-pressed", "false");
  when.setAttribute("aria-live", "polite");
}

async function go() {
  if (now === phases.length - 1) await show(0);
  play.textContent = t("history.js.stop");
  play.setAttribute("aria-pressed", "true");
  when.setAttribute("aria-live", "off");
  const step = async () => {
    if (timer === null) return;
    await show(now + 1);
    if (timer === null) return;
    if (now === phases.length - 1) stop();
    else timer = setTimeout(step, Number(speed.value));
  };
  timer = setTimeout(step, Number(speed.value));
}

const moves = { first: () => 0, before: () => now - 1, after: () => now + 1, last: () => phases.length - 1 };
for (const [name, place] of Object.entries(moves)) {
  part(name).addEventListener("click", (event) => { event.preventDefault(); stop(); show(place()); });
}
time.addEventListener("input", () => { stop(); show(Number(time.value)); });
play.addEventListener("click", () => (timer ? stop() : go()));
document.addEventListener("keydown", (/** @type {KeyboardEvent & { target: HTMLElement }} */ event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input:not([type=range]), select, textarea")) return;
  const key = { ArrowLeft: "before", ArrowRight: "after", Home: "first", End: "last" }[event.key];
  if (key && event.target !== time) { event.preventDefault(); stop(); show(moves[key]()); }
  else if (event.key === " " && !event.target.closest("button, a, summary")) { event.preventDefault(); if (timer) stop(); else go(); }
});
for (const each of [time, play, speed.parentElement]) each.hidden = false;
stage.dataset.ready = "true";
const shownFirst = show(now);
if (asked.has("watch")) { // somebody who only wants to see it: the map at once, and moving where it may move
  part("play").scrollIntoView({ block: "start" });
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) shownFirst.then(go);
}
