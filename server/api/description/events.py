"""Every type of event as a schema: a discriminated union. The rulebook's table of events says what each means."""

from __future__ import annotations

from collections.abc import Mapping

from server.api.description.plain import (
    Schema,
    boolean,
    camel,
    hex_,
    id_,
    integer,
    listed,
    maybe,
    player,
    record,
    ref,
    table,
    text,
    union,
)

UNION = "Event"

_HEX, _FORCE, _BP, _COUNT, _PLAYER = hex_(), id_("A force."), integer(100), integer(1), player()
_CONVOY = id_("A convoy.")
_PLACE = text("0405", "A hex, or `orbit`.")
_WHERE = text("0405", "A hex; empty where there is none.")
_SUMS = table(integer(40), "By hex.", examples=[{"0405": 40}])
_BUILT = {"hex": _HEX, "building": text("market"), "bp": _BP}
_ALLIANCE = {"by": _PLAYER, "other": _PLAYER}
_MODELS = {"force": _FORCE, "unit": text("5f2c1a90b7de/1"), "models": _COUNT, "bp": _BP}

FIELDS: Mapping[str, Mapping[str, Schema]] = {
    "allied": {"players": listed(_PLAYER)},
    "alliance_declared": _ALLIANCE,
    "alliance_ended": _ALLIANCE,
    "attack_failed": {"force": _FORCE, "reason": text("target_gone")},
    "battle": {"hex": _HEX, "attacker": _FORCE, "defender": text("5f2c1a90b7de", "A force; empty: none."),
               "kind": text("attack")},
    "battle_fought": {"hex": _HEX, "winner": text("p1", "Empty: nobody."), "vp": _COUNT, "pillage": _BP,
                      "attacker_damage": maybe(_COUNT), "defender_damage": maybe(_COUNT)},
    "blocked": {"force": _FORCE, "hex": _PLACE, "contact": boolean("An enemy was there.")},
    "building_built": _BUILT,
    "building_disbanded": _BUILT,
    "building_lost": _BUILT,
    "campaign_over": {"by": text("victory_points", "How it ended."), "winners": listed(_PLAYER)},
    "capital_captured": {"hex": _HEX, "by": _PLAYER, "of": _PLAYER, "vp": _COUNT},
    "carried_home": {"hex": _HEX, "to": _HEX, "bp": _BP},
    "claim_failed": {"hex": _HEX, "reason": text("enemy_near", "Or `contested`, `occupied`, `truce`, `urban`.")},
    "claim_negated": {"hex": _HEX},
    "claimed": {"hex": _HEX, "by": _PLAYER, "before": text("p2", "Whose it was; empty: nobody's.")},
    "cleansed": {"hex": _HEX, "by": _PLAYER},
    "convoy_captured": {"convoy": _CONVOY, "hex": _HEX, "by": _PLAYER, "bp": _BP},
    "convoy_created": {"convoy": _CONVOY, "hex": _HEX, "bp": _BP},
    "convoy_formed": {"convoy": _CONVOY, "hex": _HEX, "bp": _BP},
    "convoy_unloaded": {"convoy": _CONVOY, "hex": _HEX, "bp": _BP},
    "convoys_lost": {"convoys": _COUNT, "bp": _BP},
    "corrupted": {"hex": _HEX, "by": _PLAYER},
    "defence_built": {"hex": _HEX, "defence": text("watchtower"), "weapon": text("cannon", "Empty: none."), "bp": _BP},
    "destroyed": {"force": _FORCE, "name": text("Iron Guard"), "hex": _PLACE, "reason": text("battle")},
    "detachment_ordered": {"force": _FORCE, "name": text("Iron Guard"), "hex": _HEX, "turns": _COUNT, "bp": _BP},
    "detachment_ready": {"force": _FORCE, "name": text("Iron Guard"), "hex": _PLACE, "turns": _COUNT, "bp": _BP},
    "detachment_waits": {"force": _FORCE, "hex": _PLACE},
    "dice": {"label": text("initiative/p1", "What they were for."), "faces": listed(integer(4))},
    "disbanded": {"force": _FORCE, "name": text("Iron Guard"), "hex": _PLACE},
    "discovered": {"hex": _HEX, "find": text("relics"), "bp": integer(0)},
    "eliminated": {"player": _PLAYER, "reason": text("capital")},
    "garrison_built": {"force": _FORCE, "hex": _HEX, "bp": _BP},
    "income": {"space": _BP, "hexes": _BP, "urban": _SUMS, "resources": _SUMS, "total": _BP},
    "initiative": {"order": listed(_PLAYER), "label": text("initiative", "Or `battle-initiative`.")},
    "maintenance": {"hex": _HEX, "bp": _BP},
    "models_bought": _MODELS | {"hex": _HEX},
    "models_transferred": {"force": _FORCE, "from_unit": text("5f2c1a90b7de/1"), "to_unit": text("5f2c1a90b7de/2"),
                           "models": _COUNT},
    "moved": {"force": _FORCE, "start": _PLACE, "path": listed(_PLACE), "stop": text("zoc", "Why; empty: it arrived.")},
    "new_readings": {"version": _COUNT},
    "new_turn": {"turn": _COUNT},
    "no_effect": {"order": integer(0, "The order's place in its set."), "order_type": text("build_road")},
    "no_longer_allied": {"players": listed(_PLAYER)},
    "order_cancelled": {"force": _FORCE, "order": text("defend", "Empty: none.")},
    "placed": {"player": _PLAYER, "what": text("capital"), "hex": _HEX, "size": text("metropol")},
    "placement_failed": {"what": text("urban"), "hex": _WHERE},
    "raided": {"hex": _HEX, "by": _PLAYER, "bp": _BP},
    "recovering": {"force": _FORCE, "hex": _PLACE},
    "recovery_disturbed": {"force": _FORCE, "hex": _PLACE},
    "repaired": {"force": _FORCE, "unit": text("5f2c1a90b7de/1"), "bp": _BP},
    "restructured": {
        "force": _FORCE,
        "hex": _PLACE,
        "detachment_type": text("standard"),
        "points": _COUNT,
        "bp": _BP,
    },
    "retreated": {"force": _FORCE, "start": _PLACE, "hex": _PLACE},
    "road_built": {"by": _PLAYER, "from": _HEX, "to": _HEX},
    "road_failed": {"urban": _HEX, "from": _HEX, "to": _HEX},
    "spoils": {"hex": _HEX, "bp": _BP},
    "start_sizes": {"urban": listed(text("town")), "resources": listed(text("poor"))},
    "stopped_in_zoc": {"force": _FORCE, "hex": _PLACE},
    "stronghold_built": {"hex": _HEX, "by": _PLAYER, "stronghold": text("camp")},
    "stronghold_upgraded": {"hex": _HEX, "by": _PLAYER, "stronghold": text("fort")},
    "supports": {"force": _FORCE, "hex": _HEX, "side": text("front")},
    "units_added": {"force": _FORCE, "hex": _PLACE, "units": listed(text("Squad")), "bp": _BP},
    "urban_built": {"hex": _HEX, "by": _PLAYER, "size": text("village")},
    "urban_shrunk": {"hex": _HEX, "size": text("town")},
    "urban_upgraded": {"hex": _HEX, "by": _PLAYER, "size": text("city")},
    "withdrew": {"force": _FORCE, "start": _PLACE, "hex": _PLACE},
    "works_lost": {"hex": _HEX, "defence": text("watchtower"), "lost": _COUNT},
}  # fmt: skip
"""The fields of each type."""
OPTIONAL: Mapping[str, tuple[str, ...]] = {
    "building_lost": ("bp",),
    "detachment_ready": ("turns", "bp"),
    "restructured": ("bp",),
}
"""Fields that an event may lack."""


def schemas() -> dict[str, Schema]:
    """Return the union and every type."""
    names = {kind: f"{camel(kind)}Event" for kind in FIELDS}
    told = "What happened. New types may come within v1: pass over those that you do not know."
    found: dict[str, Schema] = {UNION: union(names, told)}
    for kind, fields in FIELDS.items():
        found[f"{names[kind]}Fields"] = record(fields, "", OPTIONAL.get(kind, ()))
        found[names[kind]] = record(
            {
                "type": {"type": "string", "const": kind},
                "fields": ref(f"{names[kind]}Fields"),
                "to": listed(player(), "The players who may know it; for the game master only."),
                "public": boolean("Everybody may know it."),
            },
            "",
            ("to", "public"),
        )
    return found
