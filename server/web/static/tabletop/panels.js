// Below the table: what is open now, markers, units, what happened, the rules.

import { showAt } from "./board.js";
import { data, fill, make, t } from "./dom.js";
import { enter } from "./fields.js";
import { fromEdge, inches } from "./ground.js";
import { player } from "./offers.js";
import { listActs } from "./next.js";
import { change, mine, state } from "./store.js";
import { bars, sums } from "./score.js";
import { unitCards, unitLists } from "./units.js";

const TABS = { now, markers, units, log, rules };
let open = "now";
const where = {};

export function showPanel(tabs, panel) {
  Object.assign(where, { tabs, panel });
  const [tab, inside] = [tabs, panel].map((part) => part.contains(document.activeElement));
  fill(tabs, Object.keys(TABS).map((name) => make("button", { role: "tab", id: `tab-${name}`, "aria-controls": "tt-panel", "aria-selected": String(name === open), tabindex: name === open ? 0 : -1, "data-tab": name, onclick: () => choose(name) }, t(`tt.${name}`))));
  tabs.onkeydown = byArrows;
  fill(panel, ...TABS[open]());
  panel.setAttribute("aria-labelledby", `tab-${open}`);
  if (tab) document.getElementById(`tab-${open}`).focus(); // what had the focus was drawn anew
  else if (inside) panel.focus();
}

function choose(name) {
  open = name;
  showPanel(where.tabs, where.panel);
  document.getElementById(`tab-${name}`).focus();
}

/** Arrows go from tab to tab, as in every list of tabs. */
function byArrows(event) {
  const names = Object.keys(TABS);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step) choose(names.at((names.indexOf(open) + step) % names.length));
}
document.addEventListener("tt-look", () => showPanel(where.tabs, where.panel));

function now() {
  if (state.position.view.result) return [state.position.view.vp_log.length ? sums() : null, bars(), ...unitCards()].filter(Boolean);
  return [...unitCards(), ...listActs()];
}

function markers() {
  const found = Object.entries(state.position.view.markers).filter(([, marker]) => !marker.removed);
  return [make("ul", { class: "tt-list" }, found.map(([id, marker]) => make("li", { class: marker.control || "none" },
    make("b", {}, enter.named(id)), " ", make("span", {}, marker.holder === "contested" ? t("tt.contested") : marker.control ? player(marker.control) : t("tt.no_control")),
    marker.secured ? make("small", {}, ` · ${t("tt.secured")}`) : null,
    marker.at && mine().length === 1 ? make("small", { class: "muted" }, ` · ${t("tt.from_edge", { n: inches(fromEdge(mine()[0], marker.at)) })}`) : null)))];
}

function units() { return unitLists(); }

function log() {
  const entries = state.log.filter((entry) => entry.lines.length || entry.dice.length).slice(-200).reverse();
  return [replay(), make("ol", { class: "tt-log" }, entries.map((entry) => make("li", { class: entry.by },
    entry.lines.map((line) => make("p", {}, line)),
    entry.dice.length ? make("p", { class: "muted small" }, entry.dice.map((die) => `${die.label}: ${die.face}`).join("; ")) : null)))];
}

function replay() {
  const all = state.info.acts;
  const at = state.at ?? all;
  const slider = make("input", { type: "range", min: 0, max: all, value: at, "aria-label": t("tt.replay"), onchange: (event) => showAt(Number(event.target.value) === all ? null : Number(event.target.value)) });
  const watch = data.watch ? `?watch=${encodeURIComponent(data.watch)}` : "";
  return make("div", { class: "tt-replay" }, make("a", { class: "button quiet", href: `/tables/${data.id}/replay${watch}` }, t("tt.replay")), make("label", {}, `${t("tt.replay_at", { n: at, all })} `, slider),
    state.at !== null ? make("button", { onclick: () => showAt(null) }, t("tt.stop_replay")) : null);
}

function rules() {
  const known = state.rules;
  if (!known) return [];
  const watch = data.watch ? `?watch=${encodeURIComponent(data.watch)}` : "";
  const watching = state.info.watch_code ? `${location.origin}/tables/${data.id}?watch=${state.info.watch_code}` : "";
  const copy = make("button", { class: "quiet", onclick: async () => { await navigator.clipboard?.writeText(watching); fill(copy, t("tt.copied")); } }, t("tt.watch_link"));
  return [make("p", {}, known.briefing),
    make("ul", { class: "tt-cards" }, known.rules.map((line) => make("li", {}, line))),
    ...Object.values(known.stratagems).map((one) => make("details", { class: "tt-card" }, make("summary", {}, `${one.name} · ${t("tt.cost", { n: one.cost })}`), make("p", {}, one.text))),
    make("p", { class: "tt-buttons" },
      make("a", { class: "button quiet", href: `/tables/${data.id}/sheet${watch}`, target: "_blank" }, t("tt.print")),
      make("a", { class: "button quiet", href: `/tables/${data.id}/sheet.pdf${watch}`, target: "_blank" }, "PDF"),
      watching ? copy : null,
      state.info.sides.length ? make("button", { class: "quiet", onclick: () => change("PUT", "/archived", { archived: true }).then(() => { location.href = "/tables"; }) }, t("tt.archive")) : null),
    make("p", { class: "small muted" }, t("tt.dice_hash", { hash: state.info.commitment }))];
}
