"""Checks of what people send before it is stored or shown to others: texts, addresses, orders, TOML."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import orjson
from email_validator import EmailNotValidError, validate_email

from server.core.sentences import say
from server.play.errors import PlayError, invalid
from server.store.tables.base import fold

_FORBIDDEN = ("Cc", "Cs", "Co", "Cn", "Zl", "Zp")
"""Categories of characters that have no place in a text: controls, surrogates, unassigned ones, separators."""
INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Invisible characters other than controls: Unicode's Default_Ignorable_Code_Point, and the Braille blank."""
_LANGUAGE_TAG = re.compile(r"[a-zA-Z]{2,8}([-_][a-zA-Z0-9]{1,8})*")
MAX_NAME_LENGTH = 40
MAX_DAYS_AWAY = 731
"""Days that a deadline or a holiday may be away: two years."""
MAX_DOTS = 100
"""Maximum dots in a line: neither our files' keys nor sentences have that many."""
_LARGEST = 2**63


def line(value: object, field: str, maximum: int, *, minimum: int = 1) -> str:
    """Return one line of text, trimmed; refuses control and invisible characters, and what is too short or long."""
    text = _text(value, field).strip()
    if any(unicodedata.category(character) in (*_FORBIDDEN, "Cf") for character in text):
        raise invalid(field, "Control characters are not allowed.", text[:80])
    return _sized(text, field, minimum, maximum)


def lines(value: object, field: str, maximum: int, *, minimum: int = 0) -> str:
    """Return a text of several lines; other control characters than line breaks and tabs are refused."""
    text = _text(value, field).replace("\r\n", "\n").replace("\r", "\n").strip()
    if any(character not in "\n\t" and unicodedata.category(character) in _FORBIDDEN for character in text):
        raise invalid(field, "Control characters are not allowed.", text[:80])
    return _sized(text, field, minimum, maximum)


def name(value: object, field: str) -> str:
    """Return a name; one of which nothing is seen is none."""
    text = line(value, field, MAX_NAME_LENGTH)
    if not fold(INVISIBLE.sub("", text)):
        raise invalid(field, "That is no name.", text)
    return text


def email(value: object, field: str = "email") -> str:
    """Return an email address as mail servers read it: its domain by IDNA (``xn--bcher-kva.example``).

    Refuses letters outside ASCII before the @: mail servers take such an address only with SMTPUTF8.
    """
    text = line(value, field, 254)
    name_, _, domain = text.rpartition("@")
    if name_ and not name_.isascii():
        raise invalid(field, "This server cannot send email to an address with such characters before the @.", text)
    try:
        found = validate_email(text, allow_smtputf8=False, check_deliverability=False, globally_deliverable=False)
    except EmailNotValidError:
        raise invalid(field, "That is no mail address.", text) from None
    if "." not in domain or found.ascii_email is None:
        raise invalid(field, "That is no mail address.", text)
    return found.ascii_email


def locale(value: object, field: str = "locale") -> str:
    """Return a language tag such as ``de-AT``; readers of languages that we do not have get English."""
    text = line(value, field, 20)
    if not _LANGUAGE_TAG.fullmatch(text):
        raise invalid(field, "A language tag such as en or de-AT.", text)
    return text


def time_zone(value: object, field: str) -> ZoneInfo:
    """Return the time zone of an IANA name."""
    text = line(value, field, 64)
    try:
        return ZoneInfo(text)
    except (OSError, ValueError, LookupError):
        raise invalid(field, "There is no such time zone.", text) from None


def instant(value: datetime, field: str, now: datetime) -> datetime:
    """Return a deadline or the end of a holiday: with a time zone, at most :data:`MAX_DAYS_AWAY` days away."""
    if value.tzinfo is None:
        raise invalid(field, "A time with a time zone.", value.isoformat())
    if abs(value - now) > timedelta(days=MAX_DAYS_AWAY):
        raise PlayError("too_far_away", field=field, value=value.isoformat())
    return value


def latest(now: datetime) -> datetime:
    """Return the latest deadline there may be; those kept before dates were bounded may lie beyond it."""
    return now + timedelta(days=MAX_DAYS_AWAY)


def _text(value: object, field: str) -> str:
    if not isinstance(value, str):
        raise invalid(field, "This must be a text.", value)
    return value


def _sized(text: str, field: str, minimum: int, maximum: int) -> str:
    if len(text) < minimum:
        raise invalid(
            field,
            say("At least {least} characters.", least=minimum) if minimum > 1 else "This must not be empty.",
            text,
        )
    if len(text) > maximum:
        raise invalid(field, say("At most {most} characters.", most=maximum), text[:80])
    return text


MAX_ORDERS_BYTES = 1_000_000


def check_order_list(orders: Any) -> None:
    """Refuse anything but a list of orders, and lists too large to store."""
    if not isinstance(orders, list):
        raise invalid("orders", "Orders are a list.")
    check_orders_size(orders)


def check_orders_size(orders: Any) -> None:
    """Refuse what is too large to be kept, or no JSON at all."""
    try:
        size = len(orjson.dumps(orders))
    except (orjson.JSONEncodeError, RecursionError):
        raise invalid("orders", "This cannot be written as JSON.") from None
    if size > MAX_ORDERS_BYTES:
        raise PlayError(
            "too_large", say("A set has at most {most} bytes.", most=MAX_ORDERS_BYTES), field="orders", value=size
        )


def read_toml(text: str) -> dict[str, Any]:
    """Return what a TOML document holds; raises ``ValueError`` that says why it cannot be read.

    What keeps Python's reader busy is refused before: a key of many parts takes the square of their number there
    (100,000: two minutes). Whole numbers have no bound there.
    """
    if any(line.count(".") > MAX_DOTS for line in text.split("\n")):
        raise ValueError(f"a line has more than {MAX_DOTS} dots")
    try:
        found = tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    todo: list[Any] = [found]
    while todo:
        value = todo.pop()
        if isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
            raise ValueError("a whole number has more than 64 bits")
        if isinstance(value, dict | list):
            todo += value.values() if isinstance(value, dict) else value
    return found
