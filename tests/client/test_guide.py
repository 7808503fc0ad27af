"""The guide for bots leads from an empty server to a running game, and its bots go on whatever happens to it."""

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


@contextmanager
def as_the_page_says(server: ServerProcess, folder: Path) -> Iterator[None]:
    """Run the page's commands with the page's programs, until the end of the block."""
    for name in ("begin.py", "bot.py"):
        (folder / name).write_text(of_page(name))
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


def the_campaign(owner: Client, folder: Path) -> Campaign:
    """Wait until the campaign of the page has begun."""
    end = time.monotonic() + MAX_SECONDS
    while time.monotonic() < end:
        if (folder / "eldar.token").exists():
            owner.sign_in("Ann", PASSWORD)
            running = owner.campaigns(mine=True, status="running")
            if running:
                return owner.campaign(running[0].id)
        time.sleep(0.2)
    raise AssertionError((folder / "log.txt").read_text())


def until_turn(campaign: Campaign, turn: int) -> None:
    """Wait until a turn has begun."""
    end = time.monotonic() + MAX_SECONDS
    while (campaign.info().turn or 0) < turn:
        assert time.monotonic() < end
        time.sleep(0.2)


def test_from_an_empty_server_to_a_running_game(tmp_path: Path) -> None:
    """The server is killed and comes back, a token is revoked and another put in its place: the bots play on."""
    with (
        databases.migrated("sqlite", "guide") as url,
        serving(url) as server,
        as_the_page_says(server, tmp_path),
        Client(server.base_url, patience=60) as owner,
    ):
        campaign = the_campaign(owner, tmp_path)
        until_turn(campaign, 1)
        server.kill()
        time.sleep(1.0)
        server.start()
        until_turn(campaign, 2)
        orks = next(bot for bot in owner.bots() if "orks" in bot.name)
        with Client(server.base_url, (tmp_path / "orks.token").read_text()) as player:
            scopes = {scope for token in player.tokens() for scope in token.scopes}
            player.revoke_token(player.tokens()[0].id)
        assert scopes == {"read", "orders"}
        time.sleep(1.0)
        owner.sign_in("Ann", PASSWORD)
        (tmp_path / "orks.token").write_text(owner.create_token("again", bot=orks.id).secret)
        until_turn(campaign, 3)
    told = (tmp_path / "log.txt").read_text()
    given = [int(found) for found in re.findall(r"^\d+ \w+ (\d+) orders \d+ refused$", told, re.MULTILINE)]
    assert sum(given) > 10, told
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
