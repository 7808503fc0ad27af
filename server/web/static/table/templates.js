// Saved detachments: one's own, in all campaigns.

import { api, Problem } from "../api.js";
import { t } from "../texts.js";
import { toast } from "../toast.js";
import { ask, button, field, h, redraw, said } from "./dom.js";

const PATH = "/me/templates";

/** Let one of the saved detachments be chosen; `chosen({name, units})`. */
export async function templateList(table, chosen) {
  const { data } = await api("GET", PATH);
  const list = h("div", {});
  const draw = (items) => redraw(list, items.length ? h("ul", { class: "offers" }, items.map((each) => h("li", {},
    h("span", {}, said(each.name), h("small", { class: "muted" }, t("table.template.holds", { n: each.units.length, points: each.units.reduce((sum, one) => sum + one.points, 0) }))),
    button(t("table.template.take"), () => { chosen(each); list.closest("dialog").close(); }, { key: `take-${each.id}`, "aria-label": `${t("table.template.take")}: ${each.name}` }),
    button("×", async () => { await api("DELETE", `${PATH}/${each.id}`); draw(items.filter((one) => one !== each)); }, { key: `drop-${each.id}`, class: "quiet icon", "aria-label": t("table.remove_of", { what: each.name }) }))))
    : h("p", { class: "empty" }, t("table.template.none")));
  draw(data.items);
  await ask(t("table.template.title"), list, [["", t("table.close")]]);
}

/** Save units under a name. */
export async function saveTemplate(table, name, units, type = "") {
  const input = h("input", { type: "text", maxlength: 60, value: name ?? "", required: true, dir: "auto" });
  if (await ask(t("table.template.save"), field(t("table.editor.name"), input), [["", t("table.cancel")], ["yes", t("table.template.save"), "primary"]]) !== "yes") return;
  try {
    await api("POST", PATH, { name: input.value, units, ruleset: table.position.rules.id, detachment_type: type });
    toast(t("table.template.saved"));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    toast(error.message, "bad");
  }
}
