// What an attack would come to before it is ordered: alone, and with one more force that could still help.

import { api, Offline, Problem } from "../api.js";
import { t } from "../texts.js";
import { decide, factsOf } from "./clicks.js";
import { ASSAULTS, subjectOf } from "./kinds.js";
import { percent } from "./prospects.js";

export class Attempts {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.known = new Map();
    this.over = -1; // the hex under the pointer
  }

  /** Ask the server, once for the same orders; null where no battle comes of it or the server is not there. */
  ask(force, target) {
    const { draft } = this.table, key = `${draft.number} ${force} ${target} ${JSON.stringify(draft.orders)}`;
    if (!this.known.has(key)) {
      if (this.known.size > 200) this.known.clear();
      this.known.set(key, this.#fetch(draft, { detachment: force, target }).catch((error) => {
        if (!(error instanceof Offline || error instanceof Problem)) throw error;
        this.known.delete(key);
        return null;
      }));
    }
    return this.known.get(key);
  }

  async #fetch(draft, attempt) {
    const { data } = await api("POST", `${draft.path}/odds${draft.query}`, { orders: draft.orders, attempt });
    return data.attempt;
  }

  /** Say it in one line: "48 % alone, 71 % if Column 5 helps". */
  sentence(found) {
    if (!found) return "";
    const name = (id) => this.table.position.things.get(id)?.name ?? t("table.force");
    const with_ = Object.keys(found.alone.supporters).map(name), [best] = Object.entries(found.helped);
    const chance = percent(found.alone.odds.attacker.wins);
    const first = with_.length ? t("table.attempt.with", { chance, who: with_.join(", ") }) : t("table.attempt.alone", { chance });
    return best ? `${first}, ${t("table.attempt.if", { chance: percent(best[1].odds.attacker.wins), who: name(best[0]) })}` : first;
  }

  /** The force that would help best, and its chance; null for none. */
  best(found) {
    const [best] = Object.entries(found?.helped ?? {});
    return best ? { id: best[0], chance: percent(best[1].odds.attacker.wins) } : null;
  }

  /** Say under the pointer what an attack of the chosen force there would come to. */
  async hover(hex, say) {
    const { form, position } = this.table, target = form?.strikes(hex);
    if (!target || !this.#attacks(hex)) return;
    const found = await this.ask(form.thing.id, target);
    if (found && this.table.form === form && this.over === hex) say(t("table.attempt.hover", { who: form.thing.name, hex: position.label(hex), odds: this.sentence(found) }));
  }

  /** True where a click on the hex would attack it. */
  #attacks(hex) {
    const { does } = decide(factsOf(this.table, hex));
    return does === "attack" || (does === "aim" && ASSAULTS.includes(this.table.form.type));
  }

  /** Have a force help an attack. */
  help(id, attacker) {
    const { draft } = this.table;
    draft.put({ type: "support", detachment: id, target: attacker }, (order) => subjectOf(order) === id);
  }
}
