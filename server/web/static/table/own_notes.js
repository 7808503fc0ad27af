// @ts-check
// One's notebook at the table: its pins on the map, its notes kept before one leaves the page.

import { Notebook } from "./notebook.js";
import { noteStands } from "./notebook_panel.js";
import { PinMarks } from "./pins.js";

/**
 * Open the notebook of the seat at the table; null for those who have none.
 * @param {any} table
 * @returns {Notebook | null}
 */
export function ownNotes(table) {
  const { about, seat } = table;
  if (!about.mine.length) return null;
  const marks = new PinMarks(), book = new Notebook(about.campaign, seat || about.mine[0], {
    kept: noteStands,
    changed: () => { show(table, book, marks); table.refresh(); },
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") for (const turn of [...book.waits.keys()]) book.keep(turn);
  });
  return book;
}

/** @param {any} table @param {Notebook} book @param {PinMarks} marks */
function show(table, book, marks) {
  const { map, position } = table;
  if (!position) return;
  position.pins = new Map(book.pinned().map((each) => [position.grid.find(each.hex), each.text]));
  marks.show(map, position, book.pinned());
}
