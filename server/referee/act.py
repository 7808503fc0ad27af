"""What all acts have in common: each kind declares its fields, checks itself, is done, and says when it is open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict, TypeVar, Unpack, dataclass_transform

from server.core.errors import Problem
from server.referee.choices import Choice, Offer, one_of
from server.referee.mission import BATTLE, OVER, PLAYERS
from server.referee.reading import OneOf, specs
from server.referee.refusals import not_yours, refuse

if TYPE_CHECKING:
    from server.referee.game import Game

Found = Iterator[Problem]
"""What a check yields."""
NO_NEXT_ACT = (
    "use",
    "spend",
    "gain",
    "pass",
    "go_on",
    "within",
    "strength",
    "destroyed",
    "confirm",
    "object",
    "settle",
    "take_back",
)
"""Acts that end no moment."""
AT_PHASE_END = ("end_phase", "end_now", *NO_NEXT_ACT)
"""What may be done once a phase's end has started."""


@dataclass(frozen=True, kw_only=True)
class Act:
    """One act of one player. Each kind is one class: when it may be done, what speaks against it, what it does."""

    DO: ClassVar[str]
    BY: ClassVar[tuple[str, ...]] = PLAYERS
    STAGES: ClassVar[tuple[str, ...]] = ()
    """Where it may be done; empty: in every stage but ``over``."""
    PHASES: ClassVar[tuple[str, ...]] = ()
    """Phases of a turn in which it may be done; empty: in all."""
    TURN: ClassVar[bool] = False
    """Only the player whose turn it is may do it; in a stage that has turns, too."""
    ENDING: ClassVar[bool] = False
    """It may be done after the last turn, before the battle is counted."""
    HOLDS: ClassVar[bool] = True
    """A stage does not end automatically while someone could do it."""
    META: ClassVar[bool] = False
    """It is about other actions, so the fold leaves it out."""
    REPORT: ClassVar[int] = 0
    """The first version of the referee in which it reports what happened on the table, so that the other player may
    object (N-09); 0: in none."""
    CONFIRMED: ClassVar[bool] = False
    """It is a report that waits for the other player's word, or the game master's (T-07)."""
    SEALED: ClassVar[bool] = False
    """Both do it at the same time and neither sees the other's before both are in."""
    KEEPS_MOMENTS: ClassVar[bool] = False
    """A stratagem's moment outlasts it."""

    by: str

    @classmethod
    def wrong_now(cls, game: Game, by: str) -> str:
        """Return the code that refuses *by* now whatever the fields hold, or nothing: stage, turn, phase."""
        clock = game.clock
        stage = clock.stage
        if stage == OVER or (cls.STAGES and stage not in cls.STAGES):
            return "wrong_stage"
        if by not in cls.BY or (cls.TURN and clock.turn != by and not clock.ending):
            return "not_yours"
        if stage == BATTLE:
            if clock.ending:
                return "" if cls.ENDING else "wrong_phase"
            if cls.PHASES and clock.phase not in cls.PHASES:
                return "wrong_phase"
            if clock.held and cls.DO not in AT_PHASE_END and not cls.at_phase_end(game, by):
                return "wrong_moment"
        return ""

    @classmethod
    def meant(cls, content: Mapping[str, Any]) -> bool:
        """Say whether these fields mean this kind, where several kinds bear its word."""
        return True

    @classmethod
    def at_phase_end(cls, game: Game, by: str) -> bool:
        """Say whether *by* may still do it though the end of the phase has started (N-61)."""
        return False

    @classmethod
    def refusal_now(cls, game: Game, by: str) -> Problem | None:
        """Return :meth:`wrong_now` as a problem."""
        code, clock = cls.wrong_now(game, by), game.clock
        if code == "wrong_stage":
            return refuse(code, "This is not for the stage {stage}.", stage=clock.stage)
        if code == "not_yours":
            return not_yours()
        if code == "wrong_moment":
            return refuse(code, "The end of this phase has begun.", rule="N-61")
        if code and clock.ending:
            return refuse(code, "The last turn is over.")
        return refuse(code, "This is not for the phase {phase}.", phase=clock.phase) if code else None

    def check(self, game: Game) -> Found:
        """Yield what speaks against it; called when form, stage, turn, phase and ids are right."""
        return iter(())

    def play(self, game: Game) -> None:
        """Do it, right after :meth:`check` found nothing."""
        raise NotImplementedError

    def use_try(self, game: Game) -> None:
        """Use up the try of a report that was withdrawn, if it has one (T-23)."""

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Yield how *player* could do this now; called when stage, turn and phase are right.

        If a kind says nothing else, that is once, with any of the words that its needed fields may hold, if the first
        of them pass the check.
        """
        words = {
            item.attribute: item.spec.words
            for item in specs(cls).values()
            if item.needed and isinstance(item.spec, OneOf)
        }
        if cls.fits(game, player, **{name: known[0] for name, known in words.items()}):
            yield Offer({name: one_of(known) for name, known in words.items()})

    @classmethod
    def holding(cls, game: Game, player: str) -> Iterator[Offer]:
        """Yield those of :meth:`open` for which a stage is held."""
        return cls.open(game, player)

    @classmethod
    def fits(cls, game: Game, player: str, /, **values: Any) -> bool:
        """Say whether an act of *player* with these fields passes its own check."""
        return next(cls(by=player, **values).check(game), None) is None

    @classmethod
    def fitting(cls, game: Game, player: str, name: str, values: Iterable[Any], **others: Any) -> list[Any]:
        """Return those *values* of the field *name* with which the act passes its own check."""
        first: Act | None = None
        fit = []
        for value in values:
            first = cls(by=player, **{name: value}, **others) if first is None else replace(first, **{name: value})
            if next(first.check(game), None) is None:
                fit.append(value)
        return fit

    @classmethod
    def offers(
        cls,
        game: Game,
        player: str,
        name: str,
        values: Iterable[Any],
        more: Mapping[str, Choice] | None = None,
        **others: Any,
    ) -> Iterator[Offer]:
        """Yield the offer of the :meth:`fitting` values, with the choices for *more* fields; nothing if none fits."""
        if fit := cls.fitting(game, player, name, values, **others):
            yield Offer({name: one_of(fit), **(more or {})})


K = TypeVar("K", bound=Act)


class How(TypedDict, total=False):
    """The class variables of :class:`Act` that a kind of act may set, in small letters."""

    by: tuple[str, ...]
    stages: tuple[str, ...]
    phases: tuple[str, ...]
    turn: bool
    ending: bool
    holds: bool
    meta: bool
    report: int
    confirmed: bool
    sealed: bool
    keeps_moments: bool


@dataclass_transform(kw_only_default=True, frozen_default=True)
def act_kind(do: str = "", **how: Unpack[How]) -> Callable[[type[K]], type[K]]:
    """Make a class a kind of act that is called *do*; without it the class is what several kinds have in common."""

    def made(kind: type[K]) -> type[K]:
        kind = dataclass(frozen=True, kw_only=True)(kind)
        for name, value in {**({"do": do} if do else {}), **how}.items():
            setattr(kind, name.upper(), value)
        return kind

    return made
