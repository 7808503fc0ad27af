"""Control of the markers at checkpoints, from the levels players report (T-05 to T-09); securing them (T-08).

Characters in range of a site that their player controls claim it while they stay (T-25).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from server.core.errors import Problem
from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.choices import BOOLEAN, Choice, Offer, integer, offer, one_of, some_of
from server.referee.game import Game, Marker
from server.referee.mission import NO_MANS_LAND, PLAYERS, higher
from server.referee.reading import BOOL, ID, MARKER, PHASE, Integer, ListOf, OneOf, Record, TableOf, given, state
from server.referee.refusals import refuse, unknown
from server.referee.rule import Rule, rule_kind
from server.referee.units import DESTROYED, ESCAPED, TABLE, Unit

HOLDERS = (*PLAYERS, "contested", "none")
MAX_OC = 200
OFFERED_OC = 20
"""The highest level that is offered; higher ones may be reported."""
OFFERED_LEVEL, OFFERED_BATTLELINE = integer(0, OFFERED_OC).optional(), BOOLEAN.optional()


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """A report about one marker. Values left out stay as they were."""

    oc: Mapping[str, int] = given(TableOf(Integer(0, MAX_OC)), {})
    holder: str = given(OneOf(("", *HOLDERS)), "")
    """The player with more, instead of the levels: the players can see it on the table."""
    battleline: bool | None = given(BOOL, None)
    characters: tuple[str, ...] | None = given(ListOf(ID, max=50), None)


@act_kind("control", stages=("battle",), turn=True, report=1, confirmed=True)
class Report(Act):
    """The levels at a checkpoint, by the player whose turn it is (T-07)."""

    markers: Mapping[str, Level] = given(TableOf(Record(Level), keys="marker"))

    @classmethod
    def wrong_now(cls, game: Game, by: str) -> str:
        """The other player may answer a report with figures of their own (T-07)."""
        code = super().wrong_now(game, by)
        answers = code == "not_yours" and not game.beginning.taken_as_confirmed
        return "" if answers and game.rule(Control).may_confirm(game, by) else code

    def check(self, game: Game) -> Found:
        """Reports belong to checkpoints only."""
        if not game.rule(Control).checkpoint(game):
            yield refuse("wrong_phase", "No report is asked for at the end of this phase.", rule="T-06")
        for id_, level in self.markers.items():
            if id_ not in game.markers:
                yield unknown("marker", "markers", id_)
            for player in level.oc:
                if player not in PLAYERS:
                    yield unknown("player", f"markers.{id_}.oc", player)
            if level.holder and (level.oc or game.version == 1):
                yield refuse(
                    "bad_value", "Report levels or who holds it.", f"markers.{id_}.holder", level.holder, "T-07"
                )

    def play(self, game: Game) -> None:
        """Keep it until the checkpoint."""
        game.rule(Control).take(game, self)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the levels of every marker on the table."""
        rule = game.rule(Control)
        if not rule.checkpoint(game):
            return
        if game.version > 1:
            lying = [marker.id for marker in _on_table(game)]
            yield Offer({f"markers.{id_}.holder": one_of(HOLDERS).optional() for id_ in lying})
        fields: dict[str, Choice] = {}
        for marker in game.markers.values():
            if marker.removed:
                continue
            for side in PLAYERS:
                fields[f"markers.{marker.id}.oc.{side}"] = OFFERED_LEVEL
            fields[f"markers.{marker.id}.battleline"] = OFFERED_BATTLELINE
            for more in game.ask("report_fields", marker):
                fields.update(more)
        yield Offer(fields)


@rule_kind("control", acts=(Report,))
class Control(Rule):
    """The greater level controls, equal ones nothing, at the end of some phases and of every turn (T-05, T-06)."""

    phases: tuple[str, ...] = given(ListOf(PHASE), ("command",))
    securing: bool = given(BOOL, True)
    """Battleline units secure what they control (T-08)."""

    reported: bool = state(bool)
    """The report for the next checkpoint is there."""
    confirmed_by: dict[str, None] = state(dict)
    answer: Report | None = state(lambda: None)
    """Figures of the other player that are not those reported; the step waits until both agree (T-07)."""
    battleline: dict[str, bool] = state(dict)
    """By marker, for this checkpoint only."""
    characters: dict[str, tuple[str, ...]] = state(dict)
    """By marker: models of Characters in range, as last reported."""

    def checkpoint(self, game: Game) -> bool:
        """Say whether the end of the present phase is a checkpoint, or leads to one."""
        if game.clock.ending:
            return False
        phase = game.phase
        return phase in self.phases or phase == game.mission.phases[-1] or game.clock.cut

    def take(self, game: Game, report: Report) -> None:
        """Keep a report; what it does not name stays as it was. The other player's is an answer."""
        if report.by != game.turn:
            self.answer = report
        else:
            self.reported = True
            self.confirmed_by.clear()
            self._enter(game, report)
        levels = {
            marker.id: {**marker.levels, **(report.markers[marker.id].oc if marker.id in report.markers else {})}
            for marker in game.markers.values()
            if not marker.removed
        }
        holders = {id_: level.holder for id_, level in report.markers.items() if level.holder}
        game.emit("reported", player=report.by, levels=levels, **({"holders": holders} if holders else {}))
        if self.answer is not None and self._is_entered(game, self.answer):
            self.confirmed_by[self.answer.by] = None
            self.answer = None

    def _enter(self, game: Game, report: Report) -> None:
        for id_, level in report.markers.items():
            marker = game.markers[id_]
            if level.holder:
                marker.levels.clear()
                marker.holder = level.holder
            elif level.oc:
                marker.levels.update(level.oc)
                marker.holder = ""
            if level.battleline is not None:
                self.battleline[id_] = level.battleline
            if level.characters is not None:
                self.characters[id_] = level.characters

    def _is_entered(self, game: Game, report: Report) -> bool:
        """Say whether a report would change nothing."""
        return all(
            (
                not level.holder
                or (_leader(game.markers[id_]) or "") == (level.holder if level.holder in PLAYERS else "")
            )
            and (not level.oc or not game.markers[id_].holder)
            and all(game.markers[id_].levels.get(player, 0) == oc for player, oc in level.oc.items())
            and level.battleline in (None, self.battleline.get(id_, False))
            and (level.characters is None or sorted(level.characters) == sorted(self.characters.get(id_, ())))
            for id_, level in report.markers.items()
        )

    def is_out_of_range(self, marker: str, model: str) -> None:
        """Forget that a Character was last reported in range of a marker."""
        if model in self.characters.get(marker, ()):
            self.characters[marker] = tuple(other for other in self.characters[marker] if other != model)

    def phase_missing(self, game: Game, phase: str) -> Problem | None:
        """Ask for the report, and for the other player's word."""
        if not self.checkpoint(game):
            return None
        if not self.reported:
            return refuse("report_missing", "The levels at the markers have not been reported.", rule="T-07")
        other = game.other(game.turn)
        if not game.beginning.taken_as_confirmed and other not in self.confirmed_by:
            return refuse("report_missing", "The other player has not confirmed the levels.", rule="T-07")
        return None

    def may_confirm(self, game: Game, player: str) -> bool:
        """Let the other player confirm the report, and its player the answer to it."""
        if not self.reported or not self.checkpoint(game):
            return False
        return self.answer is not None if player == game.turn else player not in self.confirmed_by

    def confirmed(self, game: Game, player: str) -> None:
        """Go by the report, or by the answer to it."""
        if player == game.turn and self.answer is not None:
            self._enter(game, self.answer)
        self.confirmed_by[game.other(game.turn)] = None
        self.answer = None

    def waits_for(self, game: Game) -> str:
        """Let the game master confirm the report in the other player's place."""
        return game.other(game.turn) if game.turn else ""

    def phase_ending(self, game: Game, phase: str) -> None:
        """Do (b), (c) and (d) of T-09."""
        if phase not in self.phases:
            return
        for marker in _on_table(game):
            if marker.secured and _leader(marker) == game.other(marker.secured):
                game.emit("secured_ended", marker=marker.id, player=marker.secured)
                marker.secured = ""
        self._determine(game)
        for marker in _on_table(game) if self.securing else ():
            if marker.control == game.turn and self.battleline.get(marker.id) and marker.secured != game.turn:
                marker.secured = game.turn
                game.emit("secured", marker=marker.id, player=game.turn)
        self._close()

    def turn_ending(self, game: Game) -> None:
        """Determine control; no mark is made or ended."""
        self._determine(game)
        self._close()

    def _determine(self, game: Game) -> None:
        for marker in _on_table(game):
            game.control(marker, self._controls(game, marker, marker.secured))

    def _controls(self, game: Game, marker: Marker, secured: str) -> str:
        contestable = game.beginning.settings.secured == "contestable"
        leader = _leader(marker)
        if secured and not (contestable and leader):
            return secured
        return leader if marker.levels or marker.holder else marker.control

    def foreseen_control(self, game: Game, marker: Marker) -> str:
        """Return who controls a marker at this checkpoint; a mark that must end has ended (T-09)."""
        if marker.removed or not self.checkpoint(game):
            return marker.control
        ends = marker.secured and game.phase in self.phases and _leader(marker) == game.other(marker.secured)
        return self._controls(game, marker, "" if ends else marker.secured)

    def _close(self) -> None:
        self.reported = False
        self.answer = None
        self.confirmed_by.clear()
        self.battleline.clear()


def _on_table(game: Game) -> list[Marker]:
    return [marker for marker in game.markers.values() if not marker.removed]


def _leader(marker: Marker) -> str:
    """Return who has the greater level; empty: equal (T-05)."""
    if marker.holder:
        return marker.holder if marker.holder in PLAYERS else ""
    return higher({player: marker.levels.get(player, 0) for player in PLAYERS})


@act_kind("leave", stages=("battle",), holds=False, report=1)
class Leave(Act):
    """Report that a claiming model is out of range, or gone: its claim ends (T-25)."""

    marker: str = given(MARKER)
    character: str = given(ID)

    def check(self, game: Game) -> Found:
        """The model must have a claim there."""
        marker = game.markers[self.marker]
        if self.character in marker.claims.get(self.by, {}):
            return
        if self.character in marker.claims.get(game.other(self.by), {}):
            yield refuse("not_yours", "{model} is not yours.", "character", self.character, model=self.character)
        else:
            message = say("{model} claims nothing there.", model=self.character)
            yield refuse("wrong_target", message, "character", self.character, "T-25")

    def play(self, game: Game) -> None:
        """End the claim."""
        end_claim(game, game.markers[self.marker], self.by, self.character)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer each claim to its own player."""
        for marker in game.markers.values():
            if models := list(marker.claims.get(player, {})):
                yield offer(marker=one_of([marker.id]), character=one_of(models))


def end_claim(game: Game, marker: Marker, player: str, model: str) -> None:
    """End one model's claim; the others' stand. It is out of range until a report names it again."""
    del marker.claims[player][model]
    game.rule(Control).is_out_of_range(marker.id, model)
    game.emit("claim_ended", marker=marker.id, player=player, model=model)


@rule_kind("claim_sites", acts=(Leave,))
class ClaimSites(Rule):
    """At the end of a phase the active player's Characters claim the sites they control; sites lie in No Man's Land."""

    phase: str = given(PHASE, "command")

    def sites(self, game: Game) -> list[Marker]:
        """Return the sites that are left."""
        return [marker for marker in game.markers.values() if marker.zone == NO_MANS_LAND and not marker.removed]

    def phase_ending(self, game: Game, phase: str) -> None:
        """End what is out of range, then claim."""
        if phase != self.phase:
            return
        self._out_of_range(game)
        characters = game.rule(Control).characters
        for site in self.sites(game):
            if site.control != game.turn:
                continue
            for model in characters.get(site.id, ()):
                unit = game.units.get(model)
                claims = site.claims.setdefault(game.turn, {})
                others = site.claims.get(game.other(game.turn), {})
                own = unit.side == game.turn if unit is not None else model not in others
                if own and model not in claims:
                    claims[model] = game.round
                    game.emit("claimed", marker=site.id, player=game.turn, model=model)

    def turn_ending(self, game: Game) -> None:
        """End what is out of range."""
        self._out_of_range(game)

    def _out_of_range(self, game: Game) -> None:
        """End the claims of models that a report no longer names (T-25)."""
        characters = game.rule(Control).characters
        for site in self.sites(game):
            if (in_range := characters.get(site.id)) is None:
                continue
            for player, claims in site.claims.items():
                for model in list(claims):
                    if model not in in_range:
                        end_claim(game, site, player, model)

    def unit_changed(self, game: Game, unit: Unit, before: str) -> None:
        """End the claims of a model that is gone."""
        if unit.state not in (DESTROYED, ESCAPED):
            return
        for marker in game.markers.values():
            if unit.id in marker.claims.get(unit.side, {}):
                end_claim(game, marker, unit.side, unit.id)

    def report_fields(self, game: Game, marker: Marker) -> Mapping[str, Choice]:
        """Ask for the Characters in range of a site."""
        if marker.zone != NO_MANS_LAND:
            return {}
        characters = [unit.id for unit in game.units.values() if "character" in unit.flags and unit.state == TABLE]
        return {f"markers.{marker.id}.characters": some_of(characters).optional()} if characters else {}

    def scoring_count(self, game: Game, player: str, what: str) -> int | None:
        """Count a claim, and one that began in an earlier turn of its owner (T-26)."""
        if what not in ("claimed", "claimed_twice"):
            return None
        rounds = [since for site in self.sites(game) for since in site.claims.get(player, {}).values()]
        return int(any(since < game.round for since in rounds) if what == "claimed_twice" else bool(rounds))

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Name the sites."""
        return {"sites": [site.id for site in self.sites(game)]}
