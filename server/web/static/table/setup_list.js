// Setup as a list: what is placed, what is left, a good place for each, and all of it at once.

import { t } from "../texts.js";
import { ask, button, h, said } from "./dom.js";
import { sentence } from "./sentences.js";

/** What is placed, and what the rules still have for one to place, also while the server has not answered yet. */
export function placements({ draft, suggestions }) {
  const placed = draft.items.filter((each) => each.order.type === "place" && !draft.problems.has(each.uid));
  const offered = draft.options.some((each) => each.order.type === "place" && each.order.what === "capital");
  const capital = offered && !placed.some(({ order }) => order.what === "capital") ? 1 : 0;
  const unanswered = placed.filter(({ order }) => order.what !== "capital" && suggestions.orders.some((each) => isSame(each, order))).length;
  const left = capital + Math.max((draft.left.urban ?? []).length + (draft.left.resource ?? []).length - unanswered, 0);
  return { placed, left, all: placed.length + left };
}

/** Whether two placements are of the same thing: there is one capital, and one thing in a hex. */
const isSame = (one, other) => one.type === "place" && one.what === other.what && (one.what === "capital" || one.at === other.at);

/** What a placement is: the capital, or a settlement or resource of a size. */
function named(position, order, sizes) {
  const what = t(`table.what.${order.what}`), size = order.size ?? sizes;
  return size && size !== "any" ? `${what}: ${position.word(order.what === "resource" ? "resources" : "urban", size)}` : what;
}

/** Why a thing matters, in a line. */
const why = (what) => t(`table.setup.why_${what}`);

/** The list, with a bar that says how far one is. */
export function setupList(table) {
  const { draft, position, suggestions } = table, { placed, all } = placements(table);
  const open = suggestions.orders.filter((each) => each.type === "place" && !placed.some(({ order }) => isSame(each, order))), more = suggestions.orders.filter((each) => each.type !== "place");
  const sizes = { urban: [...(draft.left.urban ?? [])], resource: [...(draft.left.resource ?? [])] };
  const rows = [
    ...placed.map(({ uid, order }) => h("li", { class: "is-done" },
      h("span", {}, h("strong", {}, named(position, order)), h("span", { class: "muted small block" }, said(position.placeName(position.grid.find(order.at))))),
      h("span", { class: "done" }, `✓ ${t("table.setup.placed")}`),
      button(t("table.setup.change"), () => draft.remove(uid), { key: `unplace-${uid}`, class: "quiet", "aria-label": t("table.setup.change_of", { what: named(position, order) }) }))),
    ...open.map((order) => {
      const name = named(position, order, sizes[order.what]?.shift());
      return h("li", {}, h("span", {}, h("strong", {}, name), h("span", { class: "muted small block" }, why(order.what))),
        button(t("table.place_it"), () => suggestions.give([order]), { key: `suggest-${order.what}-${order.at}`, "aria-label": t("table.setup.place_at", { what: name, hex: order.at }) }));
    }),
    ...more.map((order) => h("li", {}, h("span", {}, h("strong", {}, said(sentence(position, order)))),
      button(t("table.setup.add"), () => suggestions.give([order]), { key: `suggest-${order.type}-${order.at}` }))),
  ];
  return h("section", { class: "setup-list" },
    h("progress", { max: all, value: placed.length, "aria-label": t("table.setup.so_far", { n: placed.length, all }) }),
    h("p", { class: "muted small" }, t("table.setup.so_far", { n: placed.length, all })),
    h("ul", { class: "plain checks" }, rows),
    open.length ? h("label", { class: "check small" }, h("input", { type: "checkbox", checked: !suggestions.hidden, "data-key": "ghosts", onchange: (event) => { suggestions.hidden = !event.currentTarget.checked; table.refresh(); } }), t("table.setup.on_map")) : null,
    restIsOpen(table) ? h("p", {}, restButton(table)) : null);
}

/** True where there is something to be placed for one: what the rules ask for, or first forces where there are none. */
export function restIsOpen(table) {
  const { draft, suggestions } = table;
  if (draft.phase !== "setup" || draft.locked) return false;
  return placements(table).left > 0 || (suggestions.orders.length > 0 && !draft.items.some((each) => each.order.type === "build_detachment"));
}

/** The button that places all that is left. */
export function restButton(table, primary = true) {
  const { suggestions } = table;
  return button(t(placements(table).left ? "table.setup.rest" : "table.setup.forces"), () => suggestions.give(suggestions.orders), { key: "place-rest", class: primary ? "primary" : null, disabled: !suggestions.orders.length });
}

/** Ask before finalising with things unplaced: how many, and what the dice do. Returns true to go on. */
export async function confirmUnplaced(table) {
  const { left } = placements(table), { suggestions } = table;
  if (!left) return true;
  const content = h("div", { class: "stack" }, h("p", {}, t("table.setup.dice", { n: left })), h("p", { class: "muted small" }, t("table.setup.dice_how")));
  const rest = /** @type {[string, string, string?][]} */ (suggestions.orders.length ? [["rest", t("table.setup.rest"), "primary"]] : []);
  const choice = await ask(t("table.setup.unplaced", { n: left }), content, [["", t("table.final.not_yet")], ["yes", t("table.setup.anyway")], ...rest]);
  if (choice === "rest") suggestions.give(suggestions.orders);
  return choice === "yes";
}
