"""A game that begins in the middle: everything before has been done, and this is where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.referee.mission import BATTLE, PLAYERS

if TYPE_CHECKING:
    from server.referee.beginning import MarkerStart, Start
    from server.referee.game import Game
    from server.referee.markers import Marker


def is_in_a_turn(game: Game, start: Start) -> bool:
    """Say whether a game begins within a turn of its battle, not with a stage."""
    said = start.round is not None or start.turn or start.phase
    return start.stage == BATTLE and bool(said or not game.mission.phases)


def stand(game: Game, start: Start) -> None:
    """Put a game where it stands; what it names and the mission does not have is noted in ``unfit``."""
    _set_clock(game, start)
    for player in PLAYERS:
        game.vp[player] = start.vp.get(player, 0)
        game.cp[player] = start.cp.get(player, game.cp[player])
    for id_, data in start.markers.items():
        if id_ in game.markers:
            _lie(game, game.markers[id_], data)
        elif not any(game.ask("begin_part", "markers", id_, {"at": data.at})):
            game.unfit.append(f"start.markers.{id_}: there is no such marker")
    for part, things in start.parts.items():
        for id_, values in things.items():
            if not any(game.ask("begin_part", part, id_, values)):
                game.unfit.append(f"start.{part}.{id_}: this game has nothing of the kind")
    for name, value in start.tracked.items():
        taken = list(game.ask("track", name, value))
        if not any(taken) and not (name == "attacker" and start.attacker):
            game.unfit.append(f"start.tracked.{name}: this game keeps nothing of the kind")
    game.call("resumed", start)


def _lie(game: Game, marker: Marker, data: MarkerStart) -> None:
    if data.at is not None:
        marker.at, marker.zone = data.at, game.zone_of(data.at)
    marker.control = data.control or data.secured or ""
    marker.secured = data.secured or ""
    marker.used, marker.removed = data.used, data.removed
    for model, round_ in data.claims.items():
        marker.claims.setdefault(game.owner_of_model(model), {})[model] = round_


def _set_clock(game: Game, start: Start) -> None:
    clock = game.clock
    clock.first = start.first or start.turn
    if is_in_a_turn(game, start):
        phases = game.mission.phases
        clock.stage, clock.round = BATTLE, start.round or 1
        clock.phase = start.phase or (phases[0] if phases else "")
        clock.turn = start.turn or start.first or game.attacker or PLAYERS[0]
        clock.first = clock.first or clock.turn
        clock.second = clock.turn != clock.first
