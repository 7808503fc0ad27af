"""``sealed-orders bot --engine``: a program that reads JSON lines and writes JSON lines plays for an account.

docs/bots.md describes the lines. One child process plays all campaigns of the account, one phase after the other.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from queue import Empty, Queue
from threading import Thread
from typing import Any

import orjson

from sealed_orders import Campaign, Client, Join, OrderSet, PhaseOver, Refused
from sealed_orders.records import HandedIn
from server.commands.terminal import Code, Wrong
from server.computer_player import Ordered

LONGEST_LINE = 4_000_000
"""Bytes of an answer; a longer one is refused."""


class EngineFailed(Exception):
    """The engine gave no usable answer; says why."""


class Engine:
    """A child process that answers each question with one line."""

    def __init__(self, command: Sequence[str], seconds: float) -> None:
        self._command = command
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: Queue[bytes] = Queue()

    def start(self) -> None:
        """Start the program; raise :class:`Wrong` if there is none."""
        try:
            process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise Wrong(f"{self._command[0]}: {error.strerror}", Code.UNUSABLE) from None
        self._process, self._lines = process, Queue()
        Thread(target=_read, args=(process, self._lines), daemon=True).start()

    def stop(self) -> None:
        """End the program."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()
            self._process = None

    def tell(self, message: dict[str, Any]) -> None:
        """Write a line that needs no answer."""
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(orjson.dumps(message) + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise EngineFailed("The engine has ended.") from error

    def ask(self, message: dict[str, Any]) -> list[Any]:
        """Write a line and return the orders of the answer; raise :class:`EngineFailed`."""
        self.tell(message)
        try:
            line = self._lines.get(timeout=self._seconds)
        except Empty:
            raise EngineFailed(f"The engine gave no answer within {self._seconds:g} seconds.") from None
        if not line:
            raise EngineFailed("The engine has ended.")
        try:
            answer = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise EngineFailed(f"The engine's answer is not a line of JSON: {error}.") from None
        if not isinstance(answer, dict) or not isinstance(answer.get("orders"), list):
            raise EngineFailed('The engine\'s answer must be an object such as {"orders": []}.')
        orders: list[Any] = answer["orders"]
        return orders


def _read(process: subprocess.Popen[bytes], lines: Queue[bytes]) -> None:
    assert process.stdout is not None
    with suppress(ValueError, OSError):  # closed by stop
        while line := process.stdout.readline(LONGEST_LINE):
            lines.put(line)
    lines.put(b"")


@dataclass(slots=True)
class EnginePlayer:
    """Plays for one account with an engine, in every campaign it has a seat in."""

    client: Client
    engine: Engine
    show: Callable[[Ordered], None]
    only: Container[str] | None = None
    """Ids of the campaigns to play; None: all."""
    join: Join | None = None
    """Answers invitations; None: they stay open."""
    _introduced: set[str] = field(default_factory=set)

    def play(self) -> None:
        """Play until the token is revoked; raise :class:`sealed_orders.NotSignedIn` then."""
        self.engine.start()
        try:
            for turn in self.client.turns(join=self.join):
                if self.only is None or turn.campaign.id in self.only:
                    self._order(turn.campaign, turn.orders)
        finally:
            self.engine.stop()

    def _order(self, campaign: Campaign, wanted: OrderSet) -> None:
        try:
            try:
                done = self._try(campaign, wanted)
            except EngineFailed:
                self._restart()
                done = self._try(campaign, wanted)
        except PhaseOver:
            return
        except (EngineFailed, Refused) as error:
            self.show(Ordered(campaign.id, wanted.turn, wanted.phase, wanted.number, 0, why=str(error)))
            return
        faults = tuple(fault.message for fault in done.problems)
        self.show(Ordered(campaign.id, wanted.turn, wanted.phase, wanted.number, len(done.orders.orders), faults))
        kept = {"kind": "sent", "campaign": campaign.id, "number": wanted.number, "orders": done.orders.orders,
                "problems": [asdict(fault) for fault in done.problems]}  # fmt: skip
        with suppress(EngineFailed):  # the next question meets the same end, and starts it again
            self.engine.tell(kept)

    def _try(self, campaign: Campaign, wanted: OrderSet) -> HandedIn:
        """Ask the engine and send its orders; raise :class:`EngineFailed` or what the server says."""
        self._introduce(campaign)
        orders = self.engine.ask(_question(campaign, wanted))
        return campaign.send(orders, number=wanted.number, final=True, lenient=True, if_match=wanted)

    def _restart(self) -> None:
        self.engine.stop()
        self.engine.start()
        self._introduced.clear()

    def _introduce(self, campaign: Campaign) -> None:
        if campaign.id in self._introduced:
            return
        info = campaign.info()
        seats = [{"id": seat.player_id, "name": seat.name, "faction": seat.faction} for seat in info.seats]
        self.engine.tell({"kind": "campaign", "campaign": campaign.id, "name": info.name, "you": info.your_seats[0],
                          "seats": seats, "rules": info.rules, "board": campaign.board(),
                          "ruleset": campaign.ruleset()})  # fmt: skip
        self._introduced.add(campaign.id)


def command_words(command: str) -> list[str]:
    """Return the words of a command line; raise :class:`Wrong` if there are none or a quotation mark is open."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise Wrong(f"--engine {command!r} cannot be read: {error}.", Code.UNUSABLE) from None
    if not words:
        raise Wrong("--engine needs the command of a program.", Code.UNUSABLE)
    return words


def _question(campaign: Campaign, wanted: OrderSet) -> dict[str, Any]:
    position = campaign.position()
    return {
        "kind": "turn", "campaign": campaign.id, "turn": wanted.turn, "phase": wanted.phase, "number": wanted.number,
        "deadline": wanted.deadline and wanted.deadline.isoformat(), "you": wanted.player_id, "sees": position.sees,
        "state": position.state, "orders": wanted.orders,
        "legal_orders": [asdict(option) for option in campaign.legal_orders()],
    }  # fmt: skip
