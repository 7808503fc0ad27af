"""A table game as a file: checked offline, told apart when it was changed; taken along with its campaign."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import delete, func, select, update

from server import missions
from server.play.accounts.tokens import authenticate
from server.play.archive import record_files
from server.play.archive.record_files import TABLE_FORMAT, read
from server.play.archive.record_import import import_
from server.play.archive.table_record import verify
from server.play.campaigns import campaigns
from server.store.groups import forget
from server.store.tables import Campaign, TableActRow, TableGameRow
from tests.api.club import found, play_of
from tests.api.people import Person
from tests.api.tables import get_ready, guest, own_table, play_to_the_end

LINES = "10 Rifle Squad, battleline\n5 Veterans\n1 Captain, character"
"""An army for any mission."""


def mission_file(id_: str) -> str:
    """Return a club's own mission: another one under another id."""
    return (missions.FOLDER / "blitz.toml").read_text().replace('id = "blitz"', f'id = "{id_}"', 1)


def closed(person: Person, mission: str = "blitz") -> str:
    """Return the path of a game that was played to its end and closed."""
    path = f"/tables/{own_table(person, start=True, mission=mission)}"
    play_to_the_end(person, path)
    person.post(f"{path}/confirm", {}, status=200)
    return path


@pytest.fixture
def record(client: TestClient) -> dict[str, Any]:
    ann = guest(client, "Ann")
    path = closed(ann, "meat_grinder")
    return read(ann.ask("GET", f"{path}/record", status=200).content, TABLE_FORMAT)


def test_a_record_is_given_out_when_the_game_is_closed_and_verifies(client: TestClient) -> None:
    ann = guest(client, "Ann")
    path = f"/tables/{own_table(ann, start=True, mission='blitz')}"
    assert ann.get(f"{path}/record", status=403)["code"] == "forbidden"
    acts = play_to_the_end(ann, path)
    assert ann.get(f"{path}/record", status=403)["code"] == "forbidden"
    ann.post(f"{path}/confirm", {}, status=200)
    report = verify(read(ann.ask("GET", f"{path}/record", status=200).content, TABLE_FORMAT))
    assert (report.first, report.checked, report.total) == (None, acts, acts)
    assert report.rolls > 0


def _flip(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


def _other_act(record: dict[str, Any]) -> None:
    acts = record["table_acts"]
    acts[2], acts[3] = acts[3] | {"number": 2}, acts[2] | {"number": 3}


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "secret": lambda record: record["game"].update(dice_secret="AAAA"),
    "salt": lambda record: record["table_seats"][0].update(salt="another-salt-here"),
    "seed": lambda record: record["table_beginnings"][0].update(seed=_flip(record["table_beginnings"][0]["seed"])),
    "state": lambda record: record["table_acts"][1].update(state="00" * 32),
    "chain": lambda record: record["table_acts"][1].update(hash="00" * 32),
    "result": lambda record: record["table_results"][0].update(red_vp=record["table_results"][0]["red_vp"] + 1),
    "shape": lambda record: record.pop("table_acts"),
    "act": lambda record: record["table_acts"][1].update(content={"do": "nonsense"}),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_was_changed_is_named(record: dict[str, Any], what: str) -> None:
    assert verify(deepcopy(record)).first is None
    CHANGES[what](record)
    first = verify(record).first
    assert first is not None
    assert first.what == what


def test_a_mission_that_was_rolled_is_rolled_again(client: TestClient) -> None:
    """Seen to fail when a record is checked without drawing the mission again."""
    ann = guest(client, "Ann")
    made = ann.post("/tables", {"roll": "combat_patrol", "take": "both"})
    path = f"/tables/{made['id']}"
    get_ready({"red": ann, "blue": ann}, path, {side: {"lines": LINES} for side in ("red", "blue")})
    ann.post(f"{path}/start", status=200)
    with play_of(client).database.read() as session:
        rolled = record_files.table_game(session, made["id"])
    assert verify(deepcopy(rolled)).first is None
    others = missions.library()
    other = next(id_ for id_ in others if others[id_].family == "combat_patrol" and id_ != rolled["game"]["mission"])
    rolled["game"]["mission"] = other
    first = verify(rolled).first
    assert first is not None
    assert first.what == "mission"


@pytest.mark.parametrize(
    "nonsense", [{}, {"game": 3}, {"game": {}, "table_seats": {}}, {"game": [], "table_seats": []}]
)
def test_what_is_no_record_is_no_mistake_of_ours(nonsense: dict[str, Any]) -> None:
    first = verify(nonsense).first
    assert first is not None
    assert first.what == "shape"


def test_a_campaign_takes_its_games_along(client: TestClient) -> None:
    """Exported and imported with it, deleted with it; another campaign's and those by themselves stay."""
    club = found(client)
    ctx = play_of(client)
    path = closed(club.players[0])
    alone = closed(club.players[1])
    game_id = path.rpartition("/")[2]
    with ctx.database.write() as session:
        mine = update(TableGameRow).where(TableGameRow.id == game_id)
        session.execute(mine.values(campaign_id=club.id, branch=1, turn=1, hex="0101"))
    source = mission_file("the_ford")
    club.gm.post("/missions", {"source": source, "campaign": club.id})
    club.gm.post(f"{club.path}/finish", {"why": ""}, status=204)
    file = club.gm.ask("GET", f"{club.path}/record", status=200).content
    held = read(file)
    assert [game["game"]["id"] for game in held[record_files.TABLE_GAMES]] == [game_id]
    assert [mission["mission"] for mission in held[record_files.TABLE_MISSIONS]] == ["the_ford"]
    club.gm.ask("DELETE", club.path, status=200)
    with ctx.database.write() as session:
        session.execute(delete(Campaign).where(Campaign.id == club.id))
        forget(session, club.id)
    with ctx.database.read() as session:
        assert session.scalars(select(TableGameRow.id)).all() == [alone.rpartition("/")[2]]
        left = session.scalar(select(func.count()).select_from(TableActRow).where(TableActRow.game_id == game_id))
    assert left == 0
    import_(ctx, authenticate(ctx, club.gm.secret), file)
    again = club.gm.get(path)
    assert (again["status"], again["campaign"], again["result"] is not None) == ("closed", club.id, True)
    assert campaigns.get(ctx, authenticate(ctx, club.gm.secret), club.id).name == "The Thirteen Towers"


def test_a_club_plays_its_own_mission(client: TestClient) -> None:
    club = found(client)
    gm, ann, _ = club.gm, *club.players
    broken = gm.post("/missions", {"source": "id = 3", "campaign": club.id}, status=422)
    assert broken["code"] == "mission_refused"
    assert broken["problems"]
    (problem,) = gm.post("/missions", {"source": "id = ", "campaign": club.id}, status=422)["problems"]
    assert problem["field"] == "source"
    source = mission_file("the_ford")
    assert ann.post("/missions", {"source": source, "campaign": club.id}, status=403)["code"] == "forbidden"
    made = gm.post("/missions", {"source": source, "campaign": club.id})
    listed = ann.get(f"/missions?campaign={club.id}")["items"]
    assert made["id"] in [mission["id"] for mission in listed]
    assert ann.get(f"/mission-uploads/{made['own']}")["source"] == source
    game = ann.post("/tables", {"mission": "the_ford", "campaign": club.id, "take": "both"})
    path = f"/tables/{game['id']}"
    gm.ask("DELETE", f"/mission-uploads/{made['own']}", status=204)
    get_ready({"red": ann, "blue": ann}, path)
    ann.post(f"{path}/start", status=200)
    assert ann.get(f"{path}/view?as=red")["view"]["mission"] == "the_ford"
    taken = mission_file("blitz")
    refused = gm.post("/missions", {"source": taken, "campaign": club.id}, status=422)
    assert refused["problems"][0]["field"] == "id"
