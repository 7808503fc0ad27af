"""How a table game stands and what happened, as someone may know it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import select

from server.core.events import Event
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, invalid, not_found
from server.play.tables import telling
from server.play.tables.access import GM, OPEN, WATCHER, Access, load
from server.play.tables.folding import Folded, acts_from, begun, held
from server.referee.awaiting import awaiting
from server.referee.fold import open_for
from server.referee.game import Game
from server.referee.mission import PLAYERS, Mission
from server.referee.view import SPECTATOR, events_for, is_hidden, view_for
from server.store.tables import Seat, TableBeginningRow

MAX_PAGE_SIZE = 500
GO_ON_AFTER = 20
"""Seconds a player has to react before the other may continue without them (N-61)."""


@dataclass(frozen=True, slots=True)
class Position:
    """A table game as someone may know it."""

    acts: int
    """How many acts led here: the number of the next one."""
    viewer: str
    """``red``, ``blue``, ``gm``, ``spectator`` or ``open``: what both knew."""
    view: dict[str, Any]
    open: list[dict[str, Any]]
    """The viewer's possible actions; with one device for two and no viewer requested, those of either player."""
    awaiting: dict[str, Any]
    """Whose tap the game waits for, what for, what else is open to each; ``since`` when it waits for each side."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An act in the log; number -1 is the beginning."""

    number: int
    by: str
    at: datetime | None
    act: dict[str, Any] | None
    """Its fields, for the player who did it; for everyone when the game is closed."""
    events: list[dict[str, Any]]
    """What happened; ``secret`` (through open eyes) where spectators were not told."""
    awaited: str = ""
    """With clocks: whose action was awaited before it, ``red``, ``blue`` or ``both``: their time ran."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a picture of a game is made from."""

    mission: Mission
    view: dict[str, Any]
    pieces: Sequence[Any]
    players: Mapping[str, str]
    """What the sides are called, by ``red`` and ``blue``."""
    numbers: Mapping[str, int]
    """In a campaign's battle: by side the number of its seat, whose colours it keeps."""


def position(
    ctx: AppContext, actor: Actor, game_id: str, as_: str | None = None, watch: str | None = None, at: int | None = None
) -> Position:
    """Return the state of a game, now or after *at* actions."""
    may, viewer = _reader(ctx, actor, game_id, as_, watch)
    if at is None:
        telling.seen_at_table(ctx, game_id, may.sides)
        with held(ctx, game_id, may.row.acts) as folded:
            found = position_of(folded, viewer)
            if as_ is None and len(may.sides) > 1:
                others = [option for side in may.sides if side != viewer for option in offered(folded, side)]
                return replace(found, open=[*found.open, *others])
            return found
    return position_of(_earlier(ctx, game_id, at, may.row.acts), viewer, is_open=False)


def awaited(ctx: AppContext, actor: Actor, game_id: str) -> dict[str, Any]:
    """Return whose action a game waits for, as :meth:`server.referee.awaiting.Awaiting.to_json` has it.

    For emails: nobody is at the table because they are written to.
    """
    may, _ = _reader(ctx, actor, game_id, None, None)
    with held(ctx, game_id, may.row.acts) as folded:
        return awaiting(folded.table.game).to_json()


def log(
    ctx: AppContext, actor: Actor, game_id: str, *, first: int = -1, limit: int = MAX_PAGE_SIZE,
    as_: str | None = None, watch: str | None = None,
) -> list[Entry]:  # fmt: skip
    """Return the acts from a number on with what happened, as far as someone may know of it."""
    may, viewer = _reader(ctx, actor, game_id, as_, watch)
    own = (viewer,) if viewer in may.sides or viewer == GM else ()
    entries = []
    with held(ctx, game_id, may.row.acts) as folded:
        table = folded.table
        for number in range(max(first, -1), min(folded.acts, max(first, -1) + limit)):
            events = table.events[folded.told[number] if number >= 0 else 0 : folded.told[number + 1]]
            told = _visible(events, viewer)
            if number < 0:
                entries.append(Entry(-1, "", may.row.started_at, None, told))
                continue
            act = table.record[number]
            known = may.closed or act.by in own
            entries.append(
                Entry(
                    number,
                    act.by,
                    folded.at[number],
                    dict(act.content) if known else None,
                    told,
                    folded.awaited[number],
                )
            )
    return entries


def drawn(
    ctx: AppContext, actor: Actor, game_id: str, as_: str | None = None, watch: str | None = None, at: int | None = None
) -> Drawn:
    """Return what a picture shows."""
    may, viewer = _reader(ctx, actor, game_id, as_, watch)
    players = {side: seat.name for side, seat in may.seats.items()}
    numbers = _numbers(ctx, may)
    if at not in (None, may.row.acts):
        return _drawn(_earlier(ctx, game_id, at, may.row.acts), viewer, players, numbers)
    with held(ctx, game_id, may.row.acts) as folded:
        return _drawn(folded, viewer, players, numbers)


def seat_numbers(ctx: AppContext, actor: Actor, game_id: str, watch: str | None = None) -> dict[str, int]:
    """Return by side the number of its seat in the campaign whose battle a game is; empty: a single game."""
    with ctx.database.read() as session:
        may = load(session, actor, game_id, watch)
    return _numbers(ctx, may)


def unit_names(
    ctx: AppContext, actor: Actor, game_id: str, as_: str | None = None, watch: str | None = None
) -> dict[str, str]:
    """Return what units are called, by id, as far as someone may know them; also units that became squads or left."""
    may, viewer = _reader(ctx, actor, game_id, as_, watch)
    with held(ctx, game_id, may.row.acts) as folded:
        game = folded.table.game
        seen = [unit for unit in game.units.values() if viewer == OPEN or not is_hidden(game, viewer, unit)]
        made_of = {unit.part_of for unit in seen}
        brought = {
            data.id: data.name or data.id
            for side, army in game.beginning.armies.items()
            for data in army.units
            if side == viewer or data.id in made_of
        }
        return brought | {unit.id: unit.name for unit in seen}


# --- for the rest of this package ---


def position_of(folded: Folded, viewer: str, *, is_open: bool = True) -> Position:
    """Return how a game stands for a viewer. Hold its lock."""
    acts = offered(folded, viewer) if is_open and viewer not in (SPECTATOR, OPEN) else []
    awaited = awaiting(folded.table.game).to_json()
    since = {side: at.isoformat() for side, at in folded.waits_since.items()}
    return Position(folded.acts, viewer or WATCHER, _seen(folded.table.game, viewer), acts, awaited | {"since": since})


def offered(folded: Folded, viewer: str) -> list[dict[str, Any]]:
    """Return what a side or the game master could do now. Hold the game's lock."""
    return [option.to_json() for option in open_for(folded.table, viewer)]


def _seen(game: Game, viewer: str) -> dict[str, Any]:
    """Return a game through someone's eyes: a game master sees what spectators see."""
    return opened(game) if viewer == OPEN else view_for(game, SPECTATOR if viewer == GM else viewer)


def _visible(events: Sequence[Event], viewer: str) -> list[dict[str, Any]]:
    if viewer != OPEN:
        return events_for(events, viewer)
    return [{"type": event.type, **event.fields} | ({} if event.public else {"secret": True}) for event in events]


def _reader(ctx: AppContext, actor: Actor, game_id: str, as_: str | None, watch: str | None) -> tuple[Access, str]:
    with ctx.database.read() as session:
        may = load(session, actor, game_id, watch)
    viewer = may.viewer(as_)
    if may.row.status == "open":
        raise PlayError("wrong_status", "The game has not started.", field="status", value=may.row.status)
    return may, viewer


def _earlier(ctx: AppContext, game_id: str, at: int, acts: int) -> Folded:
    """Return the game after some actions; nobody else holds this copy."""
    if not 0 <= at <= acts:
        raise invalid("at", "There are not so many acts.", at)
    with ctx.database.read() as session:
        row = session.get(TableBeginningRow, game_id)
        played = acts_from(session, game_id, 0)[:at]
    if row is None:
        raise not_found("table", game_id)
    folded = begun(row, game_id)
    for act in played:
        folded.play(act.by, act.content, act.at)
    return folded


def _drawn(folded: Folded, viewer: str, players: Mapping[str, str], numbers: Mapping[str, int]) -> Drawn:
    game = folded.table.game
    return Drawn(game.mission, _seen(game, viewer), list(game.pieces.values()), players, numbers)


def _numbers(ctx: AppContext, may: Access) -> dict[str, int]:
    battle = may.battle
    if battle is None:
        return {}
    asked = select(Seat.player_id, Seat.number).where(Seat.campaign_id == may.row.campaign_id)
    with ctx.database.read() as session:
        numbers = {row.player_id: row.number for row in session.execute(asked)}
    sides = {"red": battle.red_player, "blue": battle.blue_player}
    return {side: numbers[player] for side, player in sides.items() if player in numbers}


Json = dict[str, Any]


def opened(game: Game) -> Json:
    """Return a game as nobody knew it then: each side's units and rules as that side knew them.

    ``secret`` of a unit, and the list ``secret`` of the view (names of ``rules``), say what spectators did not know. A
    rule of which each side knew something of its own has ``{"red": ..., "blue": ...}``.
    """
    views = {side: view_for(game, side) for side in PLAYERS}
    public = view_for(game, SPECTATOR)
    seen = {unit["id"]: unit for unit in public["units"]}
    own = {unit["id"]: unit for side in PLAYERS for unit in views[side]["units"] if unit["side"] == side}
    units = [own[id_] | {"secret": own[id_] != seen.get(id_)} for id_ in game.units if id_ in own]
    rules, secret = _rules(public["rules"], {side: view["rules"] for side, view in views.items()})
    return public | {"units": units, "hidden": 0, "rules": rules, "secret": secret}


def _rules(public: Json, known: dict[str, Json]) -> tuple[Json, list[str]]:
    rules, secret = {}, []
    for name in dict.fromkeys([*public, *(name for part in known.values() for name in part)]):
        more = {side: part.get(name) for side, part in known.items() if part.get(name) != public.get(name)}
        if more:
            secret.append(name)
        rules[name] = next(iter(more.values())) if len(more) == 1 else more or public.get(name)
    return rules, secret
