"""The two clients. Their work is the same, and written once; see :mod:`sealed_orders._operation`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from ssl import SSLContext
from typing import Generic, Self, TypeVar

import httpx2

from sealed_orders._account import AccountOperations, ClientConfig, Join, TokenSource
from sealed_orders._chronicle import ChronicleOperations
from sealed_orders._game_master import GameMasterOperations
from sealed_orders._operation import Asynchronous, Blocking
from sealed_orders._plans import RetryPolicy
from sealed_orders._tables import TableOperations, TablesOperations, new_salt
from sealed_orders.records import OrderSet
from sealed_orders.salts import key_bytes

__all__ = [
    "AsyncCampaign",
    "AsyncChronicle",
    "AsyncClient",
    "AsyncTable",
    "AsyncTables",
    "Campaign",
    "Chronicle",
    "Client",
    "Join",
    "Table",
    "Tables",
    "Turn",
    "new_salt",
]

PATIENCE = 30.0
"""Seconds for which a request is tried again, unless a client chooses otherwise."""
POLL = 20.0
"""Seconds between two looks where no event stream can be had."""
TIMEOUT = 30.0
"""Seconds without a sign of life after which an attempt has failed."""

C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class Turn(Generic[C]):
    """A phase that needs your orders."""

    campaign: C
    """Where to order: a :class:`Campaign` or :class:`AsyncCampaign`."""
    orders: OrderSet
    """Your set so far; its ``number`` goes into ``send``."""


class Campaign(GameMasterOperations, Blocking):
    """One campaign: reading it, ordering in it, running it. Made by :meth:`Client.campaign`."""

    def __init__(self, http: httpx2.Client, config: ClientConfig, id_: str, seat: str | None) -> None:
        self._http = http
        self._config = config
        self.id = id_
        self.seat = seat

    def turns(self) -> Generator[Turn[Campaign], None, None]:
        """Wait for phases that need orders; ends with the campaign.

        Each comes once, as soon as it is open, unless its orders are final already; and again if the game master has
        changed the position in the meantime.
        """
        for orders in self._iterate(self._turns()):
            yield Turn(self, orders)


class AsyncCampaign(GameMasterOperations, Asynchronous):
    """One campaign: reading it, ordering in it, running it. Made by :meth:`AsyncClient.campaign`."""

    def __init__(self, http: httpx2.AsyncClient, config: ClientConfig, id_: str, seat: str | None) -> None:
        self._http = http
        self._config = config
        self.id = id_
        self.seat = seat

    async def turns(self) -> AsyncGenerator[Turn[AsyncCampaign], None]:
        """Wait for phases that need orders; see :meth:`Campaign.turns`."""
        async for orders in self._iterate(self._turns()):
            yield Turn(self, orders)


class Tables(TablesOperations, Blocking):
    """Your table games, armies and missions. Found as :attr:`Client.tables`."""

    def __init__(self, http: httpx2.Client, config: ClientConfig) -> None:
        self._http = http
        self._config = config


class AsyncTables(TablesOperations, Asynchronous):
    """Your table games, armies and missions. Found as :attr:`AsyncClient.tables`."""

    def __init__(self, http: httpx2.AsyncClient, config: ClientConfig) -> None:
        self._http = http
        self._config = config


class Chronicle(ChronicleOperations, Blocking):
    """Stories of battles, by their sides. Found as :attr:`Client.chronicle`."""

    def __init__(self, http: httpx2.Client, config: ClientConfig) -> None:
        self._http = http
        self._config = config


class AsyncChronicle(ChronicleOperations, Asynchronous):
    """Stories of battles, by their sides. Found as :attr:`AsyncClient.chronicle`."""

    def __init__(self, http: httpx2.AsyncClient, config: ClientConfig) -> None:
        self._http = http
        self._config = config


class Table(TableOperations, Blocking):
    """One table game: reading it, playing it. Made by :meth:`Client.table`."""

    def __init__(
        self, http: httpx2.Client, config: ClientConfig, id_: str, side: str | None, watch: str | None
    ) -> None:
        self._http = http
        self._config = config
        self.id, self.side, self.watch = id_, side, watch


class AsyncTable(TableOperations, Asynchronous):
    """One table game: reading it, playing it. Made by :meth:`AsyncClient.table`."""

    def __init__(
        self, http: httpx2.AsyncClient, config: ClientConfig, id_: str, side: str | None, watch: str | None
    ) -> None:
        self._http = http
        self._config = config
        self.id, self.side, self.watch = id_, side, watch


class Client(Blocking, AccountOperations):
    """A server and who you are there; all calls block. Close it, or use it in a ``with``."""

    def __init__(
        self,
        url: str,
        token: str | TokenSource | None = None,
        *,
        patience: float = PATIENCE,
        poll: float = POLL,
        timeout: float = TIMEOUT,
        salt_key: str | None = None,
        receipts: Path | None = None,
        http: httpx2.Client | None = None,
    ) -> None:
        """Make a client of the server at *url*, signed in by *token* if given; sends nothing yet.

        *token*: a function returns it before each request, and the client then waits for a valid token as for a
        server that is away.
        *patience*: seconds for which requests are tried again while the server is away, busy or says 429 (infinite:
        until it works). *poll*: seconds between two looks where no event stream can be had. *timeout*: seconds without
        a sign of life after which an attempt has failed. *salt_key*: keep the salts of your seats with this key
        (:func:`sealed_orders.salts.new_key`); they are sent in each phase that :meth:`turns` sees, even without orders
        due. *receipts*: a file to which the server's receipts are added, one a line. *http*: a connection of your own,
        for proxies and certificates.
        """
        self._http = http or httpx2.Client(timeout=timeout, follow_redirects=False, verify=_certificates())
        self._http.base_url = httpx2.URL(base_url(url))
        self._headers = self._http.headers
        self._config = ClientConfig(_policy(patience, token), poll, _checked(salt_key), receipts_file=receipts)
        self._sign_in_with(token, self._http)

    def campaign(self, campaign_id: str, *, seat: str | None = None) -> Campaign:
        """Return a campaign to work with; *seat*: the player to order for, if you are also a substitute."""
        return Campaign(self._http, self._config, campaign_id, seat)

    @property
    def tables(self) -> Tables:
        """Your table games, armies and missions."""
        return Tables(self._http, self._config)

    @property
    def chronicle(self) -> Chronicle:
        """The sides' stories of their battles."""
        return Chronicle(self._http, self._config)

    def table(self, table_id: str, *, side: str | None = None, watch: str | None = None) -> Table:
        """Return a table game to work with; *side* where you play both, *watch*: the code with which you watch."""
        return Table(self._http, self._config, table_id, side, watch)

    def turns(self, *, join: Join | None = None) -> Generator[Turn[Campaign], None, None]:
        """Wait, without end, for phases that want orders, in all campaigns you have a seat in.

        Each comes once, as soon as it is open, unless your orders are final already. *join* answers invitations: it is
        called with the campaign and the ids of its factions, and returns the one to play, or None to decline.
        """
        for orders in self._iterate(self._turns(join)):
            yield Turn(self.campaign(orders.campaign_id), orders)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(Asynchronous, AccountOperations):
    """A server and who you are there; calls are awaited (asyncio). Close it, or use it in an ``async with``."""

    def __init__(
        self,
        url: str,
        token: str | TokenSource | None = None,
        *,
        patience: float = PATIENCE,
        poll: float = POLL,
        timeout: float = TIMEOUT,
        salt_key: str | None = None,
        receipts: Path | None = None,
        http: httpx2.AsyncClient | None = None,
    ) -> None:
        """Make a client; see :class:`Client`."""
        self._http = http or httpx2.AsyncClient(timeout=timeout, follow_redirects=False, verify=_certificates())
        self._http.base_url = httpx2.URL(base_url(url))
        self._headers = self._http.headers
        self._config = ClientConfig(_policy(patience, token), poll, _checked(salt_key), receipts_file=receipts)
        self._sign_in_with(token, self._http)

    def campaign(self, campaign_id: str, *, seat: str | None = None) -> AsyncCampaign:
        """Return a campaign to work with; *seat*: the player to order for, if you are also a substitute."""
        return AsyncCampaign(self._http, self._config, campaign_id, seat)

    @property
    def tables(self) -> AsyncTables:
        """Your table games, armies and missions."""
        return AsyncTables(self._http, self._config)

    @property
    def chronicle(self) -> AsyncChronicle:
        """The sides' stories of their battles."""
        return AsyncChronicle(self._http, self._config)

    def table(self, table_id: str, *, side: str | None = None, watch: str | None = None) -> AsyncTable:
        """Return a table game to work with; *side* where you play both, *watch*: the code with which you watch."""
        return AsyncTable(self._http, self._config, table_id, side, watch)

    async def turns(self, *, join: Join | None = None) -> AsyncGenerator[Turn[AsyncCampaign], None]:
        """Wait, without end, for phases that need orders; see :meth:`Client.turns`."""
        async for orders in self._iterate(self._turns(join)):
            yield Turn(self.campaign(orders.campaign_id), orders)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _policy(patience: float, token: str | TokenSource | None) -> RetryPolicy:
    return RetryPolicy(patience, token_may_come=callable(token))


def _checked(salt_key: str | None) -> str | None:
    if salt_key is not None:
        key_bytes(salt_key)
    return salt_key


def base_url(url: str) -> str:
    """Return the address requests start from; ValueError where *url* is none."""
    found = httpx2.URL(url)
    if found.scheme not in ("http", "https") or not found.host:
        raise ValueError(f"a server's address begins with http:// or https://, not {url!r}")
    return str(found).rstrip("/") + "/"


@cache
def _certificates() -> SSLContext:
    """Return the authorities this machine trusts; read once, however many clients there are."""
    return httpx2.create_ssl_context()
