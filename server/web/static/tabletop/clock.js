// The clocks: the time of whoever is awaited runs, also while the other's report is checked. Sideways, a phone is a chess clock.

import { fill, make, t } from "./dom.js";
import { buttonText, awaitedStep, headline, isAwaited } from "./awaited.js";
import { problem } from "./next.js";
import { player } from "./offers.js";
import { change, mine, onChange, state } from "./store.js";

/** Seconds from which on a clock warns. */
export const LOW = 300;
const SIDES = ["red", "blue"];

/** The pauses, in milliseconds, as `[from, to]`. */
function pauses() { return (state.info.setup.pauses ?? []).map(([from, to]) => [Date.parse(from), to ? Date.parse(to) : Date.now()]); }
export function isPaused() { return (state.info.setup.pauses ?? []).at(-1)?.[1] === null; }

/** How long a stretch of time is without its pauses. */
function running(from, to) {
  const still = pauses().reduce((sum, [begin, end]) => sum + Math.max(0, Math.min(to, end) - Math.max(from, begin)), 0);
  return Math.max(0, to - from - still);
}

/** The seconds a side has left: each stretch between two acts belongs to whoever was awaited in it. */
export function secondsOf(side) {
  let used = 0;
  let before = null;
  for (const entry of state.log) {
    const at = entry.at ? Date.parse(entry.at) : null;
    if (before !== null && at !== null && (entry.awaited === side || entry.awaited === "both")) used += running(before, at);
    before = at ?? before;
  }
  if (before !== null && state.info.status === "playing" && isAwaited(side)) used += running(before, Date.now());
  return Math.max(0, Math.round(state.info.setup.minutes * 60 - used / 1000));
}

/** Minutes and seconds. */
export function asTime(seconds) { return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`; }

let flipped = false; // the far half faces the player opposite
const sideways = matchMedia("(orientation: landscape) and (max-height: 32rem)");
const place = make("section", { id: "tt-chess", class: "tt-chess", hidden: true, "aria-label": t("tt.clock") });
document.getElementById("tt")?.append(place);

/** Show the clock over the whole screen while a phone lies sideways. */
function showClock() {
  const shown = Boolean(sideways.matches && state.info?.status === "playing" && state.position && state.info.setup.minutes && state.at === null && !document.querySelector("dialog[open]"));
  place.hidden = !shown;
  document.body.classList.toggle("chess", shown);
  if (!shown) return;
  const focused = document.activeElement?.id;
  const far = mine()[0] === "red" ? "blue" : "red";
  fill(place, half(SIDES[0], flipped && far === "red"),
    make("div", { class: "tt-chess-middle" }, make("p", {}, make("small", {}, t("tt.round", { n: state.position.view.round })), make("b", {}, headline())),
      make("button", { id: "chess-flip", "aria-label": t("tt.flip"), "aria-pressed": String(flipped), onclick: () => { flipped = !flipped; showClock(); } }, "⟲"),
      mine().length ? make("button", { id: "chess-pause", "aria-label": t(isPaused() ? "tt.resume" : "tt.pause"), onclick: pause }, isPaused() ? "▶" : "❚❚") : null),
    half(SIDES[1], flipped && far === "blue"));
  if (focused) document.getElementById(focused)?.focus();
}

function half(side, turned) {
  const { view } = state.position;
  const step = isAwaited(side) ? awaitedStep() : null;
  const own = step && step[0].by === side;
  const [text, more] = own ? buttonText(step) : isAwaited(side) ? [headline(), ""] : ["", ""];
  return make("button", { id: `chess-${side}`, class: `tt-chess-half ${side}${isAwaited(side) ? " on" : ""}${turned ? " flip" : ""}`, disabled: !own, onclick: () => document.getElementById("next-step")?.click() },
    make("span", { class: "who" }, make("bdi", {}, player(side)), ` ${view.vp[side]} `, make("small", {}, t("tt.cost", { n: view.cp[side] }))),
    make("time", { class: isPaused() ? "still" : "" }, asTime(secondsOf(side))),
    text ? make("b", { class: "does" }, text, more ? make("small", {}, more) : null) : null);
}

/** Stop both clocks, or let them run again. */
export function pause() { return change("PUT", "/clock", { paused: !isPaused() }).catch(problem); }

onChange(showClock);
sideways.addEventListener("change", showClock);
setInterval(() => { if (!place.hidden) showClock(); }, 1000);
