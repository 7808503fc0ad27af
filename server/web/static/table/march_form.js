// The fields of a march: where to, step by step, and where it ends.

import { t } from "../texts.js";
import { button, field, h, select, tick } from "./dom.js";
import { stopReason } from "./sentences.js";

const DIRECTIONS = ["e", "se", "sw", "w", "nw", "ne"];

/** The fields of a march. */
export function marchForm(form) {
  const { path, position } = form, { grid } = position, locked = form.draft.locked;
  const goals = form.reach.map((each) => [each.hex, t("table.goal", { hex: position.describe(grid.find(each.hex)), cost: each.cost })]);
  const goal = select([["", t("table.choose_goal")], ...goals, ...(path.length && !goals.some(([hex]) => hex === path.at(-1)) ? [[path.at(-1), position.describe(form.end)]] : [])],
    path.at(-1) ?? "", (value) => form.setPath(form.reach.find((each) => each.hex === value)?.path ?? []), "goal");
  goal.disabled = locked;
  const steps = h("div", { class: "compass", role: "group", "aria-label": t("table.step") }, DIRECTIONS.map((each, direction) => {
    const next = grid.next(form.end, direction);
    return button(t(`table.direction.${each}`), () => form.setPath([...path, grid.label(next)]), { key: `step-${each}`, disabled: locked || next < 0, "aria-label": next < 0 ? t(`table.direction_long.${each}`) : `${t(`table.direction_long.${each}`)}: ${position.describe(next)}` });
  }));
  return [
    h("div", { class: "walk small" }, path.length ? arrival(form) : h("p", {}, t("table.draw_hint"))),
    field(t("table.goal_label"), goal),
    h("div", { class: "row" }, steps,
      button(t("table.step_back"), () => form.setPath(path.slice(0, -1)), { key: "back", disabled: locked || !path.length })),
    way(form),
    form.field === "convoy" ? tick(t("table.unload"), Boolean(form.order?.unload), (unload) => form.write({ type: "path", path, unload }), "unload") : null,
  ];
}

/** What the server says of the way, where there is one. */
function walked(form) {
  const says = form.item && form.draft.says.get(form.item.uid);
  return form.path.length && says?.steps ? says : null;
}

/** Where the way ends, and why: above the fields, so that it is in sight while they are used. */
function arrival(form) {
  const says = walked(form), { position } = form;
  if (!says) return h("p", { class: "path-line" }, form.path.join(" → "));
  return [
    h("p", { class: says.stop ? "warned" : "" }, t("table.ends_at", { hex: position.placeName(position.grid.find(says.ends_at)) }), says.stop ? ` ${stopReason(says.stop)}` : ""),
    says.inactive ? h("p", { class: "warned" }, t("table.will_be_inactive")) : null,
    says.unloads ? h("p", {}, t("table.will_unload")) : null,
  ];
}

/** The way, hex by hex, with what each costs. */
function way(form) {
  const says = walked(form), { position } = form;
  return says && h("table", { class: "small way" }, h("caption", { class: "visually-hidden" }, t("table.the_way")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("table.hex")), h("th", { scope: "col", class: "number" }, t("table.cost")), h("th", { scope: "col", class: "number" }, t("table.mv_left", { mv: says.mv })))),
    h("tbody", {}, says.steps.map((each) => h("tr", {}, h("th", { scope: "row" }, position.placeName(position.grid.find(each.hex)), each.enemy_zoc ? h("span", { class: "badge warn" }, t("table.zoc")) : null),
      h("td", { class: "number" }, each.cost), h("td", { class: "number" }, each.left)))));
}
