"""What is understood of people's mails: those in the folder ``mails``, and anything that Hypothesis can think of."""

from __future__ import annotations

import tomllib
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server import rulesets
from server.mail.inbound.reading import read
from server.rules.force_names import PLAIN

_HERE = Path(__file__).parent
EXPECTED = tomllib.loads((_HERE / "mails.toml").read_text())
ATTRIBUTIONS = (
    "On Sun, May 3, 2026 at 5:58 PM Sealed Orders <o@c.example> wrote:",
    "Am 03.05.26 um 17:58 schrieb Sealed Orders:",
    "Le 3 mai 2026 à 17:58, Sealed Orders <o@c.example> a écrit :",
    "2026年5月3日(日) 17:58 Sealed Orders <o@c.example>:",
    "-----Original Message-----\nFrom: Sealed Orders\nSent: Sunday, May 3, 2026 5:58 PM\nTo: Ann\nSubject: Turn 3\n",
)


OWN = (
    "Column 1: move 0404 0505\nfinal",
    "On the 3rd I attack 0505.",
    "Hi Ann,\n\nsee you 03.05.2026\n\nBob",
    "MESSAGE to Bob\nI wrote you on 3 May 2026.\n.",
    "1. move 0404 0505\n2. final",
    'raise "Iron Guard" at 0303: hq Captain 80',
    "Hallo zusammen,\n\nam 3.5.2026 um 17:58 Uhr bin ich weg.\n\nGruß\nBo",
    "El 0404 ataca\nEl 0505 tambien",
)
ABOVE = tuple(
    line.replace("~", "\n")
    for line in (_HERE / "attributions.txt").read_text().splitlines()
    if not line.startswith("#")
)
"""What mail programs write above a quotation, in forty languages."""


@pytest.mark.parametrize("own", OWN)
def test_own_words_above_any_attribution_stay_whole(own: str) -> None:
    """Nothing of the own words is quoted and nothing of the quotation is own, with marks and without.

    Seen to fail when an attribution may begin above a blank line, and without the words of one language.
    """
    quotation = "Your forces:\nColumn 2: move 0101 0102"
    marked = "> " + quotation.replace("\n", "\n> ")
    wrong = [
        (above, found.text)
        for above in ABOVE
        for body in (f"{own}\n\n{above}\n\n{marked}\n", f"{own}\n\n{above}\n\n{quotation}\n")
        if (found := read(_mail(body))).text != own
    ]
    assert not wrong


def test_own_words_below_a_marked_quotation_are_read() -> None:
    own = "Column 1: move 0404 0505\nfinal"
    answers = [above for above in ABOVE if "\n" not in above]
    wrong = [above for above in answers if read(_mail(f"{above}\n> Column 2: move 0101\n\n{own}\n")).text != own]
    assert not wrong


FORCES = sorted(
    {
        name
        for id_ in rulesets.names()
        for faction in rulesets.load(id_).factions.values()
        for name in faction.force_names
    }
    | set(PLAIN)
)
"""Every name that a force gets where its player gives none."""
VERBS = (
    "FINAL", "FERTIG", "NOT FINAL", "FORECAST", "KEEP", "REPORT 3", "ORDERS", "MAP", "HELP", "HOLIDAY until 2026-05-09",
    "Urlaub bis 9.5.2026", "CONFIRM 0505", "DISPUTE 0505 we won on 3.5.2026", "ALLY WITH Bob",
    "LUCK a black cat, 17:58",
    "MAIL phase", "ADVANCE", "EXTEND 24", "JOIN as Orks", "build barracks at 1904", "convoy at 2001 with 50",
    'raise "Iron Guard" at 0206: hq Captain 80', "ally with Ann", "build road from 0901 to 2003 by 1201",
)  # fmt: skip
WORDS = ("move", "and claim", "bewegen", "0704", "1904", "2003", "On", "Am", "wrote", "schrieb", "ha scritto", "Friday",
         "3 May 2026", "17:58", "03.05.2026", "Sealed Orders", "-", ",", "guard", "?", "Il", "said")  # fmt: skip
"""What may stand behind a force's name, words of attributions among them."""


def test_no_force_is_taken_for_a_line_above_a_quotation() -> None:
    """Seen to fail for names like "Da Smashaz", with the Italian "Da ... ha scritto" among the attributions."""
    bodies = {name: f"Iron: move and claim 0704\n{name}: bewegen 0703\nFERTIG" for name in FORCES}
    above = "On Friday Sealed Orders wrote:"
    wrong = [name for name, own in bodies.items() if read(_mail(f"{own}\n\n{above}\n> Your forces\n")).text != own]
    assert not wrong


@given(
    st.lists(
        st.builds("{}: {}".format, st.sampled_from(FORCES), st.lists(st.sampled_from(WORDS), min_size=1).map(" ".join))
        | st.sampled_from(VERBS),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from(("On Friday Sealed Orders wrote:", *ATTRIBUTIONS)),
    st.booleans(),
    st.booleans(),
)
def test_no_order_is_cut_off(own: list[str], above: str, marked: bool, gap: bool) -> None:
    """Seen to fail when a line with an order may begin an attribution, and when it may continue one."""
    if not marked and "2" not in above:
        return  # without a date and without marks it is no line above a quotation
    text = "\n".join(own)
    quotation = "Your forces:\nColumn 2: move 0101 0102"
    quotation = "> " + quotation.replace("\n", "\n> ") if marked else quotation
    assert read(_mail(f"{text}\n{'' if not gap else chr(10)}{above}\n{quotation}\n")).text == text


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_mail_is_understood(name: str) -> None:
    expected = EXPECTED[name]
    found = read((_HERE / "mails" / f"{name}.eml").read_bytes())
    assert (found.kind, found.text) == (expected["kind"], expected["text"]), expected["what"]
    assert expected.get("rest", "") in found.quoted


def test_every_mail_has_its_expectation() -> None:
    assert {path.stem for path in (_HERE / "mails").iterdir()} == set(EXPECTED)
    assert len(EXPECTED) >= 60


@given(st.binary(max_size=3_000))
def test_any_bytes_are_a_mail(raw: bytes) -> None:
    found = read(raw)
    assert found.kind in ("own", "auto", "bounce", "empty")
    assert bool(found.text) == (found.kind == "own")


@example("disclaimer", [(236, b"\x00"), (242, b"\x80")])  # in the name of the charset
@given(
    st.sampled_from(sorted(EXPECTED)),
    st.lists(st.tuples(st.integers(0, 4_000), st.binary(min_size=1, max_size=4)), max_size=8),
)
def test_damaged_mails_are_read(name: str, damage: list[tuple[int, bytes]]) -> None:
    raw = bytearray((_HERE / "mails" / f"{name}.eml").read_bytes())
    for place, piece in damage:
        raw[place : place + len(piece)] = piece
    found = read(bytes(raw))
    assert bool(found.text) == (found.kind == "own")


@given(
    st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=60), max_size=8),
    st.sampled_from(ATTRIBUTIONS),
    st.booleans(),
)
def test_quoted_orders_are_never_own_words(own: list[str], attribution: str, html: bool) -> None:
    """A quotation's order is not taken, whatever stands above it.

    Seen to fail when lines with marks are not quoted, and when a header does not quote what follows it.
    """
    marked = "\n".join(f"> order {number} move 0404" for number in range(5))
    message = EmailMessage()
    if html:
        message.set_content(
            f"<p>Hello</p><div>{attribution}</div><blockquote>order 1 move 0404</blockquote>",
            subtype="html",
            cte="base64",
        )
    else:
        message.set_content("\n".join([*own, "", attribution, marked]), cte="base64")
    assert "move 0404" not in read(message.as_bytes()).text


def _mail(body: str) -> bytes:
    head = "From: a@b.example\nSubject: Re: Turn 3\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
    return f"{head}Content-Transfer-Encoding: 8bit\n\n{body}".encode()
