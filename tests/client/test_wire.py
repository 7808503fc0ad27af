"""What the library does when the network or the server does not do what it should."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from datetime import datetime

import httpx2
import pytest

from sealed_orders import (
    AsyncClient,
    Client,
    NotSignedIn,
    ServerFailed,
    TooManyRequests,
    UnexpectedAnswer,
    Unreachable,
)
from sealed_orders._reading import one
from sealed_orders.records import Finality
from tests.client.club import Club, new_name
from tests.client.wire import BUSY, LIMIT, LOSE, MOVED, WRONG, Wire, between
from tests.e2e.processes import nobody


@pytest.fixture
def wire(club: Club) -> Iterator[Wire]:
    with between(club.url) as found:
        yield found


@pytest.fixture
def ann(club: Club, wire: Wire) -> Iterator[Client]:
    """The first player, at the other end of the wire."""
    with Client(wire.url, club.players[0].token, patience=20, poll=0.1) as client:
        yield client


def test_a_write_whose_answer_is_lost_is_done_once(club: Club, wire: Wire, ann: Client) -> None:
    wire.next.extend([LOSE, LOSE])
    handed_in = ann.campaign(club.id).send([], final=False)
    assert handed_in.orders.revision == 1
    keys = [each["idempotency-key"] for each in wire.of("/orders")]
    assert len(keys) == 3
    assert len(set(keys)) == 1
    ann.campaign(club.id).send([])
    assert wire.of("/orders")[-1]["idempotency-key"] != keys[0]


def test_reads_are_asked_again(club: Club, wire: Wire, ann: Client) -> None:
    wire.next.extend([LOSE, BUSY, LIMIT])
    assert ann.campaign(club.id).info().id == club.id
    assert len(wire.seen) == 4


def test_retry_after_is_honoured_or_told(wire: Wire, ann: Client) -> None:
    with Client(wire.url, ann.token, patience=0.5) as hasty:
        wire.next.append(LIMIT)
        with pytest.raises(TooManyRequests) as refused:
            hasty.me()
    assert (refused.value.retry_after, refused.value.status) == (1.0, 429)
    assert len(wire.seen) == 1


def test_patience_ends(wire: Wire, ann: Client) -> None:
    with Client(wire.url, ann.token, patience=0) as hasty:
        wire.next.append(BUSY)
        with pytest.raises(ServerFailed) as failed:
            hasty.me()
        assert failed.value.status == 502
        wire.next.append(LOSE)
        with pytest.raises(Unreachable):
            hasty.me()
    with nobody() as address, Client(address, patience=0) as lonely:
        with pytest.raises(Unreachable, match="/me does not answer"):
            lonely.me()
        with pytest.raises(Unreachable):
            next(lonely.follow())


def test_somebody_else_answers(wire: Wire, ann: Client) -> None:
    wire.next.append(WRONG)
    with pytest.raises(UnexpectedAnswer, match="no JSON"):
        ann.me()
    wire.next.append(MOVED)
    with pytest.raises(UnexpectedAnswer, match="sends on to https"):
        ann.me()
    for given in ({}, {"player_id": "p1", "final": "yes", "handed_in": None, "wanted": None}):
        with pytest.raises(UnexpectedAnswer):
            one(Finality)(given)
    known = {"player_id": "p1", "final": True, "handed_in": None, "wanted": True}
    assert one(Finality)(known | {"of_a_later_server": 1}) == Finality("p1", True, None, True)


def test_a_stream_that_is_cut_is_opened_where_it_was(club: Club, wire: Wire, ann: Client) -> None:
    """Every event comes, once and in order, however often the stream breaks; the state comes only at first."""
    wire.events_a_stream = 2
    campaign = club.of(club.gm)
    kinds = []
    for event in ann.campaign(club.id).follow():
        kinds.append(event.kind)
        if len(kinds) == 1:
            for _ in range(3):
                campaign.pause("Tea")
                campaign.resume()
        if len(kinds) == 7:
            break
    assert kinds == ["state", *["paused", "resumed"] * 3]
    streams = wire.of("/stream")
    assert len(streams) >= 4
    assert "last-event-id" not in streams[0]
    assert all("last-event-id" in stream for stream in streams[1:])


def test_the_same_with_await(club: Club, wire: Wire) -> None:
    wire.events_a_stream = 1
    campaign = club.of(club.gm)

    async def follow() -> list[str]:
        kinds: list[str] = []
        async with AsyncClient(wire.url, club.players[0].token) as client:
            events = client.campaign(club.id).follow()
            async for event in events:
                kinds.append(event.kind)
                if len(kinds) == 1:
                    await asyncio.to_thread(campaign.pause, "Tea")
                    await asyncio.to_thread(campaign.resume)
                if len(kinds) == 3:
                    break
            await events.aclose()
        return kinds

    assert asyncio.run(follow()) == ["state", "paused", "resumed"]


def test_where_no_stream_comes_through_it_looks_again_and_again(club: Club, wire: Wire, ann: Client) -> None:
    wire.events_a_stream = 0
    campaign = club.of(club.gm)
    states = []
    for event in ann.campaign(club.id).follow():
        states.append((event.kind, event.data["status"]))
        if len(states) == 1:
            campaign.pause()
        if len(states) == 2:
            break
    assert states == [("state", "running"), ("state", "paused")]


def test_phases_come_without_streams(club: Club, wire: Wire, ann: Client) -> None:
    wire.events_a_stream = 0
    phases = []
    for turn in ann.turns():
        phases.append(turn.orders.phase)
        if len(phases) == 2:
            break
        club.pass_phase()
    assert phases == ["setup", "build"]


def test_a_phase_comes_again_after_an_intervention(club: Club, ann: Client) -> None:
    """The game master's edit makes orders not final: who had ordered is asked again."""
    campaign, gm = club.of(club.players[0]), club.of(club.gm)
    numbers = []
    for orders in (turn.orders for turn in campaign.turns()):
        numbers.append((orders.number, orders.final))
        if len(numbers) == 2:
            break
        campaign.send([], number=orders.number, final=True)
        gm.edit([{"do": "set", "what": "owner", "hex": "0601", "owner": "p1"}], "A present")
    assert numbers == [(1, False), (1, False)]


def test_a_paused_campaign_wants_nothing(club: Club, ann: Client) -> None:
    gm = club.of(club.gm)
    gm.pause()
    turns = ann.turns()
    gm.resume()
    assert next(turns).orders.number == 1
    turns.close()


def test_waiting_ends_in_time_or_with_the_next_phase(club: Club, ann: Client) -> None:
    campaign = ann.campaign(club.id)
    before = campaign.info()
    with pytest.raises(TimeoutError):
        campaign.wait(timeout=0.2)
    club.pass_phase()
    assert campaign.wait(before, timeout=20).phase_number > before.phase_number


def test_a_worthless_token_ends_a_stream(club: Club, wire: Wire) -> None:
    with Client(wire.url, "sot_nothing") as client, pytest.raises(NotSignedIn) as refused:
        next(client.turns())
    assert refused.value.code == "bad_token"


def test_an_address_must_be_one() -> None:
    for wrong in ("play.example.org", "ftp://example.org", ""):
        with pytest.raises(ValueError, match="address"):
            Client(wrong)


def test_a_session_that_ends_is_nobodys(club: Club) -> None:
    with Client(club.url) as client:
        client.sign_up(new_name("Eve"), "correct horse")
        assert client.me().name.startswith("Eve")
        client.sign_out()
        assert client.token is None
        with pytest.raises(NotSignedIn):
            client.me()


def test_a_stream_ends_with_its_campaign(club: Club) -> None:
    """It says so and ends; of a campaign that is over it says how it stands and ends. Seen to fail without either."""
    campaign = club.of(club.players[0])
    events = campaign.follow()
    assert next(events).kind == "state"
    club.of(club.gm).finish()
    assert [event.kind for event in events][-1] == "finished"
    assert [(event.kind, event.data["status"]) for event in campaign.follow()] == [("state", "finished")]


def test_the_server_ends_the_stream_by_itself(club: Club) -> None:
    """What other languages see: one envelope for every event, and the end of the answer."""
    club.of(club.gm).finish()
    headers = {"Authorization": f"Bearer {club.players[0].token}"}
    path = f"{club.url}/api/v1/campaigns/{club.id}/stream"
    with httpx2.stream("GET", path, headers=headers, timeout=20) as response:
        lines = [line for line in response.iter_lines() if line.startswith("data: ")]
    (state,) = (json.loads(line.removeprefix("data: ")) for line in lines)
    assert (state["kind"], state["data"]["status"], state["status"]) == ("state", "finished", "finished")
    assert datetime.fromisoformat(state["at"]).tzinfo is not None
