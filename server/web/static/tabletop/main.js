// The page for the table: starts everything and shows each part anew when something has changed.

import { api } from "../api.js";
import "./awake.js";
import { showBar } from "./bar.js";
import { placingNow, showBoard } from "./board.js";
import { showDice } from "./dice.js";
import { data, fill, make, sayProblem, t, word } from "./dom.js";
import { showLobby } from "./lobby.js";
import { showMarkers } from "./markers.js";
import { showNext } from "./next.js";
import { showPanel } from "./panels.js";
import { showPlacing } from "./placing_panel.js";
import * as queue from "./queue.js";
import { isSolo, showSolo } from "./solo.js";
import { takePart } from "./salts.js";
import { showUndo } from "./undo.js";
import { catchUp, follow, mine, onChange, refresh, state } from "./store.js";

/** In a campaign's battle both keep the colours of their seats, on every button, bar and token. */
for (const [side, { colour, ink }] of Object.entries(data.seats ?? {})) {
  const style = document.documentElement.style;
  style.setProperty(`--${side}-fill`, colour);
  style.setProperty(`--${side}-ink`, ink);
  style.setProperty(`--${side}`, `color-mix(in oklab, ${colour} 62%, var(--ink))`);
  style.setProperty(`--${side}-soft`, `color-mix(in oklab, ${colour} 16%, var(--paper))`);
}

const part = (name) => document.getElementById(`tt-${name}`);

onChange(({ info, position }) => {
  if (!info) return;
  document.body.classList.toggle("offline", !state.online);
  const open = info.status === "open";
  part("lobby").hidden = !open;
  for (const name of ["board", "markers", "tabs", "panel", "next"]) part(name).hidden = open;
  if (open) {
    showLobby(part("lobby"));
    takePart().catch(toast);
  } else if (position) {
    showBoard(part("board"));
    const now = placingNow();
    part("board").hidden = isSolo();
    if (isSolo()) showSolo(part("markers"));
    else if (now) showPlacing(part("markers"), now);
    else showMarkers(part("markers"));
    showPanel(part("tabs"), part("panel"));
    showNext(part("next"));
    showUndo(part("undo"));
    showDice(part("dice"));
  }
  showBar(part("bar"));
  showWaiting();
});

function showWaiting() {
  const list = queue.waiting();
  const shown = part("waiting");
  shown.hidden = !list.length && state.online;
  fill(shown, state.online ? null : make("p", {}, t("tt.offline")), list.length ? make("p", {}, `${t("tt.waiting")}: `, list.map((one) => word("act", one.act.do)).join(", ")) : null);
}

/** Say something that soon goes away. */
function toast(error) {
  const shown = make("p", { class: "toast bad" }, sayProblem(error));
  document.getElementById("toasts").append(shown);
  setTimeout(() => shown.remove(), 8000);
}
/** Say what happened meanwhile; it is no error. */
function note(text) {
  const shown = make("p", { class: "toast", role: "status" }, text);
  document.getElementById("toasts").append(shown);
  setTimeout(() => shown.remove(), 8000);
}
addEventListener("tt-note", (event) => note(event.detail));
addEventListener("tt-problem", (event) => toast(event.detail));
addEventListener("tt-refused", (event) => toast(event.detail.error));

queue.onConflict((wanted, now) => new Promise((resolve) => {
  const sheet = part("sheet");
  const answer = (again) => () => { sheet.close(); resolve(again); };
  const happened = state.log.filter((entry) => entry.number >= wanted.expected).flatMap((entry) => entry.lines);
  fill(sheet,
    make("h2", { id: "tt-sheet-title" }, t("tt.conflict")),
    make("p", {}, t("tt.conflict_text", { act: word("act", wanted.act.do), n: Math.max(0, now - wanted.expected) })),
    make("ul", {}, happened.slice(-6).map((line) => make("li", {}, line))),
    make("p", { class: "tt-buttons" }, make("button", { onclick: answer(false) }, t("tt.drop")), make("button", { class: "primary", onclick: answer(true) }, t("tt.do_anyway"))));
  sheet.showModal();
}));

if ("serviceWorker" in navigator && isSecureContext) navigator.serviceWorker.register("/tables/worker.js", { scope: "/tables/" });

/** Games played as a guest go into the account that is signed in now. */
async function claim() {
  const token = localStorage.getItem("sealed-orders/guest");
  if (!token || !data.signedIn) return;
  try { await api("POST", "/tables/claim", { token }); } catch { /* taken over already */ }
  localStorage.removeItem("sealed-orders/guest");
}

await claim();
await refresh().catch(toast);
follow();
if (queue.length()) await catchUp();
if (!mine().length) document.getElementById("tt").classList.add("watching");
