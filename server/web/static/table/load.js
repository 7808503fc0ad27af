// Fetching what the table needs. The map and the rules never change while a campaign runs.

import { api } from "../api.js";
import { Position } from "./position.js";

const kept = {};

function once(path) {
  kept[path] ??= api("GET", path).then((found) => found.data);
  kept[path].catch(() => delete kept[path]);
  return kept[path];
}

/** Fetch the position as one knows it; `seat` is whose orders one writes. */
export async function loadPosition(about, seat) {
  const path = `/campaigns/${about.campaign}`;
  const as = seat && about.mine.length > 1 ? `?as=${encodeURIComponent(seat)}` : "";
  const [view, board, rules] = await Promise.all([api("GET", `${path}/view${as}`), once(`${path}/board`), once(`${path}/ruleset`)]);
  return new Position(view.data, board, rules, about);
}
