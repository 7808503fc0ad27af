"""Stratagems: moment, side, cost, target, effect as data; who may use which now (narrative missions, 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from server.core.errors import Problem
from server.core.fields import shown
from server.core.sentences import say
from server.referee.act import Act, Found
from server.referee.choices import FALSE, TRUE, Choice, Offer, integer, one_of
from server.referee.mission import ROLES
from server.referee.reading import (
    BOOL,
    ID,
    LOCALIZED_TEXT,
    UNIT,
    Integer,
    LocalizedText,
    OneOf,
    bad,
    below,
    given,
    read,
    schema_of,
    state,
)
from server.referee.reading import Found as Noted
from server.referee.refusals import refuse
from server.referee.rule import Rule

if TYPE_CHECKING:
    from server.referee.game import Game
    from server.referee.mission import Mission
    from server.referee.units import Unit

UNIT_TARGET, MARKER_TARGET, PLACE_TARGET = "unit", "marker", "place"
NO_TARGET = "none"
ONCE, PER_TARGET, PER_TURN, PENDING = LIMITS = ("battle", "target", "turn", "pending")
"""Once a battle; for each target once a battle, or once a turn; as long as the last one has not taken effect."""
MAX_CP = 20

Moment = Callable[["Game", str, str], tuple[str, ...] | None]
"""Asked with the player and the target named: the targets there are, or None where it is not the moment."""
MOMENTS: dict[str, Moment] = {}
"""By name; :mod:`stratagem_moments` has them."""
MOMENT_TARGETS = {"markers_placed": MARKER_TARGET, "movement_end": PLACE_TARGET}
"""What the targets of a moment are, where they are no units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a stratagem does. The vocabulary is in :mod:`stratagem_effects`."""

    NAME: ClassVar[str] = ""
    NEEDS: ClassVar[type[Rule] | None] = None
    """The rule without which it does nothing."""
    TARGET: ClassVar[str] = ""
    """What it must be used for; empty: anything, or nothing."""

    def do(self, game: Game, use: Use, target: str, cp: int) -> None:
        """Do it, for the player of *use*."""
        raise NotImplementedError

    def pending(self, game: Game, target: str) -> bool:
        """Say whether an earlier use for this target has not taken effect yet."""
        return False


EFFECTS: dict[str, type[Effect]] = {}
"""By name; :mod:`stratagem_effects` has them."""


@dataclass(frozen=True, slots=True)
class EffectSpec:
    """How an effect is read: ``do`` names it, the other fields are its own."""

    names: str = ""

    def read(self, value: Any, path: str, found: Noted) -> Any:
        """Read it."""
        kind = EFFECTS.get(value.get("do", "")) if isinstance(value, Mapping) and _word(value.get("do")) else None
        if kind is None:
            bad(
                found,
                below(path, "do"),
                say("{name} must be one of {words}.", name=path, words=", ".join(EFFECTS)),
                value,
            )
            return None
        return read(kind, value, path, found, skipping=("do",))

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema."""
        return {"oneOf": [_effect_schema(name, kind) for name, kind in EFFECTS.items()]}


def _word(value: object) -> bool:
    return isinstance(value, str)


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
    """More may be spent, up to this; 0: no more."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Use(Act):
    """Uses a stratagem of the mission at its moment."""

    DO = "use"
    ENDING = True
    KEEPS_MOMENTS = True

    stratagem: str = given(ID)
    unit: str | None = given(UNIT, None)
    marker: str = given(ID, "")
    place: str = given(ID, "")
    cp: int | None = given(Integer(0, 100), None)

    def check(self, game: Game) -> Found:
        """In the order of section 3: army, side, moment, CP, target, use, and what the target must be."""
        rule = game.rule(Stratagems)
        stratagem = rule.sold(game, self.stratagem)
        if stratagem is None:
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
        stratagem = rule.sold(game, self.stratagem)
        if stratagem is None:
            return
        target = rule.target_of(game, self, stratagem)
        cp = stratagem.cost if self.cp is None else self.cp
        game.pay_cp(self.by, cp, stratagem.id)
        rule.used[rule.key(game, stratagem, target)] = None
        game.emit("stratagem", player=self.by, stratagem=stratagem.id, target=target, cp=cp)
        stratagem.effect.do(game, self, target, cp)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer each stratagem that may be used now, with its targets."""
        rule = game.rule(Stratagems)
        if not game.armies[player].battle_forged:
            return
        for stratagem in game.mission.stratagems:
            fields = rule.offered(game, player, stratagem)
            if fields is not None:
                yield Offer(fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass(Act):
    """Says beforehand that one does without a stratagem, so that nobody waits for it; or takes that back (N-61)."""

    DO = "pass"
    ENDING = True
    HOLDS = False
    KEEPS_MOMENTS = True

    stratagem: str = given(ID)
    on: bool = given(BOOL, True)
    """False: it is offered again."""

    def check(self, game: Game) -> Found:
        """The mission sells it to one's own side, and one has not said so already."""
        rule = game.rule(Stratagems)
        stratagem = rule.sold(game, self.stratagem)
        if stratagem is None:
            message = say("This mission does not sell {name}.", name=shown(self.stratagem))
            yield refuse("not_allowed", message, "stratagem", self.stratagem, "N-60")
        elif game.role_of(self.by) != stratagem.side:
            message = say("This is a stratagem of the {side}.", side=stratagem.side)
            yield refuse("wrong_side", message, "stratagem", stratagem.id, "N-61")
        elif self.on == ((self.by, stratagem.id) in rule.passed):
            yield refuse("limit_reached", "You have said so already.", "stratagem", stratagem.id, "N-61")

    def play(self, game: Game) -> None:
        """Note it; only its player knows."""
        passed = game.rule(Stratagems).passed
        if self.on:
            passed[self.by, self.stratagem] = None
        else:
            del passed[self.by, self.stratagem]
        game.emit("passes_beforehand", (self.by,), player=self.by, stratagem=self.stratagem, on=self.on)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every stratagem of one's own side."""
        rule, role = game.rule(Stratagems), game.role_of(player)
        if not role or not game.armies[player].battle_forged:
            return
        sold = [stratagem.id for stratagem in game.mission.stratagems if stratagem.side == role]
        kept = [id_ for id_ in sold if (player, id_) not in rule.passed]
        if kept:
            yield Offer({"stratagem": one_of(kept), "on": TRUE.optional()})
        if len(kept) < len(sold):
            yield Offer({"stratagem": one_of([id_ for id_ in sold if id_ not in kept]), "on": FALSE})


@dataclass(slots=True, kw_only=True)
class Stratagems(Rule):
    """What the mission sells, and what has been used."""

    NAME = "stratagems"
    ACTS = (Use, Pass)

    used: dict[str, None] = state(dict)
    passed: dict[tuple[str, str], None] = state(dict)
    """By player and stratagem: what they do without (N-61). It is not offered, but may still be used."""

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
            message = "Your army is not Battle-forged."
            return refuse("not_battle_forged", message, "stratagem", stratagem.id, "N-60")
        if game.role_of(player) != stratagem.side:
            message = say("This is a stratagem of the {side}.", side=stratagem.side)
            return refuse("wrong_side", message, "stratagem", stratagem.id, "N-61")
        return None

    def refusal(self, game: Game, use: Use, stratagem: Stratagem) -> Problem | None:
        """Return why it cannot be used now, in the order of section 3."""
        problem = self._forbidden(game, use.by, stratagem)
        if problem:
            return problem
        named = use.named(stratagem)
        targets = MOMENTS[stratagem.moment](game, use.by, named)
        if targets is None:
            return refuse("wrong_moment", "This is not its moment.", "stratagem", stratagem.id, "N-61")
        cp = stratagem.cost if use.cp is None else use.cp
        if cp > game.cp[use.by]:
            message = say("That costs {cp} CP, and you have {have}.", cp=cp, have=game.cp[use.by])
            return refuse("not_enough_cp", message, "stratagem", stratagem.id, "N-60")
        return self._unfit_target(game, use, stratagem, targets)

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
        return _unfit_unit(stratagem, game.units.get(target))

    def target_of(self, game: Game, use: Use, stratagem: Stratagem) -> str:
        """Return what it is used for: what the act names, or the only thing there is."""
        if stratagem.target == NO_TARGET:
            return ""
        named = use.named(stratagem)
        if named:
            return named
        targets = MOMENTS[stratagem.moment](game, use.by, "") or ()
        return targets[0] if len(targets) == 1 else ""

    def offered(self, game: Game, player: str, stratagem: Stratagem) -> dict[str, Choice] | None:
        """Return the fields with which a player may use it now; None: not at all."""
        if game.role_of(player) != stratagem.side or game.cp[player] < stratagem.cost:
            return None
        if not game.armies[player].battle_forged or (player, stratagem.id) in self.passed:
            return None
        targets = MOMENTS[stratagem.moment](game, player, "")
        if targets is None:
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

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Return what has been used, and what this player does without."""
        passed = [stratagem for side, stratagem in self.passed if side == player]
        return {self.NAME: list(self.used), "passed_beforehand": passed}


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
    if stratagem.models_max and unit.models > stratagem.models_max:
        return False
    return not stratagem.keyword or stratagem.keyword in unit.keywords


def _unfit_unit(stratagem: Stratagem, unit: Unit | None) -> Problem | None:
    if unit is None:
        return None
    if stratagem.role and unit.role != stratagem.role:
        return refuse("not_troops", say("The unit must be {role}.", role=stratagem.role), "unit", unit.id, "N-61")
    if stratagem.power_max and unit.power > stratagem.power_max:
        message = say("The unit may have a Power Rating of {most} at most.", most=stratagem.power_max)
        return refuse("too_powerful", message, "unit", unit.id, "N-61")
    return None


def can_use(game: Game, player: str, moment: str, unit: Unit | None = None) -> bool:
    """Say whether a player could use a stratagem of this moment now, for this unit."""
    rule = game.find(Stratagems)
    if rule is None:
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
