"""List whose action a game waits for, which one, and each player's other options: for page, phone, terminal and email.

A pure function of the game. It has public information only: words, ids of units that moments are about,
and figures that follow from the reports.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from server.core.errors import Problem
from server.referee.every_game import EndPhase, passed_without, sealed_by, waits_for
from server.referee.game import Game
from server.referee.mission import BATTLE, PLAYERS
from server.referee.rule import Awaited

BOTH, NOBODY = "both", ""
CONFIRM, END_PHASE, SETTLE = "confirm", "end_phase", "settle"
REPORT_ACTS = ("control", "within", "quarters", "report")
"""What a ``report_missing`` may ask for, the first that is open."""
DUE_ACTS = ("set_up", "roll", "move_sentry")
"""What a ``choice_missing`` of a phase may ask for."""
ASIDE = (
    "object",
    "take_back",
    "end_now",
    "spend",
    "gain",
    "pass",
    "go_on",
    CONFIRM,
    END_PHASE,
    "use",
    "strength",
    "destroyed",
    "lost",
)
"""Words that are never what a stage waits for, while there is another."""


@dataclass(frozen=True, slots=True)
class Awaiting:
    """Whose tap is awaited."""

    side: str
    """``red``, ``blue``, ``both``, or empty: the game is over, or only the game master can continue it."""
    what: str
    """The word of the act: ``end_phase``, ``confirm``, ``control``, ``deploy`` ..."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """Its matter: ``phase``, ``next`` (the phase that follows), ``score`` (VP it brings), ``units``, ``stratagem``."""
    missing: str = ""
    """``report_missing`` or ``choice_missing``: why not ``end_phase`` is awaited, or why it waits."""
    may: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By player: the words of what else is open to them."""
    reactions: Mapping[str, tuple[Awaited, ...]] = field(default_factory=dict)
    """By player: what they may still use or pass, and what waits for it (N-61)."""
    passed: str = ""
    """The player that the last action passed over, if their ``take_back`` alone undoes it (N-61)."""
    confirms: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By player who may confirm something: ``what`` (a word; empty: a report), ``units``, ``score`` (VP it brings)."""
    sealed: str = ""
    """The player who sealed the last action, if their ``take_back`` alone reopens it."""

    def to_json(self) -> dict[str, Any]:
        """Return it as programs read it."""
        return {
            "side": self.side,
            "for": self.what,
            "about": dict(self.about),
            "missing": self.missing,
            "may": {player: list(words) for player, words in self.may.items()},
            "reactions": {
                player: [
                    {"act": item.what, "stratagem": item.name, "units": list(item.units), "before": item.before}
                    for item in found
                ]
                for player, found in self.reactions.items()
            },
            "passed": self.passed,
            "confirms": {
                player: {
                    "what": found.get("what", ""),
                    "units": list(found.get("units", ())),
                    **({"score": found["score"]} if "score" in found else {}),
                }
                for player, found in self.confirms.items()
            },
            "sealed": self.sealed,
        }


def awaiting(game: Game) -> Awaiting:
    """Return whose tap a game waits for now."""
    if game.over:
        return Awaiting(NOBODY, "", passed=passed_without(game))
    reactions = {player: tuple(waits_for(game, player)) for player in PLAYERS}
    side, what, about, missing = _awaited(game, reactions)
    may = {player: tuple(word for word in _words(game, player) if (player, word) != (side, what)) for player in PLAYERS}
    found = {player: _confirmable(game, player) for player in PLAYERS}
    confirms = {player: matter for player, matter in found.items() if matter is not None}
    passed, sealed = passed_without(game), sealed_by(game)
    return Awaiting(side, what, about, missing, may, reactions, passed, confirms, sealed)


_Found = tuple[str, str, Mapping[str, Any], str]


def _awaited(game: Game, reactions: Mapping[str, tuple[Awaited, ...]]) -> _Found:
    if game.objection is not None:
        return BOTH, SETTLE, {"act": game.objection}, ""
    if asked := [player for player in PLAYERS if _is_asked(game, player)]:
        side = asked[0] if len(asked) == 1 else BOTH
        return side, CONFIRM, _checked(game, asked[0]), ""
    if (answer := _answer(game, reactions)) is not None:
        return answer
    if game.stage == BATTLE and not game.clock.ending:
        return _in_turn(game, reactions)
    return _in_stage(game, reactions)


def _is_asked(game: Game, player: str) -> bool:
    """Say whether a rule asks *player* for a word."""
    return any(rule.may_confirm(game, player) and not rule.word_is_free(game) for rule in game.rules)


def _checked(game: Game, player: str) -> Mapping[str, Any]:
    """Return the matter of what *player* checks: the stage, or the VP that it brings."""
    if game.stage != BATTLE:
        return {"stage": game.stage}
    found = _confirmable(game, player) or {}
    return {"score": found["score"]} if "score" in found else {} if found else _scores(game)


def _confirmable(game: Game, player: str) -> Mapping[str, Any] | None:
    """Return what *player* may confirm, of the rule that a confirmation counts for; None: nothing."""
    return next((rule.confirms(game, player) for rule in game.rules if rule.may_confirm(game, player)), None)


def _answer(game: Game, reactions: Mapping[str, tuple[Awaited, ...]]) -> _Found | None:
    """Return what must be answered before anything else: at a phase's end, about a hit, a Sentry that was won."""
    for player in PLAYERS:
        for item in reactions[player]:
            if game.clock.held or (item.what != "use" and item.before in ("roll", "end_phase")):
                about: dict[str, Any] = {"units": list(item.units)}
                return player, item.what, about | ({"stratagem": item.name} if item.name else {}), "choice_missing"
    return None


def _in_turn(game: Game, reactions: Mapping[str, tuple[Awaited, ...]]) -> _Found:
    player, phases = game.turn, game.mission.phases
    if not player:
        return NOBODY, "", {}, ""
    problem: Problem | None = next(EndPhase(by=player).check(game), None)
    words = _words(game, player)
    if problem is not None and not reactions[game.other(player)]:
        wanted = REPORT_ACTS if problem.code == "report_missing" else DUE_ACTS
        if word := next((word for word in wanted if word in words), ""):
            matter = {"phase": game.phase, "why": str(problem.message), **_scores(game)}
            return player, word, matter, problem.code
    later = phases[phases.index(game.phase) + 1 :] if game.phase in phases else ()
    follows = {"next": later[0]} if later and not game.clock.cut else {}
    if END_PHASE not in words and problem is None:
        return player, next((word for word in words if word not in ASIDE), ""), {}, ""
    return player, END_PHASE, {"phase": game.phase, **follows, **_scores(game)}, problem.code if problem else ""


def _scores(game: Game) -> Mapping[str, Any]:
    """Return the VP that the end of this phase brings, as the markers were last reported."""
    found = [vp for vp in game.ask("scores_now") if vp is not None]
    return {"score": sum(found)} if found else {}


def _in_stage(game: Game, reactions: Mapping[str, tuple[Awaited, ...]]) -> _Found:
    hook = ("ending_wants",) if game.stage == BATTLE else ("stage_wants", game.stage)
    wanted = game.ask_players(*hook)
    passed = game.clock.passed
    if not wanted:
        both = game.stage in game.mission.left_by_both
        wanted = tuple(player for player in PLAYERS if player not in passed and (both or game.has_open(player)))
    if game.clock.turn in wanted:
        wanted = (game.clock.turn,)
    if not wanted:
        return NOBODY, "", {}, ""
    due_words = {player: [word for word in _words(game, player) if word not in ASIDE] for player in wanted}
    first = next((due_words[player][0] for player in wanted if due_words[player]), "")
    # who has nothing else to do than to go on comes after whoever has, one matter after the other
    wanted = tuple(player for player in wanted if (due_words[player] or [""])[0] == first)
    words, due = _words(game, wanted[0]), due_words[wanted[0]]
    other = next((word for word in (CONFIRM, END_PHASE) if word in words), "")
    against = game.other(wanted[0])
    if not (due or other) and reactions[against]:  # they wait themselves: for the word of the other side
        item = reactions[against][0]
        about = {"units": list(item.units)} | ({"stratagem": item.name} if item.name else {})
        return against, item.what, about, "choice_missing"
    what = due[0] if due else other or next(iter(words), "")
    return wanted[0] if len(wanted) == 1 else BOTH, what, {"stage": game.stage}, ""


def _words(game: Game, player: str) -> tuple[str, ...]:
    """Return the words of the acts that are open to a player, in the order of the mission's rules."""
    words: dict[str, None] = {}
    for do, kinds in game.kinds.items():
        for kind in kinds:
            if do not in words and not kind.wrong_now(game, player) and next(kind.open(game, player), None):
                words[do] = None
    return tuple(words)
