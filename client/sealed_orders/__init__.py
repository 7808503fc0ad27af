"""Client library of Sealed Orders, a server for simultaneous-turn campaigns on a hex map.

Begin with :class:`Client` or :class:`AsyncClient`. The guide for bot authors is ``docs/bots.md`` of the server.
"""

from sealed_orders.client import (
    AsyncCampaign,
    AsyncChronicle,
    AsyncClient,
    AsyncTable,
    AsyncTables,
    Campaign,
    Chronicle,
    Client,
    Table,
    Tables,
    Turn,
    new_salt,
)
from sealed_orders.errors import (
    AlreadyDone,
    Conflict,
    Fault,
    Forbidden,
    Invalid,
    NotFound,
    NotSignedIn,
    OrdersRefused,
    PhaseOver,
    Refused,
    SealedOrdersError,
    ServerFailed,
    StaleRevision,
    TooManyRequests,
    UnexpectedAnswer,
    Unreachable,
)
from sealed_orders.records import CampaignInfo, Event, LegalOrder, Order, OrderSet, Position

__version__ = "0.1.0"

__all__ = [
    "AlreadyDone",
    "AsyncCampaign",
    "AsyncChronicle",
    "AsyncClient",
    "AsyncTable",
    "AsyncTables",
    "Campaign",
    "CampaignInfo",
    "Chronicle",
    "Client",
    "Conflict",
    "Event",
    "Fault",
    "Forbidden",
    "Invalid",
    "LegalOrder",
    "NotFound",
    "NotSignedIn",
    "Order",
    "OrderSet",
    "OrdersRefused",
    "PhaseOver",
    "Position",
    "Refused",
    "SealedOrdersError",
    "ServerFailed",
    "StaleRevision",
    "Table",
    "Tables",
    "TooManyRequests",
    "Turn",
    "UnexpectedAnswer",
    "Unreachable",
    "new_salt",
]
