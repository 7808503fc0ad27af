"""The open view of a table game: both sides' views in one, with former secrets marked."""

from __future__ import annotations

from typing import Any

from server.referee.game import Game
from server.referee.mission import PLAYERS
from server.referee.view import SPECTATOR, view_for

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
