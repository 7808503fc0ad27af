"""D-46 as the first version read it: the way with the fewest steps, whatever it costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from server.rules.board import NOWHERE, Board, Hex


def path_next_to(board: Board, cost: Callable[[Hex, Hex], int], start: Hex, goal: Hex) -> list[Hex]:
    """Return the path with the fewest steps to a hex next to *goal*, empty when there is none.

    *cost* gives the MV of a step between neighbours, 0 where it is impossible. Of several paths, the one with the
    lowest direction number at the first difference.
    """
    came_from: dict[Hex, Hex] = {start: NOWHERE}
    layer = [start]
    while layer:
        next_layer: list[Hex] = []
        for here in layer:
            for next_ in board.adjacent[here]:
                if next_ in came_from or cost(here, next_) == 0:
                    continue
                came_from[next_] = here
                if next_ != goal and goal in board.adjacent[next_]:
                    return _path_back(came_from, next_)
                next_layer.append(next_)
        layer = next_layer
    return []


def _path_back(came_from: Mapping[Hex, Hex], end: Hex) -> list[Hex]:
    path = []
    here = end
    while came_from[here] != NOWHERE:
        path.append(here)
        here = came_from[here]
    path.reverse()
    return path
