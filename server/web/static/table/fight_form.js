// Phase 6: how a battle is to be fought, and who falls first (D-60).

import { t } from "../texts.js";
import { field, h, select } from "./dom.js";
import { HALF } from "./kinds.js";
import { ordered } from "./ordered.js";
import { unitNames } from "./sentences.js";

/** The form of one battle; `option` is what may be ordered. */
export function fightForm(table, option) {
  const { draft, position } = table, { battle } = option.order;
  const same = (order) => order.type === "fight" && order.battle === battle;
  const now = draft.items.find((each) => same(each.order))?.order ?? {};
  const write = (fields) => {
    const order = { type: "fight", battle, mode: now.mode ?? "quick", casualties: now.casualties, picks: now.picks, ...fields };
    for (const name of ["casualties", "picks"]) if (!order[name]?.length) delete order[name];
    draft.put(order, same);
  };
  const names = (ids) => {
    const called = unitNames(position, ids.filter((id) => !id.endsWith(HALF)));
    return ids.map((id) => [id, id.endsWith(HALF) ? t("table.half_of", { unit: called.get(id.slice(0, -HALF.length)) }) : called.get(id)]);
  };
  const mode = select(option.choices.mode.map((each) => [each, t(`table.mode.${each}`)]), now.mode ?? "quick", (value) => write({ mode: value }), `mode-${battle}`);
  mode.disabled = draft.locked;
  return h("section", { class: "shop stack" }, h("h3", {}, t("table.battle_in", { hex: position.placeName(position.grid.find(battle)) })),
    h("p", { class: "small" }, h("a", { href: `/campaigns/${table.about.campaign}/battles` }, t("table.odds_there"))),
    field(t("table.how_to_fight"), mode, t("table.tabletop_hint")),
    ordered(names(option.casualties ?? []), now.casualties ?? [], (casualties) => write({ casualties }), t("table.casualties"), draft.locked),
    option.picks?.length ? ordered(names(option.picks), now.picks ?? [], (picks) => write({ picks }), t("table.picks"), draft.locked) : null);
}
