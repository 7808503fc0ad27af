"""Battles of a campaign at the table, the chronicle and everything else of the table, over HTTP, asked by anybody.

Every operation, with its example and each of its fields replaced by what no program sends, as a side, as the other
campaign's people and as nobody: always an answer, and nobody from outside changes or learns a thing. The short form
asks a third, ``make attack`` all: some 9,000 requests. None of them was a mistake of ours (500).
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.api.asking import Operation, operations
from tests.api.conftest import client, url
from tests.api.people import Person, sign_up
from tests.api.test_table_battles import Fight
from tests.web.visitor import Visitor

__all__ = ["client", "url"]

LONG = bool(os.environ.get("SEALED_ORDERS_LONG"))
PARTS = ("/tables", "/stories", "/armies", "/missions", "/mission-uploads", "/table-invitations")
OF_CAMPAIGNS = ("/battles", "/chronicle", "/missions", "/tables")
HOSTILE: tuple[Any, ...] = (
    None, True, -1, 2**63, 1e308, "", "x" * 20_000, "\0", "<img src=x onerror=alert(1)>", [], {}, [[]], [None] * 50,
    {"a": {"b": 1}}, "../x", "p1", "red",
)  # fmt: skip
IDS = ("x", "0" * 16, "%00", "..%2F..", "é", "1", "9" * 30)


def of_the_table() -> list[Operation]:
    return [
        operation
        for operation in operations()
        if not operation.stream
        and (operation.path.startswith(PARTS) or any(part in operation.path for part in OF_CAMPAIGNS))
    ]


def bodies(example: Any) -> Iterator[Any]:
    """Yield an example, each of its fields as anything, one field more, and what is no object."""
    yield example
    if isinstance(example, dict):
        for name in example:
            for value in HOSTILE:
                forged = copy.deepcopy(example)
                forged[name] = value
                yield forged
        yield {**example, "nonsense": 1}
    yield from ([], "x", 7)


@pytest.fixture
def fight(client: TestClient) -> Fight:
    """A battle at the table that has begun."""
    found = Fight(client)
    found.start()
    return found


def places(fight: Fight, operation: Operation, number: int) -> dict[str, object]:
    known: dict[str, object] = {
        "campaign_id": fight.field.path.rpartition("/")[2],
        "table_id": fight.id,
        "side": "red",
        "hex": fight.hex,
    }
    known |= {"player_id": fight.battle.attacking, "turn": 1, "number": 1}
    return {place: known.get(place, IDS[number % len(IDS)]) for place in operation.places}


def test_every_operation_of_the_table_is_answered(client: TestClient, fight: Fight) -> None:
    outsider = sign_up(client, "Eve")
    nobody = Person(client, "nobody", "sot_nothing")
    asked, taken = 0, 0
    for operation in of_the_table():
        for number, body in enumerate(bodies(operation.example)):
            if not LONG and (number + asked) % 3:
                asked += 1
                continue
            for person in (outsider, nobody) if number % 2 else (fight.red, outsider):
                path = operation.filled(places(fight, operation, number))
                sent = None if operation.method == "GET" else body
                answer = person.ask(operation.method, path, sent)
                asked += 1
                assert answer.status_code < 500, (operation.name, path, body, answer.text)
                if person is nobody:
                    assert answer.status_code in (401, 404), (operation.name, answer.text)
                taken += answer.status_code < 300
    assert asked > 1000
    assert taken > 5


def test_nobody_from_outside_changes_or_reads_a_thing(client: TestClient, fight: Fight) -> None:
    eve = sign_up(client, "Eve")
    paths = (fight.path, f"{fight.path}/acts", f"{fight.field.path}/battles")
    before = {path: fight.red.get(path) for path in paths}
    refusals = 0
    for operation in of_the_table():
        if "table_id" not in operation.places and "campaign_id" not in operation.places:
            continue
        answer = eve.ask(operation.method, operation.filled(places(fight, operation, 0)), operation.example)
        told = operation.method == "GET" and answer.status_code == 200
        assert not told or answer.json().get("items") == [], (operation.name, answer.text[:300])
        refusals += answer.status_code >= 400
    assert refusals > 20
    for path, told in before.items():
        assert fight.red.get(path) == told, path


def test_stories_say_their_words_and_nothing_else(client: TestClient, fight: Fight) -> None:
    """Hostile words stay words on the page, others' stories stay theirs, pictures are pictures."""
    fight.play()
    words = {"title": "<b>x</b>", "body": "<script>x</script>\n\n& \u202e"}
    for side, person in fight.sides.items():
        assert person.put(f"{fight.path}/stories/{side}", words)["title"] == words["title"]
    eve = sign_up(client, "Eve")
    told = fight.red.get(f"{fight.path}/stories")["items"]
    for story in told:
        assert eve.ask("DELETE", f"/stories/{story['id']}").status_code in (403, 404)
        for data in (
            b"",
            b"\xff\xd8\xff",
            b"GIF89a" + b"\0" * 100,
            b"<svg onload=x>",
            b"\x89PNG\r\n\x1a\n" + b"\0" * 50,
        ):
            headers = {"Authorization": f"Bearer {fight.red.secret}", "Content-Type": "application/octet-stream"}
            answer = client.post(f"/api/v1/stories/{story['id']}/pictures", content=data, headers=headers)
            assert 400 <= answer.status_code < 500, answer.text
    assert told
    ann = Visitor(client, fight.red.name)
    page = ann.get(f"{fight.field.path}/chronicle")
    assert "&lt;script&gt;x" in page
    assert "<script>x" not in page
