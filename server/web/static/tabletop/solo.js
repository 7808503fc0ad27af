// Against the dice: the gauge of the posture, the drawn card in words, a worksheet of tallies by unit.

import { fill, make, shape, t, word } from "./dom.js";
import { perform, start } from "./next.js";
import { offered } from "./offers.js";
import { gauge } from "./solo_gauge.js";
import { changed, state } from "./store.js";

const HUMAN = "red";
const OPPONENT = "blue";
/** The pages of the worksheet: the row of the opponent's units, then of one's own. */
const PAGES = { failures: ["A", "B"], morale: ["D", "E"], lost: ["F", "G"] };
let worksheet = false;
let page = "failures";

/** Say whether the dice play the other side. */
export function isSolo() { return Boolean(state.rules?.solo) && state.info.status === "playing" && state.at === null; }

function known() { return state.position.view.rules; }
function postures() { return state.rules.solo.postures; }
/** The posture of a score. */
function postureOf(score) { return postures().findLast((one) => one.from <= score) ?? postures()[0]; }
function named(name) { const text = word("table_word", name); return text.charAt(0).toUpperCase() + text.slice(1); }
/** The score as it would be if the turn ended now. */
function nextScore() {
  const { marks, score } = known();
  return score + marks.B - marks.A + marks.E - marks.D + marks.G - marks.F;
}
export function signed(number) { return number > 0 ? `+${number}` : String(number).replace("-", "−"); }

function living(side) { return state.position.view.units.filter((unit) => unit.side === side && !["destroyed", "escaped"].includes(unit.state)); }
/** The opponent's units that have not acted in this turn, in order. */
function waiting() { return living(OPPONENT).filter((unit) => !known().drawn?.[unit.id]); }

/** What the page says above: the posture now and the one to come. */
export function soloHead() {
  if (state.position.view.stage !== "battle") return known().scenario ? named(known().scenario) : t("tt.solo_before");
  const [now, next] = [postureOf(known().score).name, postureOf(nextScore()).name];
  return now === next ? t("tt.posture_stays", { now: named(now) }) : t("tt.posture_next", { now: named(now), next: named(next) });
}

export function soloWhere() {
  const { view } = state.position;
  return view.stage === "battle" ? `${t("tt.turn_of", { n: view.round, all: state.rules.rounds })} · ${t("tt.against_dice")}` : word("stage", view.stage);
}

/** Show gauge and card, or the worksheet. */
export function showSolo(place) {
  const focused = place.contains(document.activeElement) ? document.activeElement.id : "";
  fill(place, ...(state.position.view.stage !== "battle" ? before() : worksheet ? sheetOf() : [role(), gauge(known().score, nextScore(), postures(), named), card()]));
  place.hidden = false;
  if (focused) document.getElementById(focused)?.focus();
}

/** Terrain and scenario as they were rolled. */
function before() {
  const { ground, terrain } = known();
  const found = state.rules.solo.grounds[ground];
  return [found ? make("p", { class: "tt-solo-text" }, make("b", {}, found.text), ". ", found.details[terrain[1] - 1]) : make("p", { class: "muted" }, t("tt.solo_why"))];
}

/** Who one is in this scenario, and what one is after. */
function role() {
  const { scenario, human_role: human, raid_objective: goal } = known();
  const found = state.rules.solo.scenarios[scenario];
  if (!found) return null;
  return make("details", { class: "tt-solo-role" },
    make("summary", {}, t("tt.you_are", { role: roleName(human), scenario: named(scenario) }), goal ? `. ${t("tt.objective_is", { what: found.objectives[goal - 1] ?? "" })}` : ""),
    make("p", {}, found.text));
}
function roleName(role) { const own = word("table", role); return own === role ? word("table_word", role) : own; }

function card() {
  const { card: drawn, action } = known();
  const actions = postureOf(known().score).actions;
  const face = drawn?.unit ? (drawn.face + 9) % 10 : -1;
  const unit = state.position.view.units.find((one) => one.id === drawn?.unit);
  const cells = make("ol", { class: "tt-solo-faces", "aria-label": t("tt.can_draw") }, actions.map((one, place) => make("li", { class: place === face ? "on" : "" }, make("b", {}, String((place + 1) % 10)), make("small", {}, t(`tt.solo_${one}`)))));
  if (!unit) return make("section", { class: "tt-solo-card" }, make("p", { class: "muted" }, t("tt.no_card")), cells);
  return make("section", { class: "tt-solo-card" },
    make("div", { class: "tt-solo-drawn" }, die(drawn.face), make("div", {}, make("small", {}, t("tt.card_of", { unit: unit.name })), make("h3", {}, t(`tt.solo_${action}`)))),
    make("p", {}, t(`tt.solo_${action}_does`)), cells);
}

/** A die with ten faces. */
function die(face) {
  return shape("svg", { viewBox: "0 0 60 60", class: "tt-d10", role: "img", "aria-label": String(face) }, shape("path", { d: "M30 2 57 33 30 58 3 33z" }), shape("path", { d: "M30 2 44 34 30 44 16 34z", class: "front" }), shape("text", { x: 30, y: 36 }, String(face)));
}

function sheetOf() {
  const rows = PAGES[page];
  const now = known();
  return [
    make("div", { class: "tt-segment", role: "group", "aria-label": t("tt.worksheet") }, Object.keys(PAGES).map((name) => make("button", { id: `sheet-${name}`, "aria-pressed": String(name === page), onclick: () => { page = name; changed(); } }, t(`tt.sheet_${name}`)))),
    make("p", { class: "muted small" }, t(`tt.sheet_${page}_why`)),
    ...[[OPPONENT, rows[0]], [HUMAN, rows[1]]].map(([side, row]) => make("section", { class: `tt-tallies ${side}` },
      make("h3", {}, side === HUMAN ? t("tt.you_side") : t("tt.opponent"), make("small", {}, ` ${t("tt.in_all", { n: now.marks[row] })}`)),
      living(side).map((unit) => tally(unit, row)))),
    make("dl", { class: "tt-solo-sum" }, [["now", now.score], ["failures", now.marks.B - now.marks.A], ["morale", now.marks.E - now.marks.D], ["lost", now.marks.G - now.marks.F]].map(([name, n]) => make("div", {}, make("dt", {}, t(`tt.sheet_${name}`)), make("dd", {}, signed(n))))),
  ];
}

function tally(unit, row) {
  const n = known().tallies?.[row]?.[unit.id] ?? 0;
  const step = (by) => () => mark(row, unit.id, by);
  return make("div", { class: "tt-tally" }, make("span", {}, unit.name, make("span", { class: "strokes", "aria-hidden": "true" }, "|".repeat(n).replaceAll("|||||", "||||| ")), make("span", { class: "visually-hidden" }, ` ${n}`)),
    make("button", { id: `less-${row}-${unit.id}`, "aria-label": `${unit.name}: ${t("tt.fewer")}`, disabled: n === 0, onclick: step(-1) }, "−"),
    make("button", { id: `more-${row}-${unit.id}`, "aria-label": `${unit.name}: ${t("tt.one_more")}`, onclick: step(1) }, "+"));
}

function mark(row, unit, n) {
  const option = offered("mark", HUMAN)?.find((one) => one.fields.row.one_of[0] === row);
  return option && perform(option, { row, unit, n });
}

/** What the foot shows: the next unit's card, else the end of the turn. */
export function soloFoot() {
  const [terrain, scenario, activate, end] = ["roll_terrain", "roll_scenario", "activate", "end_turn"].map((name) => offered(name, HUMAN));
  if (state.position.view.stage !== "battle") {
    const options = terrain && !known().ground ? terrain : scenario;
    return options ? { text: word("act", options[0].do), more: "", act: () => start(options) } : null;
  }
  const [unit] = waiting();
  if (unit && activate && !worksheet) return { text: t("tt.next_unit", { unit: unit.name }), more: t("tt.draw_action"), act: () => draw(unit.id) };
  if (!end) return null;
  const next = nextScore();
  return { text: t("tt.end_solo", { n: state.position.view.round, posture: named(postureOf(next).name) }), more: t("tt.becomes", { now: signed(known().score), next: signed(next) }), act: endTurn };
}

/** Draw a unit's card; in a raid it counts whether it sees an enemy. */
function draw(unit) {
  const [option] = offered("activate", HUMAN);
  if (known().scenario === "raid" && !known().raid_objective) start([{ ...option, fields: { ...option.fields, unit: { one_of: [unit] } } }]);
  else perform(option, { unit });
}

/** The fallen of this turn count as points, too. */
async function endTurn() {
  const { marks, fallen } = known();
  const figures = offered("figures", HUMAN);
  worksheet = false;
  if (figures && (marks.F || marks.G) && fallen && await perform(figures[0], { red: fallen.red + marks.G, blue: fallen.blue + marks.F }) !== true) return;
  await perform(offered("end_turn", HUMAN)[0], {});
}

/** Beside it: the worksheet, terrain again, another unit than the next. */
export function soloChips() {
  if (state.position.view.stage !== "battle") {
    const terrain = known().ground && !known().scenario ? offered("roll_terrain", HUMAN) : null;
    return terrain ? [["tt-terrain", t("tt.terrain_again"), () => start(terrain)]] : [];
  }
  const others = waiting().slice(1);
  return [["tt-worksheet", t(worksheet ? "tt.back" : "tt.worksheet"), () => { worksheet = !worksheet; changed(); }],
    ...(worksheet ? [] : others.slice(0, 3).map((unit) => [`tt-draw-${unit.id}`, unit.name, () => draw(unit.id)]))];
}
