// What there is to do now, in a sentence or two, for somebody who sees this for the first time.

import { nameOf, t } from "../texts.js";
import { button, h, said } from "./dom.js";
import { fightForm } from "./fight_form.js";
import { setupList } from "./setup_list.js";
import { unordered } from "./things_panel.js";

const TURN = ["build", "movement", "battle_movement", "battles"];

/** Return the card that says where in the turn one is, and what to do. */
export function guide(table) {
  const { draft } = table;
  if (draft.state === "none") return watching(table);
  if (draft.state === "loading") return null;
  if (draft.paused) return card(draft.phase, [t("table.guide.paused"), t("table.guide.paused_why")], brief(table));
  const left = unordered(table), told = draft.final ? finished(table) : !draft.wanted && !draft.items.length ? [t("table.guide.nothing"), t("table.guide.goes_on")] : todo(table, left);
  const fights = draft.options.filter((each) => each.order.type === "fight");
  return card(draft.phase, told,
    draft.phase === "setup" && !draft.locked ? setupList(table) : null,
    draft.phase === "setup" ? h("p", { class: "small" }, table.about.win) : null,
    left.length && !draft.locked ? button(t("table.next_force"), () => table.next(), { key: "guide-next" }) : null,
    !draft.locked && (draft.phase === "setup" || draft.phase === "build") ? button(t("table.show_on_map"), () => table.map.home(), { key: "guide-home" }) : null,
    fights.map((each) => fightForm(table, each)), brief(table));
}

function card(phase, told, ...more) {
  return h("div", { class: "guide card" }, phase ? steps(phase) : null,
    told.filter(Boolean).map((each, at) => h("p", { class: at ? "muted small" : "lead" }, each)), ...more);
}

/** For a player with nothing to order: what they see here, and where to go on. */
function watching({ about, over, position }) {
  const page = `/campaigns/${about.campaign}`;
  const told = over ? ["over", about.sealed ? "over_sealed" : "over_why"] : about.gm ? ["gm", "gm_why"] : ["watch", "watch_why"];
  const link = (to, text, primary) => h("a", { class: primary ? "button primary" : "button", href: page + to }, text);
  return card(over ? null : position.phase, told.map((each) => t(`table.guide.${each}`)),
    h("p", { class: "row" }, over ? [link("/outcome", t("table.guide.outcome"), true), link("/reports/history", t("table.guide.again"))] : about.gm ? link("/gm", t("frame.tab.gm"), true) : null,
      link("/reports", t("table.guide.happened"))));
}

/** The phases of a turn, and which one it is. */
function steps(phase) {
  const now = phase === "reports" ? "battles" : phase, all = phase === "setup" ? ["setup", ...TURN] : TURN;
  return h("ol", { class: "steps small", "aria-label": t("table.guide.steps") }, all.map((each) =>
    h("li", { "aria-current": each === now ? "step" : null }, nameOf("phase", each))));
}

function todo(table, left) {
  const { draft } = table, done = draft.items.length > 0;
  switch (draft.phase) {
    case "setup": {
      const next = draft.options.find((each) => each.order.type === "place");
      if (next) return [t("table.setup.title"), t("table.setup.how")];
      const muster = draft.options.some((each) => each.order.type === "build_detachment");
      const raised = draft.items.some((each) => each.order.type === "build_detachment");
      return muster && !raised ? [t("table.guide.muster"), t("table.guide.then_final")] : [t("table.guide.setup_done")];
    }
    case "build": {
      const bp = Object.values(draft.stores).reduce((sum, each) => sum + each, 0);
      return [t("table.guide.build", { bp }), t("table.guide.build_more"), t("table.guide.then_final")];
    }
    case "movement": return [t("table.guide.movement"), left.length ? null : t("table.guide.then_final")];
    case "battle_movement": return [t("table.guide.battle_movement"), left.length ? t("table.guide.left_default", { n: left.length }) : t("table.guide.then_final")];
    case "battles": return [t("table.guide.battles"), done ? t("table.guide.then_final") : t("table.guide.battles_default")];
    default: return [t("table.guide.reports")];
  }
}

/** What comes once one is final. */
function finished(table) {
  const others = table.waiting.others;
  return [t("table.guide.final"), t("table.guide.goes_on"), others.length ? [t("table.guide.waits_for"), " ", others.map((each, at) => [at ? ", " : "", said(each)])] : null];
}

/** The turn in a few sentences; and what has happened so far. */
function brief(table) {
  const { about } = table;
  return [
    h("details", { class: "brief small", open: table.briefly, ontoggle: (event) => { table.briefly = event.currentTarget.open; } }, h("summary", {}, t("table.brief.title")),
      h("p", {}, t("table.brief.secret")),
      h("dl", {}, TURN.map((each) => [h("dt", {}, nameOf("phase", each)), h("dd", {}, t(`table.brief.${each}`))])),
      h("p", {}, t("table.brief.words")),
      table.about.first ? h("p", {}, button(t("table.lesson.again"), () => table.lessons.again(), { key: "first-again" })) : null),
    table.draft.phase === "setup" ? null : h("p", { class: "small" }, h("a", { href: `/campaigns/${about.campaign}/reports` }, t("table.guide.happened"))),
  ];
}
