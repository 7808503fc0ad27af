"""Acts of every game: ending phases, what both must want, passing for the other side, objecting, taking back.

Taking back goes by consent, the last acts one by one; dice stay as rolled, the record keeps everything.
"""

from __future__ import annotations

from collections.abc import Iterator

from server.core.errors import Problem
from server.core.sentences import say
from server.referee import clock as clocks
from server.referee.act import Act, Found, act_kind
from server.referee.choices import Offer, offer, one_of
from server.referee.game import Game
from server.referee.mission import BATTLE, GAME_MASTER, PLAYERS
from server.referee.reading import Integer, OneOf, given
from server.referee.refusals import not_yours, refuse
from server.referee.rule import ALONE, Awaited, Rule

END_NOW = "end_now"
GO_ON = "go_on"
UNDONE_ALONE = 3
"""The first version of the referee in which a player who was passed over undoes that alone."""
REOPENED_ALONE = 4
"""The first version in which a player reopens alone what they sealed."""
VERDICTS = STANDS, WITHDRAWN = ("stands", "withdrawn")
"""What becomes of the report: it stands as it is, or it is as if it had not been given."""
TAKE_BACK = "take_back"


@act_kind("confirm", by=(*PLAYERS, GAME_MASTER), ending=True)
class Confirm(Act):
    """Confirm what the rules ask this player to confirm; the game master decides in a player's place."""

    instead_of: str = ""
    """The player whose word the game master's is; empty: whoever the rules wait for."""

    def check(self, game: Game) -> Found:
        """There must be something to confirm."""
        if not any(_waiting(game, self.by, self.instead_of)):
            yield refuse("wrong_moment", "There is nothing for you to confirm.")

    def play(self, game: Game) -> None:
        """Let the first rule that waits for it have it."""
        rule, player = next(_waiting(game, self.by, self.instead_of))
        game.emit("confirmed", player=self.by)
        rule.confirmed(game, player)

    @classmethod
    def holding(cls, game: Game, player: str) -> Iterator[Offer]:
        """Hold a stage only if the mission asks for the players' word."""
        if any(not rule.word_is_free(game) for rule, _ in _waiting(game, player)):
            yield offer()


def _waiting(game: Game, by: str, instead_of: str = "") -> Iterator[tuple[Rule, str]]:
    """Yield the rules that wait for a word of *by*, and for which player it counts."""
    for rule in game.rules:
        player = by if by != GAME_MASTER else instead_of or rule.waits_for(game)
        if player and rule.may_confirm(game, player):
            yield rule, player


@act_kind("end_now", stages=(BATTLE,), holds=False)
class EndNow(Act):
    """End the battle before its time, where the rules allow it or both want it."""

    def check(self, game: Game) -> Found:
        """Ask the mission's rules."""
        if (answer := game.refusal_of_end(self.by)) is None:
            yield refuse("not_allowed", "The battle cannot be ended now.", rule="T-29")
        elif isinstance(answer, Problem):
            yield answer
        elif answer != ALONE and game.wanted(END_NOW, self.by):
            yield refuse("wrong_moment", "You have said so; the other player has not.")

    def play(self, game: Game) -> None:
        """End it, or wait for the other player."""
        if game.refusal_of_end(self.by) == ALONE or game.agree(END_NOW, self.by, True):
            game.emit("ended_early", player=self.by)
            game.end_battle()
        else:
            game.emit("wants_to_end", player=self.by)


def waits_for(game: Game, player: str) -> list[Awaited]:
    """Return the actions of *player* that the other side waits for and may pass; a stage's ``done`` is last."""
    if game.over or game.version == 1:
        return []
    found = [awaited for part in game.ask("awaited", player) for awaited in part]
    if _may_be_done(game, player):
        found.append(Awaited("end_phase", before="stage"))
    return found


def passed_without(game: Game) -> str:
    """Return the player that the last action passed over, if they may undo it alone; empty: nobody.

    If it rolled dice, the other player must agree: nobody chooses with the dice known.
    """
    if game.version < UNDONE_ALONE or not game.acts:
        return ""
    last = game.acts[-1][1]
    if not isinstance(last, GoOn) or game.rolled_in == len(game.acts):
        return ""
    return game.other(last.by)


def sealed_by(game: Game) -> str:
    """Return the player who sealed the last action and may reopen it alone; empty: nobody.

    They may while the other has not sealed theirs: until both are in, nobody has seen anything. The second seal opens
    both, so it never is one of these.
    """
    if game.version < REOPENED_ALONE or not game.acts:
        return ""
    last = game.acts[-1][1]
    waits = last.SEALED and game.stage in last.STAGES
    return last.by if waits and last.by not in game.ask_players("stage_wants", game.stage) else ""


def _may_be_done(game: Game, player: str) -> bool:
    """Say whether a stage, or the end of the battle, waits only for *player* to say that they are done."""
    clock = game.clock
    if (game.stage == BATTLE and not clock.ending) or player in clock.passed:
        return False
    if player in game.ask_players(*(("ending_wants",) if game.stage == BATTLE else ("stage_wants", game.stage))):
        return False
    if game.stage in game.mission.left_by_both:
        return game.other(player) in clock.passed
    return game.has_open(player)


def missing(game: Game, player: str, before: str, unit: str = "") -> Problem | None:
    """Return whether anything waits for *player* before ``end_phase`` or ``roll`` (about a unit)."""
    for part in game.ask("awaited", player):
        for awaited in part:
            if awaited.before == before and (not unit or not awaited.units or unit in awaited.units):
                return still_to_choose(player, awaited)
    return None


def still_to_choose(player: str, awaited: Awaited) -> Problem:
    """Return the refusal that names who is awaited, and what for."""
    message = say("{player} may still act: {what}.", player=player, what=awaited.name or awaited.what)
    return refuse("choice_missing", message, "awaited", player, "N-61")


@act_kind(GO_ON, ending=True, holds=False)
class GoOn(Act):
    """Passes for the other side what one waits for; the page offers it when they have had their time."""

    def check(self, game: Game) -> Found:
        """There must be something that one waits for."""
        if not waits_for(game, game.other(self.by)):
            yield refuse("wrong_moment", "You wait for nothing that could be passed.", rule="N-61")

    def play(self, game: Game) -> None:
        """Pass it."""
        other = game.other(self.by)
        done = _may_be_done(game, other)
        game.emit("went_on", player=self.by, without=other)
        game.call("passed_for", other)
        if done:
            game.clock.passed[other] = None


@act_kind("end_phase", ending=True, holds=False)
class EndPhase(Act):
    """The side that has the turn leaves its phase; in a stage, or after the last turn, a player is done."""

    def check(self, game: Game) -> Found:
        """Wait for what the rules want first."""
        in_turn = game.stage == BATTLE and not game.clock.ending
        if in_turn and game.turn != self.by:
            yield not_yours()
        elif game.objection is not None:
            yield refuse("objection_open", "An objection stands.", rule="N-09")
        elif in_turn:
            yield from _missing_in_turn(game)
        elif self.by in game.clock.passed:
            yield refuse("wrong_moment", "You are done here already.")
        else:
            hook, args = ("ending_wants", ()) if game.stage == BATTLE else ("stage_wants", (game.stage,))
            if self.by in game.ask_players(hook, *args):
                yield _still_to_set_up(game, self.by)

    def play(self, game: Game) -> None:
        """Go on."""
        if game.stage == BATTLE and not game.clock.ending:
            clocks.end_phase(game)
        else:
            game.clock.passed[self.by] = None
            game.emit("passed", player=self.by, stage=game.stage)


def _still_to_set_up(game: Game, player: str) -> Problem:
    if names := [name for part in game.ask("still_to_place", player) for name in part]:
        message = say("These units are still to be set up: {units}.", units=", ".join(names))
        return refuse("choice_missing", message, "units", names, "N-17")
    return refuse("choice_missing", "Something must still be chosen in {stage}.", stage=game.stage)


def _missing_in_turn(game: Game) -> Iterator[Problem]:
    for problem in game.ask("phase_missing", game.phase):
        if problem is not None:
            yield problem
    if game.version > 1 and (awaited := missing(game, game.other(game.turn), "end_phase")):
        yield awaited


def reports(game: Game, of: str) -> list[int]:
    """Return the numbers of the reports of a player since the last ``end_phase``, in order."""
    found: list[int] = []
    for number, act in reversed(game.acts):
        if act.DO == "end_phase":
            break
        if 0 < act.REPORT <= game.version and act.by == of:
            found.append(number)
    return found[::-1]


def reports_waiting(game: Game) -> list[int]:
    """Return the numbers of each player's last report if the other player must still confirm it (T-07)."""
    last = {act.by: number for number, act in game.acts if act.CONFIRMED}
    return [number for by, number in last.items() if Confirm.fits(game, GAME_MASTER, instead_of=game.other(by))]


@act_kind("object", ending=True, holds=False, meta=True)
class Object(Act):
    """Object to a report of the other player; the phase then waits."""

    act: int | None = given(Integer(), None)
    """Its number in the record; left out: the last one."""

    def check(self, game: Game) -> Found:
        """There must be such a report, and no objection yet."""
        known = reports(game, game.other(self.by))
        if game.objection is not None:
            yield refuse("limit_reached", "An objection stands already.", rule="N-09")
        elif self.act is not None and self.act not in known:
            message = say("Act {act} is no report that you could object to now.", act=self.act)
            yield refuse("wrong_target", message, "act", self.act, "N-09")
        elif not known:
            yield refuse("wrong_moment", "There is no report to object to.", rule="N-09")

    def play(self, game: Game) -> None:
        """Let the phase wait."""
        game.objection = reports(game, game.other(self.by))[-1] if self.act is None else self.act
        game.emit("objection", player=self.by, act=game.objection)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every report since the last ``end_phase``."""
        if game.objection is None and (known := reports(game, game.other(player))):
            yield offer(act=one_of(known).optional())


@act_kind("settle", by=(GAME_MASTER,), ending=True, holds=False, meta=True)
class Settle(Act):
    """The game master ends an objection: the report stands, or is withdrawn."""

    verdict: str = given(OneOf(VERDICTS), name="as")

    def check(self, game: Game) -> Found:
        """There must be an objection."""
        if game.objection is None:
            yield refuse("wrong_moment", "There is no objection.", rule="N-09")

    def play(self, game: Game) -> None:
        """End the objection; a report that stands needs no other word (T-07)."""
        number = game.objection
        game.objection = None
        game.emit("settled", act=number, verdict=self.verdict)
        if number is None:
            return
        if self.verdict == WITHDRAWN:
            game.undo, game.withdrawn = (number,), True
        elif number in reports_waiting(game):
            objector = game.other(dict(game.acts)[number].by)
            game.follow = Confirm(by=self.by, instead_of=objector)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer both verdicts while an objection stands."""
        if game.objection is not None:
            yield Offer({"as": one_of(VERDICTS)})


@act_kind(TAKE_BACK, ending=True, holds=False, meta=True)
class TakeBack(Act):
    """Undo the last action, once the other player agrees; or withdraw your own objection.

    A player who was passed over undoes that alone (N-61). So does a player who has sealed something, while the
    other has not.
    """

    @classmethod
    def wrong_now(cls, game: Game, by: str) -> str:
        """Be there always, also when the game is over."""
        return "" if by in PLAYERS else "not_yours"

    def check(self, game: Game) -> Found:
        """There must be something to undo."""
        if game.objection is not None and _objects(game, self.by):
            return
        if not game.acts:
            yield refuse("wrong_moment", "There is nothing to take back.")
        elif game.wanted(TAKE_BACK, self.by) == game.acts[-1][0]:
            yield refuse("wrong_moment", "You have said so; the other player has not.")

    def play(self, game: Game) -> None:
        """Give up the objection, or take the last act back when both want it."""
        if game.objection is not None and _objects(game, self.by):
            game.emit("objection_ended", player=self.by, act=game.objection)
            game.objection = None
            return
        number = game.acts[-1][0]
        alone = self.by in (passed_without(game), sealed_by(game))
        if game.objection == number or alone or game.agree(TAKE_BACK, self.by, number):
            game.undo, game.withdrawn = (number,), game.objection == number
        else:
            game.emit("wants_to_take_back", player=self.by, act=number)


def _objects(game: Game, player: str) -> bool:
    """Say whether the objection that stands is this player's: it is against an act of the other."""
    return any(number == game.objection and act.by != player for number, act in game.acts)
