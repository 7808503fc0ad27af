"""How many reads a server answers, beside the least a server could do with the same bytes in the same minute."""

from __future__ import annotations

import time
from statistics import median

import httpx2
from sqlalchemy.engine import URL

from bench.load import Request, run
from bench.measure import Result
from bench.paced import Paced
from bench.writing import bare
from server.http.signing import COOKIE
from tests.e2e.clients import Table, close_all, set_up
from tests.e2e.processes import serving

ROUNDS, SECONDS, CLIENTS = 5, 2.0, 4
PAGE = "page of the map"
WHAT = ("view", "legal-orders", "orders", "", PAGE)
"""Addresses below a campaign's; the empty one is the campaign's own."""
AIM = 0.5
PACE, PACED_SECONDS, MOST = 200, 10.0, 0.025
"""Reads a second, for how long, and seconds that 99 of 100 of them may take."""


def reading(url: URL, kind: str) -> list[Result]:
    """Read by turns from the server and the bare stack, whole and unchanged; medians of the rounds count."""
    results = []
    with serving(url, ticker_interval=2.0, account_rate=100_000, address_rate=1_000_000) as server, bare(url) as port:
        table = set_up(server.base_url, 4)
        for what in WHAT:
            for unchanged in (False,) if what == PAGE else (False, True):
                results.append(_share(server.port, port, table, what, unchanged, kind))
        results.append(_paced(server.port, table, kind))
        close_all()
    return results


def _paced(port: int, table: Table, kind: str) -> Result:
    """Let everybody read all of it at a pace."""
    paths = [_path(table, what) for what in WHAT]
    readers = Paced([(port, path, player.secret) for player in table.players for path in paths])
    with readers.asking(PACE, CLIENTS):
        time.sleep(PACED_SECONDS)
    took = readers.percentile(0.99)
    figure = f"{took * 1000:.0f} ms ({readers.percentile(0.5) * 1000:.1f} ms at p50)"
    what = f"all of these at {PACE} requests a second, {len(readers.times)} in all: p99, {kind}"
    return Result("reads", what, figure, f"{MOST * 1000:.0f} ms", took <= MOST)


def _path(table: Table, what: str) -> str:
    return f"{table.path}/table" if what == PAGE else f"/api/v1{table.path}/{what}".rstrip("/")


def _share(real: int, bare_port: int, table: Table, what: str, unchanged: bool, kind: str) -> Result:
    path, secret = _path(table, what), table.players[0].secret
    head = {"Cookie": f"{COOKIE}={secret}"} if what == PAGE else {"Authorization": f"Bearer {secret}"}
    first = httpx2.get(f"http://127.0.0.1:{real}{path}", headers=head)
    assert first.status_code == 200, first.text
    name = what.replace(" ", "-") or "campaign"
    httpx2.put(f"http://127.0.0.1:{bare_port}/keep/{name}", content=first.content)
    tags = {"If-None-Match": first.headers["ETag"]} if unchanged else {}
    ours = Request("GET", path, head | tags)
    theirs = Request("GET", f"/read/{name}", {"If-None-Match": '"1"'} if unchanged else {})
    shares, rates = [], []
    for _ in range(ROUNDS):
        bare = run(bare_port, lambda _number: theirs, clients=CLIENTS, seconds=SECONDS)
        load = run(real, lambda _number: ours, clients=CLIENTS, seconds=SECONDS)
        shares.append(load.rate / bare.rate)
        rates.append((load.rate, bare.rate))
    share = median(shares)
    mine, bare_rate = (median(rate[place] for rate in rates) for place in (0, 1))
    how = "unchanged (304)" if unchanged else f"whole ({len(first.content)} bytes)"
    figure = f"{share:.2f} ({mine:.0f}/s of {bare_rate:.0f}/s)"
    if what == PAGE:  # made with every request, like all pages
        return Result("reads", f"{name}, {how}, of the bare rate, {kind}", figure)
    return Result("reads", f"{name}, {how}, of the bare rate, {kind}", figure, f"{AIM:.1f}", share >= AIM)
