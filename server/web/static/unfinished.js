// What was begun and not yet sent: kept in this browser, so that a reload or a slip of the finger does not lose it.

/** Something unfinished under a name. `begun` is what it was begun from: on another ground it is not taken up again. */
export class Unfinished {
  constructor(name, begun = "") {
    this.key = `unfinished ${name}`;
    this.begun = begun;
  }

  /** Return what was kept, null where there is nothing to go on with. */
  get() {
    try {
      const { begun, value } = JSON.parse(localStorage.getItem(this.key));
      return begun === this.begun ? value : null;
    } catch { return null; }
  }

  set(value) {
    try { localStorage.setItem(this.key, JSON.stringify({ begun: this.begun, value })); } catch { /* private windows may refuse */ }
  }

  drop() { localStorage.removeItem(this.key); }
}
