"""Words with a fixed list of values: each list is one named schema, so that generated code has one type for it."""

from __future__ import annotations

from collections.abc import Mapping

from server.api.description.plain import Schema, enum
from server.bots.levels import LEVELS
from server.http.error_codes import ALL_CODES
from server.play import rhythm as deadlines
from server.play.context import SCOPES
from server.play.messages.messages import DECLARATIONS
from server.play.notices.notices import KINDS
from server.play.options import STAND_INS
from server.play.records.records import START
from server.rules.state import BATTLE_MOVEMENT, BATTLES, BUILD, MOVEMENT, OVER, REPORTS, SETUP
from server.store.tables import STAND_INS as SEAT_STAND_INS
from server.store.tables.campaigns import STATUSES

WORDS: Mapping[str, Schema] = {
    "BattleChoice": enum(
        ("choice", "quick", "tabletop"), "How battles are fought: each as its sides choose, or all alike."
    ),
    "BotLevel": enum(LEVELS, "How well a computer player plays."),
    "CampaignStatus": enum(STATUSES, "Where a campaign stands."),
    "NoticeKind": enum((*KINDS, "test"), "What a notice says."),
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
"""By name."""
