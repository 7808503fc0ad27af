"""How well a computer player plays. All levels see only their view; none looks at a clock."""

from __future__ import annotations

from dataclasses import dataclass

RECRUIT, REGULAR, VETERAN, MARSHAL = "recruit", "regular", "veteran", "marshal"


@dataclass(frozen=True, slots=True)
class Level:
    """A level of play."""

    name: str
    remembers: bool = True
    """Takes enemies who are out of sight to be where they were."""
    postured: bool = True
    """Lets what it has seen change its posture."""
    supports: bool = True
    """Attacks with everyone's support."""
    steps: bool = True
    """Uses battle movement to get on."""
    thrift: bool = True
    """Builds what pays itself back."""
    caution: int = 0
    """Tenths of odds it wants beyond its posture's."""
    mistakes: int = 0
    """Of a hundred orders of its forces, so many are forgotten."""
    hosts: int = 1040
    """Points of the hosts it musters."""
    raises: int = 1490
    """Points of the hosts it raises later, at most."""
    patrols: int = 6
    """Patrols it musters at most."""
    whole: bool = False
    """Loses whole units in battle rather than half of each."""
    invests: bool = False
    """Makes a second seat and trains elite troops, with BP that would lie idle."""
    hides: bool = False
    """Against one player, keeps weak detachments out of reach, and gives up those that the enemy would win VP by."""
    plans: int = 1
    """How many candidate plans it tries for Battle movement, each by the rules."""
    foresight: int = 0
    """How many it takes each enemy in sight to try; 0: it expects them to try none."""
    marches: int = 1
    """How many plans it tries for Movement."""
    deep: int = 0
    """How many plans for the battles it takes both sides to try after a march that seems better."""
    scenes: int = 1
    """How many marches of the enemies each of them is played against."""
    holds: bool = False
    """Counts what land a march would lose, its own capital above all."""


LEVELS = {
    RECRUIT: Level(RECRUIT, remembers=False, supports=False, steps=False, thrift=False, caution=4, mistakes=25,
                   hosts=540, patrols=0),
    REGULAR: Level(REGULAR),
    VETERAN: Level(VETERAN, raises=740, whole=True, plans=40, marches=24),
    MARSHAL: Level(MARSHAL, hosts=700, raises=740, whole=True, invests=True, plans=40, foresight=20, marches=40,
                   deep=16, scenes=3, holds=True, hides=True),
}  # fmt: skip
"""By name, from the weakest."""
