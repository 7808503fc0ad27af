// Whose tap the game waits for, in words: headline, button and strip say the same. The referee computes it (`awaiting`).

import { data, t, word } from "./dom.js";
import { changes, told } from "./markers.js";
import { against, isOffline, isShared, offered, offers, player } from "./offers.js";
import { mine, state } from "./store.js";

export const BOTH = "both";
/** What may be done at any time; no stage waits for it. */
const ASIDE = new Set(["object", "take_back", "end_now", "spend", "gain", "pass", "go_on", "confirm", "end_phase", "use", "strength", "destroyed", "lost"]);

/** Say whether the game waits for a tap of this side. */
export function isAwaited(side) {
  const awaited = state.position.awaiting.side;
  return awaited === side || awaited === BOTH;
}

/** Say whether the game waits for a tap on this device. */
export function isMine() { return mine().some(isAwaited); }

/** What was answered already and is offered again just so: it may be changed, but is not asked for. */
const answered = new Set();
function question(option) { return JSON.stringify([state.position.view.stage, state.position.view.round, option]); }
export function isAnswered(option) { answered.add(question(option)); }

/** The ways of the act that the filled button does; null where one only waits. */
export function nextStep() {
  const { side, for: what } = state.position.awaiting;
  const found = offers();
  if (what === "settle") return found.find(([option]) => option.do === (state.info.gm ? "settle" : "take_back")) ?? null;
  const asked = found.filter(([option]) => side === BOTH || option.by === side);
  const named = (name) => asked.find(([option]) => option.do === name && (name === "end_phase" || state.position.view.stage === "battle" || !answered.has(question(option))));
  return named(what) ?? named("end_phase")
    ?? (side === BOTH ? asked.find(([option]) => !ASIDE.has(option.do) && !answered.has(question(option))) : null)
    ?? asked.find(([option]) => option.do === what) ?? asked.find(([option]) => option.do === "go_on")
    ?? asked.find(([option]) => !ASIDE.has(option.do)) ?? null;
}

/** The ways of the act that is awaited from this device; null: none. */
export function awaitedStep() { return isMine() || state.info.gm ? nextStep() : null; }

/** What a side may confirm; an empty word: a report. */
function confirmable(side) { return state.position.awaiting.confirms?.[side] ?? { what: "", units: [] }; }

/** What it is about: the phase or stage that is to end, else the word of the act. */
function matterOf({ side, for: what, about }) {
  if (what === "confirm") {
    const { what: asked } = confirmable(side === BOTH ? mine()[0] ?? "red" : side);
    return asked || about.stage ? `confirm_${asked || about.stage}` : what;
  }
  if (about.stage && data.words[`awaited_own.${what}_${about.stage}`]) return `${what}_${about.stage}`;
  return what !== "end_phase" ? what : about.phase ? `phase_${about.phase}` : `stage_${about.stage ?? ""}`;
}
function said(table, awaiting) {
  return data.words[`${table}.${matterOf(awaiting)}`] ?? data.words[`${table}.${awaiting.for}`];
}

/** What is on the table, in a few words: whose tap, and what for. */
export function headline() {
  const { view, awaiting } = state.position;
  if (view.result) return view.winner ? t("tt.wins", { who: player(view.winner) }) : t("tt.draw");
  const { side, for: what } = awaiting;
  if (!side) return t("tt.waiting_gm");
  if (what === "settle") return t("tt.objection");
  if (isDeadlock()) return t("tt.same_role");
  const own = said("awaited_own", awaiting) ?? word("act", what);
  if (isMine() && !isShared()) return own;
  if (side === BOTH) return t("tt.both_do", { act: own });
  const who = player(side);
  return said("awaited_their", awaiting)?.replace("{who}", who) ?? t("tt.they_do", { who, act: word("act", what) });
}

/** One line below it: what to do; empty: the headline says it all. */
export function hint() {
  const { view, awaiting } = state.position;
  if (view.result || isDeadlock() || !isMine() || isShared()) return "";
  if (awaiting.for === "confirm" && !mine().some((side) => offered("control", side)) && awaiting.about.stage === undefined) return "";
  return said("awaited_hint", awaiting) ?? "";
}

/** Say whether both have chosen the same role: two different ones would have settled it. */
function isDeadlock() {
  if (state.position.view.stage !== "roles") return false;
  return ["red", "blue"].every((side) => state.log.some((entry) => entry.by === side && entry.kinds.includes("wants_role")));
}

/** Where the game stands: round, phase, whose turn. */
export function where() {
  const { view } = state.position;
  if (view.result) return t("tt.over");
  if (view.stage !== "battle") return word("stage", view.stage);
  const round = state.rules?.rounds ? t("tt.round_of", { n: view.round, all: state.rules.rounds }) : t("tt.round", { n: view.round });
  const whose = mine().includes(view.turn) && !isShared() ? t("tt.on_turn") : view.turn ? t("tt.their_turn", { who: player(view.turn) }) : "";
  return [round, whose].filter(Boolean).join(" · ");
}

/** The phases of a turn, and which of them it is now. */
export function phases() {
  const { view } = state.position;
  return view.stage === "battle" && !view.result ? (state.rules?.phases ?? []) : [];
}

/** What the filled button does: its matter with its figures, and a second line. */
export function buttonText([option, ...others]) {
  const { about } = state.position.awaiting;
  const [text, more] = matter(option, about);
  return [isShared() ? `${player(option.by)}: ${text}` : text, more || (others.length ? "" : onlyUnit(option))];
}

/** The name of the unit that an act is about, where it can be about no other. */
function onlyUnit(option) {
  const ids = option.fields.unit?.one_of ?? [];
  return ids.length === 1 ? state.position.view.units.find((unit) => unit.id === ids[0])?.name ?? "" : "";
}

function matter(option, about) {
  const { view } = state.position;
  const scored = about.score !== undefined;
  if (option.do === "end_phase" && view.stage === "battle") {
    const phase = word("table_phase", view.phase);
    if (scored && about.next) return [t("tt.end_phase_score", { phase, n: about.score }), next(about)];
    return about.next ? [t("tt.end_phase", { phase }), next(about)] : [t("tt.end_turn"), scored ? t("tt.scores", { n: about.score }) : ""];
  }
  if (option.do === "end_phase") return [t("tt.done_stage", { stage: word("stage", view.stage) }), ""];
  if (option.do === "control") {
    const said = changes();
    if (said) return [t("tt.report_markers"), said];
    return [scored ? t("tt.report_score", { n: about.score }) : t("tt.report_markers"), t("tt.as_before")];
  }
  if (option.do === "confirm" && confirmable(option.by).what) return toAgree(option.by);
  if (option.do === "confirm" && view.stage === "battle") {
    const who = player(option.by === view.turn ? against(option.by) : view.turn);
    if (option.by === view.turn && offered("control", option.by)) return [t("tt.accept_count", { who }), ""];
    return [scored && option.by !== view.turn ? t("tt.confirm_score", { who, n: about.score }) : t("tt.confirm_report", { who: player(against(option.by)) }), offered("control", option.by) ? told() : lastReport(against(option.by))];
  }
  if (option.do === "confirm" && data.words[`awaited_do.confirm_${view.stage}`]) return [word("awaited_do", `confirm_${view.stage}`), ""];
  if (option.do === "take_back") return [t(state.position.view.objection === null ? "tt.ask_undo" : "tt.end_objection"), ""];
  if (option.do === "go_on") return [t("tt.go_on", { who: player(against(option.by)) }), isOffline(against(option.by)) ? t("tt.is_offline", { who: player(against(option.by)) }) : ""];
  return [word("act", option.do), ""];
}

/** What a confirmation agrees to, with its figure, and the units it is about. */
function toAgree(side) {
  const { what, units, score } = confirmable(side);
  const names = state.position.view.units.filter((unit) => units.includes(unit.id)).map((unit) => unit.name);
  return [t(`awaited_do.confirm_${what}`, { who: player(against(side)), n: score }), names.join(", ")];
}

function next(about) { return t("tt.next_is", { phase: word("table_phase", about.next) }); }

/** What the other player told last, as the log has it. */
function lastReport(side) {
  const entry = state.log.findLast((one) => one.by === side && one.lines.length);
  return entry ? entry.lines.join(" ") : "";
}

/** The strip of a phone that waits: for whom, and what comes then. */
export function waitingText() {
  const { side, for: what, about } = state.position.awaiting;
  if (!side) return [t("tt.waiting_gm"), ""];
  const who = side === BOTH ? ["red", "blue"].filter((one) => !mine().includes(one)).map(player).join(", ") : player(side);
  const own = !mine().includes(side) && about.score > 0 && mine().includes(state.position.view.turn);
  const then = what === "end_phase" && about.next ? next(about) : what === "confirm" && own ? t("tt.score_once", { n: about.score, who }) : "";
  const away = side !== BOTH && isOffline(side) ? t("tt.is_offline", { who }) : "";
  return [t("tt.wait", { who }), what === "settle" ? t("tt.objection") : away || then];
}

