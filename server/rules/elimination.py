"""Players who are out, and how a campaign ends (3.6, 7.2, D-13, D-14)."""

from __future__ import annotations

from server.rules.scene import Scene
from server.rules.state import OVER, Player, PlayerId, State


def eliminate(scene: Scene, player: PlayerId, reason: str, *, keep: bool = False) -> None:
    """Eliminate a player. All they have is removed or becomes uncontrolled, unless *keep* (the campaign ends)."""
    state = scene.state
    state.players[player].eliminated = True
    scene.emit_public("eliminated", player=player, reason=reason)
    if keep:
        return
    for detachment in [detachment for detachment in state.detachments.values() if detachment.owner == player]:
        state.remove_force(detachment)
    for garrison in [garrison for garrison in state.garrisons.values() if garrison.owner == player]:
        state.remove_force(garrison)
    convoys = [convoy for convoy in state.convoys.values() if convoy.owner == player]
    for convoy in convoys:
        state.remove_convoy(convoy)
    if convoys:
        scene.emit("convoys_lost", [player], convoys=len(convoys), bp=sum(convoy.bp for convoy in convoys))
    for hex_, owner in enumerate(state.owner):
        if owner == player:
            state.owner[hex_] = ""
    for urban in state.urban.values():
        if urban.capital == player:
            urban.capital = ""


def eliminate_the_lost(scene: Scene) -> None:
    """7.2: out is who has no detachment, convoy, urban or resource hex left (D-70)."""
    state = scene.state
    alive: dict[PlayerId, None] = {}
    for detachment in state.detachments.values():
        if not detachment.ready_in:
            alive[detachment.owner] = None
    for convoy in state.convoys.values():
        alive[convoy.owner] = None
    for at in (*state.urban, *state.resource):
        alive[state.owner[at]] = None
    for player in state.living():
        if player.id not in alive:
            eliminate(scene, player.id, "nothing_left")


def check_victory(scene: Scene, *, end_of_turn: bool) -> bool:
    """End the campaign if a victory condition is met; True when it is over (3.6, 7.2, D-13)."""
    state = scene.state
    if state.phase == OVER:
        return True
    met = state.ended_by or _condition_met(state, end_of_turn)
    if not met:
        return False
    state.ended_by = met
    state.winners = leaders(state)
    state.phase = OVER
    scene.emit_public("campaign_over", by=met, winners=list(state.winners))
    return True


def _condition_met(state: State, end_of_turn: bool) -> str:
    settings, living = state.settings, state.living()
    if settings.victory_points and any(player.vp >= settings.victory_points for player in living):
        return "victory_points"
    if settings.territory and _someone_holds(state, settings.territory):
        return "territory"
    if len(living) == 0 or (len(living) == 1 and settings.last_standing and len(state.players) > 1):
        return "last_standing"
    if end_of_turn and settings.turn_limit and state.turn >= settings.turn_limit:
        return "turn_limit"
    return ""


def _someone_holds(state: State, percent: int) -> bool:
    land, hexes = land_hexes(state), held(state)
    return any(hexes[player.id] * 100 >= percent * land for player in state.living())


def land_hexes(state: State) -> int:
    """Return how many hexes of land the map has."""
    return sum(1 for terrain in state.board.terrain if state.ruleset.terrain[terrain].land)


def held(state: State) -> dict[PlayerId, int]:
    """Return how many hexes each player controls."""
    count = dict.fromkeys(state.players, 0)
    for owner in state.owner:
        if owner:
            count[owner] += 1
    return count


def army_value(state: State, player: PlayerId) -> int:
    """Return the BP value of a player's living units; a garrison's is what it cost (D-13)."""
    detachments = sum(detachment.points for detachment in state.detachments.values() if detachment.owner == player)
    divisor = state.ruleset.garrison_divisor
    return detachments + sum(
        -(-garrison.points // divisor) for garrison in state.garrisons.values() if garrison.owner == player
    )


def leaders(state: State) -> tuple[PlayerId, ...]:
    """Return the players with most VP; ties: more army value, then more hexes, then shared (D-13)."""
    hexes = held(state)

    def standing(player: Player) -> tuple[int, int, int]:
        return player.vp, army_value(state, player.id), hexes[player.id]

    living = state.living()
    best = max((standing(player) for player in living), default=None)
    return tuple(player.id for player in living if standing(player) == best)
