// The map after an earlier phase, for its film: what was known then, and its picture.

import { api } from "../api.js";
import { drawing } from "../table/load.js";
import { Position } from "../table/position.js";

/** The address of an earlier phase, and the query of its viewer. */
function earlier({ about, seat }, number) {
  return [`/campaigns/${about.campaign}/phases/${number}`, seat && about.mine.length > 1 ? `as=${encodeURIComponent(seat)}` : ""];
}

/** Fetch the picture of the map after a phase. @param {import("../table/table.js").Table} table */
export async function pastPicture(table, number) {
  const [path, as] = earlier(table, number);
  return drawing((await api("GET", `${path}/map.svg?${as ? `${as}&` : ""}live=true`, undefined, { headers: { Accept: "image/svg+xml" } })).data);
}

/** Fetch it. @param {import("../table/table.js").Table} table */
export async function pastPosition(table, number) {
  const { about, position } = table, [path, as] = earlier(table, number);
  const [past, picture] = await Promise.all([api("GET", `${path}${as ? `?${as}` : ""}`), pastPicture(table, number)]);
  const found = new Position({ ...past.data.view, turn: past.data.turn, phase: past.data.phase }, position.board, position.rules, about);
  found.picture = picture;
  return found;
}
