"""All rules that missions may name, and the acts that every game has."""

from __future__ import annotations

from collections.abc import Mapping

from server.referee import (
    agreement,
    battle,
    command_points,
    ending_phases,
    going_on,
    objections,
    reminders,
    taking_back,
)
from server.referee.act import Act
from server.referee.combat_patrol import (
    arrivals,
    chosen_markers,
    claims,
    control,
    deployment,
    drawn_markers,
    forbidden_stratagems,
    formations,
    roles,
    scoring,
    selecting,
    supply_lines,
    wiped_out,
)
from server.referee.narrative import (
    actions_reported,
    bombardment,
    break_through,
    concealed_deployment,
    dawn_raid,
    escape_route,
    first_turn,
    hidden_spy,
    narrative_victory,
    placing,
    power_level,
    quake_mines,
    random_battle_length,
    reserves,
    sabotage,
    sentries,
    set_up_in_turn,
    stratagem_effects,
    stratagem_moments,
    stratagems,
    sustained_assault,
)
from server.referee.normal_battle import (
    artillery,
    battle_end,
    battle_set_up,
    reinforcements,
    sides,
    sky,
    special_rules,
    terrain,
    which_battle,
)
from server.referee.patrol import jump_off_points, patrol_phase
from server.referee.reading import Declared, specs
from server.referee.rule import Rule
from server.referee.solo import posture, solo_scenarios

ALWAYS: tuple[type[Act], ...] = (
    ending_phases.EndPhase,
    agreement.Confirm,
    agreement.EndNow,
    objections.Object,
    objections.Settle,
    taking_back.TakeBack,
    going_on.GoOn,
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
    power_level.PowerLevel,
    power_level.CommandPointsAtMuster,
    concealed_deployment.ConcealedDeployment,
    set_up_in_turn.SetUpInTurn,
    bombardment.Bombardment,
    first_turn.FirstTurn,
    dawn_raid.DawnRaid,
    placing.Impassable,
    reserves.Reserves,
    reserves.OwnArrivals,
    sustained_assault.SustainedAssault,
    sentries.Sentries,
    actions_reported.Reports,
    quake_mines.QuakeMines,
    escape_route.EscapeRoute,
    sabotage.Sabotage,
    hidden_spy.HiddenSpy,
    break_through.BreakThrough,
    break_through.DestroyAnyApproach,
    random_battle_length.RandomBattleLength,
    narrative_victory.LastStand,
    narrative_victory.EnemiesOffTheBattlefield,
    narrative_victory.MoreVictoryPoints,
    narrative_victory.EndByAgreement,
    reminders.Reminders,
    stratagems.Stratagems,
    battle.CampaignBattle,
    terrain.BattleTerrain,
    which_battle.WhichBattle,
    special_rules.SpecialRules,
    sides.Sides,
    battle_set_up.BattleSetUp,
    reinforcements.Reinforcements,
    artillery.Artillery,
    sky.Sky,
    battle_end.BattleEnd,
)

STRATAGEMS = (stratagem_effects.ALL_EFFECTS, stratagem_moments.ALL_MOMENTS)
"""What stratagems may do, and when: mission files are read by these."""

RULES: Mapping[str, type[Rule]] = {kind.NAME: kind for kind in ALL_RULES}
"""By the name a mission gives."""

DECLARED: Mapping[type[Act], Mapping[str, Declared]] = {
    kind: specs(kind) for kind in (*ALWAYS, *(act for rule in ALL_RULES for act in rule.ACTS))
}
"""The fields of every act of every game, by its class."""

ACT_NAMES = frozenset(kind.DO for kind in DECLARED)
"""Every word an act may have in some game."""
