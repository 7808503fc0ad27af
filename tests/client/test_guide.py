"""The guide for bots leads to a running game, also on a used server, and its bots play on if the server goes away."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sealed_orders import Campaign, Client, NotSignedIn
from tests.client.club import PASSWORD, Club
from tests.e2e.processes import ServerProcess, serving
from tests.store import databases

PAGE = (Path(__file__).parents[2] / "docs" / "bots.md").read_text()
MAX_SECONDS = 240


def of_page(name: str) -> str:
    """Return a piece of code of the page."""
    found = re.search(rf"<!-- {re.escape(name)};.*?-->\n```\w+\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None, name
    return found[1]


def longer(program: str) -> str:
    """Return a program that begins a campaign of more turns: six are over in seconds, before a test can do anything."""
    return re.sub(r"(turn_limit\W+)6\b", r"\g<1>90", program)


@contextmanager
def as_the_page_says(server: ServerProcess, folder: Path) -> Iterator[None]:
    """Run the page's commands with the page's programs, until the end of the block."""
    (folder / "begin.py").write_text(longer(of_page("begin.py")))
    (folder / "bot.py").write_text(of_page("bot.py"))
    commands = of_page("run").replace("http://127.0.0.1:8000", server.base_url)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with (folder / "log.txt").open("w") as log:
        shell = subprocess.Popen(
            ["bash", "-euc", commands],
            cwd=folder,
            env={**os.environ, "PATH": path, "PYTHONUNBUFFERED": "1"},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            yield
        finally:
            os.killpg(shell.pid, signal.SIGKILL)
            shell.wait()


def until_said(log: Path, pattern: str) -> re.Match[str]:
    """Wait until a log says something."""
    end = time.monotonic() + MAX_SECONDS
    while time.monotonic() < end:
        found = re.search(pattern, log.read_text())
        if found is not None:
            return found
        time.sleep(0.2)
    raise AssertionError(log.read_text())


def the_campaign(owner: Client, log: Path) -> Campaign:
    """Wait until the page's program has started its campaign; sign in as it says."""
    said = until_said(log, r"Sign in as (Ann \w+) to watch \S+/campaigns/(\w+)")
    owner.sign_in(said[1], PASSWORD)
    return owner.campaign(said[2])


def until_turn(campaign: Campaign, turn: int) -> None:
    """Wait until a turn has begun."""
    end = time.monotonic() + MAX_SECONDS
    while ((info := campaign.info()).turn or 0) < turn:
        assert not info.over
        assert time.monotonic() < end
        time.sleep(0.2)


def test_the_guide_twice_on_one_server(tmp_path: Path) -> None:
    """The server is killed and comes back: the bots play on. A token is revoked: its bot says so and ends."""
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()
    logs = [folder / "log.txt" for folder in folders]
    with (
        databases.migrated("sqlite", "guide") as url,
        serving(url) as server,
        Client(server.base_url, patience=60) as owner,
    ):
        with as_the_page_says(server, folders[0]):
            campaign = the_campaign(owner, logs[0])
            until_turn(campaign, 1)
            server.kill()
            time.sleep(1.0)
            server.start()
            until_turn(campaign, 2)
            with Client(server.base_url, (folders[0] / "orks.token").read_text()) as player:
                scopes = {scope for token in player.tokens() for scope in token.scopes}
                player.revoke_token(player.tokens()[0].id)
            assert scopes == {"read", "orders"}
            until_said(logs[0], "The token is no longer valid")
        with as_the_page_says(server, folders[1]):
            campaign = the_campaign(owner, logs[1])
            until_turn(campaign, 2)
    for log in logs:
        told = log.read_text()
        given = [int(found) for found in re.findall(r"^\d+ \w+ (\d+) orders \d+ refused$", told, re.MULTILINE)]
        assert sum(given) > 5, told
        assert "Traceback" not in told


def test_a_token_is_waited_for_as_long_as_the_client_is_patient(club: Club) -> None:
    good = str(club.players[0].token)
    given = iter(["sot_nothing", "", good])
    with Client(club.url, lambda: next(given, good), patience=20) as client:
        assert client.me().name == club.players[0].me().name
        assert client.token == good
    with Client(club.url, lambda: "sot_nothing", patience=0.3) as client, pytest.raises(NotSignedIn):
        client.me()
    with Client(club.url, lambda: "sot_nothing", patience=0.3) as client, pytest.raises(NotSignedIn):
        next(client.follow())
