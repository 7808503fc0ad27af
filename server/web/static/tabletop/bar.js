// The bar that is always in sight: whose turn, round, phase, score, command points; readable across a table.

import { fill, make, t, word } from "./dom.js";
import { awaitedStep, headline, isAwaited, isMine, where } from "./awaited.js";
import { isShared, player } from "./offers.js";
import { placing } from "./placing.js";
import { placingHead } from "./placing_panel.js";
import { mine, state } from "./store.js";

/** What the player on this device does now, else what the game waits for. */
function heading() {
  const now = state.info.status === "playing" && !isShared() ? placing(awaitedStep()) : null;
  return (now && placingHead(now)) || headline();
}

const SIDES = ["red", "blue"];

export function showBar(bar) {
  const { info, position } = state;
  if (info.status === "open" || !position) {
    fill(bar, make("p", { class: "tt-stage" }, info.name || word("missions", info.mission)));
    bar.hidden = true;
    return;
  }
  bar.hidden = false;
  const view = position.view;
  fill(bar,
    make("div", { class: "tt-score" }, SIDES.map((side) => score(view, side))),
    make("p", { class: "tt-where" }, where()),
    make("p", { class: `tt-stage${isMine() && !isShared() ? ` own ${mine()[0]}` : ""}`, id: "tt-stage" }, heading()));
  announce(`${heading()}. ${where()}. ${wanted()}`);
  document.title = `${heading()} · ${where()}`;
}

/** What the big button asks for, for those who listen. */
function wanted() {
  const button = document.querySelector("#next-step b");
  const strip = document.querySelector("#tt-strip:is(.tap, .warn)");
  return button ? t("tt.next_step", { act: button.parentElement.innerText.replaceAll("\n", ". ") }) : strip?.innerText.replaceAll("\n", ". ") ?? "";
}

let told = "";
/** Say how it stands to a screen reader, once: a bar that is drawn every second would never be silent. */
function announce(text) {
  if (text === told) return;
  told = text;
  document.getElementById("tt-said").textContent = text;
}

/** The filled half is whose turn it is; the dot is whose tap the game waits for. */
function score(view, side) {
  const playing = state.info.status === "playing";
  return make("div", { class: `tt-side ${side}${view.turn === side && !view.result ? " on" : ""}${playing && isAwaited(side) ? " awaited" : ""}` },
    make("span", { class: "who" }, make("bdi", {}, player(side)), mine().includes(side) && !isShared() ? make("small", { class: "you" }, ` ${t("tt.you")}`) : null,
      playing && isAwaited(side) ? make("i", { class: "dot", role: "img", "aria-label": t("tt.awaited") }) : null),
    make("b", { class: "vp" }, String(view.vp[side])), make("small", {}, t("tt.vp")),
    make("b", { class: "cp" }, String(view.cp[side])), make("small", {}, t("tt.cp")),
    clock(side));
}

/** The minutes a side has left, counted from the log: the time before each act belongs to the side that did it. */
function clock(side) {
  const minutes = state.info.setup.minutes;
  if (!minutes) return null;
  let used = 0;
  let before = null;
  for (const entry of state.log) {
    const at = entry.at ? Date.parse(entry.at) : null;
    if (before !== null && at !== null && entry.by === side) used += at - before;
    before = at ?? before;
  }
  if (state.position.view.turn === side && before !== null && !state.position.view.result) used += Date.now() - before;
  const left = Math.max(0, Math.round(minutes * 60 - used / 1000));
  return make("time", { class: `tt-clock${left < 300 ? " low" : ""}`, "aria-label": t("tt.clock") }, `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`);
}
setInterval(() => {
  if (state.info?.setup?.minutes && state.position) showBar(document.getElementById("tt-bar"));
}, 1000);
