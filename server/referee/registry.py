"""All rules that missions may name, and the acts that every game has."""

from __future__ import annotations

from collections.abc import Mapping

from server.referee import (
    agreement,
    arrivals,
    chosen_markers,
    claims,
    command_points,
    control,
    deployment,
    drawn_markers,
    ending_phases,
    forbidden_stratagems,
    formations,
    jump_off_points,
    objections,
    patrol_phase,
    posture,
    roles,
    scoring,
    selecting,
    solo_scenarios,
    supply_lines,
    taking_back,
    wiped_out,
)
from server.referee.act import Act
from server.referee.reading import Declared, specs
from server.referee.rule import Rule

ALWAYS: tuple[type[Act], ...] = (
    ending_phases.EndPhase,
    agreement.Confirm,
    agreement.EndNow,
    objections.Object,
    objections.Settle,
    taking_back.TakeBack,
    command_points.Spend,
    command_points.Gain,
)
"""Acts of every game."""

ALL_RULES: tuple[type[Rule], ...] = (
    command_points.CommandPoints,
    control.Control,
    scoring.PrimaryObjective,
    scoring.EndObjective,
    scoring.BattleReady,
    scoring.MostPoints,
    wiped_out.WipedOut,
    selecting.SelectArmies,
    selecting.DetermineMission,
    selecting.CreateBattlefield,
    roles.RollOffRoles,
    roles.RollOffFirstTurn,
    formations.DeclareFormations,
    deployment.DeployArmies,
    deployment.PreBattleRules,
    arrivals.Reserves,
    arrivals.Losses,
    chosen_markers.RecoverData,
    chosen_markers.RazeMarkers,
    drawn_markers.DrawnMarkers,
    forbidden_stratagems.SabotageComms,
    forbidden_stratagems.NearWarlord,
    supply_lines.SupplyLines,
    claims.ClaimSites,
    patrol_phase.PatrolPhase,
    jump_off_points.JumpOffPoints,
    posture.Posture,
    solo_scenarios.SoloScenarios,
)

RULES: Mapping[str, type[Rule]] = {kind.NAME: kind for kind in ALL_RULES}
"""By the name a mission gives."""

DECLARED: Mapping[type[Act], Mapping[str, Declared]] = {
    kind: specs(kind) for kind in (*ALWAYS, *(act for rule in ALL_RULES for act in rule.ACTS))
}
"""The fields of every act of every game, by its class."""

WORDS = frozenset(kind.DO for kind in DECLARED)
"""Every word an act may have in some game."""
