"""Plays a whole turn with a client that openapi-python-client made: turn_client.py SERVER CAMPAIGN TOKEN..."""

from __future__ import annotations

import sys
from uuid import uuid4

from made import AuthenticatedClient
from made.api.orders import get_orders, replace_orders
from made.api.view import get_legal_orders, get_view
from made.models import (
    Accepted,
    GuardOrder,
    LegalGuard,
    LegalOrderPage,
    LegalPath,
    LegalPlace,
    OrderSetInfo,
    OrdersWanted,
    PathOrder,
    PlaceOrder,
    PositionShown,
)

SERVER, CAMPAIGN, *TOKENS = sys.argv[1:]


def choose(option: object) -> tuple[str, PlaceOrder | PathOrder | GuardOrder] | None:
    """Return an order made of an option, which has a class for each type, and what it is for."""
    if isinstance(option, LegalPlace) and option.order.what and option.choices.at:
        return option.order.what, PlaceOrder(type_="place", what=option.order.what, at=option.choices.at[0])
    if isinstance(option, LegalPath) and option.order.detachment and option.reach:
        who = option.order.detachment
        return who, PathOrder(type_="path", detachment=who, path=option.reach[0].path)
    if isinstance(option, LegalGuard) and option.order.detachment:
        return option.order.detachment, GuardOrder(type_="guard", detachment=option.order.detachment)
    return None


def play(client: AuthenticatedClient) -> int:
    """Hand in orders where some are wanted; return how many."""
    found = get_orders.sync_detailed(CAMPAIGN, client=client)
    assert isinstance(found.parsed, OrderSetInfo), found.content
    if not found.parsed.wanted or found.parsed.final:
        return 0
    legal = get_legal_orders.sync(CAMPAIGN, client=client)
    assert isinstance(legal, LegalOrderPage), legal
    orders: dict[str, PlaceOrder | PathOrder | GuardOrder] = {}
    for option in legal.items:
        chosen = choose(option)
        if chosen is not None:
            orders.setdefault(*chosen)
    wanted = OrdersWanted(orders=list(orders.values()), final=True, lenient=True)
    done = replace_orders.sync(
        CAMPAIGN, client=client, body=wanted, if_match=found.headers["etag"], idempotency_key=str(uuid4())
    )
    assert isinstance(done, Accepted), done
    return len(done.orders.orders)


def main() -> None:
    """Play until the first turn is over."""
    clients = [AuthenticatedClient(base_url=SERVER, token=token) for token in TOKENS]
    given = 0
    while True:
        given += sum(play(client) for client in clients)
        view = get_view.sync(CAMPAIGN, client=clients[0])
        assert isinstance(view, PositionShown), view
        if view.state.turn > 1:
            break
    print(given, "orders")


main()
