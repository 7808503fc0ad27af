// The bar that is always in sight: whose turn, round, phase, score, command points; readable across a table.

import { fill, make, t, word } from "./dom.js";
import { mine, state } from "./store.js";

const SIDES = ["red", "blue"];

/** The name of the player of a side. */
export function player(side) {
  return state.info.seats.find((seat) => seat.side === side)?.name || word("table", side);
}

export function showBar(bar) {
  const { info, position } = state;
  if (info.status === "open" || !position) {
    fill(bar, make("p", { class: "tt-stage" }, info.name || word("missions", info.mission)));
    bar.hidden = true;
    return;
  }
  bar.hidden = false;
  const view = position.view;
  const acting = [...new Set(position.open.filter((option) => option.do !== "take_back" && option.do !== "object").map((option) => option.by))];
  fill(bar,
    make("div", { class: "tt-score" }, SIDES.map((side) => score(view, side, acting))),
    make("p", { class: "tt-stage", id: "tt-stage" }, make("b", {}, whose(view)), " ", where(view)));
  announce(`${whose(view)}. ${where(view)}. ${wanted()}`);
  document.title = `${whose(view)} · ${where(view)}`;
}

/** What the big button asks for, for those who listen. */
function wanted() {
  const button = document.querySelector("#tt-next button");
  return button ? t("tt.next_step", { act: button.textContent }) : "";
}

let told = "";
/** Say how it stands to a screen reader, once: a bar that is drawn every second would never be silent. */
function announce(text) {
  if (text === told) return;
  told = text;
  document.getElementById("tt-said").textContent = text;
}

function score(view, side, acting) {
  const turn = view.turn === side || (!view.turn && acting.includes(side));
  return make("div", { class: `tt-side ${side}${turn ? " on" : ""}` },
    make("span", { class: "who" }, player(side)),
    make("b", { class: "vp" }, String(view.vp[side])), make("small", {}, t("tt.vp")),
    make("b", { class: "cp" }, String(view.cp[side])), make("small", {}, t("tt.cp")),
    clock(side));
}

function whose(view) {
  if (view.result) return view.winner ? t("tt.wins", { who: player(view.winner) }) : t("tt.draw");
  if (state.position.open.some((option) => mine().includes(option.by) && !["take_back", "object"].includes(option.do))) return t("tt.your_turn");
  return view.turn ? t("tt.their_turn", { who: player(view.turn) }) : t("tt.both");
}

function where(view) {
  if (view.result) return t("tt.over");
  if (view.stage !== "battle") return word("stage", view.stage);
  const phase = view.phase ? ` · ${word("table_phase", view.phase)}` : "";
  return `${t("tt.round", { n: view.round })}${phase}`;
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
