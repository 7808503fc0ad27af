"""The result of a table game as a card: a picture to keep and to send."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape

from server.render.table.drawing import Drawing
from server.render.table.svg import draw
from server.render.translations import Translations

WIDTH, HEIGHT = 1200, 630
"""Pixels: what messengers show beside a link."""
_SIDES = ("red", "blue")
_INK, _PAPER, _MUTED = "#241d15", "#f7f1e3", "#6b5f4e"
_COLOURS = {"red": "#a3271f", "blue": "#1d4f91"}
_SOFT = {"red": "#f6dcd8", "blue": "#d9e5f5"}
_SIZE = re.compile(r' width="(\d+)" height="(\d+)"')
_ROOM = (480, 520)
"""For the picture of the table."""
_NAME_LENGTH, _TITLE_LENGTH = 22, 34


@dataclass(frozen=True, slots=True)
class Card:
    """What stands on it."""

    mission: str
    players: dict[str, str]
    """By side."""
    vp: dict[str, int]
    winner: str
    """``red``, ``blue`` or empty: a draw."""
    word: str
    """``major_victory``, ``victory`` or ``draw``."""
    rounds: int
    day: str
    """The date as the reader writes it."""
    table: Drawing
    """The position at the end."""


def draw_card(card: Card, t: Translations) -> str:
    """Return the card as an SVG document; whatever text it holds is escaped."""
    sides = "".join(_side(card, side, 60 + number * 290, t) for number, side in enumerate(_SIDES))
    facts = f"{t('table_card.rounds', n=card.rounds)} · {card.day}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" font-family="DejaVu Sans, Verdana, sans-serif"><title>{escape(alone(card, t))}</title>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{_PAPER}"/>'
        f'<rect x="16" y="16" width="{WIDTH - 32}" height="{HEIGHT - 32}" rx="18" fill="none" stroke="{_INK}" '
        f'stroke-width="3"/>{_text(60, 104, _short(card.mission, _TITLE_LENGTH), 40, weight="bold")}'
        f"{_text(60, 150, facts, 22, _MUTED)}{sides}{_verdict(card, t)}{_map(card)}"
        f"{_text(60, HEIGHT - 44, 'Sealed Orders', 20, _MUTED)}</svg>"
    )


def alone(card: Card, t: Translations) -> str:
    """Return the card as one sentence."""
    red, blue = (_named(card, side, t) for side in _SIDES)
    key = "table_card.sentence" if _counted(card) else "table_card.without_points"
    return t(key, mission=card.mission, red=red, blue=blue, **_points(card), how=_how(card, t))


def _counted(card: Card) -> bool:
    """Say whether victory points decided: some missions have none."""
    return bool(any(card.vp.values()) or not card.winner)


def _points(card: Card) -> dict[str, int]:
    return {f"{side}_vp": card.vp[side] for side in _SIDES}


def _how(card: Card, t: Translations) -> str:
    if not card.winner:
        return t("table_card.draw")
    return t(f"table_card.{card.word}", who=_named(card, card.winner, t))


def _named(card: Card, side: str, t: Translations) -> str:
    return card.players.get(side) or t.name("table", side)


def _side(card: Card, side: str, x: int, t: Translations) -> str:
    won = card.winner == side
    frame = f'stroke="{_COLOURS[side]}" stroke-width="{6 if won else 1.5}"'
    big = str(card.vp[side]) if _counted(card) else "★" if won else "–"
    below = t("table_card.vp") if _counted(card) else ""
    return (
        f'<rect x="{x}" y="200" width="270" height="210" rx="16" fill="{_SOFT[side]}" {frame}/>'
        f"{_text(x + 135, 250, _short(_named(card, side, t), _NAME_LENGTH), 24, _COLOURS[side], 'bold', 'middle')}"
        f"{_text(x + 135, 352, big, 88, _INK, 'bold', 'middle')}"
        f"{_text(x + 135, 390, below, 20, _MUTED, anchor='middle')}"
    )


def _verdict(card: Card, t: Translations) -> str:
    colour = _COLOURS.get(card.winner, _INK)
    return _text(60, 490, _short(_how(card, t), _TITLE_LENGTH), 34, colour, "bold")


def _map(card: Card) -> str:
    """Return the table as a small picture in the card: the same drawing, as large as there is room."""
    small = draw(card.table)
    found = _SIZE.search(small)
    assert found is not None
    scale = min(_ROOM[0] / int(found[1]), _ROOM[1] / int(found[2]))
    width, height = round(int(found[1]) * scale), round(int(found[2]) * scale)
    x, y = WIDTH - 60 - _ROOM[0] + (_ROOM[0] - width) // 2, (HEIGHT - height) // 2
    fitted = _SIZE.sub(f' x="{x}" y="{y}" width="{width}" height="{height}"', small, count=1)
    return f'{fitted}<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="none" stroke="{_MUTED}"/>'


def _text(x: int, y: int, text: str, size: int, fill: str = _INK, weight: str = "normal", anchor: str = "start") -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" font-weight="{weight}" text-anchor="{anchor}">'
        f"{escape(text)}</text>"
    )


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"
