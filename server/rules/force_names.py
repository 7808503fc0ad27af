"""What a new detachment is called where its player gives no name, and how names stay apart (1.2.1).

A seat has a pool of its own: names of its army list, shared out among the seats that play the list. Which of them a
force gets depends on its id alone, which tells nothing (D-06), and on the names of its owner's other forces. So no
name counts anything, and no name depends on what its owner cannot see.
"""

from __future__ import annotations

import hashlib

from server.rules.state import Id, PlayerId, State

PLAIN = (
    "First Banner", "Old Guard", "Vanguard", "Iron Fist", "Long March", "Red Banner", "Black Banner", "White Banner",
    "Night Watch", "Eagle", "Lion", "Bear", "Wolf", "Falcon", "Boar", "Stag",
)  # fmt: skip
"""The names of an army list that brings none."""
NUMERALS = ("II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")


def pool(state: State, player: PlayerId) -> list[str]:
    """Return the names that belong to a seat: no other seat of the same army list has any of them."""
    faction = state.players[player].faction
    seats = [player.id for player in state.players.values() if player.faction == faction]
    names = state.ruleset.factions[faction].force_names or PLAIN
    if not state.ruleset.factions[faction].force_names:
        seats = list(state.players)
    return list(names[seats.index(player) :: len(seats)]) or list(names)


def free_names(state: State, player: PlayerId) -> list[str]:
    """Return the names of a seat's pool that none of its forces has."""
    taken = {detachment.name for detachment in state.detachments.values() if detachment.owner == player}
    return [name for name in pool(state, player) if name not in taken]


def name_for(state: State, player: PlayerId, id_: Id, wanted: str) -> str:
    """Return the name of a new force: the one its player wanted, else one of the pool; told apart from their others."""
    taken = {detachment.name for detachment in state.detachments.values() if detachment.owner == player}
    if not wanted:
        free = free_names(state, player) or pool(state, player)
        wanted = free[int.from_bytes(hashlib.sha256(id_.encode()).digest()[:4]) % len(free)]
    if wanted not in taken:
        return wanted
    numbered = (f"{wanted} {numeral}" for numeral in NUMERALS)
    return next((name for name in numbered if name not in taken), f"{wanted} {id_[:4]}")
