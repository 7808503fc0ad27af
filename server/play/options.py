"""What a campaign may choose: the server's options, and the rules' settings (victory, alliances, muster, ...)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from server.core.sentences import say
from server.play.deadlines import Rhythm, rhythm_from, rhythm_to
from server.play.errors import invalid
from server.rules.state import Settings
from server.rules.versions import NEWEST

STAND_INS = ("defaults", "bot")
MAX_WARNINGS = 5
_READINGS = {"readings": NEWEST.version, "next_readings": 0}
"""Settings nobody chooses (:mod:`server.play.new_readings`)."""
_BATTLES = ("choice", "quick", "tabletop")
_LIMITS = {
    "victory_points": 100_000,
    "territory": 100,
    "turn_limit": 900,
    "start_bp": 1_000_000,
    "start_urban_count": 50,
    "start_resource_count": 50,
}
"""The most each number of the rules' settings may be."""


@dataclass(frozen=True, slots=True)
class Options:
    """The server's side of a campaign; the rules' side is :class:`server.rules.state.Settings`."""

    deadlines: Rhythm = field(default_factory=Rhythm)
    anonymous: bool = False
    """Players know each other only by the names of their seats until the end."""
    spectators: bool = True
    """Whoever finds the campaign may read what everybody may know."""
    show_final: bool = True
    """Players see who has declared his orders final."""
    gm_sees_orders: bool = False
    """The GM may read order sets before they are resolved."""
    gm_plays: bool = False
    """The GM has a seat; then he sees no more than a player, and may neither edit nor decide battles."""
    stand_in: str = "defaults"
    """Who orders for a seat without orders at a deadline: ``defaults`` (D-10) or ``bot``; seats may have their own."""
    stand_in_after: int = 1
    """From which deadline missed in a row the stand-in takes over; before that, the defaults of D-10."""
    warn_hours: tuple[int, ...] = (24,)
    """How many hours before a deadline those are warned who have not handed in anything; falling."""


def options_from(data: object, before: Options | None = None) -> Options:
    """Read options from JSON, over *before* where a field is missing; refuses the first field that is wrong."""
    given = _object(data, "options", {each.name for each in fields(Options)})
    values: dict[str, Any] = dict(given)
    if "deadlines" in values:
        values["deadlines"] = rhythm_from(values["deadlines"], "options.deadlines")
    for each in ("anonymous", "spectators", "show_final", "gm_sees_orders", "gm_plays"):
        if each in values and not isinstance(values[each], bool):
            raise invalid(f"options.{each}", "True or false.", values[each])
    if "stand_in" in values and values["stand_in"] not in STAND_INS:
        raise invalid("options.stand_in", say("One of: {words}.", words=", ".join(STAND_INS)), values["stand_in"])
    if "stand_in_after" in values:
        _check_integer("options.stand_in_after", values["stand_in_after"], 1, 100)
    if "warn_hours" in values:
        values["warn_hours"] = _warnings(values["warn_hours"])
    return replace(before or Options(), **values)


def options_to(options: Options) -> dict[str, Any]:
    """Return options as JSON."""
    plain = {each.name: getattr(options, each.name) for each in fields(Options)}
    return plain | {"deadlines": rhythm_to(options.deadlines), "warn_hours": list(options.warn_hours)}


def settings_from(data: object) -> Settings:
    """Read the rules' settings from JSON; refuses the first field that is wrong."""
    given = dict(_object(data, "rules", {each.name for each in fields(Settings)}))
    for name, only in _READINGS.items():
        if given.pop(name, only) != only:
            raise invalid(f"rules.{name}", "A campaign that begins has the newest version.")
    if given.pop("named_ids", False) is not False:
        raise invalid("rules.named_ids", "Only rule cases have ids of their own.")
    for name, value in given.items():
        if name in _LIMITS:
            if not (value is None and name.startswith("start_")):
                _check_integer(f"rules.{name}", value, 0, _LIMITS[name])
        elif name == "battles":
            if value not in _BATTLES:
                raise invalid("rules.battles", say("One of: {words}.", words=", ".join(_BATTLES)), value)
        elif not isinstance(value, bool):
            raise invalid(f"rules.{name}", "True or false.", value)
    return Settings(**given)


def settings_to(settings: Settings) -> dict[str, Any]:
    """Return the rules' settings as JSON, as people read them."""
    return {name: value for name, value in asdict(settings).items() if name not in {"named_ids", *_READINGS}}


def _object(data: object, field: str, known: set[str]) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise invalid(field, "This must be an object.", data)
    for name in data:
        if name not in known:
            raise invalid(f"{field}.{name}", "There is no such field.", name)
    return data


def _check_integer(field: str, value: object, minimum: int, maximum: int) -> None:
    if type(value) is not int or not minimum <= value <= maximum:
        raise invalid(field, say("A whole number from {least} to {most}.", least=minimum, most=maximum), value)


def _warnings(given: object) -> tuple[int, ...]:
    hours = given if isinstance(given, list | tuple) else [given]
    wrong = [each for each in hours if type(each) is not int or not 1 <= each <= 24 * 14]
    if wrong or hours is not given or len(hours) > MAX_WARNINGS:
        told = say("At most {most} whole numbers from 1 to 336.", most=MAX_WARNINGS)
        raise invalid("options.warn_hours", told, *wrong[:1])
    return tuple(sorted(dict.fromkeys(hours), reverse=True))
