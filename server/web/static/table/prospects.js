// What one's attacks would come to: the battles they would open, as far as one knows, and the odds of these.

import { api, Offline, Problem } from "../api.js";
import { t } from "../texts.js";
import { h } from "./dom.js";
import { ASSAULTS } from "./kinds.js";

export class Prospects {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.asked = "";
    this.found = new Map();
  }

  /** Ask the server where attacks are ordered and anything has changed since it was asked. */
  async look() {
    const { draft } = this.table, { orders } = draft;
    const war = draft.phase === "battle_movement" && orders.some((each) => ASSAULTS.includes(each.type));
    const now = war ? `${draft.branch}.${draft.number} ${JSON.stringify(orders)}` : "";
    if (now === this.asked) return;
    this.asked = now;
    if (!war) { this.found = new Map(); return; }
    try {
      const { data } = await api("POST", `${draft.path}/odds${draft.query}`, { orders });
      if (this.asked !== now) return;
      this.found = new Map(data.items.map((each) => [each.odds.hex, each]));
      this.table.refresh();
    } catch (error) {
      if (!(error instanceof Offline || error instanceof Problem)) throw error;
      if (this.asked === now) this.asked = ""; // asked again with the next change
    }
  }

  /** Return the battle that a force would have a part in; undefined where none is foreseen. */
  of(force, hex) {
    const there = this.found.get(hex);
    return there && (there.attacker === force || force in there.supporters) ? there : undefined;
  }

  /** Return the chance to win the battle a force attacks in, in a word; "" where none is foreseen. */
  word(force, hex) {
    const found = this.of(force, hex);
    return found ? percent(found.odds.attacker.wins) : "";
  }

  /** Return the odds of an attack in sentences; null where no battle is foreseen. */
  panel(force, hex) {
    const found = this.of(force, hex), { position } = this.table;
    if (!found) return null;
    const { attacker, defender, underdog } = found.odds, leads = found.attacker === force;
    const side = leads ? null : t("table.odds.joins", { who: position.things.get(found.attacker)?.name ?? t("table.force"), side: t(`table.side.${found.supporters[force]}`) });
    const whole = (n) => Math.round(n);
    return h("div", { class: "odds" },
      side ? h("p", {}, side) : null,
      h("p", { class: "chance" }, h("strong", {}, percent(attacker.wins)), ` ${t("table.odds.wins")}`),
      attacker.falls === null || defender.falls === null ? null
        : h("p", {}, t("table.odds.falls", { mine: whole(attacker.falls), of_mine: attacker.ready_points, theirs: whole(defender.falls), of_theirs: defender.ready_points })),
      underdog ? h("p", {}, t(underdog === attacker.player ? "table.odds.underdog_you" : "table.odds.underdog_enemy", { chance: percent(found.odds.underdog_chance) })) : null,
      h("p", { class: "muted" }, t("table.odds.why")));
  }
}

/** A chance in percent; what may still happen is not called certain. */
export function percent(chance) {
  const shown = Math.round(chance * 100);
  return t("table.odds.percent", { n: chance > 0 && chance < 1 ? Math.min(99, Math.max(1, shown)) : shown });
}
