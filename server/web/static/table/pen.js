// A march that is drawn: the pointer goes down on one's force and over the hexes it is to pass.

export class Pen {
  /** For which force, and whether the pointer has left its hex. @type {?{thing: any, started: boolean}} */
  stroke = null;

  /** @param {import("./table.js").Table} table */
  constructor(table) { this.table = table; }

  /** The pointer draws on the map: "begin", "over" a hex, "end" or "stop". Returns whether it draws at all. */
  draw(what, hex, event) {
    if (what === "begin") return this.#begin(hex, event);
    if (!this.stroke) return false;
    if (what === "over" && hex >= 0) return this.#over(hex);
    this.table.draft.endStroke();
    this.stroke = null;
    return true;
  }

  #begin(hex, event) {
    const { draft, form, position, selected } = this.table;
    if (draft?.phase !== "movement" || draft.locked || event.shiftKey) return false;
    const able = (each) => each?.owner === position.me && each.kind !== "garrison" && !each.ready_in;
    const pressed = position.things.get(event.target?.closest?.("[data-thing]")?.dataset.thing), mine = able(pressed) ? pressed : position.at(hex).find(able);
    const chosen = form && selected.hex === hex && (!able(pressed) || pressed === selected.thing);
    if (!mine || (event.pointerType === "touch" && !chosen)) return false;
    this.stroke = { thing: chosen ? selected.thing : mine, started: false };
    return true;
  }

  #over(hex) {
    const { table } = this, { grid } = table.position, { thing, started } = this.stroke;
    if (!started) {
      if (hex === thing.hex) return true;
      if (table.selected.thing !== thing) table.select(thing.hex, thing);
      if (!table.form?.reach.length) table.form?.choose("path");
      if (!table.form?.reach.length) { this.stroke = null; return false; }
      this.stroke.started = true;
      table.draft.beginStroke();
      table.form.setPath(grid.distance(thing.hex, hex) === 1 ? [grid.label(hex)] : []);
    }
    table.form.trace(hex);
    return true;
  }
}
