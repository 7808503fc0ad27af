// The panel of a town: how it stands, and what it can order, by tabs.

import { t } from "../texts.js";
import { button, h, newId } from "./dom.js";

/** The tabs, in order. */
export const TABS = ["forces", "town", "stronghold", "roads", "convoys"];

/** Return what stands in a town and what it earns, as one line each. */
export function townHead(table, hex) {
  const { position, draft } = table, urban = position.urban(hex), stronghold = position.stronghold(hex), label = position.label(hex);
  if (!urban) return null;
  const size = position.data("urban", urban.size), store = draft.stores[label] ?? position.store(hex);
  const kept = urban.buildings.map((each) => position.data("buildings", each)?.maintenance ?? 0).reduce((sum, each) => sum + each, 0);
  const built = position.own.filter((each) => each.ready_in && each.hex === hex).map((each) => t("table.town.until", { what: each.name, turn: position.turn + each.ready_in }));
  const fact = (name, value) => (value ? h("div", {}, h("dt", {}, name), h("dd", {}, value)) : null);
  return h("dl", { class: "town-head" },
    fact(t("table.store"), `${store} BP`),
    fact(t("table.town.income"), t("table.town.income_less", { bp: size?.income ?? 0, kept })),
    fact(t("table.buildings"), urban.buildings.map((each) => position.word("buildings", each)).join(", ")),
    fact(t("table.stronghold"), stronghold ? [position.word("strongholds", stronghold.type), ...Object.entries(stronghold.defences).map(([id, n]) => `${n} × ${position.word("defences", id)}`)].join(", ") : ""),
    fact(t("table.town.building"), built.join(", ")));
}

/**
 * Return the sections of a town behind tabs; a section without anything to order says so.
 * `sections` are `[name, title, element or null]`.
 */
export function townTabs(table, hex, sections) {
  const shown = TABS.map((name) => sections.find(([each]) => each === name) ?? [name, t(`table.town.${name}`), null]);
  const open = shown.find(([name]) => name === table.townTab && table.townHex === hex)?.[0] ?? shown.find(([, , part]) => part)?.[0] ?? TABS[0];
  const ids = new Map(shown.map(([name]) => [name, { tab: newId(), panel: newId() }]));
  const go = (name) => { Object.assign(table, { townTab: name, townHex: hex }); table.dock.draw(); };
  const list = h("div", { class: "town-tabs", role: "tablist", "aria-label": t("table.town.tabs") }, shown.map(([name, , part]) => {
    const n = part?.querySelectorAll(".offers > li").length ?? 0;
    return button([t(`table.town.${name}`), n ? h("span", { class: "count" }, ` ${n}`) : null].filter(Boolean).map((each) => each), () => go(name), {
      key: `town-${name}`, role: "tab", id: ids.get(name).tab, "aria-controls": ids.get(name).panel, "aria-selected": String(name === open), tabindex: name === open ? null : "-1" });
  }));
  list.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    go(TABS[(TABS.indexOf(open) + by + TABS.length) % TABS.length]);
    document.querySelector(".town-tabs [aria-selected=true]")?.focus();
  });
  return [list, ...shown.map(([name, , part]) => h("div", { role: "tabpanel", id: ids.get(name).panel, "aria-labelledby": ids.get(name).tab, hidden: name !== open },
    part ?? h("p", { class: "muted small" }, t("table.town.nothing"))))];
}
