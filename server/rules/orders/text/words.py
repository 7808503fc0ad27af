"""A line of text cut into words, and the words orders are written with: what may stand for each, and German."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
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


MIN_ABBREVIATION = 3
"""Letters an abbreviation of a word has at least."""

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    # what is done
    "move": ("move", "moves", "march", "marches", "go", "goes", "moving", "bewege", "bewegt", "ziehe", "zieht",
             "marschiere", "marschiert"),
    "claim": ("claim", "claims", "claiming", "beanspruche", "beansprucht", "besetze", "besetzt", "nimm", "nimmt"),
    "area": ("area", "land", "around", "umland", "gebiet", "umgebung"),
    "reserve": ("reserve", "reserves"),
    "follow": ("follow", "follows", "following", "folge", "folgt"),
    "recover": ("recover", "recovers", "heal", "heals", "erhole", "erholt", "erholen", "heile", "heilt"),
    "guard": ("guard", "guards", "hold", "holds", "wache", "wacht", "bewache", "bewacht"),
    "attack": ("attack", "attacks", "attacking", "greift", "greife", "angriff", "angreifen"),
    "an": ("an",),
    "raid": ("raid", "raids", "raiding", "überfall", "überfalle", "überfällt", "plündere", "plündert"),
    "support": ("support", "supports", "help", "helps", "unterstütze", "unterstützt", "hilf", "hilft"),
    "defend": ("defend", "defends", "dig", "digs", "verteidige", "verteidigt", "eingraben"),
    "withdraw": ("withdraw", "withdraws", "weiche", "weicht", "zurückweichen", "ausweichen"),
    "inactive": ("inactive", "rest", "rests", "nothing", "untätig", "ruhe", "ruht"),
    "does": ("does", "is", "tut", "ist"),
    "build": ("build", "builds", "baue", "baut", "bau", "errichte"),
    "raise": ("raise", "raises", "muster", "recruit", "stelle", "hebe", "rekrutiere"),
    "place": ("place", "places", "platziere", "setze"),
    "upgrade": ("upgrade", "enlarge", "strengthen", "grow", "vergrößere", "vergrössere", "verstärke", "ausbau"),
    "disband": ("disband", "dissolve", "demolish", "löse", "auflösen", "reiße", "abreißen"),
    "load": ("load", "loads", "belade", "lade"),
    "unload": ("unload", "unloads", "entlade", "entladen"),
    "repair": ("repair", "repairs", "repariere", "reparieren"),
    "transfer": ("transfer", "transfers", "versetze", "übertrage"),
    "buy": ("buy", "buys", "kaufe", "ersetze"),
    "restructure": ("restructure", "umgliedern", "gliedere"),
    "add": ("add", "adds", "ergänze", "verstärkung"),
    "ally": ("ally", "allies", "verbünde", "verbündet"),
    "declare": ("declare", "erkläre", "schließe"),
    "end": ("end", "ends", "beende", "kündige"),
    "alliance": ("alliance", "pact", "bündnis"),
    # what with
    "convoy": ("convoy", "tross", "konvoi"),
    "detachment": ("detachment", "abteilung"),
    "garrison": ("garrison", "garnison"),
    "urban": ("urban", "town", "city", "village", "ort", "stadt"),
    "stronghold": ("stronghold", "fort", "fortification", "festung", "befestigung"),
    "village": ("village", "dorf"),
    "camp": ("camp", "lager"),
    "road": ("road", "straße", "strasse"),
    "building": ("building", "gebäude"),
    "defence": ("defence", "defense", "verteidigungsanlage", "anlage"),
    "units": ("units", "unit", "einheiten", "einheit"),
    "models": ("models", "model", "modelle", "modell"),
    "bp": ("bp",),
    "type": ("type", "typ"),
    "drop": ("drop", "drops", "entlasse"),
    # where and how
    "at": ("at", "in", "bei", "on", "auf"),
    "to": ("to", "into", "nach", "zu", "zur", "zum"),
    "from": ("from", "von", "vom", "aus"),
    "with": ("with", "by", "mit"),
    "by": ("by", "durch", "with", "mit", "von"),
    "of": ("of", "von", "der", "des"),
    "for": ("for", "für"),
    "and": ("and", "&", "+", "und"),
    "as": ("as", "als"),
    # battles
    "battle": ("battle", "fight", "schlacht", "kampf"),
    "result": ("result", "ergebnis"),
    "won": ("won", "wins", "winner", "gewann", "gewinnt", "siegt", "siegte"),
    "lose": ("lose", "loses", "losses", "casualties", "verliere", "verluste", "opfere"),
    "lost": ("lost", "lose", "loses", "losses", "verlor", "verloren", "verluste"),
    "pick": ("pick", "picks", "wähle", "auswahl"),
    "retreated": ("retreated", "retreats", "retreat", "floh", "rückzug", "wich"),
    "took": ("took", "takes"),
    "part": ("part",),
    "withheld": ("withheld", "zurückgehalten"),
    "bombarded": ("bombarded", "beschoss", "beschossen"),
    "works": ("works", "anlagen"),
}  # fmt: skip
"""A word of a pattern, and every word that may stand for it; the first is the one that is written."""

FLAGS: Mapping[str, tuple[str, ...]] = {
    "planned": ("planned", "geplant"),
    "primary": ("primary", "leading", "leads", "führt", "führend"),
    "unload": ("unload", "unloads", "unloading", "entladen", "abladen"),
    "mounted": ("mounted", "aufgesessen"),
}
"""The fields of orders that are set by their name alone, and what may stand for it."""
NOT = ("not", "nicht")
REPEAT = ("repeat", "repeats", "wiederhole", "wiederholt", "wiederholen")
"""Before an order: it is given again in later phases, until that is cancelled (*not* before it)."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "capital": ("capital", "hauptstadt"),
    "urban": ("urban", "town", "ort", "stadt"),
    "resource": ("resource", "rohstoff", "rohstofffeld"),
    "quick": ("quick", "dice", "schnell", "würfel"),
    "tabletop": ("tabletop", "table", "tisch"),
}
"""Words of fields that hold one of a few."""

FINAL = ("final", "endgültig", "fertig")
HALF = ("half", "halb", "hälfte")
ALL = ("all", "destroyed", "alle", "zerstört")
INJURIES: Mapping[str, tuple[str, ...]] = {
    "damaged": ("damaged", "beschädigt"),
    "immobilised": ("immobilised", "immobilized", "bewegungsunfähig"),
    "broken": ("broken", "gebrochen"),
    "returned": ("returned", "zurückgekehrt"),
}
CONNECTORS = frozenset({"to", "via", "then", "and", "nach", "über", "dann", "und"})
"""Words that may stand between the hexes of a way."""


def exactly(token: Token, words: Iterable[str]) -> bool:
    """Return whether a word of a line is one of *words*."""
    return token.word in words


EXACT: Mapping[str, tuple[str, ...]] = {
    word: tuple(name for name, known in SYNONYMS.items() if word in known)
    for synonyms in SYNONYMS.values()
    for word in synonyms
}
"""Which words of patterns a word may stand for."""


def _meanings() -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {word: dict.fromkeys(names, 3) for word, names in EXACT.items()}
    for word, names in EXACT.items():
        for length in range(MIN_ABBREVIATION, len(word)):
            if word[:length].isalpha():
                short = found.setdefault(word[:length], {})
                for name in names:
                    short.setdefault(name, 2)
    return found


MEANINGS: Mapping[str, Mapping[str, int]] = _meanings()
"""The same with every abbreviation: 3 as it is, 2 abbreviated."""
_NONE: Mapping[str, int] = {}


def fits(token: Token) -> Mapping[str, int]:
    """Return which words of patterns a word of a line stands for: 3 as it is, 2 as an abbreviation."""
    return MEANINGS.get(token.word, _NONE)
