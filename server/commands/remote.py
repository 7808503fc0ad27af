"""What the commands share that talk to a server over its API: who one is there, which campaign, what went wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import typer

from sealed_orders import (
    Campaign,
    CampaignInfo,
    Client,
    NotFound,
    NotSignedIn,
    Refused,
    UnexpectedAnswer,
    Unreachable,
)
from sealed_orders.client import base_url
from server.commands import logins
from server.commands.terminal import Code, Wrong, end

SERVER_VARIABLE, TOKEN_VARIABLE = "SEALED_ORDERS_SERVER", "SEALED_ORDERS_TOKEN"
PATIENCE = 5.0
"""Seconds for which a command tries again before it says that the server does not answer."""

ServerOption = Annotated[
    str | None,
    typer.Option("--server", envvar=SERVER_VARIABLE, help="Address of the server. Default: where you last signed in."),
]
TokenOption = Annotated[
    str | None,
    typer.Option(
        "--token", envvar=TOKEN_VARIABLE, help="Token to sign in with instead. Better set SEALED_ORDERS_TOKEN."
    ),
]
CampaignArgument = Annotated[
    str | None,
    typer.Argument(metavar="[CAMPAIGN]", help="Campaign id, or part of its name. Default: the only one you play in."),
]
SeatOption = Annotated[
    str | None, typer.Option("--seat", help="Seat to order for. You can name one you substitute for.")
]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The campaign a command is about."""

    info: CampaignInfo
    campaign: Campaign

    @property
    def names(self) -> dict[str, str]:
        """What the players are called, by id."""
        return {seat.player_id: seat.name for seat in self.info.seats}


@contextmanager
def at_server(server: str | None, token: str | None, *, as_json: bool = False) -> Iterator[Client]:
    """A client of the server that is meant, signed in; tells what goes wrong in one line and ends."""
    with ending_on_errors(as_json):
        url, secret = find_login(server, token)
        with Client(url, secret, patience=PATIENCE, receipts=logins.receipts()) as client:
            yield client


def find_login(server: str | None, token: str | None) -> tuple[str, str]:
    """Return the server's address and the token to sign in with, as given or from the last login."""
    if server is not None and token is not None:
        return address(server), token
    login = logins.find(None if server is None else address(server))
    if login is None:
        at = f" at {server}" if server else ""
        raise Wrong(f"You are not signed in{at}. Sign in first: sealed-orders login {server or 'https://SERVER'}")
    return login.server, token or login.token


def address(server: str) -> str:
    """Return a server's address as logins are stored by."""
    return base_url(server).rstrip("/")


@contextmanager
def ending_on_errors(as_json: bool) -> Iterator[None]:
    """Tell errors in one line, or as one JSON object, and end."""
    try:
        yield
    except NotSignedIn as error:
        hint = " Sign in again: sealed-orders login" if error.code in ("bad_token", "not_signed_in") else ""
        end(_refused(error, Code.REFUSED, hint), as_json)
    except Refused as error:
        busy = error.status >= 500 or error.status == 429
        end(_refused(error, Code.UNAVAILABLE if busy else Code.REFUSED), as_json)
    except Unreachable as error:
        end(Wrong(str(error), Code.UNAVAILABLE), as_json)
    except UnexpectedAnswer as error:
        message = f"That is no Sealed Orders server, or one of another version: {error}."
        end(Wrong(message, Code.UNUSABLE), as_json)
    except (logins.BadLogins, ValueError) as error:
        end(Wrong(str(error), Code.UNUSABLE), as_json)


def choose(client: Client, wanted: str | None, *, seat: str | None = None) -> Chosen:
    """Return the campaign that is meant; ends where that is none, or several."""
    mine = client.campaigns(mine=True)
    if wanted is None:
        found = [campaign for campaign in mine if campaign.status in ("running", "paused")] or [*mine]
    else:
        named = wanted.casefold()
        found = [campaign for campaign in mine if campaign.id == wanted]
        found = found or [campaign for campaign in mine if campaign.name.casefold() == named]
        found = found or [campaign for campaign in mine if named in campaign.name.casefold()]
    if len(found) == 1:
        campaign = client.campaign(found[0].id, seat=seat)
        return Chosen(campaign.info(), campaign)
    if found:
        listed = "\n".join(f"  {campaign.id}  {campaign.name}" for campaign in found)
        raise Wrong(f"Which campaign? Name one by its id or more of its name:\n{listed}")
    if wanted is None:
        raise Wrong("You have no campaigns. Join one on the server's pages.")
    campaign = client.campaign(wanted, seat=seat)  # perhaps one to look on
    try:
        return Chosen(campaign.info(), campaign)
    except NotFound:
        raise Wrong(f"No campaign that you know of is called {wanted!r}. See: sealed-orders status") from None


def plain(record: Any) -> dict[str, Any]:
    """Return a record of the client library as JSON."""
    return asdict(record)


def _refused(error: Refused, code: Code, hint: str = "") -> Wrong:
    about = {"code": error.code, "message": str(error), "field": error.field, "value": error.value}
    return Wrong(f"{error}{hint}", code, {**about, "problems": [plain(problem) for problem in error.problems]})
