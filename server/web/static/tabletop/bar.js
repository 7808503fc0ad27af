// The bar that is always in sight: whose turn, round, phase, score, command points; readable across a table.

import { fill, make, t, word } from "./dom.js";
import { awaitedStep, headline, hint, isAwaited, isMine, phases, where } from "./awaited.js";
import { LOW, asTime, isPaused, secondsOf } from "./clock.js";
import { isShared, player } from "./offers.js";
import { placing } from "./placing.js";
import { placingHead } from "./placing_panel.js";
import { openScore } from "./score.js";
import { isSolo, soloHead, soloWhere } from "./solo.js";
import { mine, state } from "./store.js";

function placingNow() { return state.info.status === "playing" && !isShared() ? placing(awaitedStep()) : null; }

/** What the player on this device does now, else what the game waits for. */
function heading() {
  if (isSolo()) return soloHead();
  const now = placingNow();
  return (now && placingHead(now)) || headline();
}

/** The phases of this turn: those that are done, and the one that is on. */
function rail(view) {
  const known = phases();
  const at = known.indexOf(view.phase);
  if (at < 0) return null;
  return make("ol", { class: `tt-rail ${view.turn}` }, known.map((phase, place) => make("li", { class: place < at ? "done" : place === at ? "now" : "", ...(place === at ? { "aria-current": "step" } : {}) }, word("table_phase", phase))));
}

function scoreWords(view) {
  return t("tt.score_open", { score: SIDES.map((side) => `${player(side)} ${view.vp[side]} ${t("tt.vp")}, ${view.cp[side]} ${t("tt.cp")}`).join("; ") });
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
  const focused = document.activeElement?.id === "tt-score";
  fill(bar,
    make("button", { class: "tt-score", id: "tt-score", "aria-label": scoreWords(view), onclick: openScore }, SIDES.map((side) => score(view, side))),
    isSolo() ? null : rail(view),
    make("p", { class: "tt-where" }, isSolo() ? soloWhere() : where()),
    make("p", { class: `tt-stage${isMine() && !isShared() ? ` own ${mine()[0]}` : ""}`, id: "tt-stage" }, heading()),
    isSolo() || placingNow() || !hint() ? null : make("p", { class: "tt-hint" }, hint()));
  if (focused) document.getElementById("tt-score")?.focus();
  announce(`${[heading(), where()].map(ended).join(" ")} ${wanted()}`);
  document.title = `${heading()} · ${where()}`;
}

/** What the big button asks for, for those who listen. */
function wanted() {
  const button = document.querySelector("#next-step b");
  const strip = document.querySelector("#tt-strip:is(.tap, .warn)");
  return button ? t("tt.next_step", { act: button.parentElement.innerText.replaceAll("\n", ". ") }) : strip?.innerText.replaceAll("\n", ". ") ?? "";
}

/** A sentence with its full stop, unless it ends with a mark of its own. */
const ended = (sentence) => /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;

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
    clockLabel(side));
}

/** The minutes a side has left. */
function clockLabel(side) {
  if (!state.info.setup.minutes) return null;
  const left = secondsOf(side);
  return make("time", { class: `tt-clock${left < LOW ? " low" : ""}`, "aria-label": t("tt.clock") }, isPaused() ? `❚❚ ${asTime(left)}` : asTime(left));
}
setInterval(() => {
  if (state.info?.setup?.minutes && state.position) showBar(document.getElementById("tt-bar"));
}, 1000);
