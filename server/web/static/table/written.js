// The orders one writes, and the way back: every change is a step that can be undone.
// Events: "change" (the orders), "edited" (on this page).

const MAX_STEPS = 200;

/**
 * An order in the list; `uid` is this page's, and stays with the place of the order.
 * @typedef {{uid: number, order: Record<string, any>}} Item
 */

export class Written extends EventTarget {
  /** @type {Item[]} */ items = [];
  /** @type {Item[][]} */ past = [];
  /** @type {Item[][]} */ future = [];
  /** What the last change changed. @type {?{before: Item[], after: Item[]}} */ edited = null;
  /** @type {?{begun: boolean, from: ?Item[]}} */ stroke = null;
  /** How many changes there were. */
  changed = 0;
  serial = 0;

  get orders() { return this.items.map((each) => each.order); }

  /** True where nothing may be changed. */
  get locked() { return false; }

  /** Take a list of orders as it is; no step to undo. */
  load(orders) {
    this.items = orders.map((order) => ({ uid: (this.serial += 1), order }));
    this.changed += 1;
  }

  add(order) { this.#change([...this.items, { uid: (this.serial += 1), order }]); return this.serial; }
  /** Add several orders; one step to undo. */
  addAll(orders) { this.#change([...this.items, ...orders.map((order) => ({ uid: (this.serial += 1), order }))]); }
  replace(uid, order) { this.#change(this.items.map((each) => (each.uid === uid ? { uid, order } : each))); }
  remove(uid) { this.#change(this.items.filter((each) => each.uid !== uid)); }

  /** Put an order in the place of the first for which `same` holds; at the end where there is none. */
  put(order, same) {
    const there = this.items.find((each) => same(each.order));
    if (there && JSON.stringify(there.order) === JSON.stringify(order)) return;
    if (there) this.replace(there.uid, order);
    else this.add(order);
  }

  move(uid, by) {
    const from = this.items.findIndex((each) => each.uid === uid), to = from + by;
    if (from < 0 || to < 0 || to >= this.items.length) return;
    const items = [...this.items];
    items.splice(to, 0, ...items.splice(from, 1));
    this.#change(items);
  }

  /** What changes until the stroke ends is one step to undo. */
  beginStroke() { this.stroke = { begun: false, from: null }; }
  endStroke() { this.stroke = null; }

  undo() { this.#back(this.past, this.future); }
  redo() { this.#back(this.future, this.past); }

  #back(from, to) {
    const items = this.locked ? undefined : from.pop();
    if (!items) return;
    to.push(this.items);
    this.items = items;
    this.edited = null;
    this.touch();
    this.tell("edited");
  }

  #change(items) {
    if (this.locked) return;
    if (!this.stroke?.begun) this.past = [...this.past.slice(-MAX_STEPS), this.items];
    this.future = [];
    this.edited = { before: this.stroke?.from ?? this.items, after: items };
    if (this.stroke) {
      this.stroke.begun = true;
      this.stroke.from ??= this.items;
    }
    this.items = items;
    this.touch();
    this.tell("edited");
  }

  /** Something has changed that is to be kept. */
  touch() {
    this.changed += 1;
    this.tell("change");
  }

  tell(what) { this.dispatchEvent(new Event(what)); }
}
