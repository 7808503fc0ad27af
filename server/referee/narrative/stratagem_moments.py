"""The moments at which stratagems are used: states of the machine, and events that were just told (N-61)."""

from __future__ import annotations

from server.referee.game import Game
from server.referee.narrative.bombardment import BOMBARD_HIT, Bombardment
from server.referee.narrative.bombardment import STAGE as BOMBARDMENT_STAGE
from server.referee.narrative.concealed_deployment import ConcealedDeployment
from server.referee.narrative.hidden_spy import HiddenSpy
from server.referee.narrative.placing import MOVEMENT
from server.referee.narrative.reports import SHOOTING, Reports
from server.referee.narrative.reserves import Reserves, SustainedAssault
from server.referee.narrative.roles import FIRST_TURN_STAGE, FirstTurn
from server.referee.narrative.roles import ROLL as FIRST_TURN_ROLL
from server.referee.narrative.rounds import DawnRaid
from server.referee.narrative.sabotage import BATTLE_END, Sabotage
from server.referee.narrative.sentries import FOR_SALE, Sentries, is_sentry
from server.referee.narrative.set_up_in_turn import SENTRIES, SetUpInTurn
from server.referee.narrative.set_up_in_turn import STAGE as DEPLOYMENT_STAGE
from server.referee.narrative.shared_acts import distance
from server.referee.narrative.stratagem_data import MOMENTS, Moment
from server.referee.units import RESERVE, TABLE, UNPLACED

Targets = tuple[str, ...] | None
SCAN = 12_000
"""How near a model must be for a scan (2.6)."""


def _moment_of_event(name: str, own: bool | None = None) -> Moment:
    """Return the moment of something that was just told; *own*: only the player's own units, or only the enemy's."""

    def moment(game: Game, player: str, named: str) -> Targets:
        if (about := game.moments.get(name)) is None:
            return None
        units: tuple[str, ...] = about.get("units", ())
        fit = [unit for unit in units if own is None or (game.units[unit].side == player) == own]
        return tuple(fit) if fit or not units else None

    return moment


def _in_own(game: Game, player: str, phase: str) -> bool:
    return game.stage == "battle" and not game.clock.ending and game.turn == player and game.phase == phase


def bombard_roll(game: Game, player: str, named: str) -> Targets:
    """Before a unit is rolled for."""
    rule = game.find(Bombardment)
    waiting = rule.waiting(game) if rule and game.stage == BOMBARDMENT_STAGE else []
    return tuple(unit.id for unit in waiting) or None


def bombard_hit(game: Game, player: str, named: str) -> Targets:
    """Between a hit and its damage."""
    rule = game.find(Bombardment)
    return (rule.hit,) if rule and rule.hit else None


def bombard_done(game: Game, player: str, named: str) -> Targets:
    """After the bombardment, where someone has gone to ground."""
    rule = game.find(Bombardment)
    if game.version > 1 and rule and not rule.grounded:
        return None
    return () if "bombard_done" in game.moments else None


def before_markers(game: Game, player: str, named: str) -> Targets:
    """Before the set-up markers are placed."""
    rule = game.find(ConcealedDeployment)
    return () if rule and game.stage == DEPLOYMENT_STAGE and not rule.sealed else None


def markers_placed(game: Game, player: str, named: str) -> Targets:
    """After they have been placed, before the other side sets up."""
    rule = game.find(ConcealedDeployment)
    return rule.named(game) if rule and "markers_placed" in game.moments else None


def before_sentries(game: Game, player: str, named: str) -> Targets:
    """Before the first Sentry is set up."""
    rule = game.find(SetUpInTurn)
    if rule is None or game.stage != DEPLOYMENT_STAGE or rule.step.what != SENTRIES:
        return None
    if any(is_sentry(unit) and unit.state == TABLE for unit in game.units.values()):
        return None
    if game.beginning.settings.extra_sentries == "free":
        return tuple(unit.id for unit in game.units_of(player, UNPLACED) if unit.marks.get(FOR_SALE))
    return tuple(unit.id for unit in game.units_of(player, UNPLACED) if not unit.extra and not is_sentry(unit))


def defender_deployed(game: Game, player: str, named: str) -> Targets:
    """After the Defender's patrol stands, before the Attacker's."""
    return tuple(unit.id for unit in game.units_of(player, UNPLACED)) if "defender_deployed" in game.moments else None


def first_turn_roll(game: Game, player: str, named: str) -> Targets:
    """Before the roll-off for the first turn."""
    rule = game.find(FirstTurn)
    return () if rule and game.stage == FIRST_TURN_STAGE and not rule.winner and not rule.chosen else None


def replacement_arrives(game: Game, player: str, named: str) -> Targets:
    """A destroyed unit comes back, and is not set up yet."""
    rule = game.find(SustainedAssault)
    return tuple(rule.arriving) or None if rule else None


def reserve_arrives(game: Game, player: str, named: str) -> Targets:
    """A unit arrives from Reserve, and is not set up yet."""
    rule = game.find(Reserves)
    if rule is None or not _in_own(game, player, MOVEMENT):
        return None
    return tuple(unit.id for unit in game.units_of(player, RESERVE) if rule.may_arrive(game, unit)) or None


def before_reserve_rolls(game: Game, player: str, named: str) -> Targets:
    """The end of the own Movement phase, before any Reserve roll."""
    rule = game.find(Reserves)
    dice = rule and _in_own(game, player, MOVEMENT) and rule.dice_now(game, player)
    return () if rule and dice and not rule.tried else None


def _before_roll(game: Game, roller: str, named: str) -> Targets:
    rule = game.find(Reserves)
    if rule is None or not _in_own(game, roller, MOVEMENT) or not rule.dice_now(game, roller):
        return None
    if named in rule.tried and game.units[named].state == RESERVE:
        return None
    return tuple(
        unit.id
        for unit in game.units_of(roller, RESERVE)
        if unit.id not in rule.tried and (rule.needs_die(game, unit) or unit.id in rule.certain)
    )


def own_reserve_roll(game: Game, player: str, named: str) -> Targets:
    """Before an own Reserve roll."""
    return _before_roll(game, player, named)


def enemy_reserve_roll(game: Game, player: str, named: str) -> Targets:
    """Before a Reserve roll of the other player."""
    return _before_roll(game, game.other(player), named)


def response_roll(game: Game, player: str, named: str) -> Targets:
    """Before an own Reserve roll in the turn of the response."""
    rule = game.find(Sentries)
    return _before_roll(game, player, named) if rule and rule.response_turn else None


def shooting_in_dawn_raid(game: Game, player: str, named: str) -> Targets:
    """The own Shooting phase while Dawn Raid holds, before the unit shoots."""
    rule = game.find(DawnRaid)
    if rule is None or not rule.holds(game) or not _in_own(game, player, SHOOTING):
        return None
    reports = game.find(Reports)
    if game.version > 1 and reports and named in reports.have_shot:
        return None
    return tuple(unit.id for unit in game.units_of(player, TABLE) if not reports or unit.id not in reports.have_shot)


def attack(game: Game, player: str, named: str) -> Targets:
    """An own unit shoots while all is quiet, before it is resolved."""
    rule = game.find(Sentries)
    if rule is None or rule.alarm or not _in_own(game, player, SHOOTING):
        return None
    return tuple(unit.id for unit in game.units_of(player, TABLE))


def advance_roll(game: Game, player: str, named: str) -> Targets:
    """The own Movement phase, before the unit Advances."""
    if not _in_own(game, player, MOVEMENT):
        return None
    reports = game.find(Reports)
    if game.version > 1 and reports and named in reports.advanced:
        return None
    return tuple(unit.id for unit in game.units_of(player, TABLE) if not reports or unit.id not in reports.advanced)


def first_shooting_end(game: Game, player: str, named: str) -> Targets:
    """The end of the enemy's first Shooting phase: before it is left, and right after."""
    enemy = game.other(player)
    in_it = _in_own(game, enemy, SHOOTING) and game.round == 1 and (game.version == 1 or game.clock.held)
    if not in_it and "first_shooting_over" not in game.moments:
        return None
    reports = game.find(Reports)
    return tuple(unit.id for unit in game.units_of(player, TABLE) if reports and unit.id in reports.shot_at)


def movement_end(game: Game, player: str, named: str) -> Targets:
    """The end of the own Movement phase; its targets are hiding places near enough for a scan (2.6)."""
    rule = game.find(HiddenSpy)
    if rule is None or not _in_own(game, player, MOVEMENT):
        return None
    return tuple(place for place in rule.open_places(game) if _in_reach(game, player, place))


def _in_reach(game: Game, player: str, place: str) -> bool:
    """Say whether a model is near enough; where nothing at all is known of a place, the players know."""
    told = [distance(game, unit, place, game.markers[place].at, SCAN) for unit in game.units_of(player, TABLE)]
    known = [near for near in told if near is not None]
    return any(known) if known else bool(told)


def battle_end(game: Game, player: str, named: str) -> Targets:
    """The battle is over, the die for the Objective is not rolled, and an own unit is near it (N-66)."""
    rule = game.find(Sabotage)
    if rule is None or not game.clock.ending or rule.destroyed is not None or not rule.attempts:
        return None
    return () if any(rule.near_objective(game, unit) for unit in game.units_of(player, TABLE)) else None


MOMENTS |= {
    "bombard_roll": bombard_roll,
    BOMBARD_HIT: bombard_hit,
    "bombard_done": bombard_done,
    "before_markers": before_markers,
    "markers_placed": markers_placed,
    "both_deployed": _moment_of_event("both_deployed"),
    "before_sentries": before_sentries,
    "sentries_set_up": _moment_of_event("sentries_set_up"),
    "unit_deployed": _moment_of_event("unit_deployed", own=True),
    "unit_set_up": _moment_of_event("unit_set_up", own=True),
    "defender_deployed": defender_deployed,
    FIRST_TURN_ROLL: first_turn_roll,
    "replacement_arrives": replacement_arrives,
    "replacement_set_up": _moment_of_event("replacement_set_up"),
    "reserve_arrives": reserve_arrives,
    "before_reserve_rolls": before_reserve_rolls,
    "own_reserve_roll": own_reserve_roll,
    "enemy_reserve_roll": enemy_reserve_roll,
    "response_roll": response_roll,
    "shooting_in_dawn_raid": shooting_in_dawn_raid,
    "attack": attack,
    "advance_roll": advance_roll,
    "first_shooting_end": first_shooting_end,
    "movement_end": movement_end,
    "enters_mined_zone": _moment_of_event("enters_mined_zone"),
    "attempt_made": _moment_of_event("attempt_made", own=True),
    BATTLE_END: battle_end,
}
