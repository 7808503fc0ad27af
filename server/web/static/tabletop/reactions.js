// Moments at which one may react while the other's game goes on: a sheet with what may be used, Pass, Pass for this phase.

import { fill, make, t, word } from "./dom.js";
import { perform, showNext, start } from "./next.js";
import { offered } from "./offers.js";
import { closeSheet, sheet, title } from "./sheet.js";
import { mine, readSeats, state } from "./store.js";

/** Seconds that a player has before the other may go on without them; the server holds to it. */
const SECONDS = 20;

/** What a side may still use, and may pass. */
export function reactions(side) {
  const found = state.position.awaiting.reactions[side] ?? [];
  return found.filter((one) => one.act === "use" && offered("use", side));
}

/** What this page saw first, by what the game waits for: clocks of phones differ. */
const first = new Map();

/** How many seconds a side has left to answer. */
export function secondsLeft(side) {
  const since = state.position.awaiting.since?.[side];
  if (!since) return 0;
  const key = `${side}/${since}`;
  if (!first.has(key)) first.set(key, performance.now());
  return Math.max(0, Math.ceil(SECONDS - (performance.now() - first.get(key)) / 1000));
}

/** Seconds between two looks at who is at the table, while one waits. */
const LOOK = 15;
let looked = 0;
/** Look whether those one waits for are there. */
function lookAround() {
  if (document.hidden || performance.now() - looked < LOOK * 1000) return;
  if (!["red", "blue"].some((side) => !mine().includes(side) && state.position.awaiting.since?.[side])) return;
  looked = performance.now();
  readSeats().then(() => showNext(document.getElementById("tt-next"))).catch(() => {});
}

let shown = "";
setInterval(() => {
  if (!state.position || state.info?.status !== "playing" || state.at !== null) return;
  lookAround();
  const now = ["red", "blue"].map(secondsLeft).join("/");
  if (now !== shown && state.position.awaiting.since && Object.keys(state.position.awaiting.since).length) showNext(document.getElementById("tt-next"));
  shown = now;
}, 1000);

/** Show what a side may use now, with what it costs and does. */
export function openReactions(side) {
  const use = offered("use", side) ?? [];
  const open = reactions(side);
  const pass = async (until) => {
    for (const one of open) {
      const options = offered("pass", side);
      if (!options || await perform(options[0], { stratagem: one.stratagem, ...(until ? { until } : {}) }) !== true) break;
    }
    closeSheet();
  };
  fill(sheet(),
    title(t("tt.react")),
    use.map((option) => {
      const known = state.rules?.stratagems?.[option.fields.stratagem?.one_of?.[0]];
      return make("button", { class: "tt-act stratagem", onclick: () => start([option]) },
        make("b", {}, known?.name ?? word("act", "use")), known ? make("i", {}, t("tt.cost", { n: known.cost })) : null, known ? make("span", {}, known.text) : null);
    }),
    make("p", { class: "tt-buttons" },
      make("button", { onclick: closeSheet }, t("tt.cancel")),
      open.length ? make("button", { id: "tt-pass", onclick: () => pass("") }, t("tt.pass")) : null,
      open.length ? make("button", { class: "primary", id: "tt-pass-phase", onclick: () => pass("phase") }, state.position.view.stage === "battle" ? t("tt.pass_phase") : t("tt.pass_stage")) : null));
  if (!sheet().open) sheet().showModal();
}

