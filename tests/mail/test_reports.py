"""A report as mail programs show it: without styles or pictures, as text; and nothing in it comes from elsewhere."""

from __future__ import annotations

import re
from dataclasses import replace
from email.message import EmailMessage
from html.parser import HTMLParser
from zoneinfo import ZoneInfo

import pytest

from server.mail.briefing import Briefing
from server.mail.map_picture import LARGEST_PICTURE
from server.mail.sender import senders
from server.mail.translations import Translations
from server.play import delivery
from server.play.context import AppContext
from server.rules.board import ORBIT
from tests.mail.conftest import PostOffice, addressed, html_of, text_of
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
    while delivery.deliver(ctx, senders(ctx)):
        pass
    made.play_phase()
    while delivery.deliver(ctx, senders(ctx)):
        pass
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


def test_a_preview_begins_with_what_is_wanted_until_when(reports: list[EmailMessage]) -> None:
    """Lists of mails show subject and first words: those are the deadline, not the name of the program."""
    for mail, word in zip(reports, ("due by", "erwartet"), strict=True):
        shown = Shown(html_of(mail).partition("<body")[2])
        assert word in " ".join(shown.words[:30])


@pytest.mark.parametrize(("language", "said"), [("en", "in orbit"), ("de", "in der Umlaufbahn")])
def test_forces_in_orbit_are_said_to_be_there(ctx: AppContext, language: str, said: str) -> None:
    view = club(ctx, phases=8).view("p1")
    state = view.state.copy()
    force = next(each for each in state.detachments.values() if each.owner == "p1")
    force.at = ORBIT
    words = Translations(language, ZoneInfo("UTC"), ctx.now())
    told = Briefing(replace(view, state=state), "p1", {}, words).forces()[0].items
    assert [line for line in told if line.startswith(f"{force.name}: {said} - ")]
    assert not [line for line in told if ": - " in line]
