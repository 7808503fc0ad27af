// To take back the last act: one asks, the other allows it; two who ask agree.

import { fill, make, t } from "./dom.js";
import { perform } from "./next.js";
import { offered } from "./offers.js";
import { closeSheet, sheet, title } from "./sheet.js";
import { state } from "./store.js";

/** Say what would be undone, and ask for it. */
export function openUndo(side) {
  const [option] = offered("take_back", side);
  const last = state.log.findLast((entry) => entry.number >= 0 && entry.lines.length);
  const ask = make("button", { class: "primary", id: "tt-ask-undo", onclick: async () => { if (await perform(option, {}) === true) closeSheet(); } }, t("tt.ask_undo"));
  fill(sheet(), title(t("tt.undo")), (last?.lines ?? []).map((line) => make("p", {}, line)), make("p", { class: "muted" }, t("tt.undo_why")),
    make("p", { class: "tt-buttons" }, make("button", { onclick: closeSheet }, t("tt.cancel")), ask));
  if (!sheet().open) sheet().showModal();
}
