"""The units of a new force as text: ``hq Captain 80; 3 x troops Squad 10 models 100; heavy Tank 150 tracked``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from server.rules.orders.fields import MAX_UNITS
from server.rules.orders.text.words import SYNONYMS, Token, exactly, plain, said
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS

Unit = dict[str, Any]

SLOT_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "hq": ("hq", "headquarters", "command", "hauptquartier", "führung"),
    "troops": ("troops", "troop", "truppen", "kerntruppen", "standard"),
    "elite": ("elite", "elites"),
    "fast": ("fast", "sturm", "schnell"),
    "heavy": ("heavy", "schwer", "unterstützung"),
}
MOBILITY_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "infantry": ("infantry", "foot", "infanterie"),
    "tracked": ("tracked", "tracks", "kette", "ketten"),
    "wheeled": ("wheeled", "wheels", "bike", "rad", "räder"),
    "skimmer": ("skimmer", "hover", "schweber"),
}
FLAG_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "scout": ("scout", "scouts", "späher"),
    "infiltrate": ("infiltrate", "infiltrators", "infiltratoren"),
    "fast": ("fast", "schnell"),
    "vehicle": ("vehicle", "fahrzeug"),
    "light_vehicle": ("light vehicle", "leichtes fahrzeug"),
    "artillery": ("artillery", "artillerie"),
    "aa": ("aa", "anti air", "flugabwehr"),
    "deep_strike": ("deep strike", "luftlandung"),
    "character": ("character", "charakter"),
    "comms": ("comms", "vox", "funk"),
    "bike": ("on bikes", "bikes", "motorbike", "motorrad", "motorräder"),
}
POINTS = ("points", "point", "pts", "punkte", "punkt")
TIMES = ("x", "×", "*", "mal")
RANGE = "bombardment"
ID = "id"
MOBILITY_OF = {word: mobility for mobility in reversed(MOBILITIES) for word in MOBILITY_SYNONYMS[mobility]}
FLAG_OF = {word: flag for flag in reversed(FLAGS) for word in FLAG_SYNONYMS[flag]}
"""What a word says; a word that may say two things says the first."""


class NotUnits(Exception):
    """A text is not a list of units: the word at which it fails, and the likely meanings."""

    def __init__(self, word: str, known: Sequence[str] = ()) -> None:
        super().__init__(word)
        self.word, self.known = word, tuple(known)


def read_units(tokens: Sequence[Token]) -> list[Unit]:
    """Return the units of a text; raises :class:`NotUnits`."""
    units: list[Unit] = []
    for part in _split(tokens):
        count, unit = _read_unit(part)
        if len(units) + count > MAX_UNITS:
            raise NotUnits(said(part))
        units += [dict(unit) for _ in range(count)]
    if not units:
        raise NotUnits("")
    return units


def _split(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    part: list[Token] = []
    for token in tokens:
        if token.separates and token.text in (";", ","):
            if part:
                yield part
            part = []
        else:
            part.append(token)
    if part:
        yield part


def _read_unit(tokens: list[Token]) -> tuple[int, Unit]:
    count, rest = _times(tokens)
    slot = next((slot for slot in SLOTS if rest and exactly(rest[0], SLOT_SYNONYMS[slot])), "")
    if not slot:
        raise NotUnits(rest[0].text if rest else said(tokens), SLOTS)
    for begin in range(1, len(rest)):
        if _number(rest[begin]) is None:
            continue
        numbers = _numbers(rest[begin:])
        if numbers is None:
            continue
        models, points, words = numbers
        more = _traits(words)
        if more is None:
            continue
        unit: Unit = {"name": said(rest[1:begin])} if begin > 1 else {}
        return count, unit | {"slot": slot, "models": models, "points": points, "mobility": "infantry"} | more
    raise NotUnits(*_why_not(rest))


def _times(tokens: list[Token]) -> tuple[int, list[Token]]:
    """Take ``3 x`` or ``3x`` off the front."""
    if len(tokens) > 1 and _number(tokens[0]) is not None and not tokens[1].quoted and plain(tokens[1].text) in TIMES:
        return _number(tokens[0]) or 0, tokens[2:]
    if tokens and not tokens[0].quoted and tokens[0].text[-1:] in ("x", "×") and tokens[0].text[:-1].isdecimal():
        return _whole(tokens[0].text[:-1]) or 0, tokens[1:]
    return 1, tokens


def _number(token: Token) -> int | None:
    return None if token.quoted else _whole(token.text)


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 9 else None


def _numbers(tokens: list[Token]) -> tuple[int, int, list[Token]] | None:
    """Read ``[10 models] 100 [points]``; return both and what comes after."""
    models = 1
    if len(tokens) > 1 and _number(tokens[0]) is not None and exactly(tokens[1], SYNONYMS["models"]):
        models, tokens = _number(tokens[0]) or 0, tokens[2:]
    points = _number(tokens[0]) if tokens else None
    if points is None:
        return None
    tokens = tokens[1:]
    return models, points, tokens[1:] if tokens and exactly(tokens[0], POINTS) else tokens


def _traits(tokens: list[Token]) -> Unit | None:
    """Read mobility, flags, range of fire and id; None where a word is none of them."""
    found: Unit = {}
    flags: list[str] = []
    at = 0
    while at < len(tokens):
        mobility = MOBILITY_OF.get(tokens[at].word, "")
        flag, length = _flag(tokens, at)
        number = _number(tokens[at + 1]) if at + 1 < len(tokens) else None
        if mobility:
            found["mobility"] = mobility
            at += 1
        elif flag:
            flags.append(flag)
            at += length
            number = _number(tokens[at]) if at < len(tokens) else None
            if flag == "artillery" and number is not None:
                found["bombardment"] = number
                at += 1
        elif exactly(tokens[at], (RANGE,)) and number is not None:
            found["bombardment"] = number
            at += 2
        elif exactly(tokens[at], (ID,)) and at + 1 < len(tokens):
            found["id"] = tokens[at + 1].text
            at += 2
        else:
            return None
    return found | ({"flags": flags} if flags else {})


def _flag(tokens: list[Token], at: int) -> tuple[str, int]:
    """Return the flag that stands at a place, and how many words it has."""
    for length in (2, 1):
        words = tokens[at : at + length]
        if len(words) == length and not any(token.quoted for token in words):
            flag = FLAG_OF.get(plain(said(words)))
            if flag is not None:
                return flag, length
    return "", 0


def _why_not(tokens: list[Token]) -> tuple[str, tuple[str, ...]]:
    """Return the word at which a unit is not understood, and what might have been meant."""
    known = (*MOBILITIES, *(flag.replace("_", " ") for flag in FLAGS), "models", "points")
    numbers = [place for place, token in enumerate(tokens) if _number(token) is not None]
    if not numbers:
        return said(tokens), ()
    after = tokens[numbers[-1] + 1 :]
    strange = next((token.text for token in after if _traits([token]) is None and not exactly(token, POINTS)), "")
    return (strange, known) if strange else (said(tokens), ())


# --- writing ---


def write_units(units: object) -> str:
    """Return units as text; raises :class:`NotUnits` for what only JSON can say."""
    if not isinstance(units, list) or not units:
        raise NotUnits("")
    parts: list[list[Any]] = []
    for unit in units:
        text = _write_unit(unit)
        if parts and parts[-1][1] == text:
            parts[-1][0] += 1
        else:
            parts.append([1, text])
    return "; ".join(text if count == 1 else f"{count} x {text}" for count, text in parts)


def _write_unit(unit: object) -> str:
    if not isinstance(unit, Mapping) or not {"slot", "models", "points", "mobility"} <= unit.keys():
        raise NotUnits("")
    words = [str(unit["slot"])]
    if "name" in unit:
        words.append(f'"{unit["name"]}"')
    if unit["models"] != 1:
        words += [str(unit["models"]), "models"]
    words.append(str(unit["points"]))
    if unit["mobility"] != "infantry":
        words.append(str(unit["mobility"]))
    flags = unit.get("flags", ())
    for flag in flags if isinstance(flags, list) else ():
        words.append(str(flag).replace("_", " "))
        if flag == "artillery" and "bombardment" in unit:
            words.append(str(unit["bombardment"]))
    if "bombardment" in unit and "artillery" not in flags:
        words += [RANGE, str(unit["bombardment"])]
    if "id" in unit:
        words += [ID, f'"{unit["id"]}"']
    return " ".join(words)
