// All kinds of orders there are, and what each of their fields may hold: for the form that can write any order.

/** Type -> fields. A field ending in "?" may be left out. */
export const KINDS = {
  setup: {
    place: { what: "what", at: "place", "size?": "size" },
    build_detachment: { at: "place", "name?": "text", "detachment_type?": "detachment_types", units: "units", "mounted?": "flag" },
    build_garrison: { at: "place", units: "units" },
  },
  build: {
    build_building: { at: "place", building: "buildings" },
    disband_building: { at: "place", building: "buildings" },
    build_village: { at: "place", convoy: "convoy" },
    upgrade_urban: { at: "place" },
    build_camp: { at: "place", "convoy?": "convoy" },
    upgrade_stronghold: { at: "place" },
    build_defence: { at: "place", defence: "defences", "weapon?": "weapons" },
    build_road: { urban: "place", from: "place", to: "place" },
    build_detachment: { at: "place", "name?": "text", "detachment_type?": "detachment_types", units: "units", "mounted?": "flag" },
    build_garrison: { at: "place", units: "units" },
    add_units: { "detachment?": "detachment", "at?": "place", units: "units" },
    create_convoy: { at: "place", bp: "number" },
    unload_convoy: { convoy: "convoy" },
    repair: { detachment: "detachment", unit: "unit" },
    transfer_models: { from_unit: "unit", to_unit: "unit", models: "number" },
    disband_detachment: { detachment: "detachment" },
  },
  movement: {
    path: { "detachment?": "detachment", "convoy?": "convoy", path: "hexes", "unload?": "flag" },
    move_and_claim: { detachment: "detachment", path: "hexes" },
    reserve: { detachment: "detachment", path: "hexes" },
    follow: { detachment: "detachment", target: "target" },
    claim_area: { detachment: "detachment" },
    recover: { detachment: "detachment" },
    guard: { "detachment?": "detachment", "convoy?": "convoy" },
  },
  battle_movement: {
    attack: { detachment: "detachment", target: "target", "planned?": "flag", "primary?": "flag" },
    raid: { detachment: "detachment", target: "target", "planned?": "flag", "primary?": "flag" },
    support: { detachment: "detachment", target: "target" },
    defend: { detachment: "detachment" },
    guard: { detachment: "detachment" },
    withdraw: { detachment: "detachment", "to?": "hexes" },
    inactive: { detachment: "detachment" },
  },
  battles: { fight: { battle: "battle", "mode?": "mode", "casualties?": "ids", "picks?": "ids" } },
  reports: {},
};

const ALWAYS = { declare_alliance: { with: "player" }, end_alliance: { with: "player" } };

/** Return the kinds of orders of a phase. */
export function kindsOf(phase) {
  return { ...KINDS[phase], ...ALWAYS };
}

/** Types of orders that are written for a force, of which each obeys one a phase, in the order they are offered. */
export const FORCE_ORDERS = {
  movement: ["path", "move_and_claim", "reserve", "follow", "claim_area", "recover", "guard"],
  battle_movement: ["attack", "raid", "support", "defend", "guard", "withdraw", "inactive"],
};

/** Return the force or convoy an order is for, "" for none. */
export function subjectOf(order) {
  return order.detachment ?? order.convoy ?? "";
}
