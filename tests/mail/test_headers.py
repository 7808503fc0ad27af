"""Headers as they go out: structured ones are folded at spaces and never encoded, whatever is in them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parseaddr

import pytest
from aiosmtplib.email import flatten_message
from hypothesis import given
from hypothesis import strategies as st

from server.mail.letters import Letter, Part, message_of

MAY_BE_ENCODED = ("subject", "to", "from")
LONG = "club" * 15
LETTER = Letter(
    f"{LONG}@{LONG}.example.org",
    "Ann",
    "en",
    "Orders",
    "Hello",
    (Part("Text"),),
    ("Look", "https://play.example.org"),
    "why",
    (f"https://{LONG}.{LONG}.example.org/{LONG}/settings", "Settings"),
    id="1" * 32,
    thread="2" * 32,
    answers="3" * 32,
    list_id="long-march",
    reply_to=f"orders+{LONG}@{LONG}.example.org",
    stop=f"orders+{LONG}@{LONG}.example.org",
    picture=b"png",
    calendar=b"BEGIN:VCALENDAR",
)


def sent(letter: Letter, sender: str = f"Sealed Orders <{LONG}@{LONG}.example.org>") -> bytes:
    """Return a mail as it goes over the line."""
    return flatten_message(message_of(letter, sender, "", datetime(2026, 5, 1, tzinfo=UTC)))


def lines_of(raw: bytes) -> list[tuple[str, str]]:
    """Return each line of all headers, those of the parts too, with the name of its header."""
    found, name, inside = [], "", True
    for line in raw.decode("ascii").split("\r\n"):
        if line.startswith("--===") or (inside and not line):
            inside = line.startswith("--")
        elif inside:
            name = name if line[0].isspace() else line.partition(":")[0].lower()
            found.append((name, line))
    return found


def name_of(message: Message, header: str) -> str:
    """Return a person's name, read without the library's newer parser, which adds spaces."""
    return str(make_header(decode_header(parseaddr(message[header])[0])))


def test_no_structured_header_has_an_encoded_word() -> None:
    """Seen to fail with the library's own folding: ``List-Unsubscribe``, ``References``, ``Reply-To``."""
    letter = replace(LETTER, name="Zoë Ünlü", in_reply_to=f"<{'q' * 280}@example.org>")
    found = lines_of(sent(letter, f"Sealed Ördërs <{LONG}@{LONG}.example.org>"))
    assert [line for name, line in found if "=?" in line and name not in MAY_BE_ENCODED] == []


def test_list_unsubscribe_is_folded_between_its_addresses() -> None:
    lines = [line for name, line in lines_of(sent(LETTER)) if name == "list-unsubscribe"]
    assert lines == [
        f"List-Unsubscribe: <mailto:{LETTER.stop}?subject=STOP&body=STOP>,",
        f" <{LETTER.settings[0]}>",
    ]


@pytest.mark.parametrize(
    "name",
    ["Ann", "Zoë " * 9 + "Ünlü", 'Ann "the Boar" \\ x', "Ann, Ben; <c>", "=?utf-8?q?no?=", "李" * 40, "O'Neill, Ann"],
)
def test_a_name_arrives_as_it_is(name: str) -> None:
    message = message_from_bytes(sent(replace(LETTER, name=name)), policy=policy.compat32)
    assert (name_of(message, "To"), parseaddr(message["To"])[1]) == (name, LETTER.address)


@given(st.text(st.characters(exclude_categories=["C", "Z"]), max_size=40))
def test_every_name_arrives(name: str) -> None:
    """And no line is longer than mail servers take."""
    raw = sent(replace(LETTER, name=name))
    assert name_of(message_from_bytes(raw, policy=policy.compat32), "To") == name
    assert all(len(line) <= 998 for _, line in lines_of(raw))
