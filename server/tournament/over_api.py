"""A tournament with programs from outside: each game is a campaign on a server of its own, and all play over the API.

A program is started once for each seat it may have in a game. It finds the address of the server and its token in the
environment, and plays until it is ended. Dice and programs are their own, so the same seed gives other games.
"""

from __future__ import annotations

import os
import secrets
import shlex
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import IO, cast

import uvicorn

from sealed_orders import Campaign, Client, Order, PhaseOver, SealedOrdersError
from server.app import create_app
from server.computer_player import World, view_of, world_of
from server.core.events import Event
from server.demo.run import listener, settings_for
from server.http.logs import configure
from server.play.accounts import accounts
from server.play.context import AppContext
from server.rules.sight import View
from server.scenarios import library
from server.scenarios.writer import to_data
from server.settings import Settings
from server.store import migrate
from server.store.database import Database
from server.tournament.contestants import OutsideError, Seat, seat
from server.tournament.game import Fixture, Result, result_of, scenario_of, settings

OWNER = "Tournament"
SERVER_VARIABLE, TOKEN_VARIABLE = "SEALED_ORDERS_SERVER", "SEALED_ORDERS_TOKEN"
PORT = 8100
"""From here on a free one is looked for."""
PATIENCE = 120.0
"""Seconds within which a program orders, before the tournament is given up."""
PAUSE = 0.05
"""Seconds between two looks at who has ordered."""
UNLIMITED = 10**9


@dataclass(slots=True)
class Program:
    """A program from outside, in a process of its own."""

    name: str
    process: subprocess.Popen[bytes]
    errors: IO[bytes]

    def check(self) -> None:
        """Raise :class:`OutsideError` where it has ended."""
        code = self.process.poll()
        if code is not None:
            self.errors.seek(0)
            lines = self.errors.read().decode(errors="replace").strip().splitlines()
            last = f": {lines[-1]}" if lines else ""
            raise OutsideError(f"The program of {self.name} has ended with {code}{last}")

    def end(self) -> None:
        """End it."""
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@dataclass(slots=True)
class Inside:
    """A contestant of the tournament's own at a seat: it, too, knows what the API tells its account."""

    contestant: Seat
    campaign: Campaign
    world: World
    seen: int = 0
    """The last phase whose events it has received."""
    refused: int = 0

    def order(self) -> None:
        """Order for the open phase if it needs orders."""
        try:
            wanted = self.campaign.orders()
            if wanted.final or not wanted.wanted:
                return
            orders = cast("list[Order]", self.contestant.choose(self._view(wanted.number)))
            done = self.campaign.send(orders, number=wanted.number, final=True, lenient=True)
        except PhaseOver:
            return
        self.refused += len(done.problems)

    def _view(self, number: int) -> View:
        past = [self.campaign.phase(earlier).events for earlier in range(self.seen + 1, number)]
        self.seen = number - 1
        position = self.campaign.position()
        view = view_of(position.viewer, position.sees, position.state, self.world)
        events = tuple(Event(event["type"], event["fields"], ()) for event in chain.from_iterable(past))
        return View(view.viewer, view.state, view.sees, events)


@dataclass(slots=True)
class Club:
    """A server with an account for each contestant and seat, and the programs from outside."""

    url: str
    owner: Client
    commands: Mapping[str, str]
    """How each program from outside is started."""
    stack: ExitStack
    patience: float = PATIENCE
    players: dict[tuple[str, int], Client] = field(default_factory=dict)
    programs: dict[tuple[str, int], Program] = field(default_factory=dict)
    played: int = 0

    def play(self, fixture: Fixture) -> Result:
        """Play a game to its end; raises :class:`OutsideError`."""
        self.played += 1
        campaign = self._made(fixture)
        world = world_of(campaign.info().scenario, campaign.board(), fixture.ruleset, campaign.ruleset())
        inside: list[Inside] = []
        waits: list[tuple[Program, Campaign]] = []
        for place, (name, key) in enumerate(self._keys(fixture), 1):
            theirs = self._player(name, key).campaign(campaign.id)
            theirs.join(fixture.factions[place - 1], seat=f"p{place}")
            if name in self.commands:
                waits.append((self.programs[name, key], theirs))
            else:
                inside.append(Inside(seat(name, f"{fixture.seed}/{place}"), theirs, world))
        campaign.start()
        while not campaign.info().over:
            for own in inside:
                own.order()
            self._wait(campaign, waits)
        position = campaign.position()
        final = view_of(position.viewer, position.sees, position.state, world).state
        return result_of(fixture, final, sum(own.refused for own in inside))

    def _made(self, fixture: Fixture) -> Campaign:
        chosen, scenario = settings(fixture.turns), scenario_of(fixture.map)
        rules = {name: getattr(chosen, name) for name in ("turn_limit", "capital_eliminates", "last_standing",
                                                          "alliances")}  # fmt: skip
        data = None if scenario.id in library.names() else to_data(scenario)
        info = self.owner.create_campaign(
            f"Game {self.played}", scenario.id, ruleset=fixture.ruleset, rules=rules, scenario_data=data
        )
        return self.owner.campaign(info.id)

    def _keys(self, fixture: Fixture) -> Iterator[tuple[str, int]]:
        """Yield each seat's contestant, and which of that name's it is."""
        for place, name in enumerate(fixture.players):
            yield name, fixture.players[:place].count(name)

    def _player(self, name: str, key: int) -> Client:
        if (name, key) not in self.players:
            bot = self.owner.create_bot(f"Contestant {len(self.players) + 1}")
            secret = self.owner.create_token("tournament", ["read", "orders"], bot=bot.id).secret
            self.players[name, key] = self.stack.enter_context(Client(self.url, secret, patience=self.patience))
            if name in self.commands:
                self.programs[name, key] = self._started(name, secret)
        return self.players[name, key]

    def _started(self, name: str, secret: str) -> Program:
        errors = self.stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 (it is one)
        variables = {SERVER_VARIABLE: self.url, TOKEN_VARIABLE: secret}
        try:
            process = subprocess.Popen(
                shlex.split(self.commands[name]), env=os.environ | variables, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=errors,
            )  # fmt: skip
        except (OSError, ValueError, IndexError) as error:
            raise OutsideError(f"The program of {name} cannot be started: {error}") from error
        program = Program(name, process, errors)
        self.stack.callback(program.end)
        return program

    def _wait(self, campaign: Campaign, waits: list[tuple[Program, Campaign]]) -> None:
        """Wait until every program has ordered for the open phase."""
        number, begun = campaign.info().phase_number, time.monotonic()
        for program, theirs in waits:
            while self._owes(theirs, number):
                program.check()
                if time.monotonic() - begun > self.patience:
                    raise OutsideError(f"The program of {program.name} gave no final orders in {self.patience:g} s.")
                time.sleep(PAUSE)

    def _owes(self, theirs: Campaign, number: int) -> bool:
        try:
            wanted = theirs.orders()
        except PhaseOver:
            return False
        return wanted.number == number and wanted.wanted and not wanted.final


@contextmanager
def club(
    commands: Mapping[str, str], given: Settings, *, patience: float = PATIENCE
) -> Iterator[Callable[[Fixture], Result]]:
    """Open a server on a database that is thrown away, and give what plays a game on it.

    *commands* says how each program from outside is started. Raises :class:`OutsideError`.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sealed-orders-")))
        listening = listener(PORT)
        mine = settings_for(given, folder, listening.getsockname()[1]).model_copy(
            update=dict.fromkeys(("account_rate", "address_rate", "sign_in_rate"), UNLIMITED)
        )
        configure(mine.log_level, mine.log_format)
        password = _prepared(mine)
        server = uvicorn.Server(
            uvicorn.Config(create_app(mine), log_config=None, access_log=False, ws="none", timeout_graceful_shutdown=2)
        )
        thread = threading.Thread(target=server.run, args=([listening],), name="tournament")
        thread.start()

        def stop() -> None:
            server.should_exit = True
            thread.join()

        stack.callback(stop)
        owner = stack.enter_context(Client(mine.public_url, patience=patience))
        owner.sign_in(OWNER, password)
        made = Club(mine.public_url, owner, commands, stack, patience)
        try:
            yield made.play
        except SealedOrdersError as error:
            raise OutsideError(f"The tournament's server refused something: {error}") from error


def _prepared(mine: Settings) -> str:
    """Make the database and the tournament's account; return its password."""
    url = mine.database_url.get_secret_value()
    migrate.upgrade(url)
    database, password = Database(url), secrets.token_urlsafe(24)
    try:
        accounts.make_user(AppContext(database, mine), OWNER, password=password)
    finally:
        database.close()
    return password
