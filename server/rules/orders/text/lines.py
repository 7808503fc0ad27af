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
_FOLDED = str.maketrans("_-–—−‒’", "      '")
_BULLET = re.compile(r"\s*(?:[-*+•·‣◦▪–—]+\s+|\(?\d{1,3}[.)]\s+)")
_TOKEN = re.compile(
    rf"[{_QUOTES}](?P<quoted>[^{_QUOTES}]*)[{_QUOTES}]"
    r"|(?<![^\s:,;(])['‘‚](?P<single>[^'‘’‚]*)['’‘](?![^\s:,;)])"
    r"|(?P<arrow>[-–—=]*>|[→⇒➔➜⟶⇨])"
    r"|(?P<comment>\#.*)"
    r"|(?P<mark>[:,;()])"
    rf"|(?P<word>(?:(?![-–—=]*>)[^\s:,;(){_QUOTES}→⇒➔➜⟶⇨])+|[{_QUOTES}])"
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
    line = line[:MAX_LINE]
    bullet = _BULLET.match(line)
    tokens: list[Token] = []
    for found in _TOKEN.finditer(line, bullet.end() if bullet else 0):
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


def plain(text: str) -> str:
    """Return a text as it is compared: without case, underscores and dashes of any kind, spaces once."""
    return " ".join(text.translate(_FOLDED).casefold().split())


def said(tokens: Iterable[Token]) -> str:
    """Return words as they stood in their line."""
    return " ".join(token.text for token in tokens)
