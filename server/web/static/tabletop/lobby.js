// Before the battle: who plays, with which army, and one button to begin.

import { api } from "../api.js";
import { data, fill, make, sayProblem, t } from "./dom.js";
import { player } from "./offers.js";
import { change, mine, state } from "./store.js";
import { mayLay, terrainTools } from "./terrain.js";
import { armyList } from "./units.js";

let shownFor = "";

export function showLobby(lobby) {
  const { info } = state;
  const revision = `${info.revision}`;
  if (shownFor === revision) return;
  shownFor = revision;
  const ready = info.seats.every((seat) => (seat.name || seat.solo) && seat.has_army && (seat.salt_sent || seat.solo));
  keeping(lobby, () => fill(lobby,
    make("h2", {}, info.name || data.missions[info.mission] || ""),
    info.mission ? map(info) : null,
    make("div", { class: "tt-seats" }, info.seats.map((seat) => seatCard(seat, info))),
    info.join_code ? invitation(info) : null,
    info.battle ? toTheCampaign(info) : null,
    make("p", { class: "tt-big" }, mine().length || info.owner
      ? make("button", { class: "primary", id: "start", "data-keep": "start", disabled: !ready, onclick: () => attempt(() => change("POST", "/start")) }, t("tt.start")) : null),
    ready ? null : make("p", { class: "muted" }, t("tt.waiting_other")),
    make("p", { id: "lobby-problem", role: "alert" })));
}

/** The map with its terrain, which the maker of the game may lay. */
function map(info) {
  const watch = data.watch ? `&watch=${encodeURIComponent(data.watch)}` : "";
  const image = make("img", { class: "tt-map", src: `/tables/${data.id}/mission.svg?at=${info.revision}${watch}`, alt: "", width: 440, height: 300 });
  return mayLay() ? terrainTools(image) : image;
}

/** Draw the lobby anew; what somebody is typing, has opened or has the focus on stays. */
function keeping(lobby, draw) {
  const parts = () => [...lobby.querySelectorAll("[data-keep]")];
  const before = new Map(parts().map((part) => [part.dataset.keep, part]));
  const active = document.activeElement;
  const inside = lobby.contains(active);
  const focused = active instanceof HTMLElement ? active.dataset.keep : undefined;
  draw();
  for (const part of parts()) {
    const old = before.get(part.dataset.keep);
    if (old && part.matches("input, textarea")) part.value = old.value;
    if (old && part.matches("details")) part.open = old.open;
  }
  if (inside) (parts().find((part) => part.dataset.keep === focused) ?? lobby.querySelector("button.primary:enabled"))?.focus();
}

async function attempt(does) {
  const said = document.getElementById("lobby-problem");
  try { await does(); } catch (error) { said.textContent = sayProblem(error); }
}

function seatCard(seat, info) {
  const yours = seat.yours || (seat.solo && mine().length);
  return make("section", { class: `tt-seat ${seat.side}` },
    make("h3", {}, seat.name || (seat.solo ? "🎲" : t("tt.seat_free"))),
    make("p", { class: seat.has_army ? "good" : "muted" }, seat.has_army ? `✓ ${seat.army_name || t("tt.army")}` : t("tt.not_ready")),
    info.battle ? seat.army && fielded(seat) : yours ? armyForm(seat, info) : null,
    !info.battle && seat.army ? armyList(seat.army.units) : null);
}

/** The campaign's units of one's own: nobody brings another army to a campaign's battle. */
function fielded(seat) {
  return make("ul", { class: "tt-fielded" }, seat.army.units.map((unit) => make("li", { dir: "auto" },
    unit.models > 1 ? `${unit.models_now ?? unit.models}${unit.models_now === undefined ? "" : `/${unit.models}`} ${unit.name}` : unit.name)));
}

/** The way back to the campaign, where mission, date and models are agreed. */
export function toTheCampaign(info) {
  return make("p", { class: "tt-campaign" }, make("a", { class: "button", href: `/campaigns/${info.campaign}/battles#t${info.hex}` }, t("tt.to_campaign")));
}

function armyForm(seat, info) {
  const bring = (body) => attempt(() => change("PUT", `/seats/${seat.side}/army`, body));
  const lines = make("textarea", { "data-keep": `lines-${seat.side}`, rows: 5, placeholder: t("tt.army_lines"), "aria-label": t("tt.own_army") });
  const file = make("input", { type: "file", "data-keep": `file-${seat.side}`, accept: ".ros,.rosz,.json,.csv,.txt,.html", "aria-label": t("tt.army_file") });
  file.addEventListener("change", () => { if (file.files?.length) attempt(async () => bringRoster(seat, file.files[0])); });
  const name = make("input", { "data-keep": `name-${seat.side}`, maxlength: 60, placeholder: t("tt.army_name"), "aria-label": t("tt.army_name") });
  const saved = make("div", { class: "tt-saved" });
  const more = make("details", { "data-keep": `more-${seat.side}`, ontoggle: () => more.open && listSaved(saved, bring) }, make("summary", { "data-keep": `own-${seat.side}` }, t("tt.own_army")),
    saved, lines, name,
    make("button", { "data-keep": `use-${seat.side}`, onclick: () => bring({ lines: lines.value, ...(name.value ? { save_as: name.value } : {}) }) }, t("tt.use_army")),
    make("label", { class: "tt-file" }, t("tt.army_file"), file));
  const sample = info.mission && !seat.has_army ? make("button", { class: "primary", "data-keep": `sample-${seat.side}`, onclick: () => bring({ sample: true }) }, t("tt.sample_army")) : null;
  return make("div", { class: "tt-army" }, sample, more);
}

/** Bring the army of a roster made elsewhere: its units with what they carry. */
async function bringRoster(seat, file) {
  const { data: roster } = await api("POST", "/rosters", new Blob([file]));
  const parts = (unit) => roster.lines.filter((line) => line.unit === unit && line.kind === "part").map((line) => line.text.trim()).join(", ").slice(0, 300);
  const units = roster.units.map((unit, place) => { const about = roster.carried[place] || parts(place); return about ? { ...unit, about } : unit; });
  await change("PUT", `/seats/${seat.side}/army`, { army: { units } });
}

async function listSaved(place, bring) {
  const response = await fetch("/api/v1/armies");
  if (!response.ok) return;
  const { items } = await response.json();
  fill(place, items.map((army) => make("button", { onclick: () => bring({ saved: army.id }) }, army.name)));
}

function invitation(info) {
  const link = `${location.origin}/tables/join/${info.join_code}`;
  const copy = make("button", { onclick: async () => { await navigator.clipboard?.writeText(link); copy.textContent = t("tt.copied"); } }, t("tt.copy_link"));
  return make("section", { class: "tt-invite" },
    make("h3", {}, t("tt.invite")),
    make("p", {}, t("tt.invite_text")),
    make("img", { src: `/tables/join/${info.join_code}/code.svg`, alt: t("tt.qr_join"), width: 176, height: 176 }),
    make("p", { class: "tt-join-code" }, info.join_code.replace(/(.{4})/g, "$1 ").trim()),
    make("p", { class: "tt-link" }, make("a", { href: link }, link)),
    make("p", { class: "tt-buttons" }, copy,
      navigator.share ? make("button", { onclick: () => navigator.share({ title: player("red"), url: link }).catch(() => {}) }, t("tt.share")) : null));
}
