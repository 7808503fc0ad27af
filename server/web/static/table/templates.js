// Saved detachments: one's own, in all campaigns.

import { api, Problem } from "../api.js";
import { t } from "../texts.js";
import { toast } from "../toast.js";
import { ask, button, field, h, redraw, said } from "./dom.js";

const PATH = "/me/templates";

/** Let one of the saved detachments be chosen, renamed or thrown away; `chosen({name, units})`. */
export async function templateList(table, chosen) {
  const list = h("div", {});
  const refresh = async () => draw((await api("GET", PATH)).data.items);
  const draw = (items) => redraw(list, items.length ? h("ul", { class: "offers" }, items.map((each) => h("li", {},
    h("span", {}, said(each.name), h("small", { class: "muted" }, t("table.template.holds", { n: each.units.length, points: each.units.reduce((sum, one) => sum + one.points, 0) }))),
    button(t("table.template.take"), () => { chosen(each); list.closest("dialog").close(); }, { key: `take-${each.id}`, "aria-label": `${t("table.template.take")}: ${each.name}` }),
    button("✎", () => rename(each).then(refresh), { key: `name-${each.id}`, class: "quiet icon", title: t("table.template.rename"), "aria-label": `${t("table.template.rename")}: ${each.name}` }),
    button("×", () => drop(each).then(refresh), { key: `drop-${each.id}`, class: "quiet icon", title: t("table.template.drop"), "aria-label": t("table.remove_of", { what: each.name }) }))))
    : h("p", { class: "empty" }, t("table.template.none")));
  await refresh();
  await ask(t("table.template.title"), list, [["", t("table.close")]]);
}

/** Save units under a name. */
export async function saveTemplate(table, name, units, type = "") {
  const wanted = await nameFor(t("table.template.save"), name);
  if (wanted === null) return;
  await tried(async () => {
    await api("POST", PATH, { name: wanted, units, ruleset: table.position.rules.id, detachment_type: type });
    toast(t("table.template.saved"));
  });
}

/** The new name is written first: whatever happens between, nothing is lost. */
async function rename(each) {
  const name = await nameFor(t("table.template.rename"), each.name);
  if (name === null) return;
  await tried(async () => {
    const { data } = await api("POST", PATH, { name, units: each.units, ruleset: each.ruleset, detachment_type: each.detachment_type });
    if (data.id !== each.id) await api("DELETE", `${PATH}/${each.id}`);
  });
}

async function drop(each) {
  const sure = await ask(t("table.remove_of", { what: each.name }), h("p", {}, t("table.template.drop_why")), [["", t("table.cancel")], ["yes", t("table.template.drop"), "danger"]]);
  if (sure === "yes") await tried(() => api("DELETE", `${PATH}/${each.id}`));
}

/** Ask for a name; null where there is to be none. */
async function nameFor(title, name) {
  const input = h("input", { type: "text", maxlength: 60, value: name ?? "", required: true, dir: "auto" });
  const answer = await ask(title, field(t("table.editor.name"), input), [["", t("table.cancel")], ["yes", title, "primary"]]);
  return answer === "yes" ? input.value : null;
}

/** Do something; say what was refused. */
async function tried(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    toast(error.message, "bad");
  }
}
