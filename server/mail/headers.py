"""Headers of mails as they go out: structured ones are folded at spaces and never encoded (RFC 2047, section 5).

Python's own folding makes encoded words of whatever is longer than a line. In a structured header that is not valid:
programs then ignore the header, or mail goes to an address that is none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.header import Header
from email.headerregistry import HeaderRegistry, UniqueAddressHeader, UniqueSingleAddressHeader
from email.policy import SMTP, Policy
from typing import Any, Protocol, cast

_WIDTH = 78
_PLAIN = re.compile(r"[\w!#$%&'*+/=?^`{|}~-]+(?: [\w!#$%&'*+/=?^`{|}~-]+)*", re.ASCII)
"""A name that needs no quotation marks."""
_VERBATIM = (
    "Auto-Submitted", "Content-ID", "Content-Language", "In-Reply-To", "List-Id", "List-Unsubscribe", "Message-ID",
    "References",
)  # fmt: skip
"""Structured headers without words of people: nothing in them may be encoded."""


class _Header(Protocol):
    name: str


class Verbatim:
    """A header of words without anything to encode; a line ends before a word that no longer fits."""

    max_count = 1

    @staticmethod
    def parse(value: str, kwds: dict[str, Any]) -> None:
        """Take the value as it is; white space, line ends too, becomes one space."""
        kwds["parse_tree"], kwds["decoded"] = None, " ".join(value.split())

    def fold(self, *, policy: Policy) -> str:
        """Return the whole header, with its name."""
        return _folded(cast("_Header", self).name, str(self).split(), policy)


class _Addresses:
    """Names are encoded where they must be, addresses never."""

    def fold(self, *, policy: Policy) -> str:
        header = cast("UniqueAddressHeader", self)
        words: list[str] = []
        for address in header.addresses:
            name = _phrase(address.display_name)
            words += [*name, f"<{address.addr_spec}>,"] if name else [f"{address.addr_spec},"]
        words[-1:] = [word.removesuffix(",") for word in words[-1:]]
        return _folded(cast("_Header", self).name, words, policy)


class _One(_Addresses, UniqueSingleAddressHeader):
    """``Sender`` and the like."""


class _Some(_Addresses, UniqueAddressHeader):
    """``From``, ``To``, ``Reply-To``."""


def _folded(name: str, words: list[str], policy: Policy) -> str:
    lines, line = [], f"{name}:"
    for word in words:
        if len(line) + 1 + len(word) > _WIDTH and not line.endswith(":"):
            lines.append(line)
            line = ""
        line += f" {word}"
    return policy.linesep.join([*lines, line]) + policy.linesep


def _phrase(name: str) -> list[str]:
    """Return a name as words of a header: quoted, or as encoded words of at most 75 letters."""
    if not name:
        return []
    encoded = "=?" in name or not (name.isascii() and name.isprintable())
    if not encoded and _PLAIN.fullmatch(name):
        return name.split()
    if not encoded:
        return ['"{}"'.format(name.replace("\\", "\\\\").replace('"', '\\"'))]
    return Header(name, "utf-8", maxlinelen=70).encode(linesep="\n").split()


def _registry() -> HeaderRegistry:
    made = HeaderRegistry()
    kinds: Mapping[str, type] = {
        **dict.fromkeys(_VERBATIM, Verbatim),
        **dict.fromkeys(("From", "To", "Reply-To"), _Some),
        "Sender": _One,
    }
    for name, kind in kinds.items():
        made.map_to_type(name, kind)
    return made


POLICY = SMTP.clone(header_factory=_registry())
"""How we build emails."""
