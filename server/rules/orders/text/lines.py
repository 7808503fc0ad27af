"""A line of text cut into words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

MAX_LINE = 20_000
"""Characters of a line that are read."""
SEPARATORS = frozenset({":", ",", ";", "->", "(", ")"})

_QUOTES = '"“”„‟«»'
_DASHES = "-–—−‒"
_BULLETS = re.compile(r"\s*+(?:(?:[-*+•·‣◦▪●○–—]++(?:\s++|(?=[^\W\d]))|[(（]?+\d{1,3}+[.):．）：]\s++)++)?+")
_WIDE = {0x3000: " ", 0x3001: ",", 0x3002: "."} | {0xFF01 + sign: chr(0x21 + sign) for sign in range(0x5E)}
"""Letters, digits and marks as wide as a Chinese sign, which keyboards of East Asia write."""
_FOLDED = _WIDE | str.maketrans("_-–—−‒’＿－", "      '  ")
_NAMED = re.compile(f"([{_QUOTES}][^{_QUOTES}]*+[{_QUOTES}])")
_TOKEN = re.compile(
    rf"[{_QUOTES}](?P<quoted>[^{_QUOTES}]*)[{_QUOTES}]"
    r"|(?<![^\s:,;(])['‘‚](?P<single>[^'‘’‚]*)['’‘](?![^\s:,;)])"
    r"|(?P<arrow>[-–—=]{0,9}>|[→⇒➔➜⟶⇨])"
    r"|(?P<comment>\#.*)"
    r"|(?P<mark>[:,;()])"
    rf"|(?P<word>(?:(?![-–—=]{{0,9}}>)[^\s:,;(){_QUOTES}→⇒➔➜⟶⇨])+|[{_QUOTES}])"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a line, a text in quotation marks, or a mark that separates."""

    text: str
    quoted: bool = False
    word: str = field(init=False, repr=False, compare=False)
    """As it is compared with words of patterns; empty for a text in quotation marks, which is a name."""
    separates: bool = field(init=False, repr=False, compare=False)
    """True for marks between words."""

    def __post_init__(self) -> None:
        """Fold the word once: every pattern asks for it."""
        object.__setattr__(self, "word", "" if self.quoted else plain(self.text).rstrip("."))
        object.__setattr__(self, "separates", not self.quoted and self.text in SEPARATORS)


def cut(line: str) -> list[Token]:
    """Return the words of a line, without bullet and comment."""
    tokens: list[Token] = []
    for found in _TOKEN.finditer(_narrow(without_bullet(line))):
        text = found.group()
        if found["comment"] is not None:
            break
        if found["arrow"] is not None:
            tokens.append(Token("->"))
        elif found["mark"] is not None or found["word"] is not None:
            tokens.append(Token(text if text.strip(_DASHES) else ","))
        else:
            quoted = found["quoted"] if found["quoted"] is not None else found["single"]
            tokens.append(Token(quoted, quoted=True))
    return tokens


def without_bullet(line: str) -> str:
    """Return a line without what numbers it, or makes it an item of a list: ``2. FINAL``, ``- FINAL``, ``• 1) FINAL``.

    Every reader of a line begins with this, so that none sees words where another sees none.
    """
    line = line[:MAX_LINE]
    found = _BULLETS.match(line)
    return line[found.end() :] if found else line


def _narrow(line: str) -> str:
    """Return a line with wide signs made narrow, but in quotation marks: there someone gives a name."""
    if line.isascii():
        return line
    parts = _NAMED.split(line)
    return "".join(part if place % 2 else part.translate(_WIDE) for place, part in enumerate(parts))


def without_full_stop(tokens: list[Token]) -> list[Token] | None:
    """Return the words of a line that ends as a sentence does, without its full stop; None if it has none."""
    last = tokens[-1] if tokens else None
    if last is None or last.quoted or not last.text.endswith((".", "!")):
        return None
    text = last.text.rstrip(".!")
    return [*tokens[:-1], Token(text)] if text else tokens[:-1]


def plain(text: str) -> str:
    """Return a text as it is compared: without case, underscores and dashes of any kind, spaces once."""
    return " ".join(text.translate(_FOLDED).casefold().split())


def said(tokens: Iterable[Token]) -> str:
    """Return words as written in their line."""
    return " ".join(token.text for token in tokens)
