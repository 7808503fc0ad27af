// What the last change did to one's orders, in a sentence.

import { t } from "../texts.js";
import { sentence } from "./sentences.js";

/** Return it; null where nothing is to be told. */
export function changeOf({ draft, position }) {
  if (!draft.edited) return null;
  const { before, after } = draft.edited, was = new Map(before.map((each) => [each.uid, each.order])), is = new Map(after.map((each) => [each.uid, each.order]));
  const added = after.filter((each) => !was.has(each.uid)), gone = before.filter((each) => !is.has(each.uid));
  const replaced = after.filter((each) => was.has(each.uid) && was.get(each.uid) !== each.order);
  if (replaced.length) return t("table.change.replaced", { before: sentence(position, was.get(replaced[0].uid)), after: sentence(position, replaced[0].order) });
  if (added.length) return t("table.change.added", { order: sentence(position, added.at(-1).order) });
  if (gone.length) return t("table.change.removed", { order: sentence(position, gone[0].order) });
  return t("table.change.moved");
}
