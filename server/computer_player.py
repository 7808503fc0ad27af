"""The computer player as a bot: it plays over the API, with the client library, like any other bot.

It knows what the API tells its account and nothing else: the rules' view is put together from the position, the
board and the ruleset that the server shows it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import orjson

from sealed_orders import (
    AsyncCampaign,
    AsyncClient,
    Join,
    Order,
    OrderSet,
    PhaseOver,
    SealedOrdersError,
    ServerFailed,
    TooManyRequests,
    UnexpectedAnswer,
    Unreachable,
)
from server.bots import commander
from server.bots.commander import Mind
from server.bots.diplomacy_action import KEPT, DiplomacyAction
from server.bots.letters import letter
from server.bots.levels import LEVELS, REGULAR
from server.bots.memory import remember
from server.core.events import Event
from server.rules.board import Board
from server.rules.codec import decode
from server.rules.ruleset import Ruleset
from server.rules.ruleset.reader import read as read_ruleset
from server.rules.sight import View
from server.rules.state import BUILD
from server.scenarios import reader

ATTEMPTS = 6
"""How often a phase is tried that could not be ordered for, with pauses that double from :data:`FIRST_PAUSE`."""
FIRST_PAUSE = 2.0
"""Seconds."""
REMEMBERED = 40
"""Finished phases that a computer player reads again after its own restart."""
LONG_PAUSE = 15.0
"""Seconds after which playing begins again where the server could not say what there is to play."""

World = tuple[Board, Ruleset]


@dataclass(frozen=True, slots=True)
class Ordered:
    """A phase the computer player has dealt with."""

    campaign_id: str
    turn: int
    phase: str
    number: int
    orders: int
    """How many it gave."""
    refused: tuple[str, ...] = ()
    """What the server said against others, which were left out."""
    why: str = ""
    """Why it could not order at all; empty where it has."""


@dataclass(slots=True)
class ComputerPlayer:
    """Plays for one account, in every campaign it has a seat in."""

    client: AsyncClient
    told: Callable[[Ordered], None]
    """Called after each phase."""
    only: Container[str] | None = None
    """Ids of the campaigns to play; None: all."""
    troubled: Callable[[SealedOrdersError], None] = lambda _: None
    """Called when the server is in such trouble that playing begins again after a pause."""
    level: str = REGULAR
    """How well it plays (:mod:`server.bots.levels`)."""
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    """The key of its random choices; nobody else knows it."""
    language: str = "en"
    """Of its letters (:data:`server.bots.letters.LANGUAGES`)."""
    join: Join | None = None
    """Answers invitations; None: they stay open."""
    _minds: dict[str, tuple[tuple[int, int], Mind]] = field(default_factory=dict)
    """By campaign: the branch and number of the last phase it remembers, and what it makes of them."""
    _worlds: dict[str, World] = field(default_factory=dict)
    """By campaign: map and rules, which never change while it is played."""
    _busy: set[asyncio.Task[None]] = field(default_factory=set)

    async def play(self) -> None:
        """Play without end. Where the client is patient without end, too, no absence of the server ends it.

        Raises :class:`sealed_orders.NotSignedIn` when the token is no longer valid.
        """
        try:
            while True:
                try:
                    await self._follow()
                except (ServerFailed, TooManyRequests, UnexpectedAnswer, Unreachable) as error:
                    self.troubled(error)
                    await asyncio.sleep(LONG_PAUSE)
        finally:
            for task in self._busy:
                task.cancel()

    async def _follow(self) -> None:
        async for turn in self.client.turns(join=self.join):
            if self.only is None or turn.orders.campaign_id in self.only:
                task = asyncio.create_task(self._order(turn.campaign, turn.orders))
                self._busy.add(task)  # the event loop holds tasks weakly
                task.add_done_callback(self._busy.discard)

    async def _order(self, campaign: AsyncCampaign, wanted: OrderSet) -> None:
        pause = FIRST_PAUSE
        for attempt in range(1, ATTEMPTS + 1):
            try:
                done = await self._try(campaign, wanted.number)
            except PhaseOver:
                return
            except SealedOrdersError as error:  # a revision too late, a server in trouble
                if attempt == ATTEMPTS:
                    self.told(_failed(wanted, str(error)))
            except Exception as error:  # one strange position must not end the playing of all other campaigns
                self.told(_failed(wanted, f"{type(error).__name__}: {error}"))
                return
            else:
                if done is not None:
                    self.told(done)
                return
            await asyncio.sleep(pause)
            pause *= 2

    async def _try(self, campaign: AsyncCampaign, number: int) -> Ordered | None:
        before = await campaign.orders()
        if before.number != number or before.final:
            return None
        world = await self._world(campaign)
        position = await campaign.position()
        view = view_of(position.viewer, position.sees, position.state, world)
        mind = await self._mind(campaign, before.number, world)
        orders = cast("list[Order]", await asyncio.to_thread(commander.choose, view, mind))
        done = await campaign.send(orders, number=number, final=True, lenient=True, if_match=before)
        refused = tuple(problem.message for problem in done.problems)
        if before.phase == BUILD:
            await self._write(campaign, view, [act for act in mind.memory.relations.plans if act.turn == before.turn])
        return Ordered(campaign.id, before.turn, before.phase, number, len(done.orders.orders), refused)

    async def _write(self, campaign: AsyncCampaign, view: View, acts: Sequence[DiplomacyAction]) -> None:
        """Write a letter about each act of diplomacy; one that cannot be sent is not missed by the rules."""
        told = [act for act in acts if act.kind != KEPT]
        if not told:
            return
        faction = view.state.players[view.viewer].faction
        try:
            names = {seat.player_id: seat.name for seat in (await campaign.info()).seats}
            for act in told:
                await campaign.write([act.toward], letter(act, faction, names, self.language), in_character=True)
        except SealedOrdersError as error:
            self.troubled(error)

    def _new_mind(self) -> Mind:
        return Mind(LEVELS[self.level], secret=self.secret, diplomatic=True)

    async def _mind(self, campaign: AsyncCampaign, number: int, world: World) -> Mind:
        """Return what it remembers: every finished phase as it saw it then, the latest :data:`REMEMBERED` at first."""
        branch = (await campaign.info()).branch
        (old, last), mind = self._minds.get(campaign.id, ((branch, -1), self._new_mind()))
        if old != branch:  # a rollback: what was remembered may not have happened
            last, mind = -1, self._new_mind()
        for past in range(max(last + 1, number - REMEMBERED, 0), number):
            seen = await campaign.phase(past)
            told = tuple(Event(event["type"], event["fields"], ()) for event in seen.events)
            position = view_of(seen.view["viewer"], seen.view["sees"], seen.view["state"], world)
            mind = replace(mind, memory=remember(mind.memory, replace(position, events=told)))
        self._minds[campaign.id] = (branch, number - 1), mind
        return mind

    async def _world(self, campaign: AsyncCampaign) -> World:
        if campaign.id not in self._worlds:
            info = await campaign.info()
            board, rules = await campaign.board(), await campaign.ruleset()
            self._worlds[campaign.id] = world_of(info.scenario, board, info.ruleset, rules)
        return self._worlds[campaign.id]


def world_of(scenario: str, board: Mapping[str, Any], ruleset: str, rules: Mapping[str, Any]) -> World:
    """Return map and rules as the API tells them; *scenario* and *ruleset* are their ids.

    Raises :class:`RulesError` or :class:`MapError` where the server's are of another version.
    """
    return reader.read(dict(board), scenario).board, read_ruleset(rules, ruleset)


def view_of(viewer: str, sees: Iterable[str], state: Mapping[str, Any], world: World) -> View:
    """Return the rules' view of a position from the API. Raise :class:`RulesError` if they do not fit."""
    board, ruleset = world
    known = tuple(hex_ for label in sees if (hex_ := board.find(label)) is not None)
    return View(viewer, decode(orjson.dumps(dict(state)), board, ruleset), known, ())


def _failed(wanted: OrderSet, why: str) -> Ordered:
    return Ordered(wanted.campaign_id, wanted.turn, wanted.phase, wanted.number, 0, why=why)
