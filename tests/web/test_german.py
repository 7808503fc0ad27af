"""German pages are German: every page is read in both languages, in a campaign in which much has happened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from fastapi.testclient import TestClient

from server.play.accounts import accounts
from server.play.campaigns import campaigns, seats
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import Actor
from server.play.edits import edits
from server.play.game_masters import handover
from server.play.messages import messages
from server.play.orders import orders
from server.play.views import positions
from server.render.translations import names
from server.rules.state import Detachment, Garrison, State
from server.scenarios import library
from tests.english import ENGLISH
from tests.web.battlefield import Battlefield, begin

SAME = {
    "https://", "Admin", "API", "BP", "Bot", "Bots", "Browser", "Bunker", "Chance", "Details",
    "Deutsch", "Discord", "DXP", "Elite",
    "English", "Format", "Fort", "HQ", "JSON", "Land", "Link", "Mail", "Name", "Phase", "Sealed Orders", "Standard",
    "Start", "Status", "System", "Text", "Version", "Veteran", "Webhook", "Webhooks",
}  # fmt: skip
"""Texts that are the same in both languages."""
SAME |= {name for name, german in names("de").items() if name == german}
IN_CODE = {"code", "pre", "script", "style", "textarea", "svg"}  # drawings hold the map's own names
SPOKEN = ("alt", "aria-label", "title", "placeholder", "aria-description")


class Reader(HTMLParser):
    """Reads all that a page says: its texts, and the attributes that are read out."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in IN_CODE:
            self._within.append(tag)
        given = dict(attrs)
        self.found += [value for name in SPOKEN if (value := given.get(name)) and "lang" not in given]
        if tag == "input" and given.get("type") in ("submit", "button"):
            self.found.append(given.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        if self._within and self._within[-1] == tag:
            self._within.pop()

    def handle_data(self, data: str) -> None:
        if not self._within:
            self.found.append(data)


def _read(page: str) -> list[str]:
    reader = Reader()
    reader.feed(page)
    return [text for each in reader.found if (text := re.sub(r"\s+", " ", each).strip())]


def _typed(state: State) -> set[str]:
    """Return what people named: forces, units, players, and the map's own names, which are the scenario's."""
    forces: list[Detachment | Garrison] = [*state.detachments.values(), *state.garrisons.values()]
    found = {force.name for force in forces if isinstance(force, Detachment)}
    found |= {unit.name for force in forces for unit in force.units}
    return found | {name for _, name in state.board.names} | {"Ann", "Ben", "Gwen", "The Long March"}


@pytest.fixture
def field(client: TestClient) -> Battlefield:
    ctx = client.app.state.server.ctx  # type: ignore[attr-defined]
    made = begin(ctx, battles="choice", shared_sight=True, until="battle")
    handover.offer(ctx, made.gm, made.id, "Ann")
    return made


def _pages(field: Battlefield) -> Iterator[tuple[str, str]]:
    """Yield who looks at what."""
    number = field.info().phase_number or 0
    path = field.path
    for page in ("/", "/campaigns", "/campaigns?status=any", "/sign-in", "/sign-up", "/mail-link", "/nowhere", path):
        yield "", page
    for page in ("/", "/campaigns?status=any", "/campaigns/new", "/settings", "/join", path, f"{path}/table",
                 f"{path}/battles", f"{path}/people", f"{path}/leave", f"{path}/offer", f"{path}/reports",
                 f"{path}/reports/history", f"{path}/reports/charts", f"{path}/reports/dice"):  # fmt: skip
        yield "Ann", page
    for past in range(number):
        yield "Ann", f"{path}/reports/{past}"
    for page in ("gm", "gm/advance", "gm/seats/p1", f"gm/rollback/{number - 1}", "gm/finish", "gm/archive", "gm/delete",
                 "gm/options", "gm/offer", "gm/edit", "gm/orders", f"gm/battles/{next(iter(field.battles()))}",
                 "reports", "battles", "people",
                 *(f"gm/edit?kind={do}+{what}" for do, what in edits.KINDS)):  # fmt: skip
        yield "Gwen", f"{path}/{page}"


def _speak(field: Battlefield, language: str) -> None:
    for actor in (field.gm, *field.players.values()):
        accounts.change_profile(field.ctx, actor, locale=language)


def _leftovers(german: str, english: str, typed: set[str]) -> set[str]:
    """Return what a German page says as the English one does, or in English words."""
    spoken = set(_read(english))
    either = "|".join(re.escape(each) for each in sorted(typed | SAME, key=len, reverse=True))
    own = re.compile(rf"(?<!\w)({either})(?!\w)")
    found = set()
    for text in _read(german):
        left = own.sub(" ", text)
        if (text in spoken and re.search(r"[^\W\d_]{3}", left)) or ENGLISH.search(left):
            found.add(text)
    return found


def _compare(client: TestClient, field: Battlefield) -> list[str]:
    pages = list(_pages(field))
    read: dict[str, dict[tuple[str, str], str]] = {}
    for language in ("en", "de"):
        _speak(field, language)
        people = {name: field.visitor(client, name, language) for name in ("", "Ann", "Gwen")}
        read[language] = {(name, page): _page(people[name], page) for name, page in pages}
    typed = _typed(positions.position(field.ctx, field.gm, field.id).view.state)
    left: dict[str, str] = {}
    for name, page in pages:
        for text in _leftovers(read["de"][name, page], read["en"][name, page], typed):
            left.setdefault(text, f"{name} {page}")
    return [f"{page}: {text}" for text, page in left.items()]


def _page(visitor: Any, page: str) -> str:
    return str(visitor._ask("GET", page).text)  # whatever its status: refusals are pages, too


REFUSED: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("", "/sign-up", {"name": "Ann", "password": "x", "email": "no"}),
    ("", "/sign-in", {"name": "Nobody", "password": "wrong"}),
    ("", "/link", {"token": "x"}),
    ("Ann", "/campaigns/new", {"name": "", "scenario": "the-pass", "options.deadlines.kind": "grid"}),
    ("Ann", "/settings/profile", {"name": "", "locale": "de", "time_zone": "Mars/Base"}),
    ("Ann", "/settings/password", {"old": "x", "password": "y"}),
    ("Ann", "/settings/webhooks", {"url": "http://127.0.0.1/"}),
    ("Ann", "/settings/tokens", {"name": "Ann", "days": "x"}),
    ("Ann", "{path}/people", {"body": "", "to": ["p2"]}),
    ("Ann", "{path}/people/declarations", {"kind": "peace"}),
    ("Ann", "{path}/holiday", {"until": "x"}),
    ("Ann", "{path}/stand-in", {"stand_in": "user", "substitute": "Nobody"}),
    ("Ann", "{path}/battles/{hex}/report", {"winner": "p9", "lost/x": "7"}),
    ("Ann", "{path}/gm/pause", {"why": "Ann"}),
    ("Gwen", "{path}/gm/deadline", {"due": "x"}),
    ("Gwen", "{path}/gm/announce", {"body": ""}),
    ("Gwen", "{path}/gm/seats/p1", {"name": "Nobody"}),
    ("Gwen", "{path}/gm/offer", {"name": "Gwen"}),
    ("Ann", "{path}/offer/accept", {}),
    ("Gwen", "{path}/gm/edit", {"edits": "no", "look": "1"}),
    ("Gwen", "{path}/gm/edit", {"look": "1", "edits": """[
        {"do": "set", "what": "urban", "hex": "0101", "size": "city", "buildings": ["market", "market"]},
        {"do": "add", "what": "road", "from": "0405", "to": "0101"},
        {"do": "set", "what": "unit", "id": "x", "ready": 5}]"""}),
    ("Gwen", "{path}/gm/edit", {"look": "1", "edits": """[
        {"do": "set", "what": "urban", "hex": "0606", "size": "town", "buildings": ["market"]},
        {"do": "set", "what": "stronghold", "hex": "0606", "type": "camp"},
        {"do": "set", "what": "store", "hex": "0606", "bp": 7},
        {"do": "set", "what": "vp", "player": "p1", "vp": 9}]"""}),
    ("Gwen", "{path}/gm/battles/{hex}", {"winner": ""}),
)  # fmt: skip
"""Forms that are refused, or shown once more: who sends which where."""


def test_no_refusal_is_left_in_english(client: TestClient, field: Battlefield) -> None:
    _speak(field, "de")
    people = {name: field.visitor(client, name, "de") for name in ("", "Ann", "Gwen")}
    typed = _typed(positions.position(field.ctx, field.gm, field.id).view.state)
    left: list[str] = []
    for name, address, fields in REFUSED:
        address = address.format(path=field.path, hex=next(iter(field.battles())))
        answer = people[name]._ask("POST", address, {"csrf_token": people[name].csrf} | fields)
        assert answer.status_code != 303, address
        assert answer.status_code < 500, address
        left += [f"{address}: {text}" for text in sorted(_leftovers(answer.text, "", typed))]
    assert left == []


@pytest.mark.parametrize("state", ["open", "over"])
def test_no_page_before_and_after_is_left_in_english(client: TestClient, state: str) -> None:
    ctx = client.app.state.server.ctx  # type: ignore[attr-defined]
    field = begin(ctx)
    pages = [("Ann", ""), ("Gwen", ""), ("", ""), ("Gwen", "/gm")]
    if state == "over":
        for _ in range(3):
            field.pass_phase()
        campaigns.finish(ctx, field.gm, field.id, "Ann")
        pages += [
            ("Ann", "/table"),
            ("Ann", "/reports"),
            ("Gwen", "/reports?as=p1"),
            ("Ann", "/people"),
            ("Ann", "/reports/dice"),
        ]
    else:
        made = campaigns.create(
            ctx, field.gm, NewCampaign("The Long March", scenario="green-heart", ruleset="wh40k-2001")
        )
        field.id = made.id
        invited = seats.invite_by_code(ctx, field.gm, made.id)
        seats.invite_user(ctx, field.gm, made.id, "Ann")
        pages += [("Gwen", "/gm/options"), ("Gwen", "/gm/start")]
        addresses = [("Ann", f"/join/{invited.code}"), ("", f"/join/{invited.code}"), ("Ann", "/"), ("Gwen", "/")]
    asked = [(name, field.path + page) for name, page in pages] + (addresses if state == "open" else [])
    read: dict[str, list[str]] = {}
    for language in ("en", "de"):
        _speak(field, language)
        people = {name: field.visitor(client, name, language) for name in ("", "Ann", "Gwen")}
        read[language] = [_page(people[name], page) for name, page in asked]
    plan = library.load("green-heart")
    typed = {"Ann", "Ben", "Gwen", "The Long March", *(name for _, name in plan.board.names)}
    typed |= {start.name for start in plan.starts}
    if state == "over":
        typed |= _typed(positions.position(ctx, field.gm, field.id).view.state)
    left = {
        text: page
        for (_, page), german, english in zip(asked, read["de"], read["en"], strict=True)
        for text in _leftovers(german, english, typed)
    }
    assert left == {}


def test_no_page_is_left_in_english(client: TestClient, field: Battlefield) -> None:
    ann: Actor = field.players["p1"]
    hex_ = next(iter(field.battles()))
    messages.send(field.ctx, ann, field.id, ["p2"], "Ann", subject="Ann")
    messages.declare(field.ctx, ann, field.id, "truce", toward="p2", body="Ann")
    messages.announce(field.ctx, field.gm, field.id, "Ann", subject="Ann")
    orders.replace(field.ctx, ann, field.id, [{"type": "fight", "battle": hex_, "mode": "tabletop"}])
    assert _compare(client, field) == []
