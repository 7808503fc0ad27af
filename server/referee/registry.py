"""All rules that missions may name, and the acts that every game has.

A rule is noted as its file is imported, as are effects and moments of stratagems: mission files are read by them.
"""

# ruff: noqa: F401

from __future__ import annotations

from collections.abc import Mapping

from server.referee import battle, command_points, every_game, reminders
from server.referee.act import Act
from server.referee.combat_patrol import (
    control,
    deployment,
    forbidden_stratagems,
    formations,
    markers,
    scoring,
    selecting,
)
from server.referee.narrative import (
    bombardment,
    concealed_deployment,
    hidden_spy,
    placing,
    reports,
    reserves,
    roles,
    rounds,
    sabotage,
    sentries,
    set_up_in_turn,
    stratagem_effects,
    stratagem_moments,
    stratagems,
    victory,
)
from server.referee.normal_battle import (
    artillery,
    battle_end,
    battle_set_up,
    reinforcements,
    sides,
    sky,
    terrain,
    which_battle,
)
from server.referee.patrol import jump_off_points, patrol_phase
from server.referee.reading import Declared, specs
from server.referee.rule import RULES
from server.referee.solo import posture, solo_scenarios

ALWAYS: tuple[type[Act], ...] = (
    every_game.EndPhase,
    every_game.Confirm,
    every_game.EndNow,
    every_game.Object,
    every_game.Settle,
    every_game.TakeBack,
    every_game.GoOn,
    command_points.Spend,
    command_points.Gain,
)
"""Acts of every game."""

ALL_RULES = tuple(RULES.values())

DECLARED: Mapping[type[Act], Mapping[str, Declared]] = {
    kind: specs(kind) for kind in (*ALWAYS, *(act for rule in ALL_RULES for act in rule.ACTS))
}
"""The fields of every act of every game, by its class."""

ACT_NAMES = frozenset(kind.DO for kind in DECLARED)
"""Every word an act may have in some game."""
