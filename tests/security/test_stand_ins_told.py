"""Two campaigns that differ in who stands in for another's seat are the same to everybody else, field by field.

Seen to fail: ``options.seat_levels`` named the seats that had chosen a computer stand-in.
"""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from server.play.context import AppContext
from server.store.tables import Campaign, Seat
from tests.api.club import found, play_of
from tests.api.conftest import client, url
from tests.api.hidden import alter
from tests.api.people import Person, sign_up

__all__ = ["client", "url"]


def leaves(value: Any, path: str = "") -> dict[str, Any]:
    """Return every field of an answer by its path."""
    if isinstance(value, dict):
        parts = [leaves(inner, f"{path}.{name}") for name, inner in value.items()]
    elif isinstance(value, list):
        parts = [leaves(inner, f"{path}.{number}") for number, inner in enumerate(value)]
    else:
        return {path: value}
    return {path: len(value)} | {name: leaf for part in parts for name, leaf in part.items()}


def away(ctx: AppContext, campaign_id: str, player: str) -> None:
    """Have a computer stand in for a seat, of a level of its own, without a word to anybody."""
    with ctx.database.write() as session:
        campaign = session.get_one(Campaign, campaign_id)
        campaign.options = {**campaign.options, "seat_levels": {player: "marshal"}}
        seat = session.scalars(select(Seat).where(Seat.campaign_id == campaign_id, Seat.player_id == player)).one()
        seat.stand_in, seat.missed, seat.missed_in_a_row, seat.holiday_until = "bot", 5, 5, campaign.created_at


@pytest.mark.parametrize("anonymous", [False, True])
def test_every_field_is_the_same(client: TestClient, anonymous: bool) -> None:
    made = found(client, 4, options={"anonymous": anonymous})
    ctx, stranger = play_of(client), sign_up(client, "Strange")
    readers: dict[str, Person] = {"p1": made.players[0], "p3": made.players[2], "stranger": stranger}
    asked = (f"/campaigns/{made.id}", "/me/data", "/campaigns", "/me/campaigns")

    def told() -> dict[tuple[str, str], dict[str, Any]]:
        answers = {}
        for name, reader in readers.items():
            for path in asked:
                answer = reader.ask("GET", path)
                if answer.status_code == 200:
                    content = answer.json()
                    content.pop("made_at", None)
                    answers[name, path] = leaves(content)
        return answers

    before = told()
    away(ctx, made.id, "p2")
    after = told()
    assert before.keys() == after.keys()
    assert sum(map(len, before.values())) > 500
    for asking, fields in before.items():
        assert {name for name in fields | after[asking] if fields.get(name) != after[asking].get(name)} == set(), asking
    owner = made.players[1].get(f"/campaigns/{made.id}")
    assert owner["options"]["seat_levels"] == {"p2": "marshal"}  # its owner sees it


def test_what_else_is_hidden_changes_no_field(client: TestClient) -> None:
    made = found(client, 4)
    ctx, ann = play_of(client), made.players[0]
    paths = (f"/campaigns/{made.id}", "/me/data")
    before = [leaves(ann.get(path)) for path in paths]
    alter(ctx, made.id, "p1", 7)
    for path, fields in zip(paths, before, strict=True):
        after = leaves(ann.get(path))
        assert {name for name in fields | after if fields.get(name) != after.get(name)} <= {".made_at"}, path
