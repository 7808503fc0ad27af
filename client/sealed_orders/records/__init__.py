"""What the server answers, as frozen dataclasses. Times are aware datetimes, hexes are labels such as ``0405``.

Fields that a later server adds are ignored. Orders are typed dictionaries. What stays plain JSON
(positions, options, rules) is described in the server's ``docs/rulebook.md`` and ``docs/api.md``.
"""

from sealed_orders.records.accounts import Account, NewToken, OpenBot, Session, TokenInfo
from sealed_orders.records.armies import Roster, RosterNote, Template
from sealed_orders.records.campaigns import (
    CampaignInfo,
    CampaignSummary,
    Event,
    GameMaster,
    Invitation,
    Offer,
    RulesetInfo,
    ScenarioInfo,
    Seat,
)
from sealed_orders.records.dice import Dice, Salt, Salts
from sealed_orders.records.knowing import (
    Branch,
    DiplomaticAct,
    Intervention,
    Invented,
    PastPhase,
    PhaseInfo,
    Position,
    Posture,
    Practice,
    Standing,
    Vote,
)
from sealed_orders.records.notebook import Notebook, Pin, TurnNote
from sealed_orders.records.order_options import OrderChoices, OrderFields, OrderType
from sealed_orders.records.order_parts import BattleResult, UnitLoss, UnitMade
from sealed_orders.records.order_types import Order
from sealed_orders.records.orders import (
    Draft,
    Finality,
    HandedIn,
    LegalOrder,
    OrderSet,
    OrdersInAdvance,
    Preview,
    RepeatedOrders,
)
from sealed_orders.records.people import Battle, Declaration, Edit, EditPreview, Message, Report
from sealed_orders.records.plain import Json
from sealed_orders.records.tables import LogEntry, Story, TableAct, TableGuest, TableInfo, TablePosition

__all__ = [
    "Account",
    "Battle",
    "BattleResult",
    "Branch",
    "CampaignInfo",
    "CampaignSummary",
    "Declaration",
    "Dice",
    "DiplomaticAct",
    "Draft",
    "Edit",
    "EditPreview",
    "Event",
    "Finality",
    "GameMaster",
    "HandedIn",
    "Intervention",
    "Invented",
    "Invitation",
    "Json",
    "LegalOrder",
    "LogEntry",
    "Message",
    "NewToken",
    "Notebook",
    "Offer",
    "OpenBot",
    "Order",
    "OrderChoices",
    "OrderFields",
    "OrderSet",
    "OrderType",
    "OrdersInAdvance",
    "PastPhase",
    "PhaseInfo",
    "Pin",
    "Position",
    "Posture",
    "Practice",
    "Preview",
    "RepeatedOrders",
    "Report",
    "Roster",
    "RosterNote",
    "RulesetInfo",
    "Salt",
    "Salts",
    "ScenarioInfo",
    "Seat",
    "Session",
    "Standing",
    "Story",
    "TableAct",
    "TableGuest",
    "TableInfo",
    "TablePosition",
    "Template",
    "TokenInfo",
    "TurnNote",
    "UnitLoss",
    "UnitMade",
    "Vote",
]
