"""What a campaign may choose: the server's options, and the rules' settings (victory, alliances, muster, ...)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import orjson

from server.bots.levels import LEVELS, REGULAR
from server.core.sentences import say
from server.play.errors import check_integer, invalid
from server.play.rhythm import Rhythm, rhythm_from, rhythm_to
from server.rules.state import BATTLE_MOVEMENT, BATTLES, MOVEMENT, REPORTS, Settings
from server.rules.versions import NEWEST
from server.scenarios.scenario import MAX_PLAYERS

ASKS_SOME = (MOVEMENT, BATTLE_MOVEMENT, BATTLES, REPORTS)
"""Phases in which only those have something to order who have a force, a convoy or a battle for it."""
PLAYERS = tuple(f"p{number}" for number in range(1, MAX_PLAYERS + 1))
"""The ids seats may have."""
STAND_INS = ("defaults", "bot")
TABLE_ROLES = ("battle", "power")
MAX_WARNINGS = 5
MAX_TABLE_DAYS = 60
_READINGS = {"readings": NEWEST.version, "next_readings": 0}
"""Settings nobody chooses (:mod:`server.play.game_masters.game_master`)."""
_BATTLES = ("choice", "quick", "tabletop")
_FLAGS = ("anonymous", "spectators", "show_final", "until_deadline", "gm_sees_orders", "gm_plays", "computer_seats",
          "computers_give_up", "practice", "take_over", "out_watches", "guests")  # fmt: skip
_WORDS = {"stand_in": STAND_INS, "bot_level": tuple(LEVELS), "table_roles": TABLE_ROLES}
_NUMBERS = {
    "stand_in_after": (1, 100),
    "table_date_days": (0, MAX_TABLE_DAYS),
    "table_wait_days": (0, MAX_TABLE_DAYS),
    "newcomer_deadlines": (0, 5),
    "vote_days": (0, 60),
    "abandoned_days": (0, 365),
    "successor_days": (0, 365),
    "holiday_days": (0, 366),
}
"""The least and the most of each option that is a number."""
BEFORE: Mapping[str, Any] = {
    "take_over": False,
    "out_watches": False,
    "newcomer_deadlines": 0,
    "vote_days": 0,
    "abandoned_days": 0,
    "holiday_days": 366,
}
"""Values of options in campaigns of earlier versions, which did not have them: those continue unchanged."""
_LIMITS = {
    "victory_points": 100_000,
    "territory": 100,
    "turn_limit": 900,
    "truce": 900,
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
    """Everyone who finds the campaign may read what everyone may know."""
    show_final: bool = True
    """Players see who is final, in phases in which all have orders (:meth:`shows_final_in`)."""
    until_deadline: bool = False
    """Phases that ask only some last until their deadline, so that their end does not tell who was asked."""
    gm_sees_orders: bool = False
    """The GM may read order sets before they are resolved."""
    gm_plays: bool = False
    """The GM has a seat; then they see no more than a player, and may neither edit nor decide battles."""
    stand_in: str = "defaults"
    """The stand-in of a seat without orders at a deadline: ``defaults`` (D-10) or ``bot``; seats may have their own."""
    stand_in_after: int = 1
    """From which deadline missed in a row the stand-in takes over; before that, the defaults of D-10."""
    computer_seats: bool = False
    """Seats that nobody takes before the start are computer players': nobody waits for them."""
    computers_give_up: bool = False
    """A computer player at such a seat is out when it was hopeless two turns in a row (P-37)."""
    practice: bool = False
    """The game master plays alone against computer players: nobody else joins, and nobody is mailed."""
    guests: bool = False
    """Anyone with the invitation link may join as a guest, without an account."""
    bot_level: str = REGULAR
    """How well computer players play that stand in; seats may have their own."""
    seat_levels: Mapping[str, str] = field(default_factory=dict)
    """The level of each seat that has its own."""
    warn_hours: tuple[int, ...] = (24,)
    """How many hours before a deadline those are warned who have not handed in anything; falling."""
    table_date_days: int = 14
    """How many days behind its deadline the date of a table game may move a phase; 0: dates move no deadline."""
    table_wait_days: int = 7
    """How many days a phase waits at most for a table game that is being played; 0: dice decide at the deadline."""
    table_roles: str = "battle"
    """A mission's Attacker: that of the ``battle``, or by Power Level as the mission says: ``power`` (N-12)."""

    take_over: bool = True
    """Someone may take over a seat that nobody has, also once the campaign has started."""
    out_watches: bool = True
    """Players who are out may watch everything; then they take no other seat and write to nobody."""
    newcomer_deadlines: int = 1
    """How many deadlines' time someone has who comes into a seat; 0: the open phase's stays as it is."""
    vote_days: int = 7
    """How many days players have to answer a vote on the end of the campaign; 0: there are no votes."""
    abandoned_days: int = 30
    """Days after the last player has left until the campaign ends; 0: it stays open."""
    successor_days: int = 14
    """How many days all game masters are away before the successor they named takes over; 0: never."""
    holiday_days: int = 30
    """How many days a year each player can be on holiday; 366: without limit."""
    starts_at: datetime | None = None
    """The time at which a campaign starts automatically; None: when the game master starts it."""

    def shows_final_in(self, phase: str) -> bool:
        """Say whether players see who is final in a phase.

        They do not if only some have orders due: a player who is not final when the phase ends had none, and that
        would reveal hidden forces.
        """
        return self.show_final and phase not in ASKS_SOME

    def ends_early(self, phase: str) -> bool:
        """Say whether a phase with a deadline ends before it when everyone who is asked is final."""
        return not (self.until_deadline and phase in ASKS_SOME)


def as_practice(options: Options) -> Options:
    """Return the options of a practice: one seat is the game master's, the others are computer players'."""
    return replace(options, practice=True, computer_seats=True, gm_plays=True, spectators=False)


def _check_levels(given: object) -> None:
    for level in _object(given, "options.seat_levels", PLAYERS).values():
        if level not in _WORDS["bot_level"]:
            raise invalid("options.seat_levels", say("One of: {words}.", words=", ".join(LEVELS)), level)


def options_from(data: object, before: Options | None = None) -> Options:
    """Read options from JSON, over *before* where a field is missing; refuses the first field that is wrong."""
    given = _object(data, "options", {field.name for field in fields(Options)})
    values: dict[str, Any] = dict(given)
    if "deadlines" in values:
        values["deadlines"] = rhythm_from(values["deadlines"], "options.deadlines")
    for flag in _FLAGS:
        if flag in values and not isinstance(values[flag], bool):
            raise invalid(f"options.{flag}", "True or false.", values[flag])
    for name, words in _WORDS.items():
        if name in values and values[name] not in words:
            raise invalid(f"options.{name}", say("One of: {words}.", words=", ".join(words)), values[name])
    if "seat_levels" in values:
        _check_levels(values["seat_levels"])
    for key, (least, most) in _NUMBERS.items():
        if key in values:
            check_integer(f"options.{key}", values[key], least, most)
    if "starts_at" in values:
        values["starts_at"] = _instant(values["starts_at"], "options.starts_at")
    if "warn_hours" in values:
        values["warn_hours"] = _warnings(values["warn_hours"])
    return replace(before or Options(), **values)


def stored_options(data: Mapping[str, Any]) -> Options:
    """Return the options in a campaign's row; a campaign of an earlier version continues as it was (:data:`BEFORE`)."""
    return _stored(orjson.dumps(data))


@lru_cache(maxsize=1000)
def _stored(written: bytes) -> Options:
    return options_from({**BEFORE, **orjson.loads(written)})


def options_to(options: Options) -> dict[str, Any]:
    """Return options as JSON."""
    plain = {field.name: getattr(options, field.name) for field in fields(Options)}
    starts_at = None if options.starts_at is None else options.starts_at.isoformat()
    return plain | {
        "deadlines": rhythm_to(options.deadlines), "warn_hours": list(options.warn_hours), "starts_at": starts_at,
    }  # fmt: skip


def settings_from(data: object) -> Settings:
    """Read the rules' settings from JSON; refuses the first field that is wrong."""
    given = dict(_object(data, "rules", {field.name for field in fields(Settings)}))
    for name, only in _READINGS.items():
        if given.pop(name, only) != only:
            raise invalid(f"rules.{name}", "A campaign that begins has the newest version.")
    if given.pop("named_ids", False) is not False:
        raise invalid("rules.named_ids", "Only rule cases have ids of their own.")
    for name, value in given.items():
        if name in _LIMITS:
            if not (value is None and name.startswith("start_")):
                check_integer(f"rules.{name}", value, 0, _LIMITS[name])
        elif name == "battles":
            if value not in _BATTLES:
                raise invalid("rules.battles", say("One of: {words}.", words=", ".join(_BATTLES)), value)
        elif not isinstance(value, bool):
            raise invalid(f"rules.{name}", "True or false.", value)
    return Settings(**given)


def settings_to(settings: Settings) -> dict[str, Any]:
    """Return the rules' settings as JSON, as people read them."""
    return {name: value for name, value in asdict(settings).items() if name not in {"named_ids", *_READINGS}}


def _object(data: object, field: str, known: Collection[str]) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise invalid(field, "This must be an object.", data)
    for name in data:
        if name not in known:
            raise invalid(f"{field}.{name}", "There is no such field.", name)
    return data


def _instant(given: object, name: str) -> datetime | None:
    """Return an instant that was given as text (ISO 8601, with a time zone), or as itself."""
    if given is None or isinstance(given, datetime):
        return given
    try:
        found = datetime.fromisoformat(given) if isinstance(given, str) else None
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise invalid(name, "A time with a time zone.", given)
    return found.astimezone(UTC)


def _warnings(given: object) -> tuple[int, ...]:
    hours = given if isinstance(given, list | tuple) else [given]
    wrong = [hour for hour in hours if type(hour) is not int or not 1 <= hour <= 24 * 14]
    if wrong or hours is not given or len(hours) > MAX_WARNINGS:
        told = say("At most {most} whole numbers from 1 to 336.", most=MAX_WARNINGS)
        raise invalid("options.warn_hours", told, *wrong[:1])
    return tuple(sorted(dict.fromkeys(hours), reverse=True))
