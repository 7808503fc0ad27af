// The map after an earlier phase, for its film: what was known then, and its picture.

import { api } from "../api.js";
import { drawing } from "../table/load.js";
import { Position } from "../table/position.js";

/** Fetch it. @param {import("../table/table.js").Table} table */
export async function pastPosition({ about, position, seat }, number) {
  const path = `/campaigns/${about.campaign}/phases/${number}`, as = seat && about.mine.length > 1 ? `as=${encodeURIComponent(seat)}` : "";
  const [past, picture] = await Promise.all([api("GET", `${path}${as ? `?${as}` : ""}`), api("GET", `${path}/map.svg?${as ? `${as}&` : ""}live=true`, undefined, { headers: { Accept: "image/svg+xml" } })]);
  const found = new Position({ ...past.data.view, turn: past.data.turn, phase: past.data.phase }, position.board, position.rules, about);
  found.picture = drawing(picture.data);
  return found;
}
