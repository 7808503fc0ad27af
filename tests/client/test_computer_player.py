"""The computer player over HTTP: a whole short campaign, a server that comes and goes, a token that is revoked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from sealed_orders import AsyncClient, Client, NotSignedIn, PhaseOver
from server import computer_player
from server.bots import chance
from server.cli import main
from server.computer_player import ComputerPlayer, Ordered, view_of, world_of
from tests.client.club import Club, found
from tests.client.wire import BROKEN, PASS, WRONG, between
from tests.e2e.processes import ServerProcess, serving
from tests.store import databases


def play(url: str, token: str | None, told: Callable[[Ordered], None], until: Callable[[], bool]) -> None:
    """Let a computer player play until enough has been told."""

    async def playing() -> None:
        async with AsyncClient(url, token, patience=float("inf")) as client:
            enough = asyncio.Event()

            def count(ordered: Ordered) -> None:
                told(ordered)
                if until():
                    enough.set()

            task = asyncio.create_task(ComputerPlayer(client, count).play())
            ended = asyncio.create_task(enough.wait())
            await asyncio.wait((task, ended), timeout=120, return_when=asyncio.FIRST_COMPLETED)
            for each in (task, ended):
                each.cancel()
            await asyncio.gather(task, ended, return_exceptions=True)
            if task.done() and not task.cancelled():
                task.result()

    asyncio.run(playing())


def at_random(club: Club, client: Client, seed: int) -> None:
    """Play legal orders drawn by chance to the campaign's end."""
    campaign = club.of(client)
    info = campaign.info()
    world = world_of(info.scenario, campaign.board(), info.ruleset, campaign.ruleset())
    for orders in (turn.orders for turn in campaign.turns()):
        position = campaign.position()
        view = view_of(position.viewer, position.sees, position.state, world)
        chosen: list[Any] = chance.choose(view, Random(f"{seed}/{orders.number}"))
        campaign.send(chosen, number=orders.number, final=True, lenient=True)


def test_three_computer_players_and_chance(server: ServerProcess) -> None:
    """All their orders are accepted, by the check as they come in and by the rules as the phase is resolved."""
    told: list[Ordered] = []
    with found(server.base_url, 4, rules={"turn_limit": 4, "capital_eliminates": True}) as club:

        async def all_play() -> None:
            bots = [AsyncClient(club.url, each.token) for each in club.players[:3]]
            tasks = [asyncio.create_task(ComputerPlayer(bot, told.append).play()) for bot in bots]
            await asyncio.to_thread(at_random, club, club.players[3], 7)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for bot in bots:
                await bot.close()

        asyncio.run(all_play())
        campaign = club.of(club.gm)
        assert campaign.info().status == "finished"
        phases = campaign.phases()
        for phase in phases:
            problems = campaign.phase(phase.number, as_="gm").problems
            assert [problems.get(player, []) for player in ("p1", "p2", "p3")] == [[], [], []]
    assert [event for event in told if event.refused or event.why] == []
    assert {event.phase for event in told} >= {"setup", "build", "movement", "battle_movement"}
    assert max(event.turn for event in told) == 4
    assert sum(event.orders for event in told if event.phase == "movement") > 10


def test_it_outlasts_the_server() -> None:
    """Killed while a phase is open, and again between phases: the player goes on when the server is back."""
    told: list[Ordered] = []
    with databases.migrated("sqlite", "outlast") as url, serving(url) as server, found(server.base_url) as club:
        ann, ben = club.players

        def next_phase() -> bool:
            if told[-1].phase == "setup":
                server.kill()
                server.start()
                club.of(ben).declare_final(number=told[-1].number)
            return told[-1].phase == "build"

        play(club.url, ann.token, told.append, next_phase)
    assert [event.phase for event in told] == ["setup", "build"]


def test_it_outlasts_mistakes_of_the_server(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """A 500 where it asks what there is to play, and again where it orders."""
    monkeypatch.setattr(computer_player, "LONG_PAUSE", 0.0)
    monkeypatch.setattr(computer_player, "FIRST_PAUSE", 0.0)
    told: list[Ordered] = []
    with between(club.url) as wire:
        wire.next.extend([BROKEN, WRONG, PASS, PASS, BROKEN])
        play(wire.url, club.players[0].token, told.append, lambda: True)
        assert not wire.next
    assert [(event.phase, event.why) for event in told] == [("setup", "")]


def test_a_revoked_token_ends_it(club: Club) -> None:
    ann = club.players[0]
    token = ann.create_token("bot")
    ann.revoke_token(token.info.id)
    with pytest.raises(NotSignedIn) as refused:
        play(club.url, token.secret, print, lambda: False)
    assert refused.value.code == "bad_token"


def test_only_the_campaigns_that_are_meant(club: Club) -> None:
    told: list[Ordered] = []
    ann, ben = club.players

    async def playing() -> None:
        async with AsyncClient(club.url, ann.token) as client:
            task = asyncio.create_task(ComputerPlayer(client, told.append, only=("another",)).play())
            campaign = client.campaign(club.id)
            async for event in client.follow():
                if event.kind == "phase_opened":
                    break
                await asyncio.to_thread(club.pass_phase)
            assert not (await campaign.orders()).final
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(playing())
    assert told == []
    with pytest.raises(PhaseOver):
        club.of(ben).declare_final(number=1)


def test_its_letters_are_in_its_owners_language(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen to fail when the command does not hand its option on."""
    spoken: list[str] = []

    async def noted(self: ComputerPlayer) -> None:
        spoken.append(self.language)

    monkeypatch.setattr(ComputerPlayer, "play", noted)
    signed_in = ["bot", "--server", club.url, "--token", str(club.players[0].token)]
    for language, exit_code in ((), 0), (("--language", "de"), 0), (("--language", "nl"), 2):
        assert CliRunner().invoke(main, [*signed_in, *language]).exit_code == exit_code
    assert spoken == ["en", "de"]
