"""After all battles have been fought: who gives way, who moves in, who carries off what (6.2.3.8 to 6.2.3.10)."""

from __future__ import annotations

from server.rules.board import ORBIT, Hex
from server.rules.movement import destroy, free_hexes, mover
from server.rules.scene import Scene
from server.rules.sides import side_of
from server.rules.state import Battle, Detachment, Force, Garrison, State
from server.rules.treasury import capture_convoys, haul, plunder


def finish(scene: Scene) -> None:
    """Finish the battles in the order in which they were opened."""
    state = scene.state
    defenders = {at: side_of(state, battle, attacking=False) for at, battle in state.battles.items()}
    for battle in state.battles.values():
        if battle.raid:
            _finish_raid(scene, battle)
        else:
            _finish_attack(scene, battle, defenders[battle.hex])


def _finish_raid(scene: Scene, battle: Battle) -> None:
    """Nobody gives way; a successful raider carries off what it finds to where it came from."""
    if battle.winner == battle.attacking:
        bp, _ = plunder(scene, battle.hex, battle.winner, battle.origin)
        haul(scene, battle.winner, battle.origin, bp + battle.pillage)
    else:
        haul(scene, battle.winner, battle.hex, battle.pillage)
        capture_convoys(scene, battle.hex, battle.winner)


def _finish_attack(scene: Scene, battle: Battle, defenders: list[Force]) -> None:
    state = scene.state
    if battle.winner == battle.attacking:
        for force in defenders:
            if isinstance(force, Garrison):
                state.remove_force(force)
                to = (force.owner, battle.attacking)
                scene.emit("destroyed", to, force=force.id, name="garrison", hex=scene.label(force.at), reason="lost")
            else:
                _retreat(scene, battle, force, barred=battle.origin)
        _move_in(scene, battle)
    elif battle.origin == ORBIT:
        dropped = state.detachments.get(battle.attacker)
        if dropped is not None:
            _retreat(scene, battle, dropped, barred=ORBIT)
    capture_convoys(scene, battle.hex, battle.winner)
    haul(scene, battle.winner, battle.hex, battle.pillage)


def _bars(state: State, battle: Battle) -> bool:
    """D-68a: the hex of another battle is barred by an attacker who won and is about to move in, and by nobody else."""
    if not state.readings.retreat_over_battlefields:
        return True
    return not battle.raid and battle.winner == battle.attacking and _victor(state, battle) is not None


def _victor(state: State, battle: Battle) -> Detachment | None:
    """Return who takes the hex where the attack was won: a supporter from orbit, else the attacker (6.2.3.8)."""
    dropped = next(
        (
            supporter
            for id_, side in battle.supporters.items()
            if side != "defender" and (supporter := state.detachments.get(id_)) is not None and supporter.at == ORBIT
        ),
        None,
    )
    return dropped or state.detachments.get(battle.attacker)


def _move_in(scene: Scene, battle: Battle) -> None:
    """The attacker takes the hex; a supporter from orbit lands there in their stead (6.2.3.8)."""
    state = scene.state
    victor = _victor(state, battle)
    if victor is None or battle.hex in state.detachment_at:
        return
    start = scene.label(victor.at)
    state.move(victor, battle.hex)
    path = [scene.label(battle.hex)]
    scene.emit("moved", (victor.owner,), force=victor.id, start=start, path=path, stop="")


def _retreat(scene: Scene, battle: Battle, loser: Detachment, *, barred: Hex) -> None:
    """Move a beaten detachment one hex by the priorities of D-68, or destroy it."""
    state = scene.state
    who = mover(state, loser)
    sources = _sources(state, battle) if barred != ORBIT else []

    def preference(hex_: Hex) -> tuple[bool, bool, int, int]:
        away = min((state.board.distance(hex_, source) for source in sources), default=0)
        cost = who.cost(state, battle.hex, hex_)
        return state.beside_enemy(hex_, loser.owner), state.owner[hex_] != loser.owner, -away, cost

    free = [
        hex_
        for hex_ in free_hexes(state, loser, battle.hex)
        if hex_ != barred and not (hex_ in state.battles and _bars(state, state.battles[hex_]))
    ]
    to = min(free, key=preference, default=None)
    parties = (battle.attacking, battle.defended_by)
    if to is None:
        destroy(scene, loser, "no_way_to_withdraw", *parties)
        return
    state.move(loser, to)
    capture_convoys(scene, to, loser.owner)
    scene.emit("retreated", parties, force=loser.id, start=scene.label(battle.hex), hex=scene.label(to))


def _sources(state: State, battle: Battle) -> list[Hex]:
    """Return the hexes the attackers, though they may have died, and their supporters came from."""
    ids = [id_ for id_, side in battle.supporters.items() if side != "defender"]
    sources = [battle.origin, *(supporter.at for id_ in ids if (supporter := state.detachments.get(id_)) is not None)]
    return [source for source in sources if source != ORBIT]
