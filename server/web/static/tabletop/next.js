// One button for the next step, and everything else that is open behind it.

import { data, fill, make, sayProblem, t, word } from "./dom.js";
import { openSheet } from "./sheet.js";
import { act, change, mine, state } from "./store.js";
import { player } from "./bar.js";

const LATER = new Set(["take_back", "object", "settle", "end_now", "spend", "gain"]);
const LAST = ["end_phase", "end_turn"];
/** What may be reported at any time; nobody waits for it while the other player's turn goes on. */
const ASIDE = new Set(["pass", "use", "strength", "destroyed", "lost", "moved", "within"]);
/** Acts that answer somebody come before everything else. */
const FIRST = ["confirm", "roll", "take_damage"];

/** What one could do now, each act once, in the order in which it is offered. */
export function offers() {
  const own = state.position.open.filter((option) => mine().includes(option.by) || state.info.gm);
  const kinds = new Map();
  for (const option of own) {
    const key = mine().length === 2 ? `${option.do}/${option.by}` : option.do;
    if (!kinds.has(key)) kinds.set(key, []);
    kinds.get(key).push(option);
  }
  return [...kinds.values()];
}

/** What was answered already and is offered again just so: it may be changed, but is not asked for. */
const answered = new Set();
function question(option) { return JSON.stringify([state.position.view.stage, state.position.view.round, option]); }

/** The act that the big button does: an answer, else what the stage asks for, else the end of the phase. */
function nextStep(found) {
  const named = (names) => found.find(([option]) => names.includes(option.do));
  const asks = found.filter(([option]) => !LATER.has(option.do) && !LAST.includes(option.do));
  const asked = asks.find(([option]) => !answered.has(question(option))) ?? named(LAST) ?? asks[0];
  const { stage, turn } = state.position.view;
  if (stage === "battle") return named(FIRST) ?? named(LAST) ?? (mine().includes(turn) || !ASIDE.has(asked?.[0].do) ? asked : undefined);
  return named(FIRST) ?? asked ?? named(LAST);
}

export function showNext(place) {
  const focused = place.contains(document.activeElement);
  fillNext(place);
  if (focused) (place.querySelector("button, a") ?? document.getElementById("tt-panel")).focus(); // what had it is gone
}

function fillNext(place) {
  if (state.at !== null) { fill(place); place.hidden = true; return; }
  const { info } = state;
  if (info.status !== "playing") { fill(place, ...[closing(info)].flat()); return; }
  const found = offers();
  const step = nextStep(found);
  fill(place, step
    ? make("button", { class: "primary", id: "next-step", onclick: () => start(step) }, label(step[0]))
    : make("p", { class: "muted" }, mine().length ? t("tt.wait", { who: other() }) : ""));
}

function other() {
  return player(mine()[0] === "red" ? "blue" : "red");
}

function closing(info) {
  const mineToConfirm = info.seats.some((seat) => seat.yours && !seat.confirmed);
  if (info.status === "over" && mineToConfirm) {
    const confirm = make("button", { class: "primary", id: "confirm-result", onclick: () => change("POST", "/confirm", {}).catch(problem) }, t("tt.confirm_result"));
    return state.report?.reason ? [make("p", { class: "said", id: "verdict" }, verdict(info)), confirm] : confirm;
  }
  const watch = data.watch ? `?watch=${encodeURIComponent(data.watch)}` : "";
  const back = info.battle ? make("a", { class: "button", href: `/campaigns/${info.campaign}/battles#t${info.hex}` }, info.status === "closed" ? t("tt.over") : t("tt.confirmed")) : null;
  return make("p", { class: "tt-buttons" }, make("a", { class: "button primary", href: `/tables/${data.id}/result${watch}` }, t("tt.result")), back);
}

/** Why the campaign's winner is not the mission's, in a sentence. */
function verdict(info) {
  const { reason, result } = state.report;
  const [won, lost] = info.battle.players.red === result.winner ? ["red", "blue"] : ["blue", "red"];
  return t(`tt.why_${reason}`, { winner: player(won), loser: player(lost) });
}

/** The words of an act on a button. */
export function label(option) {
  const text = word("act", option.do);
  return mine().length === 2 ? `${player(option.by)}: ${text}` : text;
}

/** Do an act at once where it needs nothing, else ask for what it needs. */
export function start(options) {
  const [option] = options;
  const needs = options.length > 1 || Object.values(option.fields).length > 0;
  if (needs) openSheet(options);
  else perform(option, {});
}

/** Do an act; what speaks against it is said. Returns true when it was done or waits to be sent. */
export async function perform(option, fields) {
  try {
    answered.add(question(option));
    await act(nested(option.do, fields), option.by);
    navigator.vibrate?.(20);
    return true;
  } catch (error) {
    problem(error);
    return sayProblem(error);
  }
}

function problem(error) { dispatchEvent(new CustomEvent("tt-problem", { detail: error })); }

/** Fields as an act: a name with dots is a place in nested tables. */
function nested(name, fields) {
  const made = { do: name };
  for (const [path, value] of Object.entries(fields)) {
    const names = path.split(".");
    let inner = made;
    for (const step of names.slice(0, -1)) inner = inner[step] ??= {};
    inner[names.at(-1)] = value;
  }
  return made;
}

/** The acts beside the next step, as a list of buttons; stratagems with what they cost and do. */
export function listActs() {
  const found = offers();
  const step = nextStep(found);
  const rest = found.filter((options) => options !== step);
  const ordered = [...rest.filter(([option]) => !LATER.has(option.do)), ...rest.filter(([option]) => LATER.has(option.do))];
  if (!ordered.length) return [make("p", { class: "muted" }, t("tt.nothing"))];
  return ordered.flatMap((options) => (options[0].do === "use" ? stratagems(options)
    : make("button", { class: LATER.has(options[0].do) ? "tt-act quiet" : "tt-act", "data-do": options[0].do, onclick: () => start(options) }, label(options[0]))));
}

function stratagems(options) {
  return options.map((option) => {
    const id = option.fields.stratagem?.one_of?.[0];
    const known = state.rules?.stratagems?.[id];
    return make("button", { class: "tt-act stratagem", "data-do": "use", onclick: () => openSheet([option]) },
      make("b", {}, known?.name ?? word("act", "use")), known ? make("i", {}, t("tt.cost", { n: known.cost })) : null,
      known ? make("span", {}, known.text) : null);
  });
}
