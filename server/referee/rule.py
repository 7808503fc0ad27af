"""What a mission's rules are made of: components that a mission switches on and gives their figures.

Each component is one class in the file of its subject. What it may be asked is written down here; it overrides what it
answers. Hooks are called in the order in which the mission lists its rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from server.core.errors import Problem
    from server.referee.act import Act
    from server.referee.beginning import Start
    from server.referee.choices import Choice
    from server.referee.game import Game, Marker
    from server.referee.geometry import Point
    from server.referee.mission import Mission
    from server.referee.units import Unit


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended."""

    winner: str
    """A player, or empty for a draw."""
    word: str
    """``major_victory``, ``victory`` or ``draw`` (N-16)."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """Something of a player's that the other side waits for, and that may be passed (N-61)."""

    what: str
    """The act that would answer it: ``use``, ``go_to_ground``, ``move_sentry`` ..."""
    name: str = ""
    """Of a stratagem: its id."""
    units: tuple[str, ...] = ()
    """What it is about."""
    before: str = ""
    """What waits: ``end_phase`` or ``roll``."""


ALONE, BOTH = "alone", "both"
"""The players who must agree to the end: the one who asks, or both."""


@dataclass(slots=True, kw_only=True)
class Rule:
    """A component. Parameters are declared with ``given``, what it remembers with ``state``."""

    NAME: ClassVar[str] = ""
    """Its name in a mission's ``[[rules]]``."""
    ACTS: ClassVar[tuple[type[Act], ...]] = ()
    """The acts it brings."""
    NEEDS: ClassVar[tuple[str, ...]] = ()
    """Names of rules without which it cannot be."""

    # --- the mission file ---

    def unfit(self, mission: Mission) -> Iterable[str]:
        """Yield a sentence for everything in the parameters that does not fit the mission."""
        return ()

    # --- the beginning ---

    def mustered(self, game: Game) -> None:
        """Follow the making of the units, before the first stage, also of a game that begins in the middle."""

    def army_faults(self, game: Game) -> Iterable[Problem]:
        """Yield what keeps a game from being started with these armies (N-91)."""
        return ()

    # --- stages ---

    def stage_entered(self, game: Game, stage: str) -> None:
        """Follow the beginning of a stage; dice of the stage are rolled here."""

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """Return the players who must still do something before the stage can be left."""
        return ()

    def still_to_place(self, game: Game, player: str) -> tuple[str, ...]:
        """Return the names of what *player* must set up before the stage can be left."""
        return ()

    def stage_left(self, game: Game, stage: str) -> None:
        """Follow the end of a stage."""

    # --- the battle ---

    def battle_started(self, game: Game) -> None:
        """Follow the start of round 1, before its first turn."""

    def round_started(self, game: Game) -> None:
        """Follow the start of a round, before its first turn."""

    def skips_turn(self, game: Game, player: str) -> bool:
        """Say whether this player's turn is not played."""
        return False

    def turn_started(self, game: Game) -> None:
        """Follow the start of a turn, before its first phase."""

    def phase_entered(self, game: Game, phase: str) -> None:
        """Follow the beginning of a phase."""

    def phase_missing(self, game: Game, phase: str) -> Problem | None:
        """Return why this phase cannot end yet."""
        return None

    def phase_ending(self, game: Game, phase: str) -> None:
        """Do what belongs to the end of a phase."""

    def turn_ending(self, game: Game) -> None:
        """Do what belongs to the end of a turn."""

    def round_ending(self, game: Game) -> None:
        """Do what belongs to the end of a round, after its second turn."""

    def battle_over(self, game: Game) -> bool:
        """Say whether the battle ends with this round."""
        return False

    def ending_wants(self, game: Game) -> tuple[str, ...]:
        """Return the players who must do something after the last turn, before the battle is counted."""
        return ()

    def battle_ending(self, game: Game) -> None:
        """Do what belongs to the end of the battle."""

    def result(self, game: Game) -> Result | None:
        """Say who has won; the first rule that answers decides."""
        return None

    def decided(self, game: Game) -> bool:
        """Say whether the winner can no longer change (N-13)."""
        return False

    def may_end(self, game: Game, player: str) -> Problem | str | None:
        """Say what ``end_now`` of this player needs: :data:`ALONE`, :data:`BOTH`, or why not; None: not mine to say."""
        return None

    # --- what happens in between ---

    def before_act(self, game: Game, act: Act) -> None:
        """Follow an act that has been accepted and is about to be done."""

    def after_act(self, game: Game, act: Act) -> None:
        """Follow an act that was done."""

    def moment_opened(self, game: Game, name: str, units: tuple[str, ...]) -> None:
        """Follow the coming of a moment for stratagems, about these units."""

    def moments_over(self, game: Game) -> None:
        """Follow the end of all moments: the phase, before the battle the stage, is left (N-61)."""

    def phase_held(self, game: Game, phase: str) -> bool:
        """Say whether the first ``end_phase`` of a phase only begins its end, because someone may act in it (N-61)."""
        return False

    def awaited(self, game: Game, player: str) -> tuple[Awaited, ...]:
        """Return what the other side waits for *player* for now, of all that may be passed (N-61)."""
        return ()

    def passes_moment(self, game: Game, player: str, moment: str, unit: str) -> bool:
        """Do without what is open of a moment that is no stratagem's; false: nothing is."""
        return False

    def passed_for(self, game: Game, player: str) -> None:
        """Do without, in the place of *player*, what the other side waits for (``go_on``, N-61)."""

    def unit_changed(self, game: Game, unit: Unit, before: str) -> None:
        """Follow the change of a unit's state; *before* is the state it had."""

    def control_changed(self, game: Game, marker: Marker, before: str) -> None:
        """Follow the change of who controls a marker; *before* is who did."""

    def may_confirm(self, game: Game, player: str) -> bool:
        """Say whether there is something of this rule that *player* may confirm now."""
        return False

    def confirms(self, game: Game, player: str) -> Mapping[str, Any]:
        """Return what *player* may confirm: ``what`` (a word), ``units`` (ids), ``score`` (VP). Empty: a report."""
        return {}

    def word_is_free(self, game: Game) -> bool:
        """Say whether what may be confirmed now is asked of nobody, so that nothing waits for it."""
        return False

    def confirmed(self, game: Game, player: str) -> None:
        """Do what *player* confirmed; called where :meth:`may_confirm` is true."""

    def waits_for(self, game: Game) -> str:
        """Return the player in whose place the game master may confirm now; empty: nobody (T-07)."""
        return ""

    def lands(self, game: Game, unit: Unit, at: Point, towers: Mapping[str, str]) -> bool:
        """Bring down a unit that reinforces from orbit; true when it is done. *towers*: the types watchers name."""
        return False

    def not_dropped(self, game: Game, unit: Unit) -> None:
        """Follow a unit that does not come down from the sky in this turn after all."""

    def naming_refused(self, game: Game, against: str, towers: Mapping[str, str]) -> Problem | None:
        """Return why watchers cannot name a type of unit against this player now."""
        return None

    def naming_fields(self, game: Game, unit: Unit) -> Mapping[str, Choice]:
        """Return the fields in which watchers name a type as this unit comes down."""
        return {}

    def report_fields(self, game: Game, marker: Marker) -> Mapping[str, Choice]:
        """Return the fields that this rule wants in a report of control, by path."""
        return {}

    def foreseen_control(self, game: Game, marker: Marker) -> str | None:
        """Return who will control a marker when this phase ends, as reported so far; None: it is not this rule's."""
        return None

    def scores_now(self, game: Game) -> int | None:
        """Return the VP that whose turn it is scores when this phase ends; None: nothing is scored then."""
        return None

    def scoring_count(self, game: Game, player: str, what: str) -> int | None:
        """Return how often *player* may score *what* now; None: it is not this rule's."""
        return None

    def spend_refusal(self, game: Game, player: str, stratagem: str, near: int | None) -> Problem | None:
        """Return why the mission forbids a stratagem of another book."""
        return None

    def gain_refusal(self, game: Game, player: str) -> Problem | None:
        """Return why *player* gains no CP from other rules now."""
        return None

    # --- a game that begins in the middle ---

    def begin_part(self, game: Game, part: str, id_: str, values: Mapping[str, Any]) -> bool:
        """Take ``[start.<part>.<id>]``; false: it is not this rule's."""
        return False

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take a value of ``[start.tracked]``; false: it is not this rule's."""
        return False

    def resumed(self, game: Game, start: Start) -> None:
        """Follow a beginning in the middle: derive what would be known by now."""

    # --- what is known ---

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Return the values that the rule keeps, by the names that players and cases use; the whole truth."""
        return {}

    def expected(self, game: Game, part: str, id_: str) -> Mapping[str, Any] | None:
        """Return the facts of ``[expect.<part>.<id>]``; None: it is not this rule's."""
        return None

    def hides(self, game: Game, player: str, unit: Unit) -> bool:
        """Say whether *player* may not know place, state or label of a unit of the other side."""
        return False

    def seals(self, game: Game, unit: Unit) -> bool:
        """Say whether the other side sees a unit, but may not know yet what its player has said of it."""
        return False

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Return the part of the rule's state that *player* can see, as plain JSON."""
        return {}


K = TypeVar("K", bound=Rule)


RULES: dict[str, type[Rule]] = {}
"""By the name a mission gives; :mod:`registry` has all."""


@dataclass_transform(kw_only_default=True)
def rule_kind(name: str, acts: tuple[type[Act], ...] = (), needs: tuple[str, ...] = ()) -> Callable[[type[K]], type[K]]:
    """Make a class the rule *name*: see :attr:`Rule.NAME`, :attr:`Rule.ACTS` and :attr:`Rule.NEEDS`."""

    def made(kind: type[K]) -> type[K]:
        kind = dataclass(slots=True, kw_only=True)(kind)
        kind.NAME, kind.ACTS, kind.NEEDS = name, acts, needs
        RULES[name] = kind
        return kind

    return made


HOOKS = tuple(name for name in dir(Rule) if not name.startswith("_") and callable(getattr(Rule, name)))
"""Names of everything a rule may answer."""
