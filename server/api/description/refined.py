"""What the models of pydantic leave open, and which schema it has: ``Model.field``, as named in the description."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from server.api.description import advice, events, orders, position, tables
from server.api.description.orders import RESULT, UNION, WANTED
from server.api.description.plain import Schema, enum, integer, listed, ref, table, text
from server.bots.levels import LEVELS
from server.http.error_codes import ALL_CODES
from server.play import rhythm as deadlines
from server.play.context import SCOPES
from server.play.edits import edits
from server.play.messages.messages import DECLARATIONS
from server.play.notices import notices
from server.play.options import STAND_INS
from server.play.records.records import START
from server.play.rosters.roster import FORMATS, KINDS, NOTES
from server.rules.state import BATTLE_MOVEMENT, BATTLES, BUILD, MOVEMENT, OVER, REPORTS, SETUP
from server.store.tables import STAND_INS as SEAT_STAND_INS
from server.store.tables.campaigns import STATUSES

_ORDERS = listed(ref(UNION), "In the order in which they are to be carried out.", examples=[
    [{"type": "path", "detachment": "5f2c1a90b7de", "path": ["0405", "0505"]}]
])  # fmt: skip
_EDITS = listed(ref("PositionEdit"), "Made one after the other, all or none.", examples=[
    [{"do": "set", "what": "store", "hex": "0405", "bp": 500}]
])  # fmt: skip
_SCALAR: Schema = {
    "anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}, {"type": "null"}],
    "examples": ["0203"],
}
_UNITS = listed(ref(WANTED), examples=[[{"name": "Boyz", "slot": "troops", "models": 10, "points": 100}]])

WORDS: Mapping[str, Schema] = {
    "BattleChoice": enum(
        ("choice", "quick", "tabletop"), "How battles are fought: each as its sides choose, or all alike."
    ),
    "BotLevel": enum(LEVELS, "How well a computer player plays."),
    "CampaignStatus": enum(STATUSES, "Where a campaign stands."),
    "NoticeKind": enum((*notices.KINDS, "test"), "What a notice says."),
    "PhaseName": enum((START, SETUP, BUILD, MOVEMENT, BATTLE_MOVEMENT, BATTLES, REPORTS, OVER), "A phase of the turn."),
    "ProblemCode": enum(ALL_CODES, "The stable word of a refused request; `/errors/{code}` explains each."),
    "RhythmKind": enum(deadlines.KINDS, "How deadlines follow each other."),
    "ReportStatus": enum(
        ("open", "confirmed", "disputed", "decided", "withdrawn"), "Where the report of a battle stands."
    ),
    "SeatBotLevel": enum(("", *LEVELS), "How well the seat's computer player plays; empty: as the campaign has it."),
    "SeatStandIn": enum(SEAT_STAND_INS, "Who orders for the seat; empty: as the campaign has it."),
    "DeclarationKind": enum(DECLARATIONS, "What is declared."),
    "TokenKind": enum(("personal", "session"), "What a token is for."),
    "StandInKind": enum(STAND_INS, "Who orders for a seat without orders at a deadline."),
    "TokenScope": enum(SCOPES, "What a token may do."),
}
"""Words with a fixed list of values: each list is one named schema, so that generated code has one type for it."""

REFINED: Mapping[str, Schema] = {
    "AdvanceInfo.orders": _ORDERS,
    "AdvanceInfo.phase": ref("PhaseName"),
    "AdvancePreview.phase": ref("PhaseName"),
    "ArmyChosen.army": ref("Army"),
    "ArmyInfo.army": ref("Army"),
    "ArmyWanted.army": ref("Army"),
    "CampaignChange.options": ref("OptionsWanted"),
    "CampaignChange.rules": ref("RulesWanted"),
    "CampaignInfo.phase": ref("PhaseName"),
    "CampaignInfo.status": ref("CampaignStatus"),
    "CampaignSummary.status": ref("CampaignStatus"),
    "CampaignWanted.options": ref("OptionsWanted"),
    "CampaignWanted.rules": ref("RulesWanted"),
    "Decided.result": ref(RESULT),
    "DeclarationInfo.kind": ref("DeclarationKind"),
    "DeclarationInfo.phase": ref("PhaseName"),
    "DeclarationWanted.kind": ref("DeclarationKind"),
    "Draft.says": listed(ref("Preview"), "What each would do; empty for those with a problem."),
    "Drafted.orders": _ORDERS | {"maxItems": 2000},
    "EditsChecked.edits": _EDITS | {"maxItems": 1000},
    "EditsWanted.edits": _EDITS | {"maxItems": 1000},
    "Fault.value": _SCALAR,
    "InterventionInfo.phase": ref("PhaseName"),
    "MessageInfo.phase": ref("PhaseName"),
    "MissionProposed.settings": ref("TableSettings"),
    "NewToken.scopes": listed(ref("TokenScope")),
    "OddsWanted.orders": _ORDERS | {"maxItems": 2000},
    "Options.bot_level": ref("BotLevel"),
    "Options.stand_in": ref("StandInKind"),
    "OrderChange.order": ref(UNION),
    "OrderSetInfo.orders": _ORDERS,
    "OrderSetInfo.phase": ref("PhaseName"),
    "OrdersChecked.orders": _ORDERS | {"maxItems": 5000},
    "OrdersEntered.orders": _ORDERS | {"maxItems": 5000},
    "OrdersInAdvance.orders": _ORDERS | {"maxItems": 5000},
    "OrdersInAdvance.phase": ref("PhaseName"),
    "OrdersRepeated.orders": _ORDERS | {"maxItems": 5000},
    "OrdersWanted.orders": _ORDERS | {"maxItems": 5000},
    "Overview.phase": ref("PhaseName"),
    "Overview.status": ref("CampaignStatus"),
    "PastPhaseShown.events": listed(ref(events.UNION), "What happened, as far as the viewer was told."),
    "PastPhaseShown.orders": table(_ORDERS, "The viewer's own orders, by player; everybody's after the end."),
    "PastPhaseShown.phase": ref("PhaseName"),
    "PastPhaseShown.problems": table(listed(ref("PastProblem")), "What was refused of them, by player."),
    "PastPhaseShown.view": ref("PastView"),
    "PhaseInfo.phase": ref("PhaseName"),
    "Position.awaiting": ref("Awaiting"),
    "PositionShown.phase": ref("PhaseName"),
    "PositionShown.state": ref("State"),
    "PracticeWanted.level": ref("BotLevel"),
    "PreviewWanted.before": _ORDERS | {"maxItems": 2000},
    "PreviewWanted.order": ref(UNION),
    "Previewed.says": ref("Preview"),
    "ProblemDocument.code": ref("ProblemCode"),
    "ProblemDocument.value": _SCALAR,
    "RepeatedInfo.left_out": listed(ref("LeftOut"), "What was not possible when such a phase last opened."),
    "RepeatedInfo.orders": _ORDERS,
    "RepeatedInfo.phase": ref("PhaseName"),
    "ReportInfo.content": ref(RESULT),
    "ReportInfo.status": ref("ReportStatus"),
    "Reported.result": ref(RESULT),
    "Rhythm.kind": ref("RhythmKind"),
    "RollbackPreview.phase": ref("PhaseName"),
    "RosterLine.kind": enum(KINDS),
    "SoloWanted.level": ref("BotLevel"),
    "SoloWanted.rules": ref("RulesWanted"),
    "RosterNote.code": enum(NOTES),
    "RosterRead.format": enum(FORMATS),
    "RosterRead.units": _UNITS,
    "RulesInForce.battles": ref("BattleChoice"),
    "SeatInfo.bot_level": ref("SeatBotLevel"),
    "SeatInfo.stand_in": ref("SeatStandIn"),
    "Session.scopes": listed(ref("TokenScope")),
    "Settings.battles": ref("BattleChoice"),
    "StandIn.stand_in": ref("SeatStandIn"),
    "Suggested.detachments": _ORDERS | {"description": "Orders to raise a detachment, of which one may be chosen."},
    "Suggested.orders": _ORDERS | {"description": "They may all be added; in Setup they place all that is left."},
    "TableChanges.settings": ref("TableSettings"),
    "TableReport.result": ref(RESULT),
    "TableSeatInfo.army": ref("Army"),
    "TableWanted.settings": ref("TableSettings"),
    "TemplateInfo.units": _UNITS,
    "TemplateWanted.units": _UNITS | {"maxItems": 200},
    "TokenInfo.kind": ref("TokenKind"),
    "TokenInfo.scopes": listed(ref("TokenScope")),
    "TokenWanted.scopes": listed(ref("TokenScope"), maxItems=10, examples=[["read", "orders"]]),
    "WebhookChange.kinds": listed(ref("NoticeKind")),
    "WebhookInfo.kinds": listed(ref("NoticeKind")),
    "WebhookWanted.kinds": listed(ref("NoticeKind")),
}
"""In place of the model's own."""

_ACTS = "each act has fields of its own; `open` of the view says which, with the values each may take"
FREE: Mapping[str, str] = {
    "ActWanted.act": _ACTS,
    "Army": "units are those of the table, or as in a `build_detachment` order",
    "Entry.act": _ACTS,
    "Entry.events": "differ by mission",
    "Done.events": "differ by mission",
    "Position.open": _ACTS,
    "Position.view": "differs by mission",
    "MissionProposed.table": "width, height, terrain",
    "TableChanges.battle": "what a campaign would say of it",
    "TableChanges.table": "width, height, terrain",
    "TableInfo.setup": "differs by mission",
    "TableWanted.battle": "what a campaign would say of it",
    "TableWanted.table": "width, height, terrain",
    "CampaignWanted.ruleset_data": "a ruleset of one's own has its format in docs",
    "CampaignWanted.scenario_data": "a scenario of one's own has its format in docs/maps.md and a schema in maps/",
    "Change.after": "any part of the position",
    "Change.before": "any part of the position",
    "Fault.params": "what fills the places of a sentence",
    "ListEdit.put": "any part of a view",
    "Replaced.value": "any part of a view",
    "OwnData.data": "the columns of the database, which change",
    "InterventionInfo.details": "differs by kind, for people to read",
    "InterventionInfo.public": "differs by kind, for people to read",
    "PositionEdit": "each noun has fields of its own: docs/api.md",
    "ProblemDocument.params": "what fills the places of a sentence",
    "Ruleset": "a ruleset's format is its own",
    "Scenario": "a scenario's format is in docs/maps.md and has a schema in maps/",
}
"""What stays open, and why. The test of the description names what is open and stands neither here nor above."""


def schemas() -> dict[str, Schema]:
    """Return every schema that no model has."""
    return {
        **orders.schemas(),
        **position.schemas(),
        **events.schemas(),
        **advice.schemas(),
        **tables.schemas(),
        **WORDS,
        "LeftOut": _left_out(),
        "PastProblem": _past_problem(),
        "PositionEdit": _edit(),
    }


def refine(components: dict[str, Any]) -> None:
    """Put the refined schemas in their places. A model that is not there (any more) is passed over."""
    for place, schema in REFINED.items():
        model, _, field = place.partition(".")
        properties = components.get(model, {}).get("properties", {})
        if field in properties:
            before = properties[field]
            told = before.get("description") or schema.get("description")
            nullable = any(variant.get("type") == "null" for variant in before.get("anyOf", ()))
            new = {"anyOf": [schema, {"type": "null"}]} if nullable else dict(schema)
            if "default" in before:
                new["default"] = before["default"]
            properties[field] = new | ({"description": told} if told and "$ref" not in new else {})
    _wanted(components, "Options", "OptionsWanted", lambda _: True)
    for name, setting in components.get("Settings", {}).get("properties", {}).items():  # the same, as the state has it
        in_force = components.get("RulesInForce", {}).get("properties", {}).get(name, {})
        if "$ref" not in in_force and "description" in setting:
            in_force.setdefault("description", setting["description"])
    _wanted(components, "Settings", "RulesWanted", lambda name: name not in ("readings", "next_readings", "named_ids"))


def _wanted(components: dict[str, Any], source: str, name: str, keep: Callable[[str], bool]) -> None:
    """Make the schema of possible choices from the schema of a choice: every part is optional."""
    if source in components:
        fields = {field: schema for field, schema in components[source]["properties"].items() if keep(field)}
        components[name] = {
            "type": "object", "properties": fields, "additionalProperties": False,
            "description": f"{components[source].get('description', '')} What is left out has its default.".strip(),
        }  # fmt: skip


def _left_out() -> Schema:
    ended = {"type": "boolean", "description": "It can never be possible again, and is repeated no longer."}
    return {
        "type": "object",
        "description": "A repeated order that was not possible when a phase opened.",
        "properties": {"number": integer(0), "order": ref(UNION), "ended": ended, "problem": ref("PastProblem")},
        "required": ["number", "order", "ended", "problem"],
    }


def _past_problem() -> Schema:
    return {
        "type": "object",
        "description": "What was wrong with an order when the phase was resolved.",
        "properties": {
            "code": text("not_enough_bp"),
            "message": text("0405 has 20 BP of the 50 that this costs."),
            "field": text("at"),
            "value": _SCALAR,
            "rule": text("1.1"),
            "order": {"anyOf": [integer(0), {"type": "null"}], "description": "The order's place in its set."},
        },
        "required": ["code", "message"],
    }


def _edit() -> Schema:
    return {
        "type": "object",
        "description": "One edit. Which fields each noun has stands in the guide to the API.",
        "properties": {
            "do": enum(sorted({do for do, _ in edits.KINDS})),
            "what": enum(sorted({what for _, what in edits.KINDS})),
        },
        "required": ["do", "what"],
        "additionalProperties": True,
        "examples": [{"do": "set", "what": "store", "hex": "0405", "bp": 500}],
    }
