"""The drawing of a table in plain values: a mission, or the part of a game that one side may know.

Places are whole thousandths of an inch.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from server.referee.mission import EDGES, Mission
from server.render.drawing import SEATS
from server.render.translations import Translations

Place = tuple[int, int]
"""Thousandths of an inch from the Attacker's left corner: along the long edge, along the short edge (T-01)."""
INCH = 1000
RED, BLUE = "red", "blue"


@dataclass(frozen=True, slots=True)
class Zone:
    """An area of the table."""

    label: str
    side: str
    """``attacker``, ``defender``, or empty for an area of nobody's own."""
    polygons: tuple[tuple[Place, ...], ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of terrain: an area, or a line such as a hedge."""

    kind: str
    points: tuple[Place, ...]
    area: bool = True


@dataclass(frozen=True, slots=True)
class Objective:
    """An objective marker, a hiding place, or another named point of the mission."""

    id: str
    at: Place
    holder: str = ""
    secured: bool = False
    used: bool = False


@dataclass(frozen=True, slots=True)
class Token:
    """A unit, a concealed marker, or a sentry, at the one point that was reported."""

    id: str
    side: str
    at: Place
    concealed: bool = False
    reach: int = 0
    """A circle around it, in thousandths of an inch: the range of a sentry."""
    badge: str = ""
    """What stands on it: two or three letters of its name, or its number; empty: its id."""
    name: str = ""


@dataclass(frozen=True, slots=True)
class PatrolMarker:
    """A marker of the Patrol phase."""

    id: str
    side: str
    at: Place
    locked: bool


@dataclass(frozen=True, slots=True)
class JumpOff:
    """A jump-off point."""

    id: str
    side: str
    at: Place


@dataclass(frozen=True, slots=True)
class Drawing:
    """One picture."""

    title: str
    width: int
    height: int
    edges: tuple[tuple[str, str], ...] = ()
    """Edge (``south``, ``north``, ``west``, ``east``) and its label."""
    zones: tuple[Zone, ...] = ()
    terrain: tuple[Piece, ...] = ()
    objectives: tuple[Objective, ...] = ()
    tokens: tuple[Token, ...] = ()
    patrol: tuple[PatrolMarker, ...] = ()
    jump_offs: tuple[JumpOff, ...] = ()
    wedges: tuple[tuple[Place, ...], ...] = ()
    templates: tuple[tuple[Place, int], ...] = ()
    """Artillery: where each template lies, and its diameter."""
    caption: str = ""
    colours: Mapping[str, str] = field(default_factory=dict)
    """By side if it is not red or blue: in a campaign's battle that of its seat."""
    attacker: str = RED
    """Whose colour the Attacker's zones have."""


_SIDES = ("attacker", "defender")


def mission_drawing(mission: Mission, t: Translations, pieces: Iterable[Any] = ()) -> Drawing:
    """Return the map of a mission: zones, edges, terrain, markers."""
    return Drawing(
        title=mission.name.to(t.language),
        width=mission.width,
        height=mission.height,
        edges=_edges(mission, t),
        zones=tuple(
            Zone(t.name("table", name), _side_of(name, mission), polygons) for name, polygons in mission.zones.items()
        ),
        terrain=tuple(_pieces(pieces)),
        objectives=tuple(Objective(marker.id, marker.at) for marker in mission.markers if marker.at is not None),
    )


def game_drawing(
    mission: Mission, view: Mapping[str, Any], t: Translations, pieces: Iterable[Any] = (),
    players: Mapping[str, str] | None = None, numbers: Mapping[str, int] | None = None,
) -> Drawing:  # fmt: skip
    """Return a game as the viewer of *view* (:func:`server.referee.view.view_for`) may know it.

    Args:
        mission: What is played.
        view: The game as its viewer may know it.
        t: The reader's language.
        pieces: Terrain.
        players: What the sides are called, by ``red`` and ``blue``; a side without a name is called by its colour.
        numbers: The seats of the sides in a campaign's battle, whose colours they keep.
    """
    sized = mission.sized(_length(view["width"]), _length(view["height"]))
    base = mission_drawing(sized, t, pieces)
    rules: Mapping[str, Any] = view["rules"]
    return Drawing(
        title=base.title,
        width=base.width,
        height=base.height,
        edges=base.edges,
        zones=base.zones,
        terrain=base.terrain,
        objectives=tuple(_objectives(view["markers"], t)),
        tokens=(*_tokens(view["units"], rules), *_concealed(rules.get("concealed", ()))),
        patrol=tuple(
            PatrolMarker(id_, marker["side"], _place(marker["at"]), bool(marker["locked"]))
            for id_, marker in rules.get("markers", {}).items()
        ),
        jump_offs=tuple(
            JumpOff(id_, point["side"], _place(point["at"]))
            for id_, point in rules.get("points", {}).items()
            if point.get("at") is not None
        ),
        wedges=tuple(tuple(map(_place, zone["polygon"])) for zone in rules.get("zones", ())),
        templates=tuple((_place(at), _length(rules.get("template", 5))) for at in rules.get("templates", {}).values()),
        caption=_caption(view, t, players or {}),
        attacker=view["attacker"] or RED,
        colours={side: SEATS[(number - 1) % len(SEATS)]["colour"] for side, number in (numbers or {}).items()},
    )


def _edges(mission: Mission, t: Translations) -> tuple[tuple[str, str], ...]:
    """Return each edge of the table with whose it is."""
    owners: dict[str, list[str]] = {}
    for name, edges in mission.edges.items():
        for edge in edges:
            owners.setdefault(edge, []).append(name)
    labels: dict[str, str] = {}
    for edge, names in owners.items():
        sides = [name for name in names if name in _SIDES]
        label = f"{sides[0]}s_edge" if len(sides) == 1 else "both_edge" if sides else names[0]
        labels[edge] = t.name("table", label)
    return tuple((edge, labels[edge]) for edge in EDGES if edge in labels)


def _side_of(zone: str, mission: Mission) -> str:
    """Return whose zone it is: a zone that lies within a side's own is that side's, too."""
    if zone in _SIDES:
        return zone
    corners = [corner for polygon in mission.zones[zone] for corner in polygon]
    inside = (side for side in _SIDES if all(mission.in_zone(side, corner) for corner in corners))
    return next(inside, "")


def _objectives(markers: Mapping[str, Any], t: Translations) -> Iterable[Objective]:
    for id_, marker in markers.items():
        if marker["at"] is not None and not marker["removed"]:
            called = t.template(f"table_word.{id_}") if t.has(f"table_word.{id_}") else HIDING_PLACE.sub(r"\1", id_)
            yield Objective(
                called, _place(marker["at"]), marker["control"], bool(marker["secured"]), bool(marker["used"])
            )


def badges(units: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the letters that stand on units, by id: of the words of their names, numbered where two are the same."""
    made: dict[str, str] = {}
    for unit in units:
        words = [word for word in _WORDS.findall(unit["name"]) if word.lower() not in _SMALL_WORDS] or [unit["id"]]
        number = _NUMERALS.get(words[-1], words[-1] if words[-1].isdigit() else "") if len(words) > 1 else ""
        *first, last = words[:-1] if number else words
        letters = "".join(word[0] for word in first)[:1]
        badge = (letters + last[: 1 if letters else 2]).upper() + number[:1]
        same, count = badge, 1
        while badge in made.values():
            count += 1
            badge = f"{same[:2]}{count}"
        made[unit["id"]] = badge
    return made


HIDING_PLACE = re.compile(r"^p(\d+)$")
"""A hiding place: its number alone stands on it."""
_WORDS = re.compile(r"\w+")
_NUMERALS = {"I": "1", "II": "2", "III": "3", "IV": "4", "V": "5", "VI": "6", "VII": "7", "VIII": "8", "IX": "9"}
_SMALL_WORDS = ("of", "the", "der", "die", "das", "von")


def _tokens(units: Sequence[Mapping[str, Any]], rules: Mapping[str, Any]) -> Iterable[Token]:
    ranges: Mapping[str, float] = rules.get("sentry_ranges", {})
    letters = badges(units)
    labels = {id_: label for label, id_ in rules.get("concealed_deployment", {}).get("under", {}).items()}
    for unit in units:
        if unit["at"] is not None and unit["state"] in ("table", "concealed"):
            hidden = unit["state"] == "concealed" or bool(unit.get("secret"))
            name = f"{labels[unit['id']]}: {unit['name']}" if unit["id"] in labels else unit["name"]
            yield Token(
                unit["id"],
                unit["side"],
                _place(unit["at"]),
                hidden,
                _length(ranges.get(unit["id"], 0)),
                letters[unit["id"]],
                name,
            )


def _concealed(markers: Iterable[Mapping[str, Any]]) -> Iterable[Token]:
    for marker in markers:
        if marker.get("at") is not None:
            label = str(marker["label"])
            yield Token(label, marker["side"], _place(marker["at"]), True, badge=label)


def _pieces(pieces: Iterable[Any]) -> Iterable[Piece]:
    for piece in pieces:
        if piece.polygon:
            kind = "building" if piece.building and not piece.kind else piece.kind
            yield Piece(kind or "other", tuple(piece.polygon))
        elif piece.line:
            yield Piece(piece.kind or "hedge", tuple(piece.line), area=False)


def _caption(view: Mapping[str, Any], t: Translations, players: Mapping[str, str]) -> str:
    red, blue = (players.get(side) or t.name("table", side) for side in ("red", "blue"))
    stage = t.name("stage", view["stage"])
    if view["stage"] == "battle":
        phase = t.name("table_phase", view["phase"]) if view["phase"] else "–"
        turn = {"red": red, "blue": blue}.get(view["turn"], "–")
        stage = t("table.round", round=view["round"], player=turn, phase=phase)
    score = t(
        "table.score",
        red=red,
        blue=blue,
        red_vp=view["vp"]["red"],
        blue_vp=view["vp"]["blue"],
        red_cp=view["cp"]["red"],
        blue_cp=view["cp"]["blue"],
    )
    return f"{stage} · {score}"


def _place(at: Sequence[float]) -> Place:
    return _length(at[0]), _length(at[1])


def _length(inches: float) -> int:
    return round(inches * INCH)
