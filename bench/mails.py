"""A thousand mails at once, handed over by LMTP: how long until all are acted upon, and small reads meanwhile."""

from __future__ import annotations

import smtplib
import time
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from email.policy import SMTP
from threading import Event, Thread

from sqlalchemy import func, select
from sqlalchemy.engine import URL

from bench.load import Load, Request, run
from bench.measure import Result
from server.bots import commander
from server.play.context import AppContext
from server.play.notices import reply_tags
from server.play.notices.reply_tags import Tag
from server.rules.text import write_orders
from server.settings import Settings
from server.store.database import Database
from server.store.tables import InboundMail, OrderSet, Seat, User
from tests.e2e.clients import Table, close_all, set_up
from tests.e2e.generals import view_of
from tests.e2e.processes import free_port, serving

MAILS, CAMPAIGNS, CONNECTIONS = 1000, 10, 4
"""Ten campaigns of four; each of the 40 writes 25 mails, fewer than are answered within an hour."""
MAX_SECONDS = 120.0
READERS, READ_SECONDS = 2, 10.0


def mails(url: URL, kind: str) -> list[Result]:
    """Hand over all mails as a mail server does that was away for a night."""
    lmtp = free_port()
    more = {"mail_orders": "orders@example.org", "lmtp_listen": f"127.0.0.1:{lmtp}"}
    with serving(url, ticker_interval=2.0, **more) as server:
        tables = [set_up(server.base_url, 4, suffix=f" {number}") for number in range(CAMPAIGNS)]
        written = _written(url, tables)
        read = Request(
            "GET", f"/api/v1{tables[0].path}/orders", {"Authorization": f"Bearer {tables[0].players[0].secret}"}
        )
        idle = run(server.port, lambda _number: read, clients=READERS, seconds=READ_SECONDS)
        over, loads = Event(), list[Load]()
        reading = Thread(
            target=lambda: loads.append(
                run(server.port, lambda _number: read, clients=READERS, seconds=600, until=over.is_set)
            )
        )
        reading.start()
        begun = time.perf_counter()
        with ThreadPoolExecutor(CONNECTIONS) as threads:
            list(threads.map(lambda first: _hand_over(lmtp, written[first::CONNECTIONS]), range(CONNECTIONS)))
        took = time.perf_counter() - begun
        over.set()
        reading.join()
        close_all()
        _all_acted_upon(url)
    calm, meanwhile = idle.percentile(0.99), loads[0].percentile(0.99)
    return [
        Result(
            "mails",
            f"{MAILS} mails with orders acted upon, {kind}",
            f"{took:.0f} s",
            f"{MAX_SECONDS:.0f} s",
            took <= MAX_SECONDS,
        ),
        Result(
            "mails",
            f"a small read (99th percentile of {len(loads[0].times)}) meanwhile, of the same idle",
            f"{meanwhile / calm:.1f}x",
            "3x",
            meanwhile <= 3 * calm,
        ),
        Result("mails", "the same: idle, and meanwhile", f"{calm * 1000:.1f} and {meanwhile * 1000:.1f} ms"),
    ]


def _written(url: URL, tables: list[Table]) -> list[tuple[str, bytes]]:
    """Return the mails with the addresses they go to; the last one of each seat is the one that counts."""
    database = Database(url)
    ctx = AppContext(database, Settings.model_validate({"mail_orders": "orders@example.org"}))
    with database.write() as session:
        for user in session.scalars(select(User)):
            user.email, user.email_confirmed_at = f"{user.id}@example.org", ctx.now()
        users = {(seat.campaign_id, seat.player_id): str(seat.user_id) for seat in session.scalars(select(Seat))}
    letters = []
    for table in tables:
        for player in table.players:
            view = view_of(player, table)
            tag = Tag("seat", table.id, view.viewer, 1, 1)
            to = reply_tags.address(ctx, tag, users[table.id, view.viewer])
            letters.append((to, write_orders(list(commander.choose(view)), view)))
    ctx.close()
    return [(to, _mail(to, number, orders)) for number in range(MAILS // len(letters)) for to, orders in letters]


def _mail(to: str, number: int, orders: str) -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Ann <ann@home.example>", to, "Re: [The Thirteen Towers] Setup"
    message["Message-ID"] = f"<{number}.{to.partition('@')[0]}@home.example>"
    text = f"Hello,\n\nthis is what I want, no. {number}.\n\n{orders}\n"
    quoted = "\n".join(f"> {line}" for line in ["Hello Ann,", *["- 1st Company: 0303"] * 60])
    message.set_content(f"{text}\nOn 3 May 2031, Sealed Orders <orders@example.org> wrote:\n\n{quoted}\n")
    return message.as_bytes(policy=SMTP)


def _hand_over(port: int, written: list[tuple[str, bytes]]) -> None:
    with smtplib.LMTP("127.0.0.1", port) as there:
        for to, raw in written:
            there.sendmail("ann@home.example", [to], raw)


def _all_acted_upon(url: URL) -> None:
    database = Database(url)
    with database.read() as session:
        done = (InboundMail.message_id.startswith("id/"), InboundMail.outcome == "answered")
        assert session.scalar(select(func.count()).select_from(InboundMail).where(*done)) == MAILS
        given = session.scalar(select(func.count()).select_from(OrderSet).where(OrderSet.source == "mail"))
        assert given == 4 * CAMPAIGNS, given
    database.close()
