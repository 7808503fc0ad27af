"""What one account can ask of the machine has bounds: each was seen to be passed before there was the limit.

``python -m bench heavy`` measures the largest input that is accepted of each kind: none takes 2 s or 100 MB.
"""

from __future__ import annotations

import random
import threading
from io import BytesIO
from typing import Any

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from PIL import Image

from server.http.limits import HeavyWork
from server.play.caches import BOARDS, Caches, Memo, bytes_of_map
from server.play.campaigns import campaigns, catalog
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import AppContext
from server.play.errors import PlayError
from server.play.messages.pictures import MAX_WHOLE, reencode
from server.play.rosters.reading import MAX_ELEMENTS, read_roster
from server.play.tables import missions
from server.play.text_input import MAX_DOTS, read_toml
from server.rules.board import Board
from server.scenarios.fairness import _nearest
from tests.api.conftest import client, url
from tests.api.people import sign_up
from tests.play.conftest import clock, ctx, database, kind, person, postgresql_database
from tests.play.test_campaigns import refused

__all__ = ["client", "clock", "ctx", "database", "kind", "postgresql_database", "url"]


def test_an_account_has_ten_campaigns_that_have_not_begun(ctx: AppContext) -> None:
    gwen = person(ctx, "Gwen")
    made = [campaigns.create(ctx, gwen, NewCampaign(f"War {number}", "the-pass")).id for number in range(10)]
    refused("limit_reached", campaigns.create, ctx, gwen, NewCampaign("One more", "the-pass"))
    campaigns.remove(ctx, gwen, made[0])
    campaigns.create(ctx, gwen, NewCampaign("Instead", "the-pass"))
    root = person(ctx, "Root Beer", admin=True)
    for number in range(11):
        campaigns.create(ctx, root, NewCampaign(f"War {number}", "the-pass"))


# --- maps ---


def large_map(columns: int, rows: int, seats: int = 2) -> dict[str, Any]:
    digits = 3 if max(columns, rows) > 99 else 2
    starts = [
        {"name": f"S{seat}", "centre": f"{10 + seat * 10:0{digits}d}{rows // 2:0{digits}d}", "radius": 3}
        for seat in range(seats)
    ]
    return {
        "format": 1, "title": "Large", "ruleset": "wh40k-2001", "terrain": {".": "plains"},
        "board": ["." * columns] * rows, "starts": starts,
    }  # fmt: skip


def test_a_map_has_as_many_hexes_as_the_operator_says(ctx: AppContext) -> None:
    gwen = person(ctx, "Gwen")
    new = NewCampaign("Large", "own", scenario_data=large_map(200, 201))
    refused("too_large", campaigns.create, ctx, gwen, new)
    refused("too_large", catalog.check_scenario, "own", large_map(490, 490, 24), "", None, hexes=40_000)
    settings = ctx.settings.model_copy(update={"own_map_hexes": 600})
    small = AppContext(ctx.database, settings, ctx.clock)
    refused("too_large", campaigns.create, small, gwen, NewCampaign("Large", "own", scenario_data=large_map(30, 30)))
    assert campaigns.create(ctx, gwen, NewCampaign("Small", "own", scenario_data=large_map(30, 30))).name == "Small"


def test_whose_land_is_nearest_is_found_from_all_starts_at_once() -> None:
    """The same as with every distance, which took 5 of the 7 seconds of a map of 490 x 490 with 24 starts."""
    for seed in range(40):
        dice = random.Random(seed)
        columns, rows = dice.randint(1, 14), dice.randint(1, 14)
        board = Board(columns, rows, ("plains",) * (columns * rows))
        centres = [dice.randrange(board.size) for _ in range(dice.randint(1, 6))]
        for hex_, found in enumerate(_nearest(board, centres)):
            far = [board.distance(hex_, centre) for centre in centres]
            assert found == sum(1 << seat for seat, steps in enumerate(far) if steps == min(far))


class _World:
    def __init__(self, hexes: int) -> None:
        self.scenario = self
        self.board = self
        self.size = hexes


def test_maps_are_kept_by_their_bytes_and_take_what_holds_them_with_them() -> None:
    caches = Caches()
    for number in range(10):
        caches.game_data.put((f"c{number}", "board", "rules"), _World(40_000))
        caches.states.put((f"c{number}", "hash"), "state")
        caches.views.put((f"c{number}", "hash", "p1"), "view")
    kept = [number for number in range(10) if caches.game_data.known((f"c{number}", "board", "rules")) is not None]
    assert 1 <= len(kept) <= BOARDS // bytes_of_map(_World(40_000)) < 10
    for memo, more in ((caches.states, ()), (caches.views, ("p1",))):
        assert [number for number in range(10) if memo.known((f"c{number}", "hash", *more)) is not None] == kept
    caches.game_data.put(("huge", "board", "rules"), _World(250_000))
    assert caches.game_data.known(("huge", "board", "rules")) is not None  # read once, not with every request


def test_what_had_to_go_is_told() -> None:
    gone: list[object] = []
    memo = Memo(2, gone=gone.append)
    for key in "abc":
        memo.put(key, key)
    memo.forget("b")
    assert gone == ["a"]


# --- files ---


def test_a_roster_has_20_000_elements_at_most() -> None:
    selection = '<selection name="a" type="unit" number="1"/>'
    many = f"<selections>{selection * (MAX_ELEMENTS + 1)}</selections>"
    xml = f'<roster name="x"><forces><force>{many}</force></forces></roster>'
    refused("too_large", read_roster, xml.encode())
    refused("too_large", read_roster, b'{"forces": [' + b"{}," * (10 * MAX_ELEMENTS + 10) + b"{}]}")


def test_pictures_that_are_unpacked_whole_are_small() -> None:
    """7000 x 7000 transparent pixels are a file of 190 kB, and took 639 MB."""
    for mode, kind_, more in (
        ("RGBA", "PNG", {}),
        ("P", "PNG", {}),
        ("RGB", "WEBP", {}),
        ("RGB", "JPEG", {"progressive": True}),
    ):
        side = int(MAX_WHOLE[kind_] ** 0.5) + 1
        file = BytesIO()
        Image.new(mode, (side, side)).save(file, kind_, **more)
        refused("too_large", reencode, file.getvalue())
    photo = BytesIO()
    Image.new("RGB", (5000, 4000), "red").save(photo, "JPEG")
    assert reencode(photo.getvalue()).width == 1600


def test_a_small_picture_is_turned_upright_once() -> None:
    file = BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned by a quarter
    Image.new("RGB", (400, 200), "red").save(file, "JPEG", exif=exif)
    made = reencode(file.getvalue())
    assert (made.width, made.height) == (200, 400)


@pytest.mark.parametrize(
    "hostile",
    [
        "a." * 60_000 + "b = 1", "[" + "a." * 60_000 + "b]", "x = {" + "a." * 60_000 + "b = 1}", "a = " + "9" * 5000,
        "a = 0x" + "f" * 5000, "a = " + "[" * 5000 + "]" * 5000, "a = " + "{b=" * 5000, "a = -9223372036854775809",
    ],
    ids=["key", "header", "inline", "digits", "hexadecimal", "lists", "tables", "65 bits"],
)  # fmt: skip
def test_toml_that_keeps_its_reader_busy_is_refused(hostile: str) -> None:
    """100,000 parts of a key took two minutes; 5,000 digits were a mistake of ours (500)."""
    with pytest.raises(ValueError, match=r"."):
        read_toml(hostile)
    refused("mission_refused", missions.check, hostile)
    refused("invalid_request", catalog.read_ruleset, hostile.encode())
    assert read_toml("a." * MAX_DOTS + "b = 1")


# --- requests ---


def test_a_body_has_so_many_names(client: TestClient) -> None:
    ann = sign_up(client, "Ann")
    many = {f"k{number}": 1 for number in range(10_001)}
    assert ann.post("/campaigns", many, 413)["code"] == "too_large"
    assert ann.post("/campaigns", {"a": [{str(key): 1 for key in range(9000)}] * 6}, 413)["code"] == "too_large"
    assert ann.post("/campaigns", {f"k{number}": 1 for number in range(1000)}, 422)["code"] == "invalid_request"


def test_two_heavy_requests_of_one_key_and_four_of_all() -> None:
    work = HeavyWork(2, 4)
    with work.at_work("ann") as one, work.at_work("ann") as two, work.at_work("ann") as three:
        assert (one, two, three) == (True, True, False)
        with work.at_work("bea") as four, work.at_work("cid") as five, work.at_work("dan") as six:
            assert (four, five, six) == (True, True, False)
    with work.at_work("dan") as again, work.at_work("ann") as free:
        assert again
        assert free


def test_heavy_requests_that_find_no_room_come_again(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over HTTP: two rosters are being read, and the third gets 429; light requests go on."""
    ann, bea = sign_up(client, "Ann"), sign_up(client, "Bea")
    inside, leave = threading.Semaphore(0), threading.Event()

    def slow(_content: bytes) -> None:
        inside.release()
        leave.wait(20)
        raise PlayError("invalid_request")

    monkeypatch.setattr("server.api.routers.rosters.read_roster", slow)
    headers = {"Content-Type": "application/octet-stream", "Authorization": f"Bearer {ann.secret}"}

    def ask() -> Any:
        return client.post("/api/v1/rosters", content=b"x", headers=headers)

    busy = [threading.Thread(target=ask) for _ in range(2)]
    for thread in busy:
        thread.start()
    try:
        assert all(inside.acquire(timeout=20) for _ in busy)
        third = ask()
        assert (third.status_code, third.json()["code"]) == (429, "too_many_requests")
        assert int(third.headers["Retry-After"]) >= 1
        bea.get("/me")
    finally:
        leave.set()
        for thread in busy:
            thread.join()
    monkeypatch.undo()
    assert ask().status_code == 422


def test_pages_have_the_same_bounds() -> None:
    from server.web.route import HEAVY
    from server.web.routers import missions as pages_of_missions
    from server.web.routers import new_campaign, rosters

    marked = {
        route.path
        for router in (new_campaign.router, new_campaign.continued, rosters.router, pages_of_missions.router)
        for route in router.routes
        if isinstance(route, APIRoute) and HEAVY.keys() <= (route.openapi_extra or {}).keys()
    }
    assert marked == {
        "/campaigns/new",
        "/campaigns/{campaign_id}/practice",
        "/campaigns/{campaign_id}/continuation",
        "/rosters",
        "/campaigns/{campaign_id}/missions",
    }
