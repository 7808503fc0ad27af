"""One campaign, three ways to play it: by mail through real servers, on the page, and a computer player."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select
from sqlalchemy.engine import URL

from server import rulesets
from server.app import create_app
from server.bots import commander
from server.play.campaigns import campaign_start, campaigns, seats
from server.play.context import Actor, AppContext
from server.play.orders import orders
from server.play.views import positions
from server.store.tables import OrderSet
from tests.api.conftest import settings_for
from tests.mail import dovecot
from tests.mail.conftest import text_of
from tests.mail.dovecot import Dovecot
from tests.mail.test_campaign_by_mail import Post, confirmed, exchange, mailboxes, post
from tests.mail.village import MAP, Writer
from tests.play.conftest import Clock
from tests.store import databases
from tests.web.visitor import Visitor

__all__ = ["mailboxes", "post"]

pytestmark = pytest.mark.skipif(bool(dovecot.missing()), reason=f"dovecot is {dovecot.missing()}")
FACTIONS = list(rulesets.load("wh40k-2001").factions)
MAIL, PAGE, COMPUTER = "p1", "p2", "p3"


@pytest.fixture
def url() -> Iterator[URL]:
    """One kind of database is enough: it is the ways to play that are tried."""
    with databases.migrated("sqlite", "mixed") as found:
        yield found


@pytest.fixture
def client(url: URL, clock: Clock, post: Post, mailboxes: Dovecot) -> Iterator[TestClient]:
    settings = settings_for(
        url,
        smtp_host="127.0.0.1",
        smtp_port=post.port,
        smtp_tls="none",
        mail_from="The Club <orders@example.org>",
        mail_orders="orders@example.org",
        imap_host="127.0.0.1",
        imap_port=mailboxes.imap_port,
        imap_tls="none",
        imap_user="orders@example.org",
        imap_password=dovecot.PASSWORD,
    )
    with TestClient(create_app(settings, clock=clock), base_url="http://127.0.0.1:8000") as found:
        yield found


def founded(ctx: AppContext, gm: Actor, writer: Writer) -> str:
    """Make the campaign: Ada joins by mail, Bob on the page, and nobody takes the third seat."""
    options = {"computer_seats": True, "bot_level": "regular"}
    rules = {"turn_limit": 2, "battles": "quick"}
    new = campaigns.NewCampaign("Three Ways", "three-villages", MAP, rules=rules, options=options, listed=False)
    id_ = campaigns.create(ctx, gm, new).id
    for name in ("Ada", "Bob"):
        seats.invite_user(ctx, gm, id_, name)
    exchange(ctx)
    writer.read()
    writer.answer("JOIN as " + FACTIONS[0])
    exchange(ctx)
    return id_


def on_the_page(bob: Visitor, ctx: AppContext, actor: Actor, id_: str) -> None:
    """Order as the table's scripts do: what is there, the check, the hand-in over that very revision."""
    path = f"/campaigns/{id_}/orders"
    bob.get(f"/campaigns/{id_}/table")
    there = bob.api("GET", path)
    now = there.json()
    if not now["wanted"] or now["final"]:
        return
    chosen = list(commander.choose(positions.position(ctx, actor, id_).view))
    assert bob.api("POST", f"{path}/draft", {"orders": chosen}).status_code == 200
    body = {"orders": chosen, "number": now["number"], "lenient": True, "salt": None, "temporary": False, "final": True}
    saved = bob.api("PUT", path, body, If_Match=there.headers["etag"])
    assert saved.status_code == 200, saved.text
    assert saved.json()["orders"]["final"]


def test_by_mail_on_the_page_and_a_computer_player(client: TestClient, post: Post, mailboxes: Dovecot) -> None:
    ctx: AppContext = client.app.state.server.ctx  # type: ignore[attr-defined]
    gm, ada, bob = confirmed(ctx, "Gwen", "Ada", "Bob")
    writer = Writer("ada@example.org", post.port, mailboxes)
    id_ = founded(ctx, gm, writer)
    visitor = Visitor(client, "Bob")
    visitor.get(f"/campaigns/{id_}")
    taken = visitor.api("POST", f"/campaigns/{id_}/seats", {"faction": FACTIONS[1]})
    assert taken.status_code == 201, taken.text
    assert [seat.user for seat in campaigns.get(ctx, gm, id_).seats] == ["Ada", "Bob", None]
    campaign_start.start(ctx, gm, id_)
    for _ in range(40):
        exchange(ctx)
        if campaigns.get(ctx, gm, id_).status != "running":
            break
        writer.read()
        now = orders.read(ctx, ada, id_)
        if now.wanted and not now.final:
            writer.order(positions.position(ctx, ada, id_).view)
        on_the_page(visitor, ctx, bob, id_)
    assert campaigns.get(ctx, gm, id_).status == "finished"
    assert ways(ctx, id_) == {MAIL: {"mail"}, PAGE: {"web"}, COMPUTER: {"bot"}}
    mails = writer.read()
    last = next(mail for mail in mails if "over" in str(mail["Subject"]))
    assert "Bob" in text_of(last)
    assert not [mail for mail in mails if "refused" in text_of(mail)]  # the last orders end the campaign
    assert "over" in visitor.get(f"/campaigns/{id_}")


def ways(ctx: AppContext, id_: str) -> dict[str, set[str]]:
    """Return how each seat's orders came, where there were any."""
    found: dict[str, set[str]] = {}
    with ctx.database.read() as session:
        for row in session.scalars(select(OrderSet).where(OrderSet.campaign_id == id_, OrderSet.source != "")):
            found.setdefault(row.player_id, set()).add(row.source)
    return found
