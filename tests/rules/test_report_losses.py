"""What is wrong with a report does not depend on the order of its keys: a record keeps orders with sorted keys.

Seen to fail when losses are read in the order in which they came.
"""

from __future__ import annotations

import tomllib
from itertools import permutations
from pathlib import Path

from server.cases.position import set_up
from server.cases.read import read
from server.cases.run import play
from server.core.errors import Problem

CASE = Path(__file__).parents[1] / "cases" / "6-aftermath" / "6.2.3.6-supporters-roll-too.toml"


def problems(losses: str) -> tuple[Problem, ...]:
    text = CASE.read_text().replace("{ a21 = { lost = 3 } }", losses)
    text = (
        text[: text.index("[dice")] + "[dice]\ndefault = 3\n[expect]\nrejected = [{ order = 0, code = 'unknown_id' }]\n"
    )
    case = read(tomllib.loads(text))
    return tuple(play(case, set_up(case)).problems[0])


def test_problems_of_losses_come_in_the_order_of_their_keys() -> None:
    found = {problems("{ " + ", ".join(f"{id_} = {{ lost = 1 }}" for id_ in ids) + " }")
             for ids in permutations(("zz", "mm", "aa"))}  # fmt: skip
    assert len(found) == 1
    assert [problem.field for problem in found.pop()] == ["losses", "losses", "losses"]
