"""Change anything a player cannot know, and every answer stays the same byte for byte, headers included.

The operations are those of the description: all that read, and those that say something without writing. A new one
is asked by itself; a new place in a path or a new write must be added here, or a test fails.

Seen to fail: with the GM's view for everybody in ``history.past``; with others' ``bp`` in the standings, ``missed`` in
the seats, or ``handed_in`` in the finality; with state hashes for everybody; with private declarations listed;
with the salts of the newest turn told; with a link of the dice to come told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest
from fastapi.testclient import TestClient

from server.bots import commander
from server.play.accounts.tokens import authenticate
from server.play.context import AppContext
from server.play.orders import orders
from server.play.views import positions
from server.rules.orders.registry import BY_TYPE
from server.rules.state import BATTLES, MOVEMENT
from tests.api.asking import Operation, operations
from tests.api.club import Club, found, play_of
from tests.api.hidden import alter, alter_dice_secret
from tests.api.people import Person, sign_up

ASKS = frozenset({"check_orders", "look_at_draft", "get_odds_of_orders", "get_suggestions", "preview_order"})
"""Those that change nothing, though their method is one of writing."""
OWN = frozenset(
    {
        "/me", "/sessions", "/links", "/accounts", "/webhooks", "/invitation-codes", "/imports", "/tables", "/armies",
        "/missions", "/mission-uploads", "/table-invitations", "/stories",
    }
)  # fmt: skip
"""Beginnings of paths that have nothing to do with a campaign's secrets."""
QUERIES = {
    "as": ("p1", "p2", "gm", "spectator"), "seat": ("p1", "p2"), "branch": ("1",), "limit": ("2",), "number": ("1",),
}  # fmt: skip
OF_DICE_SECRET = {"get_dice": ("key_commitments", "seat_keys"), "get_salts": ("seat_key",)}
"""By operation the fields that are drawn from the dice's secret and told before the end."""
PASSING = ("date", "x-request-id")
AWAY_UNTIL = (datetime.now(UTC) + timedelta(days=100)).isoformat()


@pytest.fixture
def ctx(client: TestClient) -> AppContext:
    return play_of(client)


def played(client: TestClient, until: Callable[[Club], None]) -> Club:
    """Return a campaign of four that has come so far."""
    return found(client, 4, then=until, rules={"battles": "tabletop", "turn_limit": 9})


def until_movement(club: Club) -> None:
    """Play on into the second turn."""
    _until(club, MOVEMENT)


def until_battles(club: Club) -> None:
    """Play on to the second turn's battles."""
    _until(club, BATTLES)


def four_phases(club: Club) -> None:
    """Play four phases."""
    for _ in range(4):
        play_phase(club)


def _until(club: Club, phase: str) -> None:
    for _ in range(60):
        now = club.open()
        if now["phase"] == phase and now["turn"] > 1:
            return
        play_phase(club)
    pytest.fail(f"the phase of {phase} does not come")


def play_phase(club: Club) -> None:
    """Have everybody order as a computer player does."""
    ctx = play_of(club.gm.client)
    number = club.open()["phase_number"]
    for person in club.players:
        actor = authenticate(ctx, person.secret)
        if club.open()["phase_number"] == number and orders.read(ctx, actor, club.id).wanted:
            view = positions.position(ctx, actor, club.id).view
            orders.replace(ctx, actor, club.id, commander.choose(view), final=True, lenient=True, salt=person.name)


def asked() -> list[Operation]:
    """Return everything that tells something of a campaign."""
    return [
        operation
        for operation in operations()
        if (operation.method == "GET" or operation.name in ASKS)
        and not operation.stream
        and not any(map(operation.path.startswith, OWN))
    ]


@dataclass
class Asking:
    """Who asks for what; the same before and after the change."""

    person: Person
    club: Club
    draft: list[Any]
    hexes: list[str]
    numbers: range

    def everything(self) -> dict[str, Any]:
        """Ask for all there is; returns what comes back by what was asked."""
        return {what: answer for each in asked() for what, answer in self._answers(each)}

    def _answers(self, operation: Operation) -> Iterator[tuple[str, Any]]:
        known = {"campaign_id": self.club.id, "code": "not_found", "scenario_id": "the-pass"}
        for number in self.numbers if "number" in operation.places else (0,):
            for hex_ in self.hexes if "hex" in operation.places else ("",):
                path = operation.filled(known | {"number": number, "hex": hex_})
                for query in ["", *(f"?{name}={value}" for name in operation.query for value in QUERIES.get(name, ()))]:
                    for body in bodies(operation, self.draft):
                        response = self.person.ask(operation.method, path + query, body)
                        headers = {name: value for name, value in response.headers.items() if name not in PASSING}
                        what = f"{operation.name} {path}{query} {body}"
                        yield what, (response.status_code, headers, response.content)


def bodies(operation: Operation, draft: list[Any]) -> list[Any]:
    if operation.method == "GET":
        return [None]
    if operation.name == "preview_order":
        return [{"order": order, "before": draft[:1]} for order in draft]
    if operation.name == "get_odds_of_orders":
        tried = [{"detachment": each["detachment"], "target": each["target"]} for each in draft if each.get("target")]
        return [{"orders": draft}, *({"orders": [], "attempt": each} for each in tried)]
    return [{"orders": draft}]


def asking(club: Club, person: Person, ctx: AppContext) -> Asking:
    """Have somebody ask with orders a computer player would give p1, and with guesses at what is hidden."""
    view = positions.position(ctx, authenticate(ctx, person.secret), club.id).view
    view_of_p1 = positions.position(ctx, authenticate(ctx, club.players[0].secret), club.id).view
    state = positions.position(ctx, authenticate(ctx, club.gm.secret), club.id).view.state
    mine = [detachment.id for detachment in state.detachments.values() if detachment.owner == "p1"] or ["nothing"]
    hidden = [each for each in (*state.detachments, *state.garrisons, *state.convoys) if view.state.force(each) is None]
    guesses: list[Any] = [
        {"type": type_, "detachment": own, "target": other}
        for type_, own, other in zip(("follow", "attack", "raid", "support"), mine * 4, hidden, strict=False)
    ]
    spoilt = [{"type": each} for each in BY_TYPE]
    hexes = [each["hex"] for each in club.gm.get(f"{club.path}/battles")["items"]] or ["0101"]
    draft = [*commander.choose(view_of_p1)[:6], *guesses, *spoilt]
    return Asking(person, club, draft, hexes, range(club.open()["phase_number"] + 1))


@pytest.mark.parametrize("viewer", ["p1", "spectator"])
@pytest.mark.parametrize("until", [until_movement, until_battles])
def test_what_is_hidden_shows_in_no_answer(
    client: TestClient,
    ctx: AppContext,
    tell: Callable[[str], None],
    until: Callable[[Club], None],
    viewer: str,
) -> None:
    club = played(client, until)
    person = club.players[0] if viewer == "p1" else sign_up(client, "Eve")
    asks = asking(club, person, ctx)
    before = asks.everything()
    assert {what.split()[0] for what in before} == {each.name for each in asked()}
    assert alter(ctx, club.id, viewer, seed=5) > 3
    assert asks.everything() == before
    alter_dice_secret(ctx, club.id)
    assert _without_keys(asks.everything()) == _without_keys(before)
    size = sum(len(content) for _, _, content in before.values())
    kind = ctx.database.engine.dialect.name
    tell(f"{kind}: {viewer}, {until.__name__}: {len(before)} answers of {size} bytes, the same of both twins")


def _without_keys(answers: dict[str, Any]) -> dict[str, Any]:
    """Return the answers without what is told of the keys of seats, and the ETags of that."""
    found = {}
    for what, (status, headers, content) in answers.items():
        fields = OF_DICE_SECRET.get(what.split()[0], ())
        if fields and status == 200:
            headers = {name: value for name, value in headers.items() if name != "etag"}
            content = {name: value for name, value in orjson.loads(content).items() if name not in fields}
        found[what] = (status, headers, content)
    return found


def test_what_others_do_in_secret_shows_in_no_answer(client: TestClient, ctx: AppContext) -> None:
    club = played(client, four_phases)
    ann, ben, cat, dan = club.players
    asks = asking(club, ann, ctx)
    before = asks.everything()
    ben.put(f"{club.path}/orders", {"orders": [], "salt": "x"})
    cat.put(f"{club.path}/orders/advance/9/build", {"orders": []})
    cat.put(f"{club.path}/orders/repeated/movement", {"orders": []})
    ben.post(f"{club.path}/messages", {"to": ["p3", "gm"], "body": "Against Ann."})
    ben.post(f"{club.path}/declarations", {"kind": "alliance", "toward": "p3"})
    cat.put(f"{club.path}/seats/mine/holiday", {"until": AWAY_UNTIL}, status=204)
    dan.put(f"{club.path}/stand-in", {"stand_in": "bot"}, status=204)
    club.gm.post(f"{club.path}/webhooks", {"url": "https://example.org/hook"})
    club.gm.put(f"{club.path}/gm/offer", {"name": ben.name}, status=204)
    club.gm.post(f"{club.path}/gm/edits/check", {"edits": []}, status=200)
    assert asks.everything() == before


def test_every_write_is_known() -> None:
    """What asks without writing must be in ``ASKS``; a new operation is looked at before it is added here."""
    asking = {
        operation.name for operation in operations() if operation.method == "POST" and _sounds_like_asking(operation)
    }
    of_campaigns = {
        operation.name for operation in operations() if operation.name in asking and "campaign_id" in operation.places
    }
    assert of_campaigns - {operation.name for operation in operations() if operation.of_game_master} == ASKS


def _sounds_like_asking(operation: Operation) -> bool:
    return operation.description.startswith(("Say", "Return", "Tell what", "Look", "Preview"))
