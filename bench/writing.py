"""How many order sets a server takes, beside the least a server could do with the same database in the same minute."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from statistics import median

import httpx2
from sqlalchemy.engine import URL

from bench.load import Request, run
from bench.measure import Result
from server.bots import commander
from tests.e2e.clients import Client, Table, close_all, set_up
from tests.e2e.generals import General, view_of
from tests.e2e.processes import START_SECONDS, free_port, serving

ROUNDS, SECONDS = 5, 3.0
CAMPAIGNS = 2
"""Of four players each: as many clients write at a time."""


def writing(url: URL, kind: str) -> list[Result]:
    """Write order sets and bare rows by turns; the median share of the rounds counts."""
    shares, sets, rows = [], [], []
    with serving(url, ticker_interval=2.0) as server, bare(url) as port:
        tables = [set_up(server.base_url, 4, suffix=f" {n}") for n in range(CAMPAIGNS)]
        writers = [request for table in tables for request in requests(table)]
        close_all()
        plain = Request("PUT", "/insert", {"Content-Type": "application/json"}, writers[0].body)
        for _ in range(ROUNDS):
            bare_rate = run(port, lambda _number: plain, clients=len(writers), seconds=SECONDS).rate
            set_rate = run(server.port, writers.__getitem__, clients=len(writers), seconds=SECONDS).rate
            shares.append(set_rate / bare_rate)
            sets.append(set_rate)
            rows.append(bare_rate)
    share = median(shares)
    what = f"order sets a second over HTTP, {len(writers)} players at once, of bare inserts a second on the same {kind}"
    return [
        Result("writes", what, f"{share:.0%}", "60%", share >= 0.6),
        Result("writes", "the same: order sets, and bare inserts", f"{median(sets):.0f}/s, {median(rows):.0f}/s"),
    ]


def requests(table: Table) -> list[Request]:
    """Return for each player the write of his Movement orders, as a computer player would give them."""
    generals = cycle(General(player, table) for player in table.players)
    while table.gm.do("GET", table.path)["phase"] != "movement":
        next(generals).move()
    return [_write(player, table) for player in table.players]


def _write(client: Client, table: Table) -> Request:
    body = json.dumps({"orders": commander.choose(view_of(client, table))})
    headers = {"Authorization": f"Bearer {client.secret}", "Content-Type": "application/json"}
    return Request("PUT", f"/api/v1{table.path}/orders", headers, body)


@contextmanager
def bare(url: URL) -> Iterator[int]:
    """Serve :mod:`bench.bare` on a database; yields the port."""
    port = free_port()
    environment = os.environ | {"SEALED_ORDERS_DATABASE_URL": url.render_as_string(hide_password=False)}
    process = subprocess.Popen([sys.executable, "-m", "bench.bare", str(port)], env=environment)
    try:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            with suppress(httpx2.HTTPError):
                if httpx2.get(f"http://127.0.0.1:{port}/readyz").status_code == 200:
                    break
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait()
