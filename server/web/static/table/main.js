// Starts the table: the map, its tools and keys, what happens in the campaign.

import { Offline, Problem } from "../api.js";
import { stir } from "../salts.js";
import { t } from "../texts.js";
import { h } from "./dom.js";
import { dicePanel, hexFinder } from "./dock.js";
import { guide } from "./guide.js";
import { legend } from "./legend.js";
import { MapView } from "./map.js";
import { Table } from "./table.js";

const given = (id) => JSON.parse(document.getElementById(id).textContent);
const at = (id) => document.getElementById(id);
const AGAIN = 4000; // ms until a server that was not there is asked again

const pictures = given("pictures");
const map = new MapView(at("surface"), pictures, {
  hex: (hex, thing, again) => table.suggestions.take(hex) || table.clicked(hex, thing, again),
  thing: (thing) => table.select(thing.hex, thing, true),
  hover: (hex) => {
    const hint = at("map-hint");
    hint.hidden = hex < 0;
    if (hex >= 0) hint.textContent = table.position.describe(hex, true);
    table.attempts.over = hex;
    if (hex >= 0) table.attempts.hover(hex, (odds) => { hint.textContent = `${odds} · ${table.position.describe(hex, true)}`; });
  },
  draw: (what, hex, event) => table.pen.draw(what, hex, event),
});
const table = new Table(given("about"), pictures, map);
Object.assign(table, { guide: () => guide(table), hexFinder: () => hexFinder(table), dicePanel: () => dicePanel(table) });

async function begin() {
  try {
    await table.open();
    at("map-loading").hidden = true;
    stirred();
    at("home").hidden = !table.position.mine;
    const { columns, rows } = table.position.grid;
    const asked = table.position.grid.find(new URLSearchParams(location.search).get("hex"));
    if (asked >= 0) table.select(asked);
    else if (table.draft.phase === "setup" || table.lessons.on) map.home();
    const film = new URLSearchParams(location.search).get("film");
    if (film) await table.results.watch(Number(film));
    document.documentElement.dataset.grid = `${columns} ${rows}`;
    document.documentElement.dataset.readyAfter = String(Math.round(performance.now()));
    document.documentElement.dataset.ready = "table";
  } catch (error) {
    if (!(error instanceof Offline || error instanceof Problem)) throw error;
    at("map-loading").replaceChildren(h("span", {}, error instanceof Offline ? t("frame.offline") : error.message));
    if (error instanceof Offline) setTimeout(begin, AGAIN);
  }
}

at("zoom-in").addEventListener("click", () => map.viewport?.zoom(1.4));
at("zoom-out").addEventListener("click", () => map.viewport?.zoom(1 / 1.4));
at("fit").addEventListener("click", () => map.fit());
at("home").addEventListener("click", () => map.home());
at("arrows").addEventListener("click", (event) => {
  const shown = event.currentTarget.getAttribute("aria-pressed") !== "true";
  event.currentTarget.setAttribute("aria-pressed", String(shown));
  map.happened(shown);
});
at("legend-open").addEventListener("click", (event) => {
  const shown = at("legend");
  if (!shown.firstChild && table.position) shown.append(...legend(table.position, pictures));
  shown.hidden = !shown.hidden;
  event.currentTarget.setAttribute("aria-expanded", String(!shown.hidden));
});

document.addEventListener("keydown", (/** @type {KeyboardEvent & { target: HTMLElement }} */ event) => {
  if (event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select, dialog") || event.altKey || !table.draft) return;
  const control = event.ctrlKey || event.metaKey;
  const here = event.target.closest("#table"); // letters count where the focus is at the table: who dictates says them elsewhere
  if (control && event.key.toLowerCase() === "z") { if (event.shiftKey) table.draft.redo(); else table.draft.undo(); }
  else if (control && event.key.toLowerCase() === "y") table.draft.redo();
  else if (control) return;
  else if (here && event.key === "n") table.next(1);
  else if (here && event.key === "p") table.next(-1);
  else if (event.key === "Escape") table.deselect();
  else return;
  event.preventDefault();
});
/** Salts that this browser keeps go out in each phase, asked for orders or not. */
function stirred() {
  if (table.about?.campaign) stir(table.about.campaign).catch(() => {}); // the phase may be over: the next one has its own
}

document.addEventListener("live", (event) => {
  stirred();
  // without a connection the next event, or the next look at the page, brings it up to date
  table.happened(event.detail).catch((error) => { if (!(error instanceof Offline)) throw error; });
});
// one's seat has been given to somebody else, or one has another: the stream has begun again
document.addEventListener("stands", (/** @type {CustomEvent} */ { detail }) => { if (table.about?.campaign === detail.id && String(detail.your_seats) !== String(table.about.mine)) location.reload(); });
document.body.addEventListener("htmx:afterSettle", (/** @type {CustomEvent & { target: any }} */ event) => { if (event.target.closest?.("#score-strip")) table.results.follow(); });
addEventListener("beforeunload", (event) => { if (table.draft?.state === "offline" || table.draft?.state === "saving") event.preventDefault(); });

begin();
