// What cannot be done now, in grey: each with its reason and what would make it possible.

import { t } from "../texts.js";
import { h, said } from "./dom.js";

/** A list of `[name, {said, exact, hint}]`; null where there is nothing to say. */
export function impossible(refused) {
  if (!refused.length) return null;
  return h("ul", { class: "impossible-list small", "aria-label": t("table.not_possible") }, refused.map(([name, why]) =>
    h("li", {}, h("strong", {}, said(name)), ": ", why.exact || why.said, why.hint ? h("span", { class: "hint" }, ` ${why.hint}`) : null)));
}
