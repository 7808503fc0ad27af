"""The table's page: who may open it, what it brings along, and that nothing in it breaks out."""

from __future__ import annotations

import json
import re

from fastapi.testclient import TestClient

from server.web.presenters.map_data import PICTURES
from server.web.templating import STATIC
from tests.api.club import found
from tests.web.visitor import Visitor

_DATA = re.compile(r'<script type="application/json" id="(\w+)">(.*?)</script>', re.S)


def _data(page: str) -> dict[str, object]:
    return {name: json.loads(text) for name, text in _DATA.findall(page)}


def test_a_player_gets_map_and_orders(client: TestClient) -> None:
    club = found(client)
    ann = Visitor(client)
    ann.post("/sign-in", name="Ann", password="correct horse")
    page = ann.get(f"{club.path}/table")
    about = _data(page)["about"]
    assert isinstance(about, dict)
    assert about["mine"] == ["p1"]
    assert about["phase"] == "setup"
    assert "table/main.js" in page
    for name in re.findall(r'(?:href|src)="(/static/[^"]+)"', page):
        assert client.get(name).status_code == 200, name


def test_a_stranger_may_watch_what_is_listed_and_has_no_orders(client: TestClient) -> None:
    club = found(client)
    about = _data(Visitor(client).get(f"{club.path}/table"))["about"]
    assert isinstance(about, dict)
    assert about["mine"] == []
    assert about["user"] == ""


def test_before_the_start_there_is_no_table(client: TestClient) -> None:
    club = found(client, start=False)
    assert "The campaign has not started." in Visitor(client).get(f"{club.path}/table", 409)


def test_names_are_data_and_nothing_else(client: TestClient) -> None:
    name = "</script><img src=x onerror=alert(1)>"
    club = found(client, name=name)
    page = Visitor(client).get(f"{club.path}/table")
    assert "<img src=x" not in page
    about = _data(page)["about"]
    assert isinstance(about, dict)
    assert about["name"] == name


def test_the_page_says_of_each_building_what_the_rulebook_says(client: TestClient) -> None:
    club = found(client)
    about = _data(Visitor(client, language="de").get(f"{club.path}/table"))["about"]
    assert isinstance(about, dict)
    assert about["buildings"]["exploitation_center"].endswith("schrumpft der Ort bei 1 um eine Größe")
    assert about["buildings"]["prison"] == "in diesen Regeln nichts"
    assert all(about["buildings"].values())


def test_the_page_draws_with_the_pictures_language() -> None:
    assert {"plains", "sea"} <= set(PICTURES["terrains"])
    assert all(seat.keys() == {"colour", "ink", "dark", "dash"} for seat in PICTURES["seats"])


def test_scripts_lay_hexes_out_as_the_picture_does() -> None:
    script = (STATIC / "table" / "geometry.js").read_text(encoding="utf-8")
    assert f"export const WIDTH = {PICTURES['width']};" in script
    assert f"export const MARGIN = {PICTURES['margin']};" in script
