"""Make a map by seed: coherent terrain, room for everyone, fair by :mod:`server.scenarios.fairness`.

The steps are the sections of this folder: where the starts lie (:mod:`.starts`), what is land, what is sea and which
terrain covers the land (:mod:`.land`), and small changes along the edges of terrain until all starts are worth the
same (:mod:`.balance`). The same request gives the same map.
"""

from __future__ import annotations

from collections.abc import Callable

from server.rules.ruleset import Ruleset
from server.scenarios.fairness import fairness
from server.scenarios.generate.balance import balance
from server.scenarios.generate.land import cover, shape
from server.scenarios.generate.names import name_places, name_starts
from server.scenarios.generate.request import Request, check, water
from server.scenarios.generate.seeded_random import SeededRandom
from server.scenarios.generate.starts import Layout, lay_out
from server.scenarios.generate.symmetry import Symmetry
from server.scenarios.problems import MapError, MapProblem
from server.scenarios.scenario import Scenario, Start

_ATTEMPTS = 20

Progress = Callable[[str], None]


def generate(request: Request, ruleset: Ruleset, progress: Progress = lambda _: None) -> Scenario:
    """Return a fair map, or raise :class:`MapError` where the request leaves no room for one."""
    check(request, ruleset)
    symmetry = Symmetry(request.columns, request.rows, request.turns)
    for attempt in range(_ATTEMPTS):
        lot = SeededRandom(f"{request.seed}/{attempt}")
        progress(f"looking for start areas (try {attempt + 1})")
        layout = lay_out(request, symmetry, lot.split("starts"))
        if layout is None:
            continue
        scenario = _draw(request, ruleset, symmetry, layout, lot, progress)
        if all(fairness(scenario, ruleset, players).fair for players in scenario.player_counts):
            return scenario
    size = f"{request.columns} x {request.rows}"
    message = f"{size} hexes leave no room for a fair map for {request.players}: fewer players, more room or less sea"
    raise MapError([MapProblem("no_room", "", message)])


def _draw(
    request: Request, ruleset: Ruleset, symmetry: Symmetry, layout: Layout, lot: SeededRandom, progress: Progress
) -> Scenario:
    progress("raising the land")
    ground = shape(request, symmetry, layout, lot.split("coast"), water(ruleset))
    progress("covering it")
    terrain = cover(request, ruleset, symmetry, ground, lot.split("cover"))
    progress("making it fair")
    board = balance(symmetry, ruleset, layout, terrain, lot.split("balance"))
    names = name_starts(layout, lot.split("start names"))
    starts = tuple(
        Start(name, centre, area) for name, centre, area in zip(names, layout.centres, layout.areas, strict=True)
    )
    return Scenario(
        id=request.id,
        title=request.title,
        board=name_places(board, lot.split("place names"), names),
        starts=starts,
        summary=f"{request.players} players on {request.columns} x {request.rows} hexes, from the seed {request.seed}.",
        ruleset=ruleset.id,
        conditions=request.conditions,
        seats=layout.seats,
    )
