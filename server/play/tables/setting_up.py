"""A table game before its start: made, changed, deleted."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy.orm import Session

from server.core.errors import Problem
from server.core.sentences import say
from server.play import text_input
from server.play.context import Actor, AppContext, check_limit
from server.play.errors import PlayError, check_revision, fault, invalid, not_found
from server.play.tables import missions
from server.play.tables.access import Access, load
from server.play.tables.info import TableInfo, changed, info
from server.play.tables.missions import AGREED, CHOSEN, ROLLED, SOLO_FAMILY, Values
from server.play.tables.telling import announce
from server.referee.battle import BattleData
from server.referee.beginning import SMALLEST_TABLE, Piece, SettingsData, TableData
from server.referee.geometry import INCH
from server.referee.mission import Mission
from server.referee.normal_battle.terrain import BattleTerrain
from server.referee.reading import Found, inches, read
from server.store.tables import SIDES, TableGameRow, TableResultRow, TableSeatRow
from server.store.tables.base import fold, new_id

MAX_NAME_LENGTH, MAX_PLAYER_NAME = 80, 40
CODE_LENGTH = 8
BOTH, NONE = "both", "none"
TAKES = (*SIDES, BOTH, NONE)
MAX_MINUTES = 600
_NAMES = {CHOSEN: "mission", ROLLED: "roll", AGREED: "agree"}
"""What a request calls each way to a mission."""
WAYS = frozenset(_NAMES.values())


@dataclass(frozen=True, slots=True)
class NewTable:
    """What a table game is made from."""

    mission: str | None = None
    """Its id; else one of the next two."""
    roll: str | None = None
    """A family: the dice draw the mission at the start."""
    agree: str | None = None
    """A family: both propose at the table, sealed."""
    name: str = ""
    table: Mapping[str, Any] = field(default_factory=dict)
    """``width``, ``height`` and ``terrain`` where they are not the mission's own."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Of the referee: ``secured``, ``jop_distance``, ``break_rules``, ``natural_one_fails``, ``extra_sentries`` and
    ``patrol_phase``."""
    battle: Mapping[str, Any] | None = None
    """What a campaign's battle is about, for a normal battle (6.2)."""
    minutes: int | None = None
    """Minutes on each side's clock; None: no clocks."""
    take: str = "red"
    """The side one plays: ``red``, ``blue``, ``both`` (two people, one device) or ``none``."""
    player: str | None = None
    """The player's name in this game; None: the account's name."""
    other: str | None = None
    """What the second player is called, with ``both``; None: as the first, with a number."""
    campaign: str | None = None
    """Whose missions of its own may be played, too."""


def create(ctx: AppContext, actor: Actor, new: NewTable, address: str = "") -> TableInfo:
    """Create a game and take a side. The dice are fixed now, before anyone has joined; their hash is shown."""
    actor.require("orders")
    if new.take not in TAKES:
        raise invalid("take", say("One of {words}.", words=", ".join(TAKES)), new.take)
    name = text_input.line(new.name, "name", MAX_NAME_LENGTH, minimum=0)
    player = text_input.name(actor.name if new.player is None else new.player, "player")
    if new.other is not None and new.take != BOTH:
        raise invalid("other", "Only who takes both sides names the other player.", new.other)
    second = player if new.other is None else text_input.name(new.other, "other")
    secret, now = secrets.token_bytes(32), ctx.now()
    with ctx.database.write() as session:
        _within_limits(ctx, session, actor, address)
        mission, setup = _set_up(session, actor, new)
        row = TableGameRow(
            name=name,
            mission=mission,
            owner_user_id=actor.user_id,
            address=address if actor.guest else None,
            setup=setup,
            join_code=new_id()[:CODE_LENGTH],
            watch_code=new_id(),
            dice_secret=secret,
            commitment=hashlib.sha256(secret).hexdigest(),
            created_at=now,
        )
        session.add(row)
        session.flush()
        solo = is_solo(setup)
        taken: list[str] = []
        for side in SIDES:
            alone = solo and side == SIDES[1]
            seat = TableSeatRow(game_id=row.id, side=side, solo=alone)
            if not alone and new.take in (side, BOTH):
                sit(seat, actor, distinct_name(second if taken else player, taken), now)
                taken.append(seat.name)
            session.add(seat)
        session.flush()
        return info(load(session, actor, row.id), None)


def change(
    ctx: AppContext, actor: Actor, game_id: str, new: NewTable, given: frozenset[str], revision: int | None = None
) -> TableInfo:
    """Change what is *given* of a game that has not started; a new mission takes away sample armies."""
    with ctx.database.write() as session:
        may = load(session, actor, game_id, lock=True).require_owner()
        check_revision(revision, may.row.revision)
        require_open(may)
        row = may.row
        if "name" in given:
            row.name = text_input.line(new.name, "name", MAX_NAME_LENGTH, minimum=0)
        if given - {"name"}:
            _change_setup(session, actor, may, new, given)
        return changed(session, may, "changed", ctx.now())


def get(ctx: AppContext, actor: Actor, game_id: str, watch: str | None = None) -> TableInfo:
    """Return a game."""
    with ctx.database.read() as session:
        may = load(session, actor, game_id, watch)
        return info(may, session.get(TableResultRow, game_id), ctx.now())


def remove(ctx: AppContext, actor: Actor, game_id: str) -> None:
    """Delete a game without a campaign: before its start, or if nobody else plays it."""
    with ctx.database.write() as session:
        may = load(session, actor, game_id, lock=True)
        if may.row.campaign_id is not None or not (may.owner or actor.admin):
            raise PlayError("forbidden", "Only the maker of the game may do that.")
        others = any(seat.name and not seat.solo and side not in may.sides for side, seat in may.seats.items())
        if may.row.status != "open" and others and not actor.admin:
            raise PlayError("conflict", "Somebody else plays in this game: archive it.")
        announce(session, [game_id], "deleted", ctx.now())
        session.delete(may.row)


# --- for the rest of this package ---


def sit(seat: TableSeatRow, actor: Actor, name: str, now: Any) -> None:
    """Put someone on a seat."""
    seat.user_id = actor.user_id
    seat.name, seat.joined_at, seat.archived = name, now, False


def distinct_name(name: str, taken: Collection[str]) -> str:
    """Return a name for a side; one that the other side has already gets a number behind it."""
    known = {fold(other) for other in taken}
    numbered = (f"{name[: MAX_PLAYER_NAME - len(str(number)) - 1]} {number}" for number in count(2))
    return next(candidate for candidate in chain([name], numbered) if fold(candidate) not in known)


def is_solo(setup: Mapping[str, Any]) -> bool:
    """Say whether the dice play the other side."""
    return bool(setup.get("solo"))


def map_before(
    ctx: AppContext, actor: Actor, game_id: str, watch: str | None = None
) -> tuple[Mission, tuple[Piece, ...]]:
    """Return a game's mission on its size of table, and its terrain, to show the map; not if it is rolled."""
    with ctx.database.read() as session:
        may = load(session, actor, game_id, watch)
        values, setup = mission_of(session, actor, may), may.row.setup
    table = read(TableData, setup["table"], "table", [])
    if values is None or table is None:
        raise not_found("mission", game_id)
    mission = missions.read_one(values)
    return mission.sized(table.width or mission.width, table.height or mission.height), table.terrain


def require_open(may: Access) -> None:
    """Refuse what must happen before the start."""
    may.require_status("The game has started.", "open")


def mission_of(session: Session, actor: Actor, may: Access) -> Values | None:
    """Return the mission of a game that is settled already, None where it is rolled or agreed."""
    row = may.row
    kept: Values | None = row.setup.get("own_mission")
    if kept is not None:
        return kept
    return missions.find(session, actor, row.mission, row.campaign_id) if row.mission else None


def changed_setup(
    session: Session, actor: Actor, may: Access, new: NewTable, given: frozenset[str]
) -> tuple[str, dict[str, Any]]:
    """Return mission and set-up of a game with the *given* changes; refuse impossible ones."""
    row, before = may.row, may.row.setup
    how = before["how"]
    asked: dict[str, Any] = {name: getattr(new, name) for name in _NAMES.values() if name in given}
    if not asked:
        asked = {_NAMES[how]: row.mission if how == CHOSEN else before["family"]}
    merged = NewTable(
        **asked,
        table=new.table if "table" in given else before["table"],
        settings=new.settings if "settings" in given else before["settings"],
        battle=new.battle if "battle" in given else before.get("battle"),
        minutes=new.minutes if "minutes" in given else before["minutes"],
        campaign=new.campaign or row.campaign_id,
    )
    mission, setup = _set_up(session, actor, merged)
    if setup["solo"] != before["solo"]:
        raise PlayError("conflict", "A game against the dice is a game of its own.", field="mission", value=mission)
    return mission, setup


def _set_up(session: Session, actor: Actor, new: NewTable) -> tuple[str, dict[str, Any]]:
    """Return the mission's id and the set-up to store; refuse impossible ones."""
    ways = {how: getattr(new, name) for how, name in _NAMES.items()}
    chosen: dict[str, str] = {how: value for how, value in ways.items() if value is not None}
    if len(chosen) != 1:
        raise invalid("mission", "Give one of mission, roll, agree.")
    ((how, value),) = chosen.items()
    found: Found = []
    table = read(TableData, new.table, "table", found)
    read(SettingsData, new.settings, "settings", found)
    if new.battle is not None:
        read(BattleData, new.battle, "battle", found)
    if new.minutes is not None and not 1 <= new.minutes <= MAX_MINUTES:
        found.append(Problem("bad_value", say("From 1 to {most} minutes.", most=MAX_MINUTES), "minutes", new.minutes))
    if found or table is None:
        raise PlayError("invalid_request", problems=[fault(problem) for problem in found])
    setup: dict[str, Any] = {
        "how": how, "table": dict(new.table), "settings": dict(new.settings), "minutes": new.minutes, "solo": False,
    }  # fmt: skip
    if new.battle is not None:
        setup["battle"] = dict(new.battle)
    if how == CHOSEN:
        values = missions.find(session, actor, value, new.campaign)
        _require_size([values], table)
        setup["solo"] = values.get("family") == SOLO_FAMILY
        if value not in missions.of_the_program():
            setup["own_mission"] = dict(values)
        return value, setup
    setup["family"] = value
    some = missions.family(value) if how == ROLLED else missions.to_agree_on(value)
    if not any(values.get("number") for values in some.values()):
        raise PlayError("unknown_mission", field="roll" if how == ROLLED else "agree", value=value)
    _require_size(some.values(), table)
    return "", setup


def _require_size(some: Iterable[Values], table: TableData) -> None:
    """Refuse a table that is too small, stands on end (T-61), or is of another size than fixed zones need (N-03)."""
    for values in some:
        own = (values["width"] * INCH, values["height"] * INCH)
        size = (table.width or own[0], table.height or own[1])
        given = f"{inches(size[0])} x {inches(size[1])}"
        battle = next((rule for rule in values["rules"] if rule.get("rule") == BattleTerrain.NAME), None)
        smallest = max(SMALLEST_TABLE, round((battle or {}).get("smallest", 0) * INCH))
        if min(size) < smallest:
            minimum = inches(smallest)
            raise invalid("table", say("A table is at least {least} inches wide and deep.", least=minimum), given)
        if battle is not None and size != own and size[0] < size[1]:
            raise invalid("table", "The longer side of the table is its width.", given)
        if size != own and values.get("zones") and not values.get("scales"):
            must = say(
                "This mission needs a table of {width} by {height} inches.",
                width=values["width"],
                height=values["height"],
            )
            raise invalid("table", must, given)


def _change_setup(session: Session, actor: Actor, may: Access, new: NewTable, given: frozenset[str]) -> None:
    row = may.row
    if "battle" in given:
        may.require_free()
    mission, setup = changed_setup(session, actor, may, new, given)
    if may.battle is not None and given & WAYS:
        may.battle.mission_by = "gm"
    if mission != row.mission and may.battle is None:
        for seat in may.seats.values():
            seat.army, seat.army_name = None, ""
    row.mission, row.setup = mission, setup


def _within_limits(ctx: AppContext, session: Session, actor: Actor, address: str) -> None:
    """Refuse someone who has, or an address that has, as many games under way as there may be."""
    settings = ctx.settings
    mine = TableGameRow.owner_user_id == actor.user_id
    limits: list[tuple[ColumnElement[bool], int]] = [(mine, settings.table_games_per_account)]
    if actor.guest:
        limits.append((TableGameRow.address == address, settings.table_games_per_address))
    for condition, maximum in limits:
        told = say("At most {most} games that are not closed.", most=maximum)
        check_limit(session, TableGameRow, [condition, TableGameRow.status != "closed"], maximum, told)
