// The foot of the page: one filled button for whose tap is awaited, a dashed strip for who waits, quiet chips beside it.

import { fill, make, sayProblem, t, word } from "./dom.js";
import { awaitedStep, buttonText, isAnswered, waitingText } from "./awaited.js";
import { isPaused, pause } from "./clock.js";
import { closing } from "./ending.js";
import { openLosses, losing } from "./losses.js";
import { counting, dispute, isDisputing, reported } from "./markers.js";
import { against, isOffline, isShared, label, offered, offers, player } from "./offers.js";
import { openReactions, reactions, secondsLeft } from "./reactions.js";
import { openForms } from "./forms.js";
import { openPaid } from "./paid.js";
import { beginPlacing, isPlaced, placing } from "./placing.js";
import { placingFoot, stays } from "./placing_panel.js";
import { openReport } from "./report.js";
import { closeSheet, openSheet } from "./sheet.js";
import { isSolo, soloChips, soloFoot } from "./solo.js";
import { act, mine, readActs, state } from "./store.js";
import { isAsked, openUndo, wasPassed } from "./undo.js";

const LATER = new Set(["take_back", "object", "settle", "end_now", "spend", "gain"]);

export function showNext(place) {
  const active = document.activeElement instanceof HTMLElement && place.contains(document.activeElement) ? document.activeElement : null;
  const id = active?.id;
  fillNext(place);
  if (active) ((id && document.getElementById(id)) || place.querySelector("#next-step") || place.querySelector("button, a") || document.getElementById("tt-panel")).focus(); // what had it is gone
}

function fillNext(place) {
  place.hidden = state.at !== null;
  if (state.at !== null) { fill(place); return; }
  const { info } = state;
  if (info.status !== "playing") { fill(place, ...[closing(info)].flat()); return; }
  fill(place, make("div", { class: "tt-chips" }, chips()), foot());
}

/** The filled button, or the strip of who waits. */
function foot() {
  const side = counting();
  if (isDisputing()) return filled([t("tt.send_count"), ""], () => report(side), side);
  const step = awaitedStep();
  const now = placing(step);
  const alone = isSolo() ? soloFoot() : null;
  if (alone) return filled([alone.text, alone.more], alone.act, "");
  if (now) {
    const shown = placingFoot(now);
    return shown.strip ? strip(shown.text, shown.more, shown.strip, now.side) : filled([shown.text, shown.more], shown.act, now.side);
  }
  if (!step) {
    const [text, more] = waitingText();
    return strip(text, more);
  }
  const [option] = step;
  if (option.do === "control" && side) return filled(buttonText(step), () => report(side), side);
  if (option.do === "use") return filled(buttonText(step), () => openReactions(option.by), option.by);
  if (option.do === "go_on") {
    const left = secondsLeft(against(option.by));
    const who = player(against(option.by));
    if (left > 0) return strip(t("tt.wait", { who }), isOffline(against(option.by)) ? t("tt.is_offline", { who }) : t("tt.may_react", { n: left }));
  }
  return filled(buttonText(step), () => start(step), option.by);
}

/** @param {string[]} words @param {() => void} onclick @param {string} [side] */
function filled([text, more], onclick, side = mine()[0] ?? "") {
  return make("button", { class: `primary ${side}`, id: "next-step", onclick }, make("b", {}, text), more ? make("small", {}, more) : null);
}

/** @param {string} text @param {string} more */
function strip(text, more, kind = "", side = "") {
  return make("p", { class: `tt-strip ${kind} ${side}`, id: "tt-strip" }, make("b", {}, text), more ? make("small", {}, more) : null);
}

function report(side) {
  const [option] = offered("control", side);
  perform(option, reported());
}

/** What is beside the filled button: to react, losses, to dispute, to be done, to go on, to undo. */
function chips() {
  const ways = awaitedStep();
  const step = ways?.[0];
  const now = placing(ways);
  const still = now && stays(now);
  return [
    ...(isSolo() ? soloChips().map(([id, text, does]) => chip(id, "", text, does)) : []),
    state.info.setup.minutes && mine().length ? chip("tt-pause", "", t(isPaused() ? "tt.resume" : "tt.pause"), pause) : null,
    still ? chip("tt-stay", "", still.text, still.act) : null,
    ...(now && !now.asked ? besides(ways) : []),
    ...mine().flatMap((side) => [
    reactions(side).length && step?.do !== "use" ? chip("tt-react", "react", named(side, t("tt.react")), () => openReactions(side)) : null,
    step?.do === "confirm" && step.by === side && isChecked(side)
      ? (isDisputing() ? chip("tt-dispute", "", t("tt.cancel"), () => dispute(false)) : chip("tt-dispute", "", t("tt.dispute"), () => dispute(true))) : null,
    offered("spend", side) && state.rules?.paid?.length ? chip(`tt-paid-${side}`, "", named(side, t("tt.stratagem")), () => openPaid(side)) : null,
    losing(side).length ? chip(`tt-lost-${side}`, "", named(side, t("tt.losses")), () => openLosses(side)) : null,
    (step || isWaitedFor(side)) && offered("end_phase", side) && !(step?.do === "end_phase" && step.by === side) ? doing("end_phase", side) : null,
    offered("go_on", side) && step?.do !== "go_on" && secondsLeft(against(side)) <= 0
      ? chip("tt-go-on", "", t("tt.go_on", { who: player(against(side)) }), () => start(offered("go_on", side))) : null,
    offered("take_back", side) && step?.do !== "take_back" ? undoing(side) : null,
    ]),
  ].filter(Boolean);
}

/** The other ways of an act that is done by tapping the picture: into Reserves, for the whole battle away. */
function besides(ways) {
  const others = ways.filter((option) => !isPlaced([option]));
  return others.length ? [chip("tt-besides", "", others[0].fields.reserve ? t("tt.no_room") : label(others[0]), () => openSheet(others))] : [];
}

/** Say whether the other side can only go on once this one says that they are done. */
function isWaitedFor(side) { return (state.position.awaiting.reactions[side] ?? []).some((one) => one.act === "end_phase"); }

/** Say whether a count of markers stands to be confirmed, against which one may set one's own. */
function isChecked(side) {
  return state.position.view.stage === "battle" && Boolean(offered("control", side)?.some((option) => Object.keys(option.fields).some((name) => name.endsWith(".holder"))));
}

function doing(what, side) {
  const options = offered(what, side);
  return chip(`tt-done-${side}`, "", label(options[0]), () => start(options));
}

function undoing(side) {
  if (state.position.awaiting.sealed === side) return chip(`tt-undo-${side}`, "", named(side, t("tt.break_seal")), () => perform(offered("take_back", side)[0], {}));
  const passed = wasPassed(side);
  if (isAsked(side) && !isShared()) return null; // the banner asks
  return chip(`tt-undo-${side}`, passed ? "react" : "", passed ? t("tt.went_on", { who: player(against(side)) }) : named(side, t("tt.undo")), () => openUndo(side));
}

function named(side, text) { return isShared() ? `${player(side)}: ${text}` : text; }

export function chip(id, kind, text, onclick) {
  return make("button", { id, class: `tt-chip ${kind}`, onclick }, text);
}

/** Do an act at once where it needs nothing, else ask for what it needs. */
export function start(options) {
  const [option] = options;
  if (option.do === "report") { openReport(option); return; }
  if (option.do === "spend") { openPaid(option.by); return; }
  if (option.do === "formations") { openForms(option.by); return; }
  if (isPlaced(options)) { closeSheet(); beginPlacing(options); return; }
  const needs = options.length > 1 || Object.values(option.fields).length > 0;
  if (needs) openSheet(options);
  else perform(option, {});
}

/** Do an act; what speaks against it is said. Returns true when it was done or waits to be sent. */
export async function perform(option, fields) {
  try {
    await act(nested(option.do, fields), option.by);
    isAnswered(option);
    navigator.vibrate?.(20);
    return true;
  } catch (error) {
    if (error.code === "stale_act") return overtaken(option, fields);
    problem(error);
    return sayProblem(error);
  }
}

/** Reports of one's own that nothing of the other's touches: both count, whoever was first. */
const OWN_MATTER = new Set(["lost", "strength", "destroyed", "take_back", "pass", "declare", "formations"]);

/** Somebody was first: the page shows what changed, and one taps again; one's own matter is told all the same. */
async function overtaken(option, fields) {
  const seen = state.log.at(-1)?.number ?? -1;
  await readActs();
  const still = offered(option.do, option.by)?.some((one) => JSON.stringify(one) === JSON.stringify(option));
  if (still && OWN_MATTER.has(option.do)) {
    try {
      await act(nested(option.do, fields), option.by);
      return true;
    } catch { /* overtaken once more: say so */ }
  }
  const lines = state.log.filter((entry) => entry.number > seen).flatMap((entry) => entry.lines).slice(-2).join(" ");
  const said = t("tt.meanwhile", { what: lines });
  dispatchEvent(new CustomEvent("tt-note", { detail: said }));
  if (!still) closeSheet();
  return said;
}

export function problem(error) { dispatchEvent(new CustomEvent("tt-problem", { detail: error })); }

/** Fields as an act: a name with dots is a place in nested tables. */
function nested(name, fields) {
  const made = { do: name, ...(name === "control" ? { markers: {} } : {}) };
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
  const step = awaitedStep();
  const beside = new Set(["end_phase", "go_on", "take_back", "pass"]);
  const rest = offers().filter(([option]) => !(option.do === step?.[0].do && option.by === step[0].by && option.do !== "control") && !beside.has(option.do));
  const ordered = [...rest.filter(([option]) => !LATER.has(option.do)), ...rest.filter(([option]) => LATER.has(option.do)), ...offers().filter(([option]) => option.do === "pass")];
  if (!ordered.length && !step) return [make("p", { class: "muted" }, t("tt.nothing"))];
  return ordered.flatMap((options) => (options[0].do === "use" ? stratagems(options)
    : make("button", { class: LATER.has(options[0].do) || options[0].do === "pass" ? "tt-act quiet" : "tt-act", "data-do": options[0].do, onclick: () => start(options) }, label(options[0]))));
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
