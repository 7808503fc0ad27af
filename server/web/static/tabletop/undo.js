// To take back the last act: one asks, the other allows it on a banner; two who ask agree. Who was passed takes that back alone.

import { fill, make, t } from "./dom.js";
import { perform } from "./next.js";
import { against, isShared, offered, player } from "./offers.js";
import { closeSheet, sheet, title } from "./sheet.js";
import { mine, state } from "./store.js";

const ASKED = "wants_to_take_back";
let kept = -1; // the number of the request that the player has put aside

/** The request to undo that nothing else has followed; null: there is none. */
function request() {
  const last = state.log.at(-1);
  return last?.kinds.includes(ASKED) ? last : null;
}

/** Say whether the other side has just asked that the last act is undone. */
export function isAsked(side) { return Boolean(request()) && request().by !== side; }

/** Say whether the other side has just gone on without this one, which may undo that alone. */
export function wasPassed(side) { return state.position.awaiting.passed === side; }

/** What would be undone, in words. */
function matter() {
  const last = state.log.findLast((entry) => entry.number >= 0 && entry.lines.length && !entry.kinds.includes(ASKED));
  return last?.lines ?? [];
}

/** The banner: what the other side asks to undo, with Keep it and Allow undo; for who has asked, that it waits. */
export function showUndo(place) {
  const asked = state.info.status === "playing" && state.at === null && mine().length ? request() : null;
  const side = asked ? mine().find((one) => one !== asked.by) : "";
  const option = side && offered("take_back", side)?.[0];
  place.hidden = !asked || asked.number === kept;
  if (place.hidden) { fill(place); return; }
  const what = make("b", {}, matter().join(" "));
  if (!side) { fill(place, make("p", {}, t("tt.you_asked_undo", { who: player(against(asked.by)) }), " ", what)); return; }
  fill(place, make("p", {}, t("tt.asks_undo", { who: player(asked.by) }), " ", what),
    make("p", { class: "tt-buttons" },
      make("button", { id: "tt-keep", onclick: () => { kept = asked.number; showUndo(place); } }, t("tt.keep_it")),
      option ? make("button", { class: "primary", id: "tt-allow-undo", onclick: () => perform(option, {}) }, t("tt.allow_undo")) : null));
  if (isShared()) place.hidden = true; // two at one phone have agreed by speaking
}

/** Say what would be undone, and ask for it. */
export function openUndo(side) {
  const [option] = offered("take_back", side);
  const alone = wasPassed(side);
  const ask = make("button", { class: "primary", id: "tt-ask-undo", onclick: async () => { if (await perform(option, {}) === true) closeSheet(); } }, t(alone ? "tt.undo" : "tt.ask_undo"));
  fill(sheet(), title(t("tt.undo")), matter().map((line) => make("p", {}, line)),
    alone ? null : make("p", { class: "muted" }, t("tt.undo_why")),
    make("p", { class: "tt-buttons" }, make("button", { onclick: closeSheet }, t("tt.cancel")), ask));
  if (!sheet().open) sheet().showModal();
}
