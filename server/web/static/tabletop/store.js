// One game: who plays, how it stands, what happened. Everything comes from the API; nothing is computed twice.

import { Offline, api } from "../api.js";
import { data, t } from "./dom.js";
import * as queue from "./queue.js";

/** What is known now. `as` is the side through whose eyes one looks, "" for what both may see. */
export const state = { info: null, position: null, report: null, log: [], at: null, as: "", online: true, rules: null };

const listeners = [];
/** Call *listener* whenever something has changed. */
export function onChange(listener) { listeners.push(listener); }
export function changed() { for (const listener of listeners) listener(state); }

const PATH = `/tables/${data.id}`;

/** The query of a read: through whose eyes, with which code, at which act. */
export function query(more = {}) {
  const given = { as: state.as || (mine().length ? null : undefined), watch: data.watch, at: state.at, ...more };
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== null && value !== undefined && value !== "") params.set(name, value);
  const text = params.toString();
  return text ? `?${text}` : "";
}

function watching() { return data.watch ? `?watch=${encodeURIComponent(data.watch)}` : ""; }

/** The sides one plays. */
export function mine() { return state.info?.sides ?? []; }

/** What the campaign takes from its battle, once that is over, for those who play it. */
async function readReport() {
  const { battle, status, seats } = state.info;
  const asked = battle && status === "over" && seats.some((seat) => seat.yours);
  state.report = asked ? (await api("GET", `${PATH}/report`)).data : null;
}

/** Read the game anew. */
export async function refresh() {
  try {
    state.info = (await api("GET", PATH + watching())).data;
    if (state.info.status !== "open") await Promise.all([readPosition(), readLog(), readReport()]);
    state.online = true;
  } catch (error) {
    if (!(error instanceof Offline)) throw error;
    state.online = false;
  }
  changed();
}

let asked = 0; // what was asked for before something newer came is no longer taken
/** One device for two is told what either could do. */
async function readPosition() {
  const number = ++asked;
  const as = mine().length === 2 ? state.as || null : state.as || (mine()[0] ?? null);
  const found = (await api("GET", `${PATH}/view${query({ as })}`)).data;
  for (const unit of found.view.units) if (unit.name === unit.id && /^s\d+$/.test(unit.id)) unit.name = t("tt.sentry", { n: unit.id.slice(1) });
  if (number === asked || !state.position) state.position = found;
}

/** The battle came to its end, or goes on because its last act was taken back: then who has confirmed is known anew. */
async function readInfoAtTheEnd() {
  const over = state.position.view.stage === "over";
  if (state.at !== null || over === (state.info.status !== "playing")) return;
  state.info = (await api("GET", PATH + watching())).data;
  await readReport();
}

/** Read who is at the table now; without a network what was known stays. */
export async function readSeats() {
  try {
    state.info = (await api("GET", PATH + watching())).data;
  } catch (error) {
    if (!(error instanceof Offline)) throw error;
  }
}

let reading = null;
let again = false;
/** Acts were done: read how it stands and what happened, once for all that came meanwhile. */
export async function readActs() {
  again = Boolean(reading);
  reading ??= (async () => {
    try {
      do {
        again = false;
        await Promise.all([readPosition(), readLog()]);
        await readInfoAtTheEnd();
      } while (again);
      if (state.at === null) state.info.acts = state.position.acts;
      state.online = true;
    } catch (error) {
      if (!(error instanceof Offline)) throw error;
      state.online = false;
    } finally {
      reading = null;
    }
    changed();
  })();
  return reading;
}

/** What an act's answer says already need not be read. */
async function learn(done) {
  if (mine().length === 2 || state.at !== null || done.position.viewer !== (state.as || mine()[0])) return readActs();
  asked += 1;
  state.position = done.position;
  state.info.acts = done.position.acts;
  await readLog();
  await readInfoAtTheEnd();
  return changed();
}

async function readLog() {
  const last = () => state.log.at(-1)?.number ?? -2;
  const fresh = await read(`log.json${query({ as: mine()[0] ?? null, at: null, after: last() })}`);
  state.log.push(...(fresh?.items ?? []).filter((each) => each.number > last())); // two may have asked at once
  state.rules ??= await read(`mission.json${query({ as: null, at: null })}`);
}

/** Read something that the pages tell beside the API; null where they do not. */
async function read(address) {
  let response;
  try {
    response = await fetch(`/tables/${data.id}/${address}`);
  } catch (error) {
    throw new Offline(error.message);
  }
  return response.ok ? response.json() : null;
}

/** Start the log anew: acts were taken back, or one sees more of it now. */
export function forgetLog() { state.log = []; }

/**
 * Do an act. Without a network it waits in the queue and is sent later, with the number it was meant to have.
 * Returns what the server said, or null while it waits.
 */
export async function act(fields, side) {
  const wanted = { expected: state.position.acts + queue.length(), act: fields, side, key: queue.newKey() };
  if (queue.length()) {
    queue.add(wanted);
    changed();
    return null;
  }
  try {
    return await send(wanted);
  } catch (error) {
    if (!(error instanceof Offline)) throw error;
    state.online = false;
    queue.add(wanted);
    changed();
    return null;
  }
}

/** Send one act; with its own key, so that sending it again does nothing twice. */
export async function send({ expected, act: fields, side, key }) {
  const { data: done } = await api("POST", `${PATH}/acts`, { expected, act: fields, side }, { key });
  state.online = true;
  await learn(done);
  return done;
}

/** Ask the API for something of this game, then read it anew. */
export async function change(method, path, body) {
  const answer = await api(method, PATH + path, body);
  await refresh();
  return answer.data;
}

let stream = null;
/** Follow the game as it goes on; after a break everything is read anew. */
export function follow() {
  if (stream || document.hidden) return;
  stream = new EventSource(`/api/v1${PATH}/stream${watching()}`);
  stream.onopen = () => { if (!state.online) catchUp(); };
  stream.onerror = () => { state.online = false; changed(); };
  for (const kind of ["act", "seats", "changed", "started", "confirmed", "closed", "deleted"]) {
    stream.addEventListener(kind, (event) => {
      if (kind === "deleted") location.href = "/tables";
      const told = JSON.parse(event.data || "{}");
      const acts = told.data?.acts;
      if (kind === "act" && acts !== undefined && acts === state.position?.acts) return;
      if (acts !== undefined && acts < (state.position?.acts ?? 0)) forgetLog();
      if (kind === "act" && state.position) readActs();
      else refresh();
    });
  }
}

/** The network is back: send what waits, then read what others did. */
export async function catchUp() {
  state.online = true;
  await queue.flush(send, async () => { await refresh(); return state.position?.acts ?? 0; });
  await refresh();
}

addEventListener("online", catchUp);
addEventListener("offline", () => { state.online = false; changed(); });
document.addEventListener("visibilitychange", () => {
  if (document.hidden) { stream?.close(); stream = null; }
  else { follow(); catchUp(); }
});
addEventListener("pagehide", () => { stream?.close(); stream = null; });
