"""The end of a battle for the campaign: retreat, table quarters, the report, who has won (4.3, 4.7, 4.8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.battle import HEX, battle_of, is_supporter
from server.referee.choices import TRUE, Choice, Offer, integer, one_of, some_of
from server.referee.game import Game
from server.referee.mission import BATTLE, PLAYERS, higher
from server.referee.normal_battle.battle_set_up import BattleSetUp
from server.referee.normal_battle.models_together import are_alike, as_brought
from server.referee.normal_battle.reinforcements import ARRIVE_IN, WITHHELD, Reinforcements
from server.referee.normal_battle.which_battle import RESERVES, SpecialRules, plays_scenario
from server.referee.reading import BOOL, ID, Integer, ListOf, OneOf, Record, TableOf, given, state
from server.referee.refusals import refuse
from server.referee.rule import Result, Rule, rule_kind
from server.referee.units import DESTROYED, EMBARKED, ESCAPED, RESERVE, TABLE, Unit

QUARTERS = 4
MAX_LOST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What a unit has lost."""

    lost: int = given(Integer(0, MAX_LOST), 0)
    """Models."""
    destroyed: bool = given(BOOL, False)
    damaged: bool = given(BOOL, False)
    immobilised: bool = given(BOOL, False)
    broken: bool = given(BOOL, False)
    """It fled off the table."""


@act_kind("retreat", stages=(BATTLE,), phases=(ARRIVE_IN,), turn=True)
class Retreat(Act):
    """Declare the retreat: from now on unbroken units may leave at the own edge (4.7)."""

    def check(self, game: Game) -> Found:
        """From the start of turn 3, once, before anything arrives."""
        rule = game.rule(BattleEnd)
        arrivals = game.find(Reinforcements)
        if game.round < rule.retreat_from:
            message = say("A retreat is declared from turn {turn} on.", turn=rule.retreat_from)
            yield refuse("not_allowed" if game.version == 1 else "wrong_moment", message, rule="4.7")
        elif self.by in rule.retreated:
            yield refuse("limit_reached", "The retreat has been declared.", rule="4.7")
        elif arrivals is not None and arrivals.arriving == (game.round, self.by):
            yield refuse("wrong_moment", "A retreat is declared before anything arrives.", rule="T-85")

    def play(self, game: Game) -> None:
        """Declare it."""
        game.rule(BattleEnd).retreated.append(self.by)
        game.emit("retreat", player=self.by)


@act_kind("quarters", stages=(BATTLE,), ending=True, holds=False)
class HoldQuarters(Act):
    """Report who holds how many quarters of the table (T-72)."""

    held: Mapping[str, int] = given(TableOf(Integer(0, QUARTERS)))

    def check(self, game: Game) -> Found:
        """After the last turn, where quarters count, four in all."""
        rule = game.rule(BattleEnd)
        if not rule.counts_quarters(game):
            yield refuse("not_allowed", "In this battle quarters count nothing.", rule="T-71")
        elif not game.clock.ending:
            yield refuse("wrong_moment", "Quarters count after the last turn.", rule="T-72")
        elif any(player not in PLAYERS for player in self.held):
            yield refuse("bad_value", "Quarters are held by red or blue.", "held", dict(self.held), "T-72")
        elif sum(self.held.values()) > QUARTERS:
            yield refuse("bad_value", "A table has four quarters.", "held", dict(self.held), "T-72")

    def play(self, game: Game) -> None:
        """Note it; a later report replaces it."""
        game.rule(BattleEnd).held = dict(self.held)
        game.emit("quarters", player=self.by, held=dict(self.held))

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer it after the last turn."""
        rule = game.rule(BattleEnd)
        if rule.counts_quarters(game) and game.clock.ending and rule.held is None:
            yield Offer({"held.red": integer(0, 2), "held.blue": integer(0, 2)})


@act_kind("report", stages=(BATTLE,), ending=True, holds=False)
class Report(Act):
    """Report the battle's end to the campaign (T-82)."""

    battle: str | None = given(HEX, None)
    """Left out: this one."""
    winner: str | None = given(OneOf(("", *PLAYERS)), None)
    retreated: str = given(OneOf(("", *PLAYERS)), "")
    losses: Mapping[str, Loss] = given(TableOf(Record(Loss), keys="unit"), {})
    took_part: tuple[str, ...] | None = given(ListOf(ID, max=400), None)
    withheld: tuple[str, ...] = given(ListOf(ID, max=400), ())
    bombarded: tuple[str, ...] = given(ListOf(ID, max=400), ())
    works: Mapping[str, int] = given(TableOf(Integer(0, 1000)), {})

    def check(self, game: Game) -> Found:
        """After the last turn and the quarters; units of this battle, no more losses than there are models."""
        rule = game.rule(BattleEnd)
        if not game.clock.ending:
            yield refuse("wrong_moment", "The battle is not over.", rule="T-82")
        elif self.battle is not None and self.battle != battle_of(game).hex:
            yield refuse("bad_value", "This is the hex of another battle.", "battle", self.battle, "T-82")
        elif rule.waits_for_quarters(game) and self.winner is None:
            yield refuse("report_missing", "Say first who holds the quarters.", rule="T-72")
        elif plays_scenario(game) and self.winner is None and not rule.retreated:
            yield refuse("missing_field", "The field {name} is missing.", "winner", rule="T-67", name="winner")
        else:
            yield from self._wrong_units(game)
            yield from self._wrong_withheld(game)

    def _wrong_units(self, game: Game) -> Found:
        lists = {"took_part": self.took_part or (), "withheld": self.withheld, "bombarded": self.bombarded}
        for field, ids in {"losses": tuple(self.losses), **lists}.items():
            for id_ in ids:
                if id_ not in game.units:
                    code = "unknown_id" if field == "losses" else "bad_value"
                    message = say("There is no {what} called {value}.", what="unit", value=id_)
                    yield refuse(code, message, field, id_, "T-82")
        named = [id_ for ids in lists.values() for id_ in ids]
        if len(dict.fromkeys(named)) != len(named):
            yield refuse("bad_value", "A unit is named twice.", "took_part", rule="T-82")
        for id_, loss in self.losses.items():
            unit = game.units.get(id_)
            if unit is not None and loss.lost > (unit.models_now or unit.models):
                message = say("{unit} has fewer models than that.", unit=unit.name)
                yield refuse("bad_value", message, f"losses.{id_}.lost", loss.lost, "T-82")

    def _wrong_withheld(self, game: Game) -> Found:
        for id_ in self.withheld:
            unit = game.units.get(id_)
            if unit is not None and not may_withhold(game, unit):
                yield refuse("bad_value", "{unit} was not withheld.", "withheld", id_, "4.7", unit=unit.name)

    def play(self, game: Game) -> None:
        """Note it; it is settled when the other player confirms it."""
        rule = game.rule(BattleEnd)
        rule.report, rule.reporter = self, self.by
        game.emit("report", player=self.by, winner=rule.winner_of(game, self), vp=rule.points(game, self))
        if game.beginning.taken_as_confirmed:
            rule.confirm(game)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer it after the last turn."""
        rule = game.rule(BattleEnd)
        if not game.clock.ending or rule.waits_for_quarters(game):
            return
        fields: dict[str, Choice] = {"winner": one_of(("", *PLAYERS))}
        fields["winner"] = fields["winner"] if plays_scenario(game) else fields["winner"].optional()
        fields["retreated"] = one_of(PLAYERS).optional()
        for unit in game.units.values():
            if not unit.gone:
                fields[f"losses.{unit.id}.lost"] = integer(0, unit.models_now).optional()
                fields[f"losses.{unit.id}.destroyed"] = TRUE.optional()
        fields["bombarded"] = some_of([unit.id for unit in game.units.values() if is_supporter(game, unit)]).optional()
        yield Offer(fields)


@rule_kind("battle_end", acts=(Retreat, HoldQuarters, Report))
class BattleEnd(Rule):
    """How a battle ends, and what goes back to the campaign."""

    quarter: int = given(Integer(0, 10_000), 150)
    """VP for a quarter held (T-71)."""
    retreat_from: int = given(Integer(1, 50), 3)
    retreated: list[str] = state(list)
    held: dict[str, int] | None = state(lambda: None)
    report: Report | None = state(lambda: None)
    reporter: str = state(str)
    settled: bool = state(bool)
    winner: str = state(str)
    """The winner, once decided; empty: nobody."""

    def counts_quarters(self, game: Game) -> bool:
        """True in a normal battle that is an attack, on no stronghold (T-71)."""
        battle = battle_of(game)
        return not (plays_scenario(game) or battle.raid or battle.stronghold)

    def waits_for_quarters(self, game: Game) -> bool:
        """True where quarters count and nobody has said who holds them; a retreat has decided the battle already."""
        return self.counts_quarters(game) and self.held is None and not self.retreated

    # --- the end ---

    def may_end(self, game: Game, player: str) -> str | None:
        """Whose enemy has nobody left ends it alone; after a retreat, or in a scenario, both do."""
        if not self._has_somebody(game, game.other(player)):
            return "alone"
        return "both" if self.retreated or plays_scenario(game) else None

    def _has_somebody(self, game: Game, player: str) -> bool:
        return any(unit.state in (TABLE, EMBARKED, RESERVE) for unit in game.units_of(player))

    def ending_wants(self, game: Game) -> tuple[str, ...]:
        """The report is due, and its confirmation."""
        if self.settled:
            return ()
        return game.players if self.report is None else (game.other(self.reporter),)

    def may_confirm(self, game: Game, player: str) -> bool:
        """The other player confirms the report."""
        return self.report is not None and not self.settled and player != self.reporter

    def confirmed(self, game: Game, player: str) -> None:
        """Both have the same report."""
        self.confirm(game)

    def waits_for(self, game: Game) -> str:
        """Let the game master confirm the report in the other player's place."""
        return game.other(self.reporter) if self.report is not None else ""

    def confirm(self, game: Game) -> None:
        """Settle the report: count the points, note what is destroyed."""
        assert self.report is not None
        self.settled, self.winner = True, self.winner_of(game, self.report)
        for player, vp in self.points(game, self.report).items():
            game.score(player, vp, "battle")
        for id_, loss in self.report.losses.items():
            unit = game.units[id_]
            left = unit.models_now - loss.lost
            if loss.destroyed or left <= 0:
                game.put(unit, DESTROYED)
            else:
                unit.models_now = left
                if loss.broken:
                    game.put(unit, ESCAPED)

    # --- points ---

    def points(self, game: Game, report: Report) -> dict[str, int]:
        """Return the VP of both (T-71): enemy units, and quarters where they count."""
        if plays_scenario(game):
            return dict.fromkeys(PLAYERS, 0)
        held = self.held if self.held is not None and self.counts_quarters(game) else {}
        return {
            player: self.quarter * held.get(player, 0)
            + sum(worth(unit, report.losses.get(unit.id)) for unit in game.units_of(game.other(player)))
            for player in game.players
        }

    def winner_of(self, game: Game, report: Report) -> str:
        """Return who has won (D-67): who retreats or has nobody left loses; else as reported, else by VP."""
        if losers := [player for player in game.players if self._has_lost(game, player, report)]:
            return game.other(losers[0]) if len(losers) == 1 else game.defender
        if report.winner is not None:
            return report.winner
        return higher(self.points(game, report))

    def _ran(self, report: Report) -> list[str]:
        return [*self.retreated, *([report.retreated] if report.retreated else [])]

    def _has_lost(self, game: Game, player: str, report: Report) -> bool:
        """True for those who retreat, but for a raider in a normal battle (4.7), and for those who have nobody left."""
        may_break_off = player == game.attacker and battle_of(game).raid and not plays_scenario(game)
        if player in self._ran(report) and not may_break_off:
            return True
        return not any(
            unit.state in (TABLE, EMBARKED) and not is_gone(unit, report.losses.get(unit.id))
            for unit in game.units_of(player)
        )

    def result(self, game: Game) -> Result | None:
        """Return who has won."""
        if self.report is None:
            return None
        return Result(self.winner, "victory" if self.winner else "draw")

    # --- what is known ---

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Both know retreats, quarters and the report; the campaign takes ``order`` (T-82)."""
        return {
            "retreated": list(self.retreated),
            "held": self.held,
            "reporter": self.reporter,
            "settled": self.settled,
            **self._lost(game),
            "order": self.order(game) if self.settled else None,
        }

    def _lost(self, game: Game) -> dict[str, dict[str, int]]:
        """Return the models that were reported lost during the battle, by unit; older records told none."""
        lost = {unit.id: unit.lost for unit in game.units.values() if unit.lost}
        return {"lost": lost} if lost else {}

    def order(self, game: Game) -> dict[str, Any]:
        """Return the report as the campaign's order ``report`` has it; a draw is the defender's (D-67).

        It names one player who retreated: where both did, the one who lost by it.
        """
        report = self.report
        assert report is not None
        winner = self.winner or game.defender
        ran = self._ran(report)
        retreated = game.other(winner) if game.other(winner) in ran else next(iter(ran), "")
        order: dict[str, Any] = {
            "battle": battle_of(game).hex,
            "winner": winner,
            "losses": losses_for_campaign(game, report.losses),
            "withheld": list(report.withheld) if game.version == 1 else withheld_units(game),
            "bombarded": list(report.bombarded),
            "works": dict(report.works),
        }
        if retreated:
            order["retreated"] = retreated
        if report.took_part is not None:
            order["took_part"] = list(report.took_part)
        return order


def losses_for_campaign(game: Game, losses: Mapping[str, Loss]) -> dict[str, dict[str, Any]]:
    """Return the losses by the campaign's units, the dice's included, of the models each unit brought."""
    told = {unit.id: unit.lost for unit in game.units.values() if unit.lost and (unit.id in losses or not unit.gone)}
    reported: dict[str, Loss] = {**dict.fromkeys(told, Loss()), **losses}
    reported = {id_: replace(loss, lost=loss.lost + told.get(id_, 0)) for id_, loss in reported.items()}
    shot_down = [unit.id for unit in game.units.values() if unit.state == DESTROYED and unit.id not in losses]
    all_ = {**reported, **{id_: Loss(destroyed=True) for id_ in shot_down}}
    set_up = game.find(BattleSetUp)
    moved = set_up.moved if set_up is not None else {}
    fielded = {id_: moved[id_][1] if loss.destroyed else loss.lost for id_, loss in all_.items() if id_ in moved}
    lost = as_brought(moved, fielded, lambda one, other: are_alike(game.units[one], game.units[other]))
    none = Loss()
    return {
        id_: {"lost": lost.get(id_, loss.lost), "destroyed": loss.destroyed, "damaged": loss.damaged}
        | {"immobilised": loss.immobilised, "broken": loss.broken}
        for id_, loss in {**dict.fromkeys(lost, none), **all_}.items()
    }


def worth(unit: Unit, loss: Loss | None) -> int:
    """Return the VP that a unit's losses give the enemy (T-71)."""
    if is_gone(unit, loss):
        return unit.points
    loss = loss or Loss()
    halved = (loss.lost or unit.lost) and 2 * (unit.models_now - loss.lost) <= unit.models
    return unit.points // 2 if halved or loss.damaged or loss.immobilised else 0


def is_gone(unit: Unit, loss: Loss | None) -> bool:
    """True for a unit that was destroyed, or fled off the table."""
    if unit.gone or loss is None:
        return unit.gone
    return loss.destroyed or loss.broken or loss.lost >= unit.models_now


def withheld_units(game: Game) -> list[str]:
    """Return the units that both sides have declared to withhold (T-82a)."""
    return [unit.id for unit in game.units.values() if unit.marks.get(WITHHELD)]


def may_withhold(game: Game, unit: Unit) -> bool:
    """True for a unit in reserve whose player may use reserves and fields one HQ and two troops choices (4.7)."""
    if game.version > 1:
        return bool(unit.marks.get(WITHHELD))
    rules = game.find(SpecialRules)
    if unit.state != RESERVE or (rules is not None and not rules.may_use(unit.side, RESERVES)):
        return False
    fielded = [
        other.role for other in game.units_of(unit.side) if other.state != RESERVE and not is_supporter(game, other)
    ]
    return fielded.count("hq") >= 1 and fielded.count("troops") >= 2
