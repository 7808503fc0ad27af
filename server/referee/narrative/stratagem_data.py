"""What a stratagem is: moment, side, cost, target, limit, effect: data of a mission (narrative missions, section 3).

Players do without stratagems: moments passed that are open, and beforehand those that come (N-61).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar, dataclass_transform

from server.core.sentences import say
from server.referee.game import Game
from server.referee.mission import ROLES
from server.referee.reading import ID, LOCALIZED_TEXT, Given, Integer, LocalizedText, OneOf, given, read, schema_of
from server.referee.rule import Rule
from server.referee.units import DESTROYED, RESERVE, TABLE, UNPLACED

UNIT_TARGET, MARKER_TARGET, PLACE_TARGET = "unit", "marker", "place"
NO_TARGET = "none"
ONCE, PER_TARGET, PER_TURN, PENDING = LIMITS = ("battle", "target", "turn", "pending")
"""Once a battle; for each target once a battle, or once a turn; as long as the last one has not taken effect."""
MAX_CP = 20

Moment = Callable[["Game", str, str], tuple[str, ...] | None]
"""Asked with the player and the target named: the targets there are, or None where it is not the moment."""
MOMENTS: dict[str, Moment] = {}
"""By name; :mod:`stratagem_moments` has them."""
OWN, ENEMY = "own", "enemy"
TARGETS_OF: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "bombard_roll": (ENEMY, (TABLE,)),
    "bombard_hit": (OWN, (TABLE,)),
    "before_sentries": (OWN, (UNPLACED,)),
    "unit_deployed": (OWN, (TABLE,)),
    "unit_set_up": (OWN, (TABLE,)),
    "defender_deployed": (OWN, (UNPLACED,)),
    "replacement_arrives": (OWN, (DESTROYED,)),
    "replacement_set_up": (ENEMY, (TABLE,)),
    "reserve_arrives": (OWN, (RESERVE,)),
    "own_reserve_roll": (OWN, (RESERVE,)),
    "enemy_reserve_roll": (ENEMY, (RESERVE,)),
    "response_roll": (OWN, (RESERVE,)),
    "shooting_in_dawn_raid": (OWN, (TABLE,)),
    "attack": (OWN, (TABLE,)),
    "advance_roll": (OWN, (TABLE,)),
    "first_shooting_end": (OWN, (TABLE,)),
    "enters_mined_zone": (ENEMY, (TABLE,)),
    "attempt_made": (OWN, (TABLE,)),
}
"""Whose units, and in which states, the stratagems of a moment are ever used for."""
MOMENT_TARGETS = {"markers_placed": MARKER_TARGET, "movement_end": PLACE_TARGET}
"""The kind of a moment's targets, if they are not units."""
PHASE = "phase"
"""Until the present phase ends, before the battle the stage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a stratagem does. The vocabulary is in :mod:`stratagem_effects`."""

    NAME: ClassVar[str] = ""
    NEEDS: ClassVar[type[Rule] | None] = None
    """The rule without which it does nothing."""
    TARGET: ClassVar[str] = ""
    """What it must be used for; empty: anything, or nothing."""

    def do(self, game: Game, player: str, target: str, cp: int) -> None:
        """Do it, for the player who used it."""
        raise NotImplementedError

    def pending(self, game: Game, target: str) -> bool:
        """Say whether an earlier use for this target has not taken effect yet."""
        return False


EFFECTS: dict[str, type[Effect]] = {}
"""By name; :mod:`stratagem_effects` has them."""
K = TypeVar("K", bound=Effect)


@dataclass_transform(kw_only_default=True, frozen_default=True)
def effect_kind(name: str, needs: type[Rule] | None = None, target: str = "") -> Callable[[type[K]], type[K]]:
    """Make a class the effect *name*: see :attr:`Effect.NEEDS` and :attr:`Effect.TARGET`."""

    def made(kind: type[K]) -> type[K]:
        kind = dataclass(frozen=True, slots=True, kw_only=True)(kind)
        kind.NAME, kind.NEEDS, kind.TARGET = name, needs, target
        EFFECTS[name] = kind
        return kind

    return made


@dataclass(frozen=True, slots=True)
class EffectSpec:
    """How an effect is read: ``do`` names it, the other fields are its own."""

    names: str = ""

    def read(self, given: Given, name: str | int) -> Any:
        """Read it."""
        value, path = given.take(name), given.at(name)
        do = value.get("do") if isinstance(value, Mapping) else None
        kind = EFFECTS.get(do) if isinstance(do, str) else None
        if kind is None:
            words = say("{name} must be one of {words}.", name=path, words=", ".join(EFFECTS))
            given.refuse("bad_value", words, f"{name}.do", value)
            return None
        return read(kind, value, path, given.problems, skipping=("do",))

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema."""
        return {"oneOf": [_effect_schema(name, kind) for name, kind in EFFECTS.items()]}


def _effect_schema(name: str, kind: type[Effect]) -> dict[str, Any]:
    schema = schema_of(kind)
    schema["properties"] = {"do": {"const": name}, **schema["properties"]}
    schema["required"] = ["do", *schema.get("required", [])]
    return schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratagem:
    """One stratagem that a mission sells."""

    id: str = given(ID)
    name: LocalizedText = given(LOCALIZED_TEXT)
    text: LocalizedText = given(LOCALIZED_TEXT)
    """What it does, for the players."""
    side: str = given(OneOf(ROLES))
    cost: int = given(Integer(1, MAX_CP))
    cost_max: int = given(Integer(0, MAX_CP), 0)
    """More may be spent, up to this; 0: only the cost."""
    moment: str = given(ID)
    target: str = given(OneOf((NO_TARGET, UNIT_TARGET, MARKER_TARGET, PLACE_TARGET)), NO_TARGET)
    keyword: str = given(ID, "")
    """Of the target, else ``wrong_target``; as the next three."""
    role: str = given(ID, "")
    """Else ``not_troops``."""
    power_max: int = given(Integer(0, 500), 0)
    """Else ``too_powerful``; 0: any."""
    models_max: int = given(Integer(0, 200), 0)
    limit: str = given(OneOf(LIMITS), ONCE)
    effect: Effect = given(EffectSpec())

    @property
    def price(self) -> str:
        """Return what it costs as it is printed: ``1``, ``1–2``, ``1+``."""
        if self.max_cp() == self.cost:
            return str(self.cost)
        return f"{self.cost}+" if self.max_cp() == MAX_CP else f"{self.cost}–{self.max_cp()}"

    def max_cp(self) -> int:
        """Return the most CP it takes."""
        return max(self.cost, self.cost_max)


@dataclass(frozen=True, slots=True)
class Standing:
    """Something passed beforehand."""

    player: str
    stratagem: str
    """Its id, or else the ``moment`` of all that are meant."""
    moment: str
    unit: str
    """Empty: any."""
    until: str
    """``phase``: all that come in it; empty: the next one."""

    def holds(self, player: str, stratagem: Stratagem, target: str) -> bool:
        """Say whether it speaks of this stratagem, used for this target."""
        named = stratagem.id == self.stratagem if self.stratagem else stratagem.moment == self.moment
        return named and player == self.player and self.unit in ("", target)


@dataclass(slots=True)
class Passes:
    """Stratagems that each player has passed."""

    declined: dict[tuple[str, str, str], None] = field(default_factory=dict)
    """Player, stratagem and target of moments that are open and passed."""
    standing: list[Standing] = field(default_factory=list)

    def without(self, player: str, stratagem: Stratagem, target: str) -> bool:
        """Say whether a player does without a stratagem for this target now."""
        declined = any((player, stratagem.id, of) in self.declined for of in (target, ""))
        return declined or any(standing.holds(player, stratagem, target) for standing in self.standing)

    def comes(self, player: str, stratagem: Stratagem, target: str) -> None:
        """A moment comes, perhaps once more: it is passed only where its player has said so beforehand."""
        self.declined.pop((player, stratagem.id, target), None)
        if self.goes(player, stratagem, target):
            self.declined[player, stratagem.id, target] = None

    def goes(self, player: str, stratagem: Stratagem, target: str) -> bool:
        """A moment comes and goes: say whether the next one was to be passed, which is then done."""
        for standing in self.standing:
            if not standing.until and standing.holds(player, stratagem, target):
                self.standing.remove(standing)
                return True
        return False

    def passed(self, player: str, moment: str, unit: str) -> bool:
        """Say whether a moment, for a unit, was passed beforehand; the next one is then used up."""
        for standing in self.standing:
            if (standing.player, standing.moment) == (player, moment) and standing.unit in ("", unit):
                if not standing.until:
                    self.standing.remove(standing)
                return True
        return False

    def phase_over(self) -> None:
        """A phase, or a stage, is left: what was passed in it is over, and what was passed for it."""
        self.declined.clear()
        self.standing = [standing for standing in self.standing if not standing.until]

    def take_back(self, player: str, name: str) -> None:
        """Offer a stratagem, or what comes at a moment, again."""
        self.standing = [
            kept for kept in self.standing if (kept.player, kept.stratagem or kept.moment) != (player, name)
        ]
        self.declined.pop((player, name, ""), None)

    def said(self, player: str) -> list[str]:
        """Return what a player does without beforehand: stratagems, or moments."""
        return [standing.stratagem or standing.moment for standing in self.standing if standing.player == player]
