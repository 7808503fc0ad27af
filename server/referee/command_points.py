"""Command points: what is gained, what is spent on stratagems of other books (T-10, T-24, N-60)."""

from __future__ import annotations

from collections.abc import Iterator

from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.choices import Offer, integer, offer, text
from server.referee.game import Game
from server.referee.mission import BATTLE
from server.referee.reading import INCHES, PHASE, TEXT, Integer, Text, given, state
from server.referee.refusals import refuse
from server.referee.rule import Rule, rule_kind

MAX_AT_ONCE = 20
STRATAGEM = Text(40)


@act_kind("spend", ending=True, holds=False, report=2, keeps_moments=True)
class Spend(Act):
    """Pay for a stratagem of another book."""

    stratagem: str = given(STRATAGEM)
    cp: int = given(Integer(0, MAX_AT_ONCE))
    near: int | None = given(INCHES, None)
    """From the target to its own Warlord."""

    def check(self, game: Game) -> Found:
        """The mission may forbid it, and it must be paid."""
        for problem in game.ask("spend_refusal", self.by, self.stratagem, self.near):
            if problem is not None:
                yield problem
        if self.cp > game.cp[self.by]:
            message = say("That costs {cp} CP, and you have {have}.", cp=self.cp, have=game.cp[self.by])
            yield refuse("not_enough_cp", message, "cp", self.cp, "T-10")

    def play(self, game: Game) -> None:
        """Pay."""
        game.pay_cp(self.by, self.cp, self.stratagem)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer it to a side that can pay."""
        if game.cp[player] > 0 and game.stage == BATTLE:
            yield offer(stratagem=text(40), cp=integer(1, min(game.cp[player], MAX_AT_ONCE)))


@act_kind("gain", ending=True, holds=False, keeps_moments=True)
class Gain(Act):
    """Enter command points that come from rules outside the mission."""

    cp: int = given(Integer(0, MAX_AT_ONCE))
    source: str = given(TEXT, "")

    def check(self, game: Game) -> Found:
        """The mission may forbid it."""
        for problem in game.ask("gain_refusal", self.by):
            if problem is not None:
                yield problem

    def play(self, game: Game) -> None:
        """Enter what the mission's limit leaves of it."""
        gain(game, self.by, self.cp, self.source or "other rules")

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer it in the battle, and where both prepare it, if the mission allows it."""
        if game.stage in (BATTLE, *game.mission.left_by_both) and cls.fits(game, player, cp=1):
            yield offer(cp=integer(0, 3), source=text().optional())


@rule_kind("command_points")
class CommandPoints(Rule):
    """Both gain at the start of every phase named; beyond that a player gains at most so much a round (T-10)."""

    phase: str = given(TEXT, "command")
    usual: int = given(Integer(0, 10), 1)
    most_more: int = given(Integer(0, 10), 1)
    gained: dict[str, tuple[int, int]] = state(dict)
    """By player: the round, and what was gained in it beyond the usual."""

    def phase_entered(self, game: Game, phase: str) -> None:
        """Both gain, before anything else."""
        if phase == self.phase:
            for player in game.players:
                game.gain_cp(player, self.usual, "command phase")

    def gain(self, game: Game, player: str, cp: int, source: str) -> None:
        """Add what the limit leaves of a gain; the rest is lost."""
        round_, so_far = self.gained.get(player, (game.round, 0))
        if round_ != game.round:
            so_far = 0
        added = min(cp, self.most_more - so_far)
        self.gained[player] = (game.round, so_far + added)
        game.gain_cp(player, added, source)
        if added < cp:
            game.emit("cp_lost", player=player, cp=cp - added, source=source)


def gain(game: Game, player: str, cp: int, source: str) -> None:
    """Add CP, as far as the limit of a round allows (T-10)."""
    if (rule := game.find(CommandPoints)) is None:
        game.gain_cp(player, cp, source)
    else:
        rule.gain(game, player, cp, source)


@rule_kind("supply_lines")
class SupplyLines(Rule):
    """At the start of a player's phase, with the marker in their own zone under control, one D6."""

    phase: str = given(PHASE, "command")
    needs: int = given(Integer(2, 6), 4)
    cp: int = given(Integer(1, 10), 1)

    def phase_entered(self, game: Game, phase: str) -> None:
        """Roll."""
        own = game.role_of(game.turn)
        if phase != self.phase or not any(marker.zone == own for marker in game.held(game.turn)):
            return
        if game.roll(f"supply/{game.round}/{game.turn}") >= self.needs:
            gain(game, game.turn, self.cp, "supply lines")
