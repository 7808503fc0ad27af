"""The drawing data of the map: one source for pictures made here and for the scripts of the pages.

``drawing.toml`` holds colours, patterns, places in a hex and the order of layers; ``symbols.svg`` the drawings;
``map.css`` the looks of both. :mod:`server.render.drawing.styles` makes style sheets of them.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any

_FOLDER = resources.files(__package__)
DATA: dict[str, Any] = tomllib.loads(_FOLDER.joinpath("drawing.toml").read_text(encoding="utf-8"))
"""All of ``drawing.toml``."""
WIDTH: float = DATA["width"]
"""Width of a hex in the units of the drawing."""
CSS = re.sub(r"/\*.*?\*/", "", _FOLDER.joinpath("map.css").read_text(encoding="utf-8"), flags=re.S)
"""The looks, without comments."""
SEATS: list[dict[str, str]] = DATA["seats"]
TERRAINS: tuple[str, ...] = tuple(DATA["texture"])
"""Terrains with a look of their own; others look like ``other``."""


def _symbols() -> dict[str, str]:
    text = _FOLDER.joinpath("symbols.svg").read_text(encoding="utf-8")
    return {match[1]: match[2] for match in re.finditer(r'^<g id="([^"]+)">(.*)</g>$', text, re.M)}


SYMBOLS = _symbols()
"""What each sign is drawn of, by id."""
_USED = re.compile(r'href="#([^"]+)"')
_IDS = re.compile(r'(href="#|\bid=")([^"]+)"')


@cache
def needed(name: str) -> tuple[str, ...]:
    """Return a sign and all those it is made of, parts first."""
    parts = [part for used in _USED.findall(SYMBOLS[name]) if used in SYMBOLS for part in needed(used)]
    return tuple(dict.fromkeys([*parts, name]))


def defined(name: str, *, fog: bool = False) -> str:
    """Return the definition of a sign; *fog*: of its copy for what is out of sight, ``f-`` before every id."""
    if not fog:
        return f'<g id="{name}">{SYMBOLS[name]}</g>'
    inner = _IDS.sub(lambda found: f'{found[1]}f-{found[2]}"', SYMBOLS[name])
    return f'<g id="f-{name}" class="fg">{inner}</g>'


def seat(number: int) -> dict[str, str]:
    """Return the looks of a seat, counted from 0."""
    return SEATS[number % len(SEATS)]


def texture_of(terrain: str) -> str:
    """Return the name under which a terrain's colours and texture are stored."""
    return terrain if terrain in DATA["texture"] else "other"
