"""Rosters by the API: read, previewed as a force, saved; nothing is kept of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.api.club import Club, found
from tests.api.people import Person, sign_up
from tests.api.tables import get_ready, guest

LIST = """Column (280 points)
HQ
1x Chief (80 pts)
TROOPS
10x Squad (100 pts)
10x Second squad (100 pts)
Rangers (97,5 pts)
"""


def sent(person: Person, roster: bytes, status: int = 200) -> Any:
    headers = {"Authorization": f"Bearer {person.secret}", "Content-Type": "application/octet-stream"}
    answer = person.client.post("/api/v1/rosters", content=roster, headers=headers)
    assert answer.status_code == status, answer.text
    return answer.json()


@pytest.fixture
def club(client: TestClient) -> Club:
    return found(client)


def test_a_roster_becomes_a_force(club: Club) -> None:
    """Uploaded, previewed after the capital, handed in, saved as a template."""
    ann = club.players[0]
    read = sent(ann, LIST.encode())
    assert read["name"] == "Column"
    assert [unit["points"] for unit in read["units"]] == [80, 100, 100]
    assert [(note["code"], note["message"], note["what"]) for note in read["notes"]] == [
        ("bad_line", "Line not recognised", "Rangers (97,5 pts)")
    ]
    options = ann.get(f"/campaigns/{club.id}/legal-orders")["items"]
    capital = next(option for option in options if option["order"].get("what") == "capital")
    raising = next(option for option in options if option["order"]["type"] == "build_detachment")
    place = capital["order"] | {"at": capital["choices"]["at"][0]}
    at = next(each for each in raising["choices"]["at"] if each != place["at"])
    order = {"type": "build_detachment", "at": at, "name": read["name"], "units": read["units"]}
    seen = ann.post(f"/campaigns/{club.id}/preview", {"order": order, "before": [place]}, status=200)
    assert (seen["problems"], seen["says"]["cost"]) == ([], 280)
    done = ann.put(f"/campaigns/{club.id}/orders", {"orders": [place, order]})
    assert len(done["orders"]["orders"]) == 2
    assert ann.post("/me/templates", {"name": "Column", "units": read["units"]})["units"] == read["units"]


def test_what_is_no_roster_is_refused(client: TestClient) -> None:
    ann = sign_up(client, "Ann")
    refused = sent(ann, b"<html/>", 422)
    assert (refused["code"], refused["field"]) == ("invalid_request", "roster")
    assert sent(ann, b"", 422)["code"] == "invalid_request"
    assert sent(ann, b"x" * 1_600_000, 413)["code"] == "too_large"


def test_only_who_is_signed_in_has_one_read(client: TestClient) -> None:
    answer = client.post("/api/v1/rosters", content=LIST.encode(), headers={"Content-Type": "application/octet-stream"})
    assert answer.status_code == 401


def test_a_guest_brings_a_roster_to_the_table_with_what_its_units_carry(client: TestClient) -> None:
    """Weapons of the file, and what brackets say in typed lines; each side reads its own until both have declared."""
    weapon = {"typeName": "Ranged Weapons"}
    squad = {
        "name": "Breach Squad", "type": "unit", "number": 1, "costs": [{"name": "pts", "value": 90}],
        "selections": [
            {"name": "Trooper", "type": "model", "number": 4, "selections": [
                {"name": "Rifle", "type": "upgrade", "number": 4, "profiles": [weapon]}]},
            {"name": "Gunner", "type": "model", "number": 1, "selections": [
                {"name": "Mortar", "type": "upgrade", "number": 1, "profiles": [weapon]}]},
        ],
    }  # fmt: skip
    roster = {"roster": {"name": "Breach", "forces": [{"selections": [squad]}]}}
    people = {"red": guest(client, "Ann"), "blue": guest(client, "Bob")}
    made = people["red"].post("/tables", {"mission": "clash_of_patrols"})
    path = f"/tables/{made['id']}"
    people["blue"].post("/tables/join", {"code": made["join_code"]}, status=200)
    read = sent(people["red"], json.dumps(roster).encode())
    assert read["carried"] == ["4 Rifle, Mortar"]
    army = {"units": [{**unit, "about": read["carried"][at]} for at, unit in enumerate(read["units"])]}
    armies = {"red": {"army": army}, "blue": {"lines": "5 Dock Guard (5 rifles, 1 flag), battleline"}}
    get_ready(people, path, armies)
    people["red"].post(f"{path}/start", status=200)
    told = {side: people[side].get(f"{path}/view")["view"]["units"] for side in people}
    assert [(unit["name"], unit["models"], unit["about"]) for units in told.values() for unit in units] == [
        ("Breach Squad", 5, "4 Rifle, Mortar"),
        ("Dock Guard", 5, "5 rifles, 1 flag"),
    ]
