// What the server says of a list of orders, put to the orders it is about; and what this browser keeps of them.

/**
 * @typedef {import("./written.js").Item} Item
 * @typedef {object} Looked
 * @property {Map<number, Record<string, any>>} says of each order, by its uid
 * @property {Map<number, any[]>} problems of each order that has any
 * @property {any[]} general problems that belong to no order
 * @property {any[]} options what may be ordered besides
 * @property {Record<string, any>} stores
 * @property {Record<string, any>} left
 */

/**
 * Put an answer to the orders that were asked about.
 * @param {Item[]} items @param {any} data what `POST .../orders/draft` answered @returns {Looked}
 */
export function answered(items, data) {
  const problems = new Map();
  for (const each of data.problems) {
    const uid = items[each.order]?.uid;
    if (uid) problems.set(uid, [...(problems.get(uid) ?? []), each]);
  }
  return {
    says: new Map(items.map((each, place) => [each.uid, data.says[place] ?? {}])), problems,
    general: data.problems.filter((each) => !items[each.order]), options: data.options, stores: data.stores, left: data.left,
  };
}

/** Keep something in this browser. Private windows may refuse: the server has it soon. */
export function keep(key, what) {
  try { localStorage.setItem(key, JSON.stringify(what)); } catch { /* refused */ }
}

/** Return what this browser keeps; null for nothing. */
export function kept(key) {
  try { return JSON.parse(localStorage.getItem(key) ?? "null"); } catch { return null; }
}
