"""Power Levels, who attacks (N-07, N-12), and who has the first turn (section 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from server.core.errors import Problem, RulesError
from server.referee.act import Act, Found, act_kind
from server.referee.beginning import said_attacker
from server.referee.game import Game
from server.referee.mission import ATTACKER, PLAYERS, ROLES, higher
from server.referee.narrative.shared_acts import Roll, RollingRule
from server.referee.narrative.stratagems import can_use
from server.referee.reading import Integer, OneOf, given, state
from server.referee.refusals import not_yours, refuse
from server.referee.rule import Rule, rule_kind

ROLES_STAGE = "roles"
AGREED = "roles"
PREPARATION = (ROLES_STAGE, "terrain")
"""Stages in which CP of the army's detachments are entered."""
OUTSIDE = ("sentries", "spy")
"""Flags of units outside army and level."""
BY_POWER, FIXED = "power", "fixed"
FIRST_TURN_STAGE = "first_turn"
ROLL = "first_turn"
"""What ``roll`` calls it, and the stratagems' moment."""
ATTACKER_GOES, DIE, ROLL_OFF = WAYS = ("attacker", "die", "roll_off")
MAX_TIES = 1000


def level(game: Game, player: str) -> int:
    """Return a player's Power Level: the ratings at muster, extra units not included (N-07)."""
    return game.rule(PowerLevel).levels.get(player, 0)


@act_kind("choose_role", stages=(ROLES_STAGE,), holds=False)
class ChooseRole(Act):
    """Chooses to be Attacker or Defender: the winner of the roll-off, or both alike (N-12)."""

    role: str = given(OneOf(ROLES))

    def check(self, game: Game) -> Found:
        """After a roll-off its winner chooses first; other roles both must want."""
        rule = game.rule(PowerLevel)
        if rule.roles == FIXED:
            yield refuse("not_allowed", "The roles of this mission are fixed.", rule="N-12")
        elif rule.chooser and rule.chooser != self.by:
            yield not_yours("The winner of the roll-off chooses.", "N-12")

    def play(self, game: Game) -> None:
        """Take the role, or note that the player wants it."""
        rule = game.rule(PowerLevel)
        attacker = self.by if self.role == ATTACKER else game.other(self.by)
        if rule.chooser == self.by:
            rule.chooser = ""
            game.attacker = attacker
            game.emit("roles", attacker=attacker)
        elif attacker != game.attacker:
            game.emit("wants_role", player=self.by, role=self.role)
            if game.agree(AGREED, self.by, attacker):
                game.attacker = attacker
                game.emit("roles", attacker=attacker)


@rule_kind("power_level", acts=(ChooseRole,))
class PowerLevel(Rule):
    """The levels of both armies; the higher one attacks, where the mission does not say otherwise."""

    roles: str = given(OneOf((BY_POWER, FIXED)), BY_POWER)
    """Fixed: nobody chooses; red attacks where the armies name no roles. Roles that they name hold in any mission."""
    margin: int = given(Integer(0, 100), 0)
    """By a share of the lower level at least, ``margin * (high - low) >= low``; 0: by anything (2.3)."""
    levels: dict[str, int] = state(dict)
    chooser: str = state(str)
    """The winner of the roll-off, until they have chosen."""
    winner: str = state(str)
    """The winner of the roll-off."""

    def mustered(self, game: Game) -> None:
        """Add up the ratings of both armies."""
        for player in game.players:
            self.levels[player] = sum(
                unit.power for unit in game.units_of(player) if not any(flag in unit.flags for flag in OUTSIDE)
            )

    def stage_entered(self, game: Game, stage: str) -> None:
        """Find the Attacker (N-12)."""
        if stage != ROLES_STAGE:
            return
        said = said_attacker(game.armies)
        if self.roles == FIXED:
            game.attacker = said or game.players[0]
        else:
            game.attacker = said or self._stronger(game)
        if game.attacker:
            game.emit("roles", attacker=game.attacker)
        else:
            self.winner = self.chooser = game.roll_off(ROLES_STAGE)

    def _stronger(self, game: Game) -> str:
        red, blue = game.players
        high, low = (red, blue) if self.levels[red] >= self.levels[blue] else (blue, red)
        ahead = self.levels[high] - self.levels[low]
        if ahead and (not self.margin or self.margin * ahead >= self.levels[low]):
            return high
        return ""

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """The winner of the roll-off must choose."""
        return (self.chooser,) if stage == ROLES_STAGE and self.chooser else ()

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take who won the roll-off."""
        if name != "winner_of_roll" or value not in game.players:
            return False
        self.winner = value
        return True

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Return the Attacker."""
        return {"attacker": game.attacker} | ({"winner_of_roll": self.winner} if self.winner else {})

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Both levels are known."""
        return {self.NAME: dict(self.levels)}


@rule_kind("command_points_at_muster")
class CommandPointsAtMuster(Rule):
    """A Battle-forged army begins with some CP; what its detachments bring its player enters with ``gain`` (N-60)."""

    battle_forged: int = given(Integer(0, 20), 3)

    def mustered(self, game: Game) -> None:
        """Give them, where the game does not begin in the middle and says nothing else."""
        for player in game.players:
            army = game.armies[player]
            if game.beginning.start is None and army.cp is None and army.battle_forged:
                game.gain_cp(player, self.battle_forged, "battle-forged")

    def gain_refusal(self, game: Game, player: str) -> Problem | None:
        """No CP are gained later (N-60)."""
        if not game.armies[player].battle_forged:
            return refuse("not_battle_forged", "Your army is not Battle-forged.", rule="N-60")
        if game.stage not in PREPARATION:
            return refuse("not_allowed", "No CP are gained once deployment has begun.", rule="N-60")
        return None


@act_kind("choose_first", stages=(FIRST_TURN_STAGE,))
class ChooseFirst(Act):
    """The winner of the roll-off chooses who goes first (2.3)."""

    player: str = given(OneOf(PLAYERS))

    def check(self, game: Game) -> Found:
        """Only the winner, after the roll."""
        rule = game.rule(FirstTurn)
        if not rule.winner or rule.chosen:
            yield refuse("wrong_moment", "There is nothing to choose now.", rule="2.3")
        elif rule.winner != self.by:
            yield not_yours("The winner of the roll-off chooses.", "2.3")

    def play(self, game: Game) -> None:
        """Note who goes first."""
        game.rule(FirstTurn).goes_first(game, self.player)


@rule_kind("first_turn", acts=(Roll, ChooseFirst))
class FirstTurn(RollingRule):
    """The Attacker, a die of the Attacker, or a roll-off whose winner chooses."""

    goes: str = given(OneOf(WAYS), ATTACKER_GOES)
    attacker_to: int = given(Integer(0, 6), 3)
    """The highest face with which the Attacker goes first."""

    dice: dict[str, int] = state(dict)
    """By player: number of dice, if more than one; the highest counts."""
    turned: str = state(str)
    """The player who goes first, whatever the mission says."""
    winner: str = state(str)
    chosen: str = state(str)

    def stage_entered(self, game: Game, stage: str) -> None:
        """Roll what nobody asks for."""
        if stage != FIRST_TURN_STAGE:
            return
        if self.turned:
            self.goes_first(game, self.turned)
        elif self.goes == ATTACKER_GOES:
            self.goes_first(game, game.attacker)
        elif self.goes == DIE:
            face = game.roll("first-turn")
            self.goes_first(game, game.attacker if face <= self.attacker_to else game.defender)

    def goes_first(self, game: Game, player: str) -> None:
        """Let a player have the first turn of every round."""
        self.chosen = game.clock.first = player
        game.emit("first_turn", player=player)

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """A player must call for the dice, and the winner must choose."""
        if stage != FIRST_TURN_STAGE or self.chosen:
            return ()
        return (self.winner or game.attacker,)

    # --- the roll-off ---

    def takes(self, game: Game, what: str) -> bool:
        """The roll-off for the first turn."""
        return what == ROLL

    def refusal(self, game: Game, player: str, what: str) -> Problem | None:
        """Either player may ask, once the Defender has passed what may be bought before it."""
        if game.stage != FIRST_TURN_STAGE:
            return refuse("wrong_stage", "This is for the stage first_turn.", "for", what, "2.3")
        if self.goes != ROLL_OFF or self.winner:
            return refuse("wrong_moment", "There is no roll-off now.", "for", what, "2.3")
        other = game.other(player)
        if other not in game.clock.passed and can_use(game, other, ROLL):
            code = "wrong_moment" if game.version == 1 else "choice_missing"
            return refuse(code, "The other player may still use a stratagem before it.", "for", what, "2.3")
        return None

    def make(self, game: Game, player: str, what: str) -> None:
        """Roll until someone is higher; more dice than one hold in ties, too (N-68)."""
        for _ in range(MAX_TIES):
            self.winner = higher({roller: self._highest(game, roller) for roller in game.players})
            if self.winner:
                game.emit("roll_off", winner=self.winner)
                return
        raise RulesError(f"first-turn: {MAX_TIES} ties in a row")

    def _highest(self, game: Game, player: str) -> int:
        return max(game.roll(f"first-turn/{player}") for _ in range(self.dice.get(player, 1)))

    def rollable(self, game: Game, player: str) -> Iterator[str]:
        """Yield the roll-off if it may be rolled now."""
        if game.stage == FIRST_TURN_STAGE and self.refusal(game, player, ROLL) is None:
            yield ROLL

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take who won the roll-off, in a game that begins with the choice."""
        start = game.beginning.start
        begins_here = start is not None and start.stage == FIRST_TURN_STAGE
        if name != "winner_of_roll" or value not in game.players or not begins_here:
            return False
        self.winner = value
        return True

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Return who won the roll-off."""
        return {"winner_of_roll": self.winner} if self.winner else {}
