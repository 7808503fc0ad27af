"""What the server answers, as frozen dataclasses. Times are aware datetimes, hexes are labels such as ``0405``.

Fields that a later server adds are ignored. What stays plain JSON (orders, positions, options, rules) is described
in the server's ``docs/rulebook.md`` and ``docs/api.md``.
"""

from sealed_orders.records.accounts import Account, NewToken, Session, TokenInfo
from sealed_orders.records.campaigns import (
    CampaignInfo,
    CampaignSummary,
    Event,
    Offer,
    RulesetInfo,
    ScenarioInfo,
    Seat,
)
from sealed_orders.records.knowing import Branch, Intervention, PastPhase, PhaseInfo, Position, Standing
from sealed_orders.records.orders import Draft, Finality, HandedIn, LegalOrder, OrderSet, OrdersInAdvance, Preview
from sealed_orders.records.people import Battle, Declaration, Edit, EditPreview, Message, Report
from sealed_orders.records.plain import Json, Order

__all__ = [
    "Account",
    "Battle",
    "Branch",
    "CampaignInfo",
    "CampaignSummary",
    "Declaration",
    "Draft",
    "Edit",
    "EditPreview",
    "Event",
    "Finality",
    "HandedIn",
    "Intervention",
    "Json",
    "LegalOrder",
    "Message",
    "NewToken",
    "Offer",
    "Order",
    "OrderSet",
    "OrdersInAdvance",
    "PastPhase",
    "PhaseInfo",
    "Position",
    "Preview",
    "Report",
    "RulesetInfo",
    "ScenarioInfo",
    "Seat",
    "Session",
    "Standing",
    "TokenInfo",
]
