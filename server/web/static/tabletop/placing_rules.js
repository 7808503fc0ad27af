// What the Patrol phase adds to placing: where a marker halts and what it locks, the ground for a jump-off point. A hint: the referee judges.

import { t } from "./dom.js";
import { distance, inches, isInside } from "./ground.js";
import { player } from "./offers.js";
import { state } from "./store.js";

const TOLERANCE = 0.001;

function markers() { return Object.entries(state.position.view.rules.markers ?? {}); }

/** The enemies of a patrol marker. */
function enemiesOf(id) {
  const own = state.position.view.rules.markers[id].side;
  return markers().filter(([, other]) => other.side !== own);
}

/** The markers of the own chain, without this one. */
export function chainOf(id) {
  const own = state.position.view.rules.markers?.[id]?.side;
  return markers().filter(([other, marker]) => other !== id && marker.side === own);
}


/** Where a patrol marker halts on its way. */
export function haltsAt(id, to) {
  const from = state.position.view.rules.markers[id].at;
  const { reach } = state.position.view.rules;
  const way = [to[0] - from[0], to[1] - from[1]];
  const long = way[0] ** 2 + way[1] ** 2;
  if (!long) return { at: to, met: "" };
  let [share, met] = [1, ""];
  for (const [enemy, { at }] of enemiesOf(id)) {
    const apart = [from[0] - at[0], from[1] - at[1]];
    const slope = way[0] * apart[0] + way[1] * apart[1];
    const under = slope ** 2 - long * (apart[0] ** 2 + apart[1] ** 2 - reach ** 2);
    const root = under < 0 ? -1 : (-slope - Math.sqrt(under)) / long;
    if (root >= -TOLERANCE && root <= share) [share, met] = [Math.max(0, root), enemy];
  }
  return { at: [from[0] + way[0] * share, from[1] + way[1] * share], met };
}

/** The enemies that a patrol marker locks where it halts. */
export function locks(id, at) {
  return enemiesOf(id).filter(([, enemy]) => distance(enemy.at, at) <= state.position.view.rules.reach + TOLERANCE).map(([enemy]) => enemy);
}

/** Where the chain of a marker's side breaks with it at a place: the shortest gap, in inches; 0: it holds. */
function gap(id, at) {
  const { reach } = state.position.view.rules;
  const places = [at, ...chainOf(id).map(([, marker]) => marker.at)];
  const joined = [places[0]];
  let left = places.slice(1);
  while (left.length) {
    const near = left.filter((place) => joined.some((other) => distance(place, other) <= reach + TOLERANCE));
    if (!near.length) return Math.min(...left.flatMap((place) => joined.map((other) => distance(place, other))));
    joined.push(...near);
    left = left.filter((place) => !near.includes(place));
  }
  return 0;
}

/** The ground for a jump-off point: its wedge, the cover in it, or the parts of the edge where there is none. */
export function ground(chosen) {
  if (chosen.act !== "jump_off") return null;
  const pair = JSON.stringify(chosen.fixed.pair ?? null);
  const zone = state.position.view.rules.zones?.find((one) => one.marker === chosen.value && JSON.stringify(one.pair) === pair);
  return zone ? { wedge: zone.polygon, cover: zone.cover, edges: zone.edge } : null;
}

/** The two enemies that a jump-off point keeps away from, with the distance it needs from each. */
export function discs(chosen) {
  const { rules } = state.position.view;
  const own = rules.markers[chosen.value].at;
  if (rules.measured_from === "marker") return [{ at: own, needs: rules.distance, id: chosen.value }];
  const near = enemiesOf(chosen.value).map(([id, marker]) => ({ id, at: marker.at, needs: distance(marker.at, own) + rules.distance })).sort((one, other) => one.needs - other.needs);
  const named = chosen.fixed.pair;
  return named ? near.filter((one) => named.includes(one.id)) : near.slice(0, 2);
}

/** Why a marker or a point may not lie there; empty: nothing speaks against it. */
export function far(chosen, at) {
  const { rules } = state.position.view;
  if (chosen.act === "move") {
    const from = rules.markers[chosen.value].at;
    const over = distance(from, at) - rules.reach;
    if (over > TOLERANCE) return t("tt.too_far", { n: inches(over) });
    const broken = gap(chosen.value, haltsAt(chosen.value, at).at);
    return broken ? t("tt.chain_broken", { n: inches(broken), most: inches(rules.reach) }) : "";
  }
  const zone = ground(chosen);
  if (!zone || zone.edges.length) return "";
  if (!isInside(at, zone.wedge)) return t("tt.not_behind");
  const short = discs(chosen).map(({ at: enemy, needs }) => needs - distance(enemy, at)).filter((missing) => missing > TOLERANCE);
  if (short.length) return t("tt.too_close", { n: inches(Math.max(...short)) });
  return zone.cover.length && !zone.cover.some((polygon) => isInside(at, polygon)) ? t("tt.not_in_cover") : "";
}

/** What a move or a point is about, in a line: where it halts, what it locks, whether it is in cover. */
export function about(chosen, at) {
  if (chosen.act === "jump_off") {
    const marker = state.position.view.rules.markers[chosen.value];
    return [ground(chosen)?.cover.length ? t("tt.in_cover") : t("tt.at_edge"), t("tt.from_marker", { n: inches(distance(marker.at, at)), id: String(chosen.value).slice(1) })].join(" · ");
  }
  const end = haltsAt(chosen.value, at);
  const locked = locks(chosen.value, end.at);
  const side = locked.length ? player(state.position.view.rules.markers[locked[0]].side) : "";
  return locked.length ? t("tt.halts", { n: inches(state.position.view.rules.reach), who: side, ids: locked.map((id) => id.slice(1)).join(", ") }) : t("tt.chain_holds");
}

/** How far a patrol marker goes. */
export function goes(chosen, at) { return distance(state.position.view.rules.markers[chosen.value].at, haltsAt(chosen.value, at).at); }
