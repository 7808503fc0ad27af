"""What a player may know of a table game: the only way out for state and events (N-14)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.core.events import Event
from server.referee.game import Game
from server.referee.reading import inches, to_inches
from server.referee.units import Unit

SPECTATOR = ""
"""A viewer who is neither player."""


def view_for(game: Game, player: str) -> dict[str, Any]:
    """Return the game as *player* (or :data:`SPECTATOR`) may know it, as plain JSON."""
    clock = game.clock
    seen: dict[str, Any] = {
        "mission": game.mission.id,
        "width": inches(game.mission.width),
        "height": inches(game.mission.height),
        "stage": clock.stage,
        "round": clock.round,
        "turn": clock.turn,
        "phase": clock.phase,
        "first": clock.first,
        "ending": clock.ending,
        "attacker": game.attacker,
        "vp": dict(game.vp),
        "cp": dict(game.cp),
        "vp_log": [
            {"player": score.player, "round": score.round, "reason": score.reason, "vp": score.vp}
            for score in game.vp_log
        ],
        "markers": {
            marker.id: {
                "at": point_to_json(marker.at),
                "zone": marker.zone,
                "control": marker.control,
                "secured": marker.secured,
                "used": marker.used,
                "removed": marker.removed,
                "levels": dict(marker.levels),
                **({"holder": marker.holder} if marker.holder else {}),
                "claims": {side: dict(models) for side, models in marker.claims.items()},
            }
            for marker in game.markers.values()
        },
        "units": [unit_to_json(unit) for unit in game.units.values() if not is_hidden(game, player, unit)],
        "hidden": sum(is_hidden(game, player, unit) for unit in game.units.values()),
        "moments": list(game.moments),
        "objection": game.objection,
        "decided": game.decided,
        "winner": game.result.winner if game.result else None,
        "result": game.result.word if game.result else None,
    }
    rules: dict[str, Any] = {}
    for part in game.ask("view", player):
        rules.update(part)
    return seen | {"rules": rules}


def is_hidden(game: Game, player: str, unit: Unit) -> bool:
    """Say whether *player* may not know place, state or label of a unit."""
    return unit.side != player and any(game.ask("hides", player, unit))


def events_for(events: Iterable[Event], player: str) -> list[dict[str, Any]]:
    """Return what *player* may know of what happened, as plain JSON."""
    return [{"type": event.type, **event.fields} for event in events if event.public or player in event.to]


def point_to_json(point: tuple[int, int] | None) -> list[int | float] | None:
    """Return a place in inches."""
    return None if point is None else to_inches(point)


def unit_to_json(unit: Unit) -> dict[str, Any]:
    """Return everything of a unit."""
    return {
        "id": unit.id,
        "side": unit.side,
        "name": unit.name,
        "role": unit.role,
        "keywords": list(unit.keywords),
        "flags": list(unit.flags),
        "power": unit.power,
        "points": unit.points,
        "models": unit.models,
        "models_now": unit.models_now,
        "wounds": unit.wounds,
        "wounds_now": unit.wounds_now,
        "capacity": unit.capacity,
        "state": unit.state,
        "at": point_to_json(unit.at),
        "in": unit.inside,
        "returns": unit.returns,
        "suffers": unit.suffers,
        "no_actions": unit.no_actions,
        "dug_in": unit.dug_in,
        **({"about": unit.about} if unit.about else {}),
    }
