// Fetching what the table needs. The map and the rules never change while a campaign runs.

import { api } from "../api.js";
import { patched } from "./changed_view.js";
import { Position } from "./position.js";

const kept = {};

function once(path) {
  kept[path] ??= api("GET", path).then((found) => found.data);
  kept[path].catch(() => delete kept[path]);
  return kept[path];
}

/** Parse the picture of a position, which the server has drawn. */
export function drawing(text) {
  return /** @type {any} */ (document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true));
}

/** The last view of each viewer: `{data, etag}`. */
const views = {};

/** Fetch what one knows: all of it at first, then what has changed since. `as` is an address' query, or empty. */
async function loadView(path, as) {
  const known = views[as];
  if (known) {
    const { data } = await api("GET", `${path}/view/changes${as}${as ? "&" : "?"}since=${known.etag}`);
    views[as] = { data: data.whole ?? patched(known.data, data), etag: data.etag };
  } else {
    const { data, etag } = await api("GET", `${path}/view${as}`);
    views[as] = { data, etag: etag?.replaceAll('"', "") ?? "" };
  }
  return views[as].data;
}

/** Fetch the position as one knows it, and its picture; `seat` is whose orders one writes. */
export async function loadPosition(about, seat) {
  const path = `/campaigns/${about.campaign}`;
  const as = seat && about.mine.length > 1 ? `?as=${encodeURIComponent(seat)}` : "", live = `${as}${as ? "&" : "?"}live=true`;
  const look = () => Promise.all([loadView(path, as), api("GET", `${path}/map.svg${live}`, undefined, { headers: { Accept: "image/svg+xml" } })]);
  const [[view, picture], board, rules] = await Promise.all([look(), once(`${path}/board`), once(`${path}/ruleset`)]);
  const position = new Position(view, board, rules, about);
  position.picture = drawing(picture.data);
  // between the two a phase may have ended
  if (position.picture.dataset.stage !== `${position.turn} ${position.phase}`) return loadPosition(about, seat);
  return position;
}
