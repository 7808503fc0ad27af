"""All rules that missions may name, and the acts that every game has."""

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
from server.referee.rule import Rule
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

ALL_RULES: tuple[type[Rule], ...] = (
    command_points.CommandPoints,
    control.Control,
    scoring.PrimaryObjective,
    scoring.EndObjective,
    scoring.BattleReady,
    scoring.MostPoints,
    scoring.WipedOut,
    selecting.SelectArmies,
    selecting.DetermineMission,
    selecting.CreateBattlefield,
    selecting.RollOffRoles,
    selecting.RollOffFirstTurn,
    formations.DeclareFormations,
    deployment.DeployArmies,
    deployment.PreBattleRules,
    deployment.Reserves,
    deployment.Losses,
    markers.RecoverData,
    markers.RazeMarkers,
    markers.DrawnMarkers,
    forbidden_stratagems.SabotageComms,
    forbidden_stratagems.NearWarlord,
    command_points.SupplyLines,
    control.ClaimSites,
    patrol_phase.PatrolPhase,
    jump_off_points.JumpOffPoints,
    posture.Posture,
    solo_scenarios.SoloScenarios,
    roles.PowerLevel,
    roles.CommandPointsAtMuster,
    concealed_deployment.ConcealedDeployment,
    set_up_in_turn.SetUpInTurn,
    bombardment.Bombardment,
    roles.FirstTurn,
    rounds.DawnRaid,
    placing.Impassable,
    reserves.Reserves,
    reserves.OwnArrivals,
    reserves.SustainedAssault,
    sentries.Sentries,
    reports.Reports,
    reports.QuakeMines,
    victory.EscapeRoute,
    sabotage.Sabotage,
    hidden_spy.HiddenSpy,
    victory.BreakThrough,
    victory.DestroyAnyApproach,
    rounds.RandomBattleLength,
    victory.LastStand,
    victory.EnemiesOffTheBattlefield,
    victory.MoreVictoryPoints,
    victory.EndByAgreement,
    reminders.Reminders,
    stratagems.Stratagems,
    battle.CampaignBattle,
    terrain.BattleTerrain,
    which_battle.WhichBattle,
    which_battle.SpecialRules,
    sides.Sides,
    battle_set_up.BattleSetUp,
    reinforcements.Reinforcements,
    artillery.Artillery,
    sky.Sky,
    battle_end.BattleEnd,
)

STRATAGEMS = (stratagem_effects, stratagem_moments)
"""What stratagems may do, and when, is noted as these are imported: mission files are read by it."""

RULES: Mapping[str, type[Rule]] = {kind.NAME: kind for kind in ALL_RULES}
"""By the name a mission gives."""

DECLARED: Mapping[type[Act], Mapping[str, Declared]] = {
    kind: specs(kind) for kind in (*ALWAYS, *(act for rule in ALL_RULES for act in rule.ACTS))
}
"""The fields of every act of every game, by its class."""

ACT_NAMES = frozenset(kind.DO for kind in DECLARED)
"""Every word an act may have in some game."""
