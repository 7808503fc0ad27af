// What there is to do now, in a sentence or two, for somebody who sees this for the first time.

import { t } from "../texts.js";
import { button, h } from "./dom.js";
import { fightForm } from "./fight_form.js";
import { takers, unordered } from "./things_panel.js";

/** Return the card that says what to do in this phase. */
export function guide(table) {
  const { draft, position } = table;
  if (draft.state === "none" || draft.state === "loading") return null;
  if (!draft.wanted && !draft.items.length) return h("div", { class: "guide card" }, h("p", {}, t("table.guide.nothing")));
  const left = unordered(table), lines = [], all = takers(table).length;
  if (draft.phase === "setup") {
    const next = draft.options.find((each) => each.order.type === "place");
    const muster = draft.options.some((each) => each.order.type === "build_detachment");
    lines.push(next ? t(`table.guide.place_${next.order.what}`, { n: next.choices.at.length }) : t(muster ? "table.guide.muster" : "table.guide.setup_done"));
    const rest = [["urban", "urban"], ["resource", "resources"]].flatMap(([what, words]) => (draft.left[what] ?? []).map((each) => `${t(`table.what.${what}`)}: ${each === "any" ? t("table.any_size") : position.word(words, each)}`));
    if (rest.length) lines.push(t("table.guide.left_to_place", { what: rest.join(" · ") }));
  } else if (draft.phase === "build") {
    const bp = Object.values(draft.stores).reduce((sum, each) => sum + each, 0);
    lines.push(t("table.guide.build", { bp, n: Object.keys(draft.stores).length }));
  } else if (draft.phase === "movement") lines.push(t("table.guide.movement"), t("table.guide.done_n", { n: all - left.length, all }));
  else if (draft.phase === "battle_movement") lines.push(t("table.guide.battle_movement"), t("table.guide.left_default", { n: left.length }));
  else if (draft.phase === "battles") lines.push(t("table.guide.battles"));
  const fights = draft.options.filter((each) => each.order.type === "fight");
  return h("div", { class: "guide card" }, lines.map((each, at) => h("p", { class: at ? "muted small" : "lead" }, each)),
    left.length && !draft.locked ? button(t("table.next_force"), () => table.next(), { key: "guide-next" }) : null,
    draft.phase === "setup" || draft.phase === "build" ? button(t("table.show_on_map"), () => table.map.home(), { key: "guide-home" }) : null,
    fights.map((each) => fightForm(table, each)));
}
