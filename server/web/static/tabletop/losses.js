// Losses by unit card: pips for models or wounds, from what is left; the last model has words of its own.

import { fill, make, t } from "./dom.js";
import { perform } from "./next.js";
import { offered } from "./offers.js";
import { closeSheet, sheet, title } from "./sheet.js";
import { state } from "./store.js";

const MOST_PIPS = 20;

/** The units whose losses a side may report, each with the option that reports them. */
export function losing(side) {
  const ways = [...(offered("lost", side) ?? []), ...(offered("strength", side) ?? [])];
  return ways.flatMap((option) => {
    const unit = state.position.view.units.find((one) => one.id === option.fields.unit?.one_of?.[0]);
    return unit && unit.state !== "destroyed" ? [{ option, unit }] : [];
  });
}

/** What is left of a unit and what it began with, in models or in wounds. */
function strength({ option, unit }) {
  const counts = option.fields.wounds ? "wounds" : "models";
  const left = counts === "wounds" ? unit.wounds_now : unit.models_now;
  return { counts, left: left || 1, all: Math.max(left || 1, (counts === "wounds" ? unit.wounds : unit.models) || 1) };
}

/** What is left of a unit, what goes, what has gone. */
export function pips(left, all, lost = 0) {
  if (all > MOST_PIPS) return make("span", { class: "tt-count" }, lost ? `${left} − ${lost}` : String(left));
  const kind = (place) => (place < left - lost ? "left" : place < left ? "going" : "gone");
  return make("span", { class: "tt-pips", "aria-hidden": "true" }, Array.from({ length: all }, (_, place) => make("i", { class: kind(place) })));
}

/** Show one's units as cards: tap the one that lost something. */
export function openLosses(side) {
  const units = losing(side);
  fill(sheet(), title(t("tt.losses")),
    make("div", { class: "tt-unit-cards" }, units.map((one) => {
      const { left, all, counts } = strength(one);
      return make("button", { class: `tt-unit-card ${side}`, "data-unit": one.unit.id, onclick: () => countLosses(side, one) },
        make("b", {}, one.unit.name), pips(left, all), make("small", {}, t(`tt.left_${counts}`, { n: left })));
    })),
    make("p", { class: "tt-buttons" }, make("button", { onclick: closeSheet }, t("tt.cancel"))));
  if (!sheet().open) sheet().showModal();
}

/** Count what one unit has lost. */
export function countLosses(side, one) {
  const { counts, left, all } = strength(one);
  let lost = 1;
  const said = make("p", { role: "alert", class: "bad" });
  const shown = make("output", {}, "1");
  const picture = make("div", {});
  const send = make("button", { class: "primary", id: "do-act" });
  const tell = () => {
    shown.textContent = String(lost);
    fill(picture, pips(left, all, lost));
    send.textContent = lost >= left ? t("tt.report_destroyed", { unit: one.unit.name }) : t("tt.report_lost", { n: lost, left: left - lost });
  };
  const step = (by) => () => { lost = Math.min(left, Math.max(1, lost + by)); tell(); };
  send.addEventListener("click", async () => {
    send.disabled = true;
    const done = await perform(one.option, { unit: one.unit.id, ...fields(one.option, counts, left, lost) });
    if (done === true) closeSheet();
    else { said.textContent = done; send.disabled = false; }
  });
  fill(sheet(), title(one.unit.name), picture,
    make("div", { class: "tt-stepper big" },
      make("button", { "aria-label": t("tt.fewer"), onclick: step(-1) }, "−"), shown, make("button", { "aria-label": t("tt.more_lost"), onclick: step(1) }, "+")),
    said, make("p", { class: "tt-buttons" }, make("button", { onclick: closeSheet }, t("tt.cancel")), send));
  tell();
  if (!sheet().open) sheet().showModal();
}

/** The fields of the report: Combat Patrol counts what is lost, the narrative missions what is left. */
function fields(option, counts, left, lost) {
  if (option.do === "lost") return lost >= left ? {} : { [counts]: lost };
  return { [counts]: left - lost };
}
