// What one could do now, and what acts and players are called.

import { t, word } from "./dom.js";
import { mine, state } from "./store.js";

/** The name of the player of a side. */
export function player(side) {
  return state.info.seats.find((seat) => seat.side === side)?.name || word("table", side);
}

/** Say whether the player of a side is not at the table: nobody has heard of them for a while. */
export function isOffline(side) {
  return !mine().includes(side) && state.info.seats.some((seat) => seat.side === side && seat.online === false);
}

/** The side against this one. */
export function against(side) { return side === "red" ? "blue" : "red"; }

/** True where one device plays both sides: everything then begins with a name. */
export function isShared() { return mine().length === 2; }

/** What one could do now, each act once, in the order in which it is offered. */
export function offers() {
  const own = state.position.open.filter((option) => mine().includes(option.by) || state.info.gm);
  const kinds = new Map();
  for (const option of own) {
    const key = `${option.do}/${option.by}`;
    if (!kinds.has(key)) kinds.set(key, []);
    kinds.get(key).push(option);
  }
  return [...kinds.values()];
}

/** The ways in which a side may do an act now; null where it may not. */
export function offered(what, side) {
  return offers().find(([option]) => option.do === what && option.by === side) ?? null;
}

/** The words of an act on a button. */
export function label(option) {
  const { stage } = state.position.view;
  const text = option.do === "end_phase" && stage !== "battle" ? t("tt.done_stage", { stage: word("stage", stage) }) : word("act", option.do);
  return isShared() ? `${player(option.by)}: ${text}` : text;
}
