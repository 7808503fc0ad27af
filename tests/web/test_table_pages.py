"""The pages of a table game that is over: card, replay, sheets, story; a guest's second device."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from server.app import create_app
from server.play.accounts.tokens import authenticate
from server.play.tables import missions
from tests.api.club import found, play_of
from tests.api.conftest import settings_for
from tests.api.people import Person
from tests.api.tables import Game, acts_to_the_end
from tests.api.test_table_records import mission_file
from tests.store import databases
from tests.web.conftest import Visits


class Ended(Game):
    """A game with concealed units that two guests have played to its end and closed."""

    def __init__(self, client: TestClient) -> None:
        super().__init__(client, "meat_grinder")
        database = client.app.state.server.ctx.database  # type: ignore[attr-defined]
        for number, (by, act) in enumerate(acts_to_the_end(database, self.id)):
            self.people[by].post(f"{self.path}/acts", {"expected": number, "act": act})
        for person in self.people.values():
            person.post(f"{self.path}/confirm", {}, status=200)

    def page(self, path: str, person: Person | None = None, status: int = 200, language: str = "en") -> str:
        """Return a page of the game as a guest sees it, or nobody."""
        self.client.cookies.clear()
        headers = {"Accept-Language": language}
        if person is not None:
            headers["Cookie"] = f"sealed_orders_session={person.secret}"
        answer = self.client.get(f"{self.path}{path}", headers=headers)
        assert answer.status_code == status, answer.text
        return answer.text if "pdf" not in answer.headers["content-type"] else answer.content.decode("latin-1")


@pytest.fixture(scope="module")
def ended() -> Iterator[Ended]:
    """One game for all: nobody changes what others look at."""
    with databases.migrated("sqlite", "table_pages") as url, TestClient(create_app(settings_for(url))) as client:
        yield Ended(client)


def test_a_result_is_shared_by_link_with_a_picture(ended: Ended) -> None:
    watch = ended.red.get(ended.path)["watch_code"]
    assert ended.page("/result", status=404)
    shown = ended.page(f"/result?watch={watch}")
    image = re.search(r'og:image" content="([^"]+)"', shown)
    assert image is not None
    assert f"watch={watch}" in image[1]
    assert 'twitter:card" content="summary_large_image"' in shown
    assert re.search("Meat Grinder: Ann .*Bob", shown)
    ended.client.cookies.clear()
    picture = ended.client.get(f"{ended.path}/result.png?watch={watch}")
    assert (picture.headers["content-type"], picture.content[:4]) == ("image/png", b"\x89PNG")
    assert ended.client.get(f"{ended.path}/result.png").status_code == 404


def test_what_was_secret_is_open_afterwards_and_marked(ended: Ended) -> None:
    """Seen to fail when the open view is one side's: the other's concealed units are missing."""
    at = next(
        number
        for number in range(60)
        if any(
            unit["state"] == "concealed"
            for side in ("red", "blue")
            for unit in ended.people[side].get(f"{ended.path}/view?at={number}")["view"]["units"]
        )
    )
    seen = {eyes: ended.red.get(f"{ended.path}/view?at={at}&as={eyes}")["view"] for eyes in ("red", "blue", "open")}
    everything = {unit["id"]: unit for unit in seen["open"]["units"]}
    for side in ("red", "blue"):
        for unit in seen[side]["units"]:
            if unit["side"] == side:
                assert {**everything[unit["id"]], "secret": None} == {**unit, "secret": None}
    concealed = [unit for unit in everything.values() if unit["state"] == "concealed"]
    assert concealed
    assert all(unit["secret"] for unit in concealed)
    public = [unit for unit in everything.values() if not unit["secret"]]
    told = {unit["id"]: unit for unit in ended.red.get(f"{ended.path}/view?at={at}&as=spectator")["view"]["units"]}
    assert all(
        told[unit["id"]] == {**{name: value for name, value in unit.items() if name != "secret"}} for unit in public
    )
    log = ended.red.get(f"{ended.path}/acts?as=open")["items"]
    assert any(event.get("secret") for entry in log for event in entry["events"])
    assert '"open"' in ended.page("/replay", ended.red)


def test_nothing_is_open_while_a_game_goes_on(ended: Ended) -> None:
    game = Game(ended.client, "meat_grinder")
    for person in (game.red, game.blue):
        assert person.get(f"{game.path}/view?as=open", status=404)["code"] == "not_found"
        assert person.get(f"{game.path}/acts?as=open", status=404)["code"] == "not_found"
    other = Ended.page.__get__(game)
    assert '"open"' not in other("/replay", game.red)
    assert other("/result", game.red, 409)
    sheet = other("/sheet", game.red)
    names = {
        side: {unit["name"] for unit in game.view(side)["view"]["units"] if unit["side"] == side}
        for side in game.people
    }
    assert all(name in sheet for name in names["red"])


def test_the_sheet_of_a_game_that_is_over_has_both_armies_and_the_result(ended: Ended) -> None:
    sheet = ended.page("/sheet", ended.red, language="de")
    units = ended.red.get(f"{ended.path}/view?as=open")["view"]["units"]
    assert all(unit["name"] in sheet for unit in units)
    assert "Ann" in sheet
    assert 'class="result"' in sheet
    assert 'class="on"' in sheet
    assert ended.page("/sheet.pdf", ended.red).startswith("%PDF-")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_log_calls_the_sides_by_their_names(ended: Ended, language: str) -> None:
    """As the bar does. Seen to fail where they told of Red and Blue, of Rot and Blau."""
    for eyes in ("red", "blue", "open"):
        items = json.loads(ended.page(f"/log.json?as={eyes}", ended.red, language=language))["items"]
        told = " ".join(line for entry in items for line in entry["lines"])
        assert "Ann" in told
        assert "Bob" in told
        assert not re.search(r"\b(Red|Blue|Rot|Blau)\b", told)


def test_a_story_is_told_and_read_by_who_has_the_link(ended: Ended) -> None:
    assert 'data-put="/tables/' in ended.page("/story/red", ended.red)
    assert ended.page("/story/blue", ended.red, 404)
    text = "They came at dawn.\n\n<script>alert(1)</script>"
    ended.red.put(f"{ended.path}/stories/red", {"title": "The bridge & the ford", "body": text})
    watch = ended.red.get(ended.path)["watch_code"]
    for shown in (ended.page(f"/result?watch={watch}"), ended.page("/result", ended.blue)):
        assert "The bridge &amp; the ford" in shown
        assert "<script>alert" not in shown
        assert "data-remove-story" not in shown
    assert "data-remove-story" in ended.page("/result", ended.red)
    story = ended.red.get(f"{ended.path}/stories")["items"][0]["id"]
    assert ended.blue.ask("DELETE", f"/stories/{story}").status_code == 403
    assert ended.client.get(f"/api/v1/stories/{story}").status_code == 404
    assert ended.blue.put(f"{ended.path}/stories/red", {"title": "x", "body": "y"}, status=403)["code"] == "forbidden"


def test_a_second_phone_of_a_guest(ended: Ended) -> None:
    made = ended.red.post("/tables/guests/devices")
    assert made["link"].endswith(f"/tables/device/{made['code']}")
    other = Person(
        ended.client,
        "Ann",
        ended.client.post("/api/v1/tables/guests/devices/join", json={"code": made["code"].upper()}).json()["token"],
    )
    assert other.secret != ended.red.secret
    assert other.get(ended.path)["sides"] == ["red"]
    assert ended.red.get(ended.path)["sides"] == ["red"]
    again = ended.client.post("/api/v1/tables/guests/devices/join", json={"code": made["code"]})
    assert again.status_code == 404
    assert (
        ended.client.get(
            ended.path.replace("/tables", "/api/v1/tables"), headers={"Authorization": f"Bearer {made['code']}"}
        ).status_code
        == 401
    )
    code = ended.client.get(f"/tables/device/{made['code']}/code.svg")
    assert (code.headers["content-type"], code.text[:5]) == ("image/svg+xml", "<?xml")
    assert ended.client.get("/tables/device").status_code == 200


def test_own_missions_are_found_under_new_table_game(visitor: Visits, client: TestClient) -> None:
    """Those of one's account and of one's campaigns, with their maps, also before the start. Others do not see them."""
    ann, ben = visitor("Fay"), visitor("Hal")
    ann.get("/tables/new")
    assert ann.api("POST", "/missions", {"source": mission_file("the_ford")}).status_code == 201
    shown = ann.get("/tables/new")
    picture = re.search(r"/tables/missions/uploads/[a-z0-9]+\.svg", shown)
    assert picture is not None
    assert ann.get(picture[0]).startswith("<svg")
    assert "uploads/" not in ben.get("/tables/new")
    ben.get(picture[0], 404)
    made = ann.api("POST", "/tables", {"mission": "the_ford", "take": "red"}).json()
    assert ann.get(f"/tables/{made['id']}/mission.svg").startswith("<svg")
    ruin = {"id": "t1a", "kind": "ruin", "building": True, "polygon": [[10, 10], [18, 10], [18, 16], [10, 16]]}
    laid = ann.api("PATCH", f"/tables/{made['id']}", {"table": {"terrain": [ruin]}})
    assert (laid.status_code, laid.json()["setup"]["table"]["terrain"]) == (200, [ruin])
    assert 'fill="url(#k-building)"' in ann.get(f"/tables/{made['id']}/mission.svg?at=2"), "terrain is on the map"
    ben.get(f"/tables/{made['id']}/mission.svg", 404)
    club = found(client)
    kept = club.gm.post("/missions", {"source": mission_file("the_pass"), "campaign": club.id})
    ctx = play_of(client)
    for person, wanted in ((club.players[0], ["the_pass"]), (club.gm, ["the_pass"])):
        assert [mission.id for mission in missions.own(ctx, authenticate(ctx, person.secret))] == wanted
    assert kept["campaign"] == club.id


def test_a_patrol_phase_goes_on_into_its_battle(client: TestClient) -> None:
    """One game: its markers and points first, then the battle it was for."""
    client.cookies.clear()
    game = Game(client, "clash_of_patrols", settings={"patrol_phase": True})
    stages = []
    for by, act in acts_to_the_end(play_of(client).database, game.id):
        game.act(by, **act)
        stages.append(game.view("red")["view"]["stage"])
        if stages[-1] == "battle":
            break
    assert list(dict.fromkeys(stages))[-1] == "battle"
    assert stages.index("patrol") < stages.index("jump_offs") < stages.index("deploy")
