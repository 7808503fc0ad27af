// The form of one force: what it may be ordered, and the fields of the chosen order.

import { t } from "../texts.js";
import { announce, button, h, newId } from "./dom.js";
import { assaultForm, helpless, targetField } from "./battle_form.js";
import { ForceOrder } from "./force_order.js";
import { impossible } from "./impossible.js";
import { ASSAULTS, MARCHES } from "./kinds.js";
import { marchForm } from "./march_form.js";
import { orderedHexes } from "./ordered.js";
import { refusal } from "./sentences.js";

export class ForceForm extends ForceOrder {
  /** Draw the form anew. */
  draw() {
    const { types, thing } = this;
    if (!types.length) return [h("p", { class: "muted" }, thing.ready_in ? t("table.builds_on", { n: thing.ready_in }) : t("table.no_orders_now"))];
    const name = newId(), refused = this.draft.locked ? [] : this.table.reasons.ofForce(this) ?? [];
    const chips = h("fieldset", { class: "chips", disabled: this.draft.locked }, h("legend", {}, t("table.order_for", { who: thing.name })),
      types.map((type) => h("label", { class: "chip", title: t(`table.type_why.${type}`) },
        h("input", { type: "radio", name, value: type, checked: type === this.type, "data-key": `type-${type}`, onchange: () => this.choose(type) }),
        h("span", {}, t(`table.type.${type}`)))),
      refused.map(([type]) => h("span", { class: "chip impossible", "aria-hidden": "true" }, h("span", {}, t(`table.type.${type}`)))));
    const detail = this.type ? [h("p", { class: "muted small" }, t(`table.type_why.${this.type}`)), this.#detail()] : [h("p", { class: "muted small" }, t(this.position.grid.neighbours(thing.hex).some((hex) => this.strikes(hex)) ? "table.choose_or_strike" : "table.choose_type"))];
    const clear = this.order && !this.draft.locked ? button(t("table.remove_order"), () => { this.chosen = ""; this.draft.remove(this.item.uid); announce(t("table.removed")); }, { key: "clear", class: "quiet" }) : null;
    const again = this.item ? this.table.repeats.tick(this.item) : null;
    return [chips, impossible(refused.map(([type, why]) => [t(`table.type.${type}`), why])), detail, this.#told(), again, clear];
  }

  #detail() {
    if (MARCHES.includes(this.type)) return marchForm(this);
    if (ASSAULTS.includes(this.type)) return assaultForm(this);
    if (this.type === "follow") return targetField(this);
    if (this.type === "support") return [targetField(this), helpless(this)];
    if (this.type === "withdraw") return orderedHexes(this.position, (this.options("withdraw")?.choices.to ?? []).flat(), this.order?.to ?? [], (to) => this.write({ type: "withdraw", to: to.length ? to : undefined }), t("table.withdraw_to"), this.draft.locked);
    return null;
  }

  #told() {
    const problems = (this.item && this.draft.problems.get(this.item.uid)) ?? [];
    return problems.map((each) => h("p", { class: "problem small" }, refusal(each, this.position).said, refusal(each, this.position).exact ? h("span", { class: "exact" }, ` ${refusal(each, this.position).exact}`) : null));
  }
}
