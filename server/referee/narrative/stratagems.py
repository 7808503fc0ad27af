"""Stratagems: who may use which now, for what, and who does without (narrative missions, 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from server.core.errors import Problem
from server.core.fields import shown
from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.choices import FALSE, TRUE, Choice, Offer, integer, one_of
from server.referee.game import Game
from server.referee.mission import BATTLE, Mission
from server.referee.narrative.stratagem_data import (
    MARKER_TARGET,
    MOMENT_TARGETS,
    MOMENTS,
    NO_TARGET,
    ONCE,
    OWN,
    PENDING,
    PER_TURN,
    PHASE,
    PLACE_TARGET,
    TARGETS_OF,
    UNIT_TARGET,
    Passes,
    Standing,
    Stratagem,
)
from server.referee.reading import BOOL, ID, UNIT, Integer, OneOf, given, state
from server.referee.refusals import refuse
from server.referee.rule import Awaited, Rule, rule_kind
from server.referee.units import Unit

BEFORE_ROLLS = ("enemy_reserve_roll", "first_turn", "battle_end")
"""Moments before dice that the other side asks for."""
AT_THE_END = ("first_shooting_end",)
"""Moments of the other side at the end of a phase: its first ``end_phase`` opens them."""
ASKS_FOR = ("first_shooting_end", "before_sentries")
"""Moments that ask for something of the units they are about; others just have not come for a unit, or are over."""
PASSED_MOMENTS = ("bombard_hit", "move_sentry")
"""Moments other than those of stratagems."""


@act_kind("use", ending=True, keeps_moments=True)
class Use(Act):
    """Uses a stratagem of the mission at its moment."""

    stratagem: str = given(ID)
    unit: str | None = given(UNIT, None)
    marker: str = given(ID, "")
    place: str = given(ID, "")
    cp: int | None = given(Integer(0, 100), None)

    def check(self, game: Game) -> Found:
        """In the order of section 3: army, side, moment, CP, target, use, and what the target must be."""
        rule = game.rule(Stratagems)
        if (stratagem := rule.sold(game, self.stratagem)) is None:
            message = say("This mission does not sell {name}.", name=shown(self.stratagem))
            yield refuse("not_allowed", message, "stratagem", self.stratagem, "N-60")
        elif problem := self._malformed(game, stratagem) or rule.refusal(game, self, stratagem):
            yield problem

    def _malformed(self, game: Game, stratagem: Stratagem) -> Problem | None:
        if self.cp is not None and not stratagem.cost <= self.cp <= stratagem.max_cp():
            message = say("It costs {cost} to {most} CP.", cost=stratagem.cost, most=stratagem.max_cp())
            return refuse("bad_value", message, "cp", self.cp, "N-61")
        return None

    def named(self, stratagem: Stratagem) -> str:
        """Return the target that the act names."""
        if stratagem.target == MARKER_TARGET:
            return self.marker or self.unit or ""
        return self.place if stratagem.target == PLACE_TARGET else self.unit or ""

    def play(self, game: Game) -> None:
        """Pay, and do it."""
        rule = game.rule(Stratagems)
        if (stratagem := rule.sold(game, self.stratagem)) is None:
            return
        target = rule.target_of(game, self, stratagem)
        cp = stratagem.cost if self.cp is None else self.cp
        game.pay_cp(self.by, cp, stratagem.id)
        rule.used[rule.key(game, stratagem, target)] = None
        game.emit("stratagem", player=self.by, stratagem=stratagem.id, target=target, cp=cp)
        stratagem.effect.do(game, self.by, target, cp)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer each stratagem that may be used now, with its targets."""
        rule = game.rule(Stratagems)
        if not game.armies[player].battle_forged:
            return
        for stratagem in game.mission.stratagems:
            if (fields := rule.offered(game, player, stratagem)) is not None:
                yield Offer(fields)


@act_kind("pass", ending=True, holds=False, keeps_moments=True)
class Pass(Act):
    """Does without what is open of a stratagem or moment; where nothing is, without what comes (N-61)."""

    stratagem: str = given(ID, "")
    moment: str = given(ID, "")
    """Instead: everything of this moment."""
    unit: str | None = given(ID, None)
    """Only as far as it is about this unit."""
    until: str = given(OneOf(("", PHASE)), "")
    """``phase``: also all that come in this phase, before the battle in this stage."""
    on: bool = given(BOOL, True)
    """False: what was passed beforehand is offered again."""

    def check(self, game: Game) -> Found:
        """The mission sells it to the player's side, and the player has not bought it yet."""
        rule = game.rule(Stratagems)
        if bool(self.stratagem) == bool(self.moment):
            code = "bad_value" if self.stratagem else "missing_field"
            yield refuse(code, "Name a stratagem, or a moment.", "stratagem", self.stratagem, "N-61")
        elif self.moment:
            if self.moment not in PASSED_MOMENTS and self.moment not in MOMENTS:
                message = say("There is no moment {name}.", name=shown(self.moment))
                yield refuse("bad_value", message, "moment", self.moment, "N-61")
        else:
            yield from self._unfit(game, rule)

    def _unfit(self, game: Game, rule: Stratagems) -> Found:
        if (stratagem := rule.sold(game, self.stratagem)) is None:
            message = say("This mission does not sell {name}.", name=shown(self.stratagem))
            yield refuse("not_allowed", message, "stratagem", self.stratagem, "N-60")
        elif game.role_of(self.by) != stratagem.side:
            message = say("This is a stratagem of the {side}.", side=stratagem.side)
            yield refuse("wrong_side", message, "stratagem", stratagem.id, "N-61")
        elif self._said(game, rule, stratagem) == self.on:
            yield refuse("limit_reached", "You have said so already.", "stratagem", stratagem.id, "N-61")

    def _said(self, game: Game, rule: Stratagems, stratagem: Stratagem) -> bool:
        if game.version == 1:
            return (self.by, stratagem.id) in rule.passed
        declined = (self.by, stratagem.id, "") in rule.passes.declined
        if self.on:
            return declined or self.standing() in rule.passes.standing
        return declined or stratagem.id in rule.passes.said(self.by)

    def standing(self) -> Standing:
        """Return it as something passed beforehand."""
        return Standing(self.by, self.stratagem, self.moment, self.unit or "", self.until)

    def play(self, game: Game) -> None:
        """Note it; only its player knows."""
        rule = game.rule(Stratagems)
        if game.version == 1:
            if self.on:
                rule.passed[self.by, self.stratagem] = None
            else:
                del rule.passed[self.by, self.stratagem]
        elif self.on:
            rule.do_without(game, self.standing())
        else:
            rule.passes.take_back(self.by, self.stratagem or self.moment)
        told = {"stratagem": self.stratagem} if self.stratagem else {"moment": self.moment}
        game.emit("passes_beforehand", (self.by,), player=self.by, **told, on=self.on)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every stratagem of the player's own side."""
        rule, role = game.rule(Stratagems), game.role_of(player)
        if not role or not game.armies[player].battle_forged:
            return
        sold = [stratagem.id for stratagem in game.mission.stratagems if stratagem.side == role]
        said = rule.said(game, player)
        if kept := [id_ for id_ in sold if id_ not in said]:
            until = {"until": one_of((PHASE,)).optional()} if game.version > 1 else {}
            yield Offer({"stratagem": one_of(kept), "on": TRUE.optional(), **until})
        if len(kept) < len(sold):
            yield Offer({"stratagem": one_of([id_ for id_ in sold if id_ not in kept]), "on": FALSE})


@rule_kind("stratagems", acts=(Use, Pass))
class Stratagems(Rule):
    """What the mission sells, and what has been used."""

    used: dict[str, None] = state(dict)
    passed: dict[tuple[str, str], None] = state(dict)
    """By player and stratagem: what they do without; it is not offered, but may still be used. Version 1 only."""
    passes: Passes = state(Passes)
    """Stratagems that each player has passed (N-61). Version 2."""

    def unfit(self, mission: Mission) -> Iterator[str]:
        """Every moment must be known, its targets be those of the effect, and the effect's rule be there."""
        kinds = [data.kind for data in mission.rules]
        for stratagem in mission.stratagems:
            effect = type(stratagem.effect)
            if stratagem.moment not in MOMENTS:
                yield f"{stratagem.id}: there is no moment {stratagem.moment!r}; there are {', '.join(MOMENTS)}"
            elif stratagem.target not in (NO_TARGET, MOMENT_TARGETS.get(stratagem.moment, UNIT_TARGET)):
                yield f"{stratagem.id}: the moment {stratagem.moment} has no target {stratagem.target}"
            if effect.TARGET and stratagem.target != effect.TARGET:
                yield f"{stratagem.id}: the effect {effect.NAME} needs the target {effect.TARGET}"
            if effect.NEEDS and effect.NEEDS not in kinds:
                yield f"{stratagem.id}: the effect {effect.NAME} needs the rule {effect.NEEDS.NAME}"

    def sold(self, game: Game, name: str) -> Stratagem | None:
        """Return the stratagem of this name, where the mission sells it."""
        return next((stratagem for stratagem in game.mission.stratagems if stratagem.id == name), None)

    def key(self, game: Game, stratagem: Stratagem, target: str) -> str:
        """Return what one use is noted by, as its limit says (N-62)."""
        if stratagem.limit == PER_TURN:
            return f"{stratagem.id} {target} {game.round} {game.turn}"
        return f"{stratagem.id} {target}" if stratagem.limit != ONCE else stratagem.id

    def _forbidden(self, game: Game, player: str, stratagem: Stratagem) -> Problem | None:
        if not game.armies[player].battle_forged:
            return refuse("not_battle_forged", "Your army is not Battle-forged.", "stratagem", stratagem.id, "N-60")
        if game.role_of(player) != stratagem.side:
            message = say("This is a stratagem of the {side}.", side=stratagem.side)
            return refuse("wrong_side", message, "stratagem", stratagem.id, "N-61")
        return None

    def refusal(self, game: Game, use: Use, stratagem: Stratagem) -> Problem | None:
        """Return why it cannot be used now, in the order of section 3."""
        if problem := self._forbidden(game, use.by, stratagem):
            return problem
        if game.version > 1:
            return self._refusal_by_moment(game, use, stratagem)
        if (targets := MOMENTS[stratagem.moment](game, use.by, use.named(stratagem))) is None:
            return _untimely(stratagem)
        return self._unpaid(game, use, stratagem) or self._unfit_target(game, use, stratagem, targets)

    def _refusal_by_moment(self, game: Game, use: Use, stratagem: Stratagem) -> Problem | None:
        """Moment, kind of target, the target's own moment, CP, the rest; what has just faded is refused at last."""
        moment, named, kept = MOMENTS[stratagem.moment], use.named(stratagem), game.moments
        faded = moment(game, use.by, "") is None
        try:
            game.moments = {**game.faded.get(use.by, {}), **kept} if faded else kept
            if moment(game, use.by, "") is None:
                return _untimely(stratagem)
            if _is_another_kind(game, use.by, stratagem, named):
                return refuse("wrong_target", "It cannot be used for this.", stratagem.target, named, "N-61")
            targets = moment(game, use.by, named)
            if targets is None or self._is_untimely(game, use, stratagem, targets):
                return _untimely(stratagem)
            problem = self._unpaid(game, use, stratagem) or self._unfit_target(game, use, stratagem, targets)
            return problem or (_untimely(stratagem) if faded else None)
        finally:
            game.moments = kept

    def _unpaid(self, game: Game, use: Use, stratagem: Stratagem) -> Problem | None:
        cp = stratagem.cost if use.cp is None else use.cp
        if cp > game.cp[use.by]:
            message = say("That costs {cp} CP, and you have {have}.", cp=cp, have=game.cp[use.by])
            return refuse("not_enough_cp", message, "stratagem", stratagem.id, "N-60")
        return None

    def _is_untimely(self, game: Game, use: Use, stratagem: Stratagem, targets: tuple[str, ...]) -> bool:
        """Return whether its moment has not come, is over, or was passed."""
        target = self.target_of(game, use, stratagem)
        if self.passes.without(use.by, stratagem, target):
            return True
        about_units = stratagem.target == UNIT_TARGET and stratagem.moment not in ASKS_FOR
        return about_units and target in game.units and target not in targets

    def _unfit_target(self, game: Game, use: Use, stratagem: Stratagem, targets: tuple[str, ...]) -> Problem | None:
        target = self.target_of(game, use, stratagem)
        field = stratagem.target if stratagem.target != NO_TARGET else "stratagem"
        if stratagem.target != NO_TARGET:
            if not target:
                return refuse("missing_field", "Say for what it is used.", field, "", "N-61")
            if target not in targets or not _fits(game, stratagem, target):
                return refuse("wrong_target", "It cannot be used for this.", field, target, "N-61")
        if self.key(game, stratagem, target) in self.used and stratagem.limit != PENDING:
            return refuse("already_used", "It has been used for this.", field, target, "N-62")
        if stratagem.effect.pending(game, target):
            return refuse("already_used", "It has been used for this.", field, target, "N-62")
        return _unfit_unit(game, stratagem, game.units.get(target))

    def target_of(self, game: Game, use: Use, stratagem: Stratagem) -> str:
        """Return what it is used for: what the act names, or the only thing there is."""
        if stratagem.target == NO_TARGET:
            return ""
        if named := use.named(stratagem):
            return named
        targets = MOMENTS[stratagem.moment](game, use.by, "") or ()
        return targets[0] if len(targets) == 1 else ""

    def offered(self, game: Game, player: str, stratagem: Stratagem) -> dict[str, Choice] | None:
        """Return the fields with which a player may use it now; None: not at all."""
        if game.role_of(player) != stratagem.side or game.cp[player] < stratagem.cost:
            return None
        if not game.armies[player].battle_forged or (player, stratagem.id) in self.passed:
            return None  # a version 2 game has nothing in ``passed``: passes are moments that are over
        if (targets := MOMENTS[stratagem.moment](game, player, "")) is None:
            return None
        fields = {"stratagem": one_of((stratagem.id,))}
        if stratagem.target == NO_TARGET:
            if self.refusal(game, Use(by=player, stratagem=stratagem.id), stratagem):
                return None
        else:
            fit = [name for name in targets if self.refusal(game, _use(player, stratagem, name), stratagem) is None]
            if not fit:
                return None
            fields[stratagem.target] = one_of(fit)
        if stratagem.max_cp() > stratagem.cost:
            fields["cp"] = integer(stratagem.cost, min(stratagem.max_cp(), game.cp[player])).optional()
        return fields

    # --- moments (N-61) ---

    def do_without(self, game: Game, wanted: Standing) -> None:
        """Pass what is open of a stratagem or a moment; where nothing is, or for the phase, what comes."""
        found = False
        for stratagem in game.mission.stratagems:
            for target in self._open_targets(game, wanted.player, stratagem):
                if wanted.holds(wanted.player, stratagem, target):
                    self.passes.declined[wanted.player, stratagem.id, target] = None
                    found = True
        others = list(game.ask("passes_moment", wanted.player, wanted.moment, wanted.unit)) if wanted.moment else []
        if wanted.until or not (found or any(others)):
            self.passes.standing.append(wanted)

    def _open_targets(self, game: Game, player: str, stratagem: Stratagem) -> tuple[str, ...]:
        """Return the targets for which *player* could use a stratagem now; one empty text if it has no target."""
        if (fields := self.offered(game, player, stratagem)) is None:
            return ()
        return ("",) if stratagem.target == NO_TARGET else fields[stratagem.target].values

    def said(self, game: Game, player: str) -> list[str]:
        """Return the stratagems that a player has passed as a whole, so that the pass can be undone."""
        if game.version == 1:
            return [id_ for by, id_ in self.passed if by == player]
        open_ = [id_ for by, id_, target in self.passes.declined if by == player and not target]
        return [*self.passes.said(player), *open_]

    def passed_beforehand(self, player: str, moment: str, unit: str) -> bool:
        """A moment that is no stratagem's comes: say whether its player has passed it beforehand."""
        return self.passes.passed(player, moment, unit)

    def moment_opened(self, game: Game, name: str, units: tuple[str, ...]) -> None:
        """Let what was passed beforehand be passed."""
        for stratagem in game.mission.stratagems:
            if stratagem.moment == name and game.attacker:
                for target in units if stratagem.target == UNIT_TARGET else ("",):
                    self.passes.comes(game.player_of(stratagem.side), stratagem, target)

    def rolled(self, game: Game, moments: tuple[str, ...], unit: str) -> None:
        """The dice that some moments come before have been rolled for a unit."""
        for stratagem in game.mission.stratagems:
            if stratagem.moment in moments:
                self.passes.goes(game.player_of(stratagem.side), stratagem, unit)

    def moments_over(self, game: Game) -> None:
        """A pass for a phase is over."""
        self.passes.phase_over()

    def phase_held(self, game: Game, phase: str) -> bool:
        """Hold the end of a phase at which someone could use something."""
        return any(
            stratagem.moment in AT_THE_END and self._open_targets(game, player, stratagem)
            for player in game.players
            for stratagem in game.mission.stratagems
        )

    def awaited(self, game: Game, player: str) -> tuple[Awaited, ...]:
        """Return the stratagems of *player* that the other side waits for."""
        if game.stage == BATTLE and not game.clock.ending and game.turn == player:
            return ()
        if (game.stage != BATTLE or game.clock.ending) and player in game.clock.passed:
            return ()
        found = []
        for stratagem in game.mission.stratagems:
            if targets := self._open_targets(game, player, stratagem):
                about = targets if stratagem.target == UNIT_TARGET else ()
                before = "roll" if stratagem.moment in BEFORE_ROLLS else "end_phase"
                found.append(Awaited("use", stratagem.id, about, before))
        return tuple(found)

    def passed_for(self, game: Game, player: str) -> None:
        """Do without everything that is open."""
        for stratagem in game.mission.stratagems if self.awaited(game, player) else ():
            for target in self._open_targets(game, player, stratagem):
                self.passes.declined[player, stratagem.id, target] = None

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Return what has been used, and what this player does without."""
        passed = self.said(game, player)
        return {self.NAME: list(self.used), "passed_beforehand": passed}


def _untimely(stratagem: Stratagem) -> Problem:
    return refuse("wrong_moment", "This is not its moment.", "stratagem", stratagem.id, "N-61")


def _is_another_kind(game: Game, player: str, stratagem: Stratagem, target: str) -> bool:
    """Return whether this stratagem can never be used for a unit: side, keyword, place."""
    unit = game.units.get(target) if stratagem.target == UNIT_TARGET else None
    side, states = TARGETS_OF.get(stratagem.moment, ("", ()))
    if unit is None:
        return bool(target) and stratagem.target == UNIT_TARGET
    if side and (unit.side == player) != (side == OWN):
        return True
    return (bool(states) and unit.state not in states) or not _fits(game, stratagem, target)


def _use(player: str, stratagem: Stratagem, target: str) -> Use:
    if stratagem.target == MARKER_TARGET:
        return Use(by=player, stratagem=stratagem.id, marker=target)
    if stratagem.target == PLACE_TARGET:
        return Use(by=player, stratagem=stratagem.id, place=target)
    return Use(by=player, stratagem=stratagem.id, unit=target)


def _fits(game: Game, stratagem: Stratagem, target: str) -> bool:
    unit = game.units.get(target) if stratagem.target == UNIT_TARGET else None
    if unit is None:
        return True
    if game.version == 1 and stratagem.models_max and unit.models > stratagem.models_max:
        return False
    return not stratagem.keyword or stratagem.keyword in unit.keywords


def _unfit_unit(game: Game, stratagem: Stratagem, unit: Unit | None) -> Problem | None:
    """Return why a unit is too large, too powerful or of another role, in this order (N-91); version 1: role first."""
    if unit is None:
        return None
    found: list[Problem] = []
    if game.version > 1 and stratagem.models_max and unit.models > stratagem.models_max:
        message = say("The unit may have {most} models at most.", most=stratagem.models_max)
        found.append(refuse("too_many_models", message, "unit", unit.id, "N-91"))
    if stratagem.power_max and unit.power > stratagem.power_max:
        message = say("The unit may have a Power Rating of {most} at most.", most=stratagem.power_max)
        found.append(refuse("too_powerful", message, "unit", unit.id, "N-61"))
    if stratagem.role and unit.role != stratagem.role:
        found.append(refuse("not_troops", "The unit must be {role}.", "unit", unit.id, "N-61", role=stratagem.role))
    return next(iter(found if game.version > 1 else found[::-1]), None)


def can_use(game: Game, player: str, moment: str, unit: Unit | None = None) -> bool:
    """Say whether a player could use a stratagem of this moment now, for this unit."""
    if (rule := game.find(Stratagems)) is None:
        return False
    for stratagem in game.mission.stratagems:
        if stratagem.moment == moment:
            fields = rule.offered(game, player, stratagem)
            if fields is not None and (unit is None or unit.id in fields["unit"].values):
                return True
    return False


def may_still_use(game: Game, player: str, moment: str) -> bool:
    """Say whether a player could use a stratagem of this moment when it comes."""
    rule = game.find(Stratagems)
    return (
        rule is not None
        and game.armies[player].battle_forged
        and any(
            stratagem.moment == moment
            and game.role_of(player) == stratagem.side
            and game.cp[player] >= stratagem.cost
            and stratagem.id not in rule.used
            and (player, stratagem.id) not in rule.passed
            for stratagem in game.mission.stratagems
        )
    )
