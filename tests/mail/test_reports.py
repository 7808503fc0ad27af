"""A report as mail programs show it: without styles or pictures, as text; and nothing in it comes from elsewhere."""

from __future__ import annotations

import re
from dataclasses import replace
from email.message import EmailMessage
from html.parser import HTMLParser
from zoneinfo import ZoneInfo

import pytest

from server.core.events import Event
from server.mail.briefing import LARGEST_PICTURE, Briefing
from server.mail.letters import Letter, Part
from server.mail.letters import text_of as plain_of
from server.mail.report import Report
from server.mail.translations import Translations
from server.play.context import AppContext
from server.play.views import history
from server.rules.board import ORBIT
from server.rules.state import Convoy, Garrison
from tests.mail.conftest import PostOffice, addressed, drain, html_of, text_of
from tests.play.campaigns import club
from tests.play.conftest import Clock

COLUMNS = 72
ALLOWED = {"width", "cellpadding", "cellspacing", "border", "role", "align", "style", "lang", "href", "src", "alt",
           "charset", "name", "content", "aria-hidden"}  # fmt: skip
"""Attributes of a mail; a class or a script would need what mail programs throw away."""


class Shown(HTMLParser):
    """What is left of a mail without its styles and pictures, and what else it holds."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.pictures: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.pictures += [value or "" for name, value in attrs if name == "src"]

    def handle_data(self, data: str) -> None:
        self.words += data.split()


@pytest.fixture
def kind() -> str:
    """One kind of database is enough: it is the look that is tried."""
    return "sqlite"


@pytest.fixture
def reports(ctx: AppContext, office: PostOffice, clock: Clock) -> list[EmailMessage]:
    """Return the reports of the third turn's Build, to Ada in English and to Bob in German."""
    made = club(ctx, options={"deadlines": {"kind": "rolling", "hours": 51}}, phases=8)
    addressed(ctx, Bob="de")
    drain(ctx)
    made.play_phase()
    drain(ctx)
    return [office.to("Ada")[-1], office.to("Bob")[-1]]


def test_html_says_all_that_the_text_says(reports: list[EmailMessage]) -> None:
    """Without styles and pictures, too: words are compared, in their order."""
    for mail in reports:
        shown = Shown(html_of(mail))
        told = [re.sub(r"\s+", " ", part) for part in text_of(mail).partition("\n-- \n")[0].split("\n\n")[1:-1]]
        everything = " ".join(shown.words)
        for part in told:
            for line in re.split(r"(?:^| )- (?=\w)", part) if part.startswith("- ") else [part]:
                assert line.strip() in everything


def test_html_says_each_paragraph_once(reports: list[EmailMessage]) -> None:
    """Where styles are thrown away, hidden words would show. Seen to fail with a hidden preview of the first one."""
    for mail in reports:
        everything = " ".join(Shown(html_of(mail).partition("<body")[2]).words)
        for part in text_of(mail).partition("\n-- \n")[0].split("\n\n")[:-1]:
            if not part.startswith(("- ", "  ")):
                assert everything.count(" ".join(part.split())) == 1


def test_nothing_comes_from_elsewhere(reports: list[EmailMessage]) -> None:
    for mail in reports:
        shown = Shown(html_of(mail))
        assert shown.pictures == ["cid:map"]
        assert not shown.tags & {"script", "style", "link", "iframe", "form", "input", "svg", "video", "object"}
        assert shown.attributes <= ALLOWED
        assert "url(" not in html_of(mail)
        (picture,) = [part for part in mail.walk() if part.get_content_type() == "image/png"]
        assert picture["Content-ID"] == "<map>"
        assert len(picture.get_payload(decode=True) or b"") <= LARGEST_PICTURE


def test_text_keeps_to_its_columns(reports: list[EmailMessage]) -> None:
    for mail in reports:
        lines = text_of(mail).splitlines()
        assert [line for line in lines if len(line) > COLUMNS and not line.startswith("https://")] == []


def test_lines_end_without_spaces(reports: list[EmailMessage]) -> None:
    """Except where a signature begins. Seen to fail when the newline after orders gets a line of its own."""
    letter = Letter(
        "",
        "",
        "en",
        "",
        "Hello,",
        (Part("Orders:", code="build 0101\n\nbuild 0202\n"),),
        ("Look", "https://example.org"),
        "You play.",
    )
    for text in (plain_of(letter), *map(text_of, reports)):
        assert {line for line in text.splitlines() if line != line.rstrip()} == {"-- "}
        assert "\n\n\n" not in text


def test_a_preview_begins_with_what_is_wanted_until_when(reports: list[EmailMessage]) -> None:
    """Lists of mails show subject and first words: those are the deadline, not the name of the program."""
    for mail, word in zip(reports, ("due by", "Befehle bis"), strict=True):
        shown = Shown(html_of(mail).partition("<body")[2])
        assert word in " ".join(shown.words[:30])


@pytest.mark.parametrize(("language", "said"), [("en", "in orbit"), ("de", "in der Umlaufbahn")])
def test_forces_in_orbit_are_said_to_be_there(ctx: AppContext, language: str, said: str) -> None:
    view = club(ctx, phases=8).view("p1")
    state = view.state.copy()
    force = next(detachment for detachment in state.detachments.values() if detachment.owner == "p1")
    force.at = ORBIT
    t = Translations(language, ZoneInfo("UTC"), ctx.now())
    told = Briefing(replace(view, state=state), "p1", {}, t).forces()[0].items
    assert [line for line in told if line.startswith(f"{force.name}: {said} - ")]
    assert not [line for line in told if ": - " in line]


MARCHES = [
    ("moved", "hers", "0101", ["0102", "0203"]),
    ("moved", "hers", "0203", ["0304"]),
    ("moved", "convoy", "0505", ["0506"]),
    ("moved", "lander", "orbit", ["0707"]),
    ("moved", "theirs", "0808", ["0809"]),
    ("moved", "gone", "0901", ["0902"]),
]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Grey Host moved from 0101 to 0304. A convoy with 4 BP moved from 0505 to 0506. "
               "Kite landed in Tanglefoot (0707)."),
        ("de", "Grey Host zog von 0101 nach 0304. Ein Tross mit 4 BP zog von 0505 nach 0506. "
               "Kite landete in Tanglefoot (0707)."),
    ],
)  # fmt: skip
def test_marches_name_who_went_from_where_to_where(ctx: AppContext, language: str, said: str) -> None:
    """Only the reader's own. Seen to fail when a second way replaces the first, and when owners are not looked at."""
    made = club(ctx, phases=8)
    past = history.past(ctx, made.players["p1"], made.id, 8, as_="p1")
    state = past.view.state.copy()
    model = next(force for force in state.detachments.values() if force.owner == "p1")
    for id_, name, owner in (("hers", "Grey Host", "p1"), ("lander", "Kite", "p1"), ("theirs", "Foes", "p2")):
        state.detachments[id_] = replace(model, id=id_, name=name, owner=owner)
    state.convoys["convoy"] = Convoy("convoy", "p1", model.at, 4)
    events = tuple(
        Event(kind, {"force": force, "start": start, "path": path, "stop": ""}, ("p1",))
        for kind, force, start, path in MARCHES
    )
    past = replace(past, view=replace(past.view, state=state), events=events, problems={})
    t = Translations(language, ZoneInfo("UTC"), ctx.now())
    assert " ".join(Report(past, "p1", {}, t).sentences()) == said


def test_hexes_are_listed_by_their_numbers(ctx: AppContext) -> None:
    """Forces, stores and the map as text. Seen to fail when each list is by the hexes' places in the board."""
    view = club(ctx, phases=8).view("p1")
    state, label = view.state.copy(), view.state.board.label
    far = sorted(range(state.board.size), key=label)[::17][:5]
    assert far != sorted(far), "a board whose places are in the order of its numbers shows nothing"
    detachment = next(force for force in state.detachments.values() if force.owner == "p1")
    for number, at in enumerate(far):
        state.detachments[f"d{number}"] = replace(detachment, id=f"d{number}", at=at)
        state.garrisons[f"g{number}"] = Garrison(f"g{number}", "p1", at, ())
        state.store[at], state.owner[at] = 3, "p1"
    brief = Briefing(replace(view, state=state), "p1", {}, Translations("en", ZoneInfo("UTC"), ctx.now()))
    forces, stores = brief.forces()
    garrisons = [line.split(": ")[1][:4] for line in forces.items if line.startswith("A garrison")]
    (positions,) = brief.map_text()
    standing = positions.code.split("\n")
    for listed in (garrisons, [line[:4] for line in stores.items], [line[:4] for line in standing]):
        assert {label(at) for at in far} <= set(listed)
        assert listed == sorted(listed)
