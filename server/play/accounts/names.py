"""Names that people could take for someone else's, or for the server's own, are refused.

Two names look alike when they have the same *skeleton* (Unicode Technical Standard 39): each character is replaced by
the one it is confused with, ``Аnn`` with a Cyrillic letter by ``Ann``, ``lan`` and ``Ian`` by the same.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from server.play.errors import PlayError
from server.play.text_input import INVISIBLE
from server.store.tables import User
from server.store.tables.base import fold

_OWN = (
    "admin", "administrator", "all", "computer", "everybody", "everyone", "former player", "game master", "gm", "help",
    "moderator", "nobody", "operator", "postmaster", "root", "sealed orders", "security", "server",
    "spectator", "spielleitung", "support", "system",
)  # fmt: skip
"""What the server calls itself and its roles; only its operator gives these to an account."""


_DIGITS = "0123456789lo"
"""Digits, and what the skeletons of 1 and 0 are."""
_PAIRS = (("i\u0307", "i"), ("vv", "w"), ("rn", "m"))
"""Two characters that look like one; the first is what a Turkish capital İ becomes as a small letter."""


def refuse_lookalike(session: Session, name: str, own_id: str = "") -> None:
    """Refuse a name (``name_taken``) that looks like another account's than *own_id*'s, or like the server's own."""
    refuse_own(name)
    mine = skeleton(name)
    _work_out(session)
    alike = (User.name_skeleton == mine, User.name_key != fold(name), User.guest.is_(False), User.id != own_id)
    if session.scalar(select(User.id).where(*alike).limit(1)) is not None:
        raise PlayError("name_taken", "It looks like the name of somebody else.", field="name", value=name)


def refuse_own(name: str) -> None:
    """Refuse a name (``name_taken``) that looks like one of the server's own."""
    mine = skeleton(name)
    # also without a leading article, and without numbers at its end
    if {_letters(mine), _letters(mine.removeprefix(skeleton("the") + " ")).rstrip(_DIGITS)} & _own():
        raise PlayError("name_taken", "Names like this are the server's own.", field="name", value=name)


def _work_out(session: Session) -> None:
    """Write down what names look like that were given since the last one was compared."""
    new = (User.name_skeleton.is_(None), User.guest.is_(False))
    given = session.execute(select(User.id, User.name).where(*new)).all()
    if given:
        session.execute(update(User), [{"id": id_, "name_skeleton": skeleton(name)} for id_, name in given])


def skeleton(name: str) -> str:
    """Return what all names have in common that look like this one."""
    seen = _prototypes(INVISIBLE.sub("", name))  # before normalising, which makes other letters of some
    plain = _prototypes(fold(_prototypes(unicodedata.normalize("NFKC", seen))))  # of capitals, then of small letters
    for pair, letter in _PAIRS:
        plain = plain.replace(pair, letter)
    return " ".join(plain.split())


def _prototypes(text: str) -> str:
    return "".join(map(_prototype, text))


@cache
def _prototype(character: str) -> str:
    """Return what a character is confused with; one that others are confused with stays what it is."""
    from confusable_homoglyphs.confusables import confusables_data  # reads a large file

    found = [lookalike["c"].strip("\u200e") for lookalike in confusables_data.get(character, ())]
    if len(found) != 1:
        return character
    back = [lookalike["c"] for lookalike in confusables_data.get(found[0], ())]
    return min(character, found[0]) if back == [character] else str(found[0])


@cache
def _own() -> frozenset[str]:
    return frozenset(_letters(skeleton(name)) for name in _OWN)


def _letters(name: str) -> str:
    """Return a name without what only separates its words."""
    return "".join(filter(str.isalnum, name))
