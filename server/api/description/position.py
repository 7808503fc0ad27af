"""The state of a campaign as a schema, from the layout of its canonical bytes (:mod:`server.rules.codec.layout`)."""

from __future__ import annotations

from collections.abc import Mapping

from server.api.description.plain import (
    Schema,
    boolean,
    enum,
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
)
from server.rules.codec import layout
from server.rules.codec.layout import Kinds
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS
from server.rules.state import BATTLES, BUILD, MOVEMENT, OVER, REPORTS, SETUP
from server.rules.state.nouns import BATTLE_MOVEMENT

PHASES = (SETUP, BUILD, MOVEMENT, BATTLE_MOVEMENT, BATTLES, REPORTS, OVER)

_PLAIN: Mapping[tuple[type, ...], Schema] = {
    layout.TEXT: text("text"),
    layout.INTEGER: integer(1),
    layout.BOOLEAN: boolean(),
    layout.MAYBE: maybe(integer(1)),
}
"""The schema of a value that the layout calls a text, a whole number, true or false, or perhaps a number."""
_BY_HEX_NUMBER = table(integer(100), "By hex.", examples=[{"0405": 100}])
_BY_HEX_TEXT = table(text("p1"), "By hex.", examples=[{"0405": "p1"}])
_DETAILS: Mapping[str, Schema] = {
    "State.board": ref("BoardKey"),
    "State.ruleset": ref("RulesetKey"),
    "State.settings": ref("RulesInForce"),
    "State.players": listed(ref("Player"), "In seat order."),
    "State.phase": enum(PHASES),
    "State.owner": table(player(), "Whose a hex is.", examples=[{"0405": "p1"}]),
    "State.discovered": listed(hex_(), "Hexes that somebody has explored."),
    "State.urban": table(ref("Urban"), "By hex."),
    "State.stronghold": table(ref("Stronghold"), "By hex."),
    "State.resource": table(text("poor"), "The size, by hex.", examples=[{"0407": "poor"}]),
    "State.store": _BY_HEX_NUMBER,
    "State.harvest": _BY_HEX_NUMBER,
    "State.roads": listed(listed(hex_(), minItems=2, maxItems=2), "The two hexes that each joins."),
    "State.corrupted": _BY_HEX_TEXT,
    "State.infested": _BY_HEX_TEXT,
    "State.detachments": table(ref("Detachment"), "By id."),
    "State.garrisons": table(ref("Garrison"), "By id."),
    "State.convoys": table(ref("Convoy"), "By id."),
    "State.battles": listed(ref("Battle"), "In the order in which they were opened."),
    "State.lost_characters": listed(text("Captain")),
    "State.winners": listed(player()),
    "Player.id": player(),
    "Player.allies": listed(player()),
    "Player.declared": listed(player(), "With whom they have declared an alliance."),
    "Player.start_urban": listed(text("town"), "Sizes that are left to be placed in Setup."),
    "Player.start_resource": listed(text("poor"), "Sizes that are left to be placed in Setup."),
    "Player.met": listed(id_(), "Ids of others' forces that they have seen."),
    "Urban.buildings": listed(text("market")),
    "Stronghold.defences": table(integer(1), "How many of each.", examples=[{"watchtower": 1}]),
    "Stronghold.weapons": listed(text("cannon")),
    "Unit.id": text("5f2c1a90b7de/1"),
    "Unit.slot": enum(SLOTS),
    "Unit.mobility": enum(MOBILITIES),
    "Unit.flags": listed(enum(FLAGS)),
    "Unit.models": integer(10, "At full strength."),
    "Unit.ready": integer(10, "Models fit to fight."),
    "Detachment.owner": player(),
    "Detachment.at": text("0405", "Its hex, or `orbit`."),
    "Detachment.units": listed(ref("Unit")),
    "Detachment.type": text("standard", "A type of the ruleset."),
    "Detachment.ready_in": integer(0, "Turns still under construction."),
    "Detachment.battle_order": text("defend", "Empty: none."),
    "Garrison.owner": player(),
    "Garrison.at": hex_(),
    "Garrison.units": listed(ref("Unit")),
    "Convoy.owner": player(),
    "Convoy.at": hex_(),
    "Convoy.bp": integer(100),
    "Battle.hex": hex_(),
    "Battle.supporters": table(text("front"), "As what each force counts.", examples=[{"5f2c1a90b7de": "front"}]),
    "Battle.attacking": player("Who attacks."),
    "Battle.defended_by": player("Who defends."),
    "Battle.winner": text("p1", "Empty: not fought yet."),
}
"""What the layout leaves open: tables and lists, and what a plain value means."""
_NOUNS: Mapping[str, tuple[Kinds, str]] = {
    "State": (layout.STATE, "The position; what the viewer does not know is not in it."),
    "RulesInForce": (layout.SETTINGS, "What the campaign chose of the rules."),
    "Player": (layout.PLAYER, "A player in the position."),
    "Urban": (layout.URBAN, "An urban hex (1.5)."),
    "Stronghold": (layout.STRONGHOLD, "A stronghold (1.4)."),
    "Unit": (layout.UNIT, "A unit (D-30)."),
    "Detachment": (layout.DETACHMENT, "A body of units that moves and fights (1.2)."),
    "Garrison": (layout.GARRISON, "Units that hold a stronghold (1.3)."),
    "Convoy": (layout.CONVOY, "BP on the road (1.1)."),
    "Battle": (layout.BATTLE, "A battle of this turn (6)."),
}


def schemas() -> dict[str, Schema]:
    """Return the state, its nouns, and a view of it. ``KeyError`` names a table or list nobody has described."""
    found = {name: _noun(name, kinds, told) for name, (kinds, told) in _NOUNS.items()}
    later = {
        name: boolean() if isinstance(absent, bool) else integer(1) for name, absent in layout.LATER_SETTINGS.items()
    }
    in_force = found["RulesInForce"]["properties"]
    found["RulesInForce"] = record(in_force | later, _NOUNS["RulesInForce"][1], later)
    return found | {
        "Hex": text("0405", "A hex, as on the map (D-01)."),
        "BoardKey": record(
            {"columns": integer(10), "rows": integer(8), "digest": text("9f86d081884c7d65")},
            "Which map it is; `board` has all of it.",
        ),
        "RulesetKey": record(
            {"id": text("frontier"), "version": text("1"), "digest": text("9f86d081884c7d65")},
            "Which ruleset it is; `ruleset` has all of it.",
        ),
        "PastView": record(
            {"sees": listed(hex_(), "Hexes in sight."), "state": ref("State"), "viewer": text("p1")},
            "A position as one viewer saw it.",
        ),
    }


def _noun(name: str, kinds: Kinds, told: str) -> Schema:
    fields = {}
    for field, kind in kinds.items():
        key = f"{name}.{field}"
        fields[field] = _DETAILS[key] if key in _DETAILS or kind in (layout.LIST, layout.TABLE) else _PLAIN[kind]
    return record(fields, told)
