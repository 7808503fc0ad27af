"""The demo: a real server on a database of its own, with a campaign to play at once."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from urllib.parse import urlencode

import uvicorn
from pydantic import SecretStr
from sqlalchemy.engine import URL
from sqlalchemy.exc import DatabaseError

from server.app import create_app
from server.bots.levels import REGULAR
from server.demo import campaign as demo_campaign
from server.demo.opponents import Opponents
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.context import AppContext
from server.play.errors import PlayError
from server.settings import Settings
from server.store import migrate
from server.store.database import Database
from server.store.errors import StorageError

HOST = "127.0.0.1"
FILE, LOCK = "sealed-orders.db", "lock"
PORTS_TRIED = 20
PHASES = demo_campaign.PHASES_FINISHED + demo_campaign.PHASES_BEFORE
"""The turns played when a database is created."""


class DemoError(Exception):
    """The demo cannot begin; says why, and what helps."""


class NotNow(DemoError):
    """Something else is in the way; later it may work."""


@contextmanager
def held(folder: Path) -> Iterator[Callable[[str], None]]:
    """Keep every other demo out of a folder; gives a function that leaves word of where this one is."""
    path = folder / LOCK
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise DemoError(f"{folder} cannot be written to: {error.strerror}. Choose another with --folder.") from error
    with os.fdopen(lock, "r+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            where = file.read().strip() or "it is just starting"
            raise NotNow(f"A demo is running in {folder} already: {where}. Ctrl-C stops it there.") from None

        def leave_word(text: str) -> None:
            file.seek(0)
            file.truncate()
            file.write(text + "\n")
            file.flush()

        leave_word("")
        yield leave_word


def reset(folder: Path) -> None:
    """Throw the demo's database away, and what starts that were broken off have left."""
    for pattern in (f"{FILE}*", "new-*"):
        for file in folder.glob(pattern):
            file.unlink(missing_ok=True)


def prepare(folder: Path, settings: Settings, told: Callable[[], None]) -> None:
    """Make the database unless there is one. It gets its name when it is complete: a start broken off leaves none.

    *told* is called after each of the :data:`PHASES` that are played.
    """
    path = folder / FILE
    if path.exists():
        _bring_up_to_date(path)
        return
    reset(folder)
    try:
        handle, name = tempfile.mkstemp(prefix="new-", suffix=".db", dir=folder)
    except OSError as error:
        raise DemoError(f"{folder} cannot be written to: {error.strerror}. Choose another with --folder.") from error
    os.close(handle)
    new = Path(name)
    try:
        with _interruptible() as check:
            migrate.upgrade(url_of(new))
            check()
            database = Database(url_of(new))
            try:
                for _ in demo_campaign.make(database, settings):
                    told()
                    check()
            finally:
                database.close()
            new.rename(path)
    finally:
        for file in folder.glob(f"{new.name}*"):
            file.unlink(missing_ok=True)


@contextmanager
def _interruptible() -> Iterator[Callable[[], None]]:
    """Remember Ctrl-C, and give what then raises KeyboardInterrupt. A second Ctrl-C raises it at once.

    Raised wherever the program is, it would be lost in a destructor or a callback of SQLAlchemy's, and the demo would
    continue.
    """
    pressed = False

    def remember(_number: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, before)

    def check() -> None:
        if pressed:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, remember)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)


def listener(port: int) -> socket.socket:
    """Return a socket that listens at a port, or at the next one that is free."""
    for candidate in range(port, min(port + PORTS_TRIED, 65536)):
        made = socket.socket()
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((HOST, candidate))
            made.listen()
        except OSError:
            made.close()
            continue
        return made
    raise NotNow(f"None of the ports from {port} to {port + PORTS_TRIED - 1} is free. Choose another with --port.")


def settings_for(settings: Settings, folder: Path, port: int) -> Settings:
    """Return the operator's settings with those of the demo in their place."""
    mine = {
        "database_url": SecretStr(url_of(folder / FILE)),
        "public_url": f"http://{HOST}:{port}",
        "ticker": True,
        "resolver_processes": 0,
        "log_level": "error",
        "log_format": "text",
    }
    return settings.model_copy(update=mine)


def url_of(path: Path) -> str:
    """Return the address of a SQLite file."""
    return URL.create("sqlite", database=str(path.resolve())).render_as_string()


def serve(
    settings: Settings,
    listening: socket.socket,
    ready: Callable[[str, CampaignInfo | None], None],
    levels: Sequence[str] = (REGULAR,),
    *,
    giving_up: bool = False,
) -> None:
    """Serve until Ctrl-C; the computer players stop first.

    They have the *levels* in turn.

    *giving_up*: one is out when it was hopeless two turns in a row (P-37).

    *ready* gets the link that signs the human in and the campaign's position, once both exist.
    """
    database = Database(settings.database_url.get_secret_value())
    try:
        ctx = AppContext(database, settings)
        campaign = demo_campaign.campaign(ctx)
        demo_campaign.let_give_up(ctx, campaign, giving_up)
        opponents = Opponents(settings.public_url, demo_campaign.opponents(ctx), levels)
        link = _link(ctx, campaign)
        shown = settings.model_copy(update={"example_campaign": demo_campaign.finished(ctx)})
    except PlayError as error:
        raise DemoError(
            f"{database.url.database} holds no demo ({error.message}). Start again with --reset."
        ) from error
    finally:
        database.close()

    def begin() -> None:
        opponents.start()
        ready(link, campaign)

    config = uvicorn.Config(
        create_app(shown),
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=round(settings.shutdown_grace),
    )
    try:
        _Server(config, begin, opponents.stop).run([listening])
    except KeyboardInterrupt:
        pass  # uvicorn has stopped in good order and passes the signal on
    finally:
        opponents.join()


class _Server(uvicorn.Server):
    """A server that says when it is ready and when it stops."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], told_to_stop: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready
        self._told_to_stop = told_to_stop

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and not self.should_exit:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._told_to_stop()
        super().handle_exit(sig, frame)


def _link(ctx: AppContext, campaign: CampaignInfo | None) -> str:
    """Return the address of the page that signs the human in and shows the campaign."""
    query = {"token": demo_campaign.sign_in_link(ctx)}
    if campaign is not None:
        query["next"] = f"/campaigns/{campaign.id}/table"
    return f"{ctx.settings.public_url}/link?{urlencode(query, safe='/')}#now"


def _bring_up_to_date(path: Path) -> None:
    try:
        migrate.upgrade(url_of(path))
    except (StorageError, DatabaseError) as error:
        why = str(error.orig) if isinstance(error, DatabaseError) else str(error)
        raise DemoError(f"{path} cannot be used ({why}). Start again with --reset.") from error
