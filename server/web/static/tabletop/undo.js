// To take back the last act: one asks, the other allows it; two who ask agree. Who was passed takes that back alone.

import { fill, make, t } from "./dom.js";
import { perform } from "./next.js";
import { against, offered, player } from "./offers.js";
import { closeSheet, sheet, title } from "./sheet.js";
import { state } from "./store.js";

const ASKED = "wants_to_take_back";

/** Say whether the other side has just asked that the last act is undone. */
export function isAsked(side) {
  const last = state.log.at(-1);
  return Boolean(last?.kinds.includes(ASKED)) && last.by !== side;
}

/** Say whether the other side has just gone on without this one, which may undo that alone. */
export function wasPassed(side) { return state.position.awaiting.passed === side; }

/** Say what would be undone, and ask for it, or allow it. */
export function openUndo(side) {
  const [option] = offered("take_back", side);
  const last = state.log.findLast((entry) => entry.number >= 0 && entry.lines.length && !entry.kinds.includes(ASKED));
  const asked = isAsked(side);
  const alone = wasPassed(side);
  const ask = make("button", { class: "primary", id: "tt-ask-undo", onclick: async () => { if (await perform(option, {}) === true) closeSheet(); } }, t(alone ? "tt.undo" : asked ? "tt.allow_undo" : "tt.ask_undo"));
  fill(sheet(), title(asked ? t("tt.asks_undo", { who: player(against(side)) }) : t("tt.undo")), (last?.lines ?? []).map((line) => make("p", {}, line)),
    asked || alone ? null : make("p", { class: "muted" }, t("tt.undo_why")),
    make("p", { class: "tt-buttons" }, make("button", { onclick: closeSheet }, t(asked ? "tt.keep_it" : "tt.cancel")), ask));
  if (!sheet().open) sheet().showModal();
}
