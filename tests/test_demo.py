"""``sealed-orders demo``: started as its user starts it, played, stopped with Ctrl-C, gone on with."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self
from urllib.parse import parse_qs, urljoin, urlsplit

import httpx2
import pytest

from sealed_orders import Campaign, Client
from server.commands.terminal import Code
from server.computer_player import ComputerPlayer
from server.demo import campaign as demo_campaign
from server.demo import run as demo
from server.demo.campaign import Opponent
from server.demo.opponents import Opponents
from server.demo.run import DemoError, NotNow
from server.play.accounts import accounts
from server.play.context import AppContext
from server.settings import Settings
from server.store.database import Database
from tests.store import databases
from tests.test_readme import example

PATIENCE = 180.0
"""Seconds after which something that does not come is given up."""


@dataclass
class Demo:
    """A demo in a process of its own, seen as its user sees it: by what it prints."""

    folder: Path
    arguments: tuple[str, ...] = ()
    said: list[str] = field(default_factory=list)

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "server", "demo", "--folder", str(self.folder), *self.arguments]
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.errors.close()

    def link(self) -> str:
        """Wait for the line that holds the link."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            if "/link?" in line:
                return line.strip()
        raise AssertionError(f"it ended without a link: {self.complaints()}")

    def begun(self) -> None:
        """Wait until it plays the first turns of a new database."""
        end = time.monotonic() + PATIENCE
        while not list(self.folder.glob("new-*.db-wal")):
            assert self.process.poll() is None, self.complaints()
            assert time.monotonic() < end
            time.sleep(0.05)

    def interrupt(self) -> int:
        """Press Ctrl-C; returns the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)

    def complaints(self) -> str:
        """Return what was written to standard error, once it has ended."""
        self.process.wait(PATIENCE)
        self.errors.seek(0)
        return self.errors.read()


def follow(link: str) -> Client:
    """Open the link and press its button, as a person does; returns a client with that session."""
    with httpx2.Client(follow_redirects=True) as browser:
        page = browser.get(link)
        assert page.status_code == 200, page.text
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.text))
        page = browser.post(urljoin(link, "/link"), data=fields)
        assert (page.status_code, page.url.path) == (200, address(link)), page.text
        assert demo_campaign.RUNNING.name in page.text
        values = [each.value or "" for each in browser.cookies.jar]
        (secret,) = (value for value in values if value.startswith("sos_"))
        return Client(urljoin(link, "/"), secret)


def address(link: str) -> str:
    """Where the link leads in the end."""
    (found,) = parse_qs(urlsplit(link).query)["next"]
    return found


def campaign(client: Client, link: str) -> Campaign:
    return client.campaign(address(link).removeprefix("/campaigns/").removesuffix("/table"))


@pytest.fixture
def port() -> Iterator[int]:
    """A port that is taken."""
    with socket.socket() as listener:
        listener.bind((demo.HOST, 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_played_stopped_and_gone_on_with(tmp_path: Path, port: int) -> None:
    arguments = ("--port", str(port))
    with Demo(tmp_path, arguments) as first:
        link = first.link()
        assert f"Port {port} is taken" in "".join(first.said)
        with follow(link) as client:
            mine = campaign(client, link)
            before = mine.info()
            assert (before.turn, before.phase, before.status) == (demo_campaign.FIRST_TURN, "build", "running")
            assert len(mine.phases()) == demo_campaign.PHASES_BEFORE + 2  # the start, and the one that is open
            assert {message.to for message in mine.messages()} >= {("all",), ("p1",)}
            (over,) = client.campaigns(status="finished")
            assert (over.name, over.yours) == (demo_campaign.FINISHED.name, True)
            with Client(urljoin(link, "/")) as by_password:
                session = by_password.sign_in(demo_campaign.HUMAN, demo_campaign.PASSWORD)
                assert session.account.name == demo_campaign.HUMAN
            _one_demo_a_folder(tmp_path, first)
            for phase in range(4):  # a whole turn: the others must order in every phase for it to end
                if phase == 0:
                    play_as_in_the_readme(client)
                else:
                    mine.send([], final=True)
                after = mine.wait(before, timeout=PATIENCE)
                assert after.phase_number > before.phase_number
                before = after
        assert httpx2.get(link).status_code == 401, "it works once"
        assert (first.interrupt(), first.complaints()) == (0, "")
    with Demo(tmp_path, arguments) as second:
        link = second.link()
        with follow(link) as client:
            assert campaign(client, link).info().phase_number == before.phase_number
        assert second.interrupt() == 0
    assert left(tmp_path) == {demo.FILE, demo.LOCK}
    with Demo(tmp_path, (*arguments, "--reset")) as third:
        third.begun()
        assert third.interrupt() == 0
    assert left(tmp_path) == {demo.LOCK}, "the old one is thrown away, of the new one nothing is kept"


def left(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


def play_as_in_the_readme(client: Client) -> None:
    """Run the example for authors of bots, for one phase."""
    code = example("README.md").replace('"sot_..."', repr(client.token))
    code = code.replace("https://play.example.org", str(client._http.base_url))
    exec(compile(f"{code}\n        break\n", "README.md", "exec"), {})


def _one_demo_a_folder(folder: Path, running: Demo) -> None:
    with Demo(folder, ("--reset",)) as other:
        assert other.process.wait(PATIENCE) == Code.UNAVAILABLE
        (line,) = other.complaints().splitlines()
        assert "is running" in line
        assert "http://127.0.0.1:" in line
    assert running.process.poll() is None


def prepare(folder: Path, told: Callable[[], None] = lambda: None) -> None:
    demo.prepare(folder, Settings(_env_file=None), told)


def test_a_start_that_is_broken_off_leaves_nothing(tmp_path: Path) -> None:
    def break_off() -> None:
        raise KeyboardInterrupt

    (tmp_path / "new-left-by-a-power-cut.db").write_bytes(b"half a database")
    with pytest.raises(KeyboardInterrupt):
        prepare(tmp_path, break_off)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("given", "language"), [("de_AT.UTF-8", "de"), ("C.UTF-8", "en"), ("fr_FR.UTF-8", "en")])
def test_its_player_has_the_language_of_the_machine(monkeypatch: pytest.MonkeyPatch, given: str, language: str) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.setenv("LANG", given)
    with databases.migrated("sqlite", "demo") as url:
        database, settings = Database(url), Settings(_env_file=None)
        try:
            next(demo_campaign.make(database, settings))
            ctx = AppContext(database, settings)
            assert accounts.me(ctx, demo_campaign.human(ctx)).locale == language
        finally:
            database.close()


class Lost:
    """Ctrl-C while it goes: Python drops what a destructor raises."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_that_python_drops_is_heeded(tmp_path: Path) -> None:
    """Seen to fail: the first turns were played to their end, and the demo served."""
    played = 0

    def told() -> None:
        nonlocal played
        played += 1
        Lost()

    with pytest.raises(KeyboardInterrupt):
        prepare(tmp_path, told)
    assert played == 1
    assert list(tmp_path.iterdir()) == []


def test_opponents_that_are_stopped_before_they_begin() -> None:
    """Ctrl-C while the server starts. Seen to fail: nobody told them once they had begun."""
    opponents = Opponents("http://127.0.0.1:9", [Opponent("Ada", "sot_x")])
    opponents.stop()
    opponents.start()
    assert ended(opponents)


def test_a_cancellation_that_is_lost_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """A time-out at the same moment takes its place. Seen to fail with each task cancelled once."""
    waiting = threading.Event()

    async def patient(_player: ComputerPlayer) -> None:
        with suppress(asyncio.CancelledError):
            waiting.set()
            await asyncio.Event().wait()
        await asyncio.Event().wait()

    monkeypatch.setattr(ComputerPlayer, "play", patient)
    opponents = Opponents("http://127.0.0.1:9", [Opponent("Ada", "sot_x")])
    opponents.start()
    assert waiting.wait(PATIENCE)
    opponents.stop()
    assert ended(opponents)


def ended(opponents: Opponents) -> bool:
    opponents._thread.join(PATIENCE)
    return not opponents._thread.is_alive()


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / demo.FILE).write_bytes(b"no database " * 100)
    with pytest.raises(DemoError, match=r"sealed-orders\.db cannot be used .*--reset"):
        prepare(tmp_path)
    demo.reset(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DemoError, match="file/demo cannot be written to"), demo.held(tmp_path / "file" / "demo"):
        pass


def test_no_port_is_free(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "PORTS_TRIED", 1)
    with pytest.raises(NotNow, match=f"from {port} to {port}"):
        demo.listener(port)
