"""A computer player's memory: positions of forces, events of the turn, and its posture (P-30).

A memory is folded from the player's own views, one after the other: the same views give the same memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from server.bots.diplomacy import Relations
from server.bots.posture import Evaluation, Figures, Posture, evaluate, figures
from server.core.events import Event
from server.core.posture import ROWS
from server.rules.board import ORBIT, Hex
from server.rules.sight import View
from server.rules.state import Detachment, Force, Id, PlayerId, State

IN_THE_WAY = ("blocked", "stopped_in_zoc", "recovery_disturbed")
"""Events that reveal an enemy next to a force, seen or not."""
UNSEEN = 600
"""Assumed ready points of an unseen enemy."""
GHOST_TURNS = 3
"""Turns for which a force out of sight is assumed to stay where it was."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """Where a force was last seen."""

    at: Hex
    owner: PlayerId
    points: int
    """Ready points."""
    turn: int
    below: bool
    """Less than half of it was ready."""
    garrison: bool = False


@dataclass(frozen=True, slots=True)
class Fight:
    """A battle that the player has a part in."""

    attacking: PlayerId
    defended_by: PlayerId
    raid: bool
    forces: tuple[Id, ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """What a player remembers between two phases."""

    marks: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(ROWS, 0))
    """The turn's so far."""
    base: int = 0
    """Own points at the turn's start (P-30)."""
    vp: Mapping[PlayerId, int] = field(default_factory=dict)
    """Everyone's at the turn's start."""
    forces: Mapping[Id, Sighting] = field(default_factory=dict)
    """Own ones and others, as they were last seen."""
    fights: Mapping[str, Fight] = field(default_factory=dict)
    """By the hex's label."""
    history: tuple[Evaluation, ...] = ()
    """One for each turn."""
    attacked_by: Mapping[PlayerId, int] = field(default_factory=dict)
    """How often others have attacked."""
    met: Mapping[Id, tuple[int, int]] = field(default_factory=dict)
    """The first and the last of the turns in a row in which enemies, seen or not, were in an own force's way."""
    worn: Mapping[Id, int] = field(default_factory=dict)
    """Since which turn each own detachment without ready points has had none."""

    relations: Relations = field(default_factory=Relations)
    """Others' deeds against it, and its diplomacy in this turn."""

    @property
    def score(self) -> int:
        """Return the score after the last turn."""
        return self.history[-1].score if self.history else 0

    def posture(self, data: Figures | None = None) -> Posture:
        """Return the posture it gives."""
        return (data or figures()).posture(self.score)

    def hemmed(self, turn: int) -> dict[Id, int]:
        """Return for how many turns in a row, up to the last or this one, enemies were in each own force's way."""
        return {id_: last - first + 1 for id_, (first, last) in self.met.items() if last >= turn - 1}

    def ghosts(self, view: View) -> dict[Hex, int]:
        """Return the ready points of enemies who are out of sight and not long gone, by hex."""
        state, sees = view.state, frozenset(view.sees)
        found: dict[Hex, int] = {}
        for id_, seen in self.forces.items():
            old = state.turn - seen.turn > GHOST_TURNS and not seen.garrison
            there = seen.at in sees or state.force(id_) is not None or seen.at == ORBIT
            if old or there or seen.owner == view.viewer or (seen.owner and state.friendly(view.viewer, seen.owner)):
                continue
            if not seen.owner or not state.players[seen.owner].eliminated:
                found[seen.at] = found.get(seen.at, 0) + seen.points
        return found


def remember(memory: Memory, view: View, data: Figures | None = None) -> Memory:
    """Return the memory after a phase: *view* is what the player sees now, and what they saw happen in it."""
    rows = data or figures()
    marks = dict(memory.marks)
    for event in view.events:
        row, mark = _marks(memory, view, event, rows)
        if row:
            marks[row] += mark
    _count_losses(memory, view, marks, rows)
    attacked, strikers = dict(memory.attacked_by), list[PlayerId]()
    for event in view.events:
        fight = _fight_in(view, event.fields["hex"]) if event.type == "battle" else None
        if fight is not None and fight.defended_by == view.viewer:
            attacked[fight.attacking] = attacked.get(fight.attacking, 0) + 1
            strikers.append(fight.attacking)
    after = replace(
        memory,
        marks=marks,
        forces=_seen(memory, view),
        fights=_fights(view) or memory.fights,
        attacked_by=attacked,
        met=_met(memory, view),
        worn=_worn(memory, view),
        relations=memory.relations.attacked(strikers, view.state.turn),
    )
    if any(event.type in ("new_turn", "campaign_over") for event in view.events):
        after = _turn_over(after, view, rows)
    elif not memory.base:
        after = replace(after, base=_own_points(view), vp=_vp(view.state))
    return after


def _turn_over(memory: Memory, view: View, data: Figures) -> Memory:
    me, now = view.viewer, _vp(view.state)
    marks = dict(memory.marks)
    gained = {player: now[player] - memory.vp.get(player, 0) for player in now}
    marks["E"] += max(0, min(data.vp_at_most, gained[me]))
    rivals = [gain for player, gain in gained.items() if not view.state.friendly(me, player)]
    marks["D"] += max(0, min(data.vp_at_most, max(rivals, default=0)))
    turn = next((event.fields["turn"] - 1 for event in view.events if event.type == "new_turn"), view.state.turn)
    evaluation = evaluate(data, turn, memory.score, marks)
    evaluation = replace(evaluation, acts=memory.relations.carried_out(view))
    return replace(
        memory,
        marks=dict.fromkeys(ROWS, 0),
        base=_own_points(view),
        vp=now,
        fights={},
        relations=memory.relations.for_turn(view),
        history=(*memory.history, evaluation),
    )


def _vp(state: State) -> dict[PlayerId, int]:
    return {player.id: player.vp for player in state.players.values()}


def _own_points(view: View) -> int:
    return sum(force.points for force in _forces(view.state) if force.owner == view.viewer)


def _forces(state: State) -> list[Force]:
    return [*state.detachments.values(), *state.garrisons.values()]


def _seen(memory: Memory, view: View) -> dict[Id, Sighting]:
    """Return where everyone was last seen; who is seen to be gone from a hex is forgotten there."""
    state, sees = view.state, frozenset(view.sees)
    gone = {event.fields["force"] for event in view.events if event.type == "destroyed"}
    found = {
        id_: seen
        for id_, seen in memory.forces.items()
        if id_ not in gone and seen.at not in sees and seen.owner != view.viewer
    }
    found |= _felt(view)
    for force in _forces(state):
        points = state.ready_points(force)
        ready = not (isinstance(force, Detachment) and force.ready_in)
        if ready:
            found[force.id] = Sighting(
                force.at, force.owner, points, state.turn, points * 2 < force.points, not isinstance(force, Detachment)
            )
    return found


def _felt(view: View) -> dict[Id, Sighting]:
    """Return the unseen enemies that must stand where they do: an own force was stopped beside one unseen hex only.

    They are remembered until the turn's end.
    """
    state, me, found = view.state, view.viewer, dict[Id, Sighting]()
    sees = frozenset(view.sees)
    for event in view.events:
        force = state.force(event.fields["force"]) if event.type in IN_THE_WAY else None
        if force is None or force.owner != me or force.at == ORBIT or not event.fields.get("contact", True):
            continue
        around = [at for at in state.board.adjacent[force.at] if state.ruleset.terrain[state.board.terrain[at]].land]
        dark = [at for at in around if at not in sees]
        if len(dark) == 1 and not any(state.enemy_at(at, me) for at in around):
            at = dark[0]
            owner = state.owner[at] if not state.friendly(me, state.owner[at]) else ""
            found[f"unseen/{at}"] = Sighting(at, owner, UNSEEN, state.turn - GHOST_TURNS, below=False)
    return found


def _met(memory: Memory, view: View) -> dict[Id, tuple[int, int]]:
    """Return in which turns enemies were in the way of each own force that there still is."""
    state = view.state
    found = {id_: turns for id_, turns in memory.met.items() if state.force(id_) is not None}
    for event in view.events:
        force = state.force(event.fields["force"]) if event.type in IN_THE_WAY else None
        if force is None or force.owner != view.viewer or not event.fields.get("contact", True):
            continue
        first, last = found.get(force.id, (state.turn, state.turn))
        found[force.id] = (first if last >= state.turn - 1 else state.turn, state.turn)
    return found


def _worn(memory: Memory, view: View) -> dict[Id, int]:
    state = view.state
    return {
        force.id: memory.worn.get(force.id, state.turn)
        for force in state.detachments.values()
        if force.owner == view.viewer and not force.ready_in and not state.fit(force)
    }


# --- P-30: the rows ---


def _marks(memory: Memory, view: View, event: Event, data: Figures) -> tuple[str, int]:
    """Return the row and the marks of an event; ("", 0) where it counts nothing."""
    counted = _COUNTS.get(event.type)
    return ("", 0) if counted is None else counted(memory, view, event, data)


def _battle(memory: Memory, view: View, event: Event, data: Figures) -> tuple[str, int]:
    fight = memory.fights.get(event.fields["hex"])
    me, winner = view.viewer, event.fields["winner"]
    if fight is None or me not in (fight.attacking, fight.defended_by):
        return "", 0
    loser_raided = fight.raid and winner == fight.defended_by
    return ("B" if winner == me else "A"), data.marks["raid_lost" if loser_raided else "battle_lost"]


def _failed(_: Memory, _view: View, _event: Event, data: Figures) -> tuple[str, int]:
    return "A", data.marks["attack_failed"]


def _withdrew(memory: Memory, view: View, event: Event, data: Figures) -> tuple[str, int]:
    """Withdrawing before an attack makes it fail."""
    return ("B", data.marks["attack_failed"]) if _mine(memory, view, event) else ("", 0)


def _blocked(_: Memory, _view: View, event: Event, data: Figures) -> tuple[str, int]:
    return ("A", data.marks["blocked"]) if event.fields["contact"] else ("", 0)


def _convoy(_: Memory, view: View, event: Event, data: Figures) -> tuple[str, int]:
    return ("B" if event.fields["by"] == view.viewer else "A"), data.marks["convoy_lost"]


def _claimed(_: Memory, view: View, event: Event, data: Figures) -> tuple[str, int]:
    me, by, before = view.viewer, event.fields["by"], event.fields["before"]
    if not before or me not in (by, before):
        return "", 0
    at = view.state.board.find(event.fields["hex"])
    kind = "urban_lost" if at in view.state.urban else "resource_lost" if at in view.state.resource else "hex_lost"
    return ("B" if by == me else "A"), data.marks[kind]


def _retreated(memory: Memory, view: View, event: Event, data: Figures) -> tuple[str, int]:
    return ("D" if _mine(memory, view, event) else "E"), data.marks["retreated"]


def _mine(memory: Memory, view: View, event: Event) -> bool:
    force = view.state.force(event.fields["force"])
    seen = memory.forces.get(event.fields["force"])
    return (force is not None and force.owner == view.viewer) or (seen is not None and seen.owner == view.viewer)


_COUNTS = {
    "battle_fought": _battle,
    "attack_failed": _failed,
    "withdrew": _withdrew,
    "blocked": _blocked,
    "convoy_captured": _convoy,
    "claimed": _claimed,
    "retreated": _retreated,
}


def _count_losses(memory: Memory, view: View, marks: dict[str, int], data: Figures) -> None:
    """Count points lost in battles (rows F and G), and forces that fell below half (D and E)."""
    me, state, lost = view.viewer, view.state, {"F": 0, "G": 0}
    for event in view.events:
        if event.type != "battle_fought":
            continue
        fight = memory.fights.get(event.fields["hex"])
        if fight is None or me not in (fight.attacking, fight.defended_by):
            continue
        attacker, defender = event.fields["attacker_damage"], event.fields["defender_damage"]
        mine, theirs = (defender, attacker) if fight.attacking == me else (attacker, defender)
        lost["F"] += _fallen(memory, state, fight, me, mine=True) if mine is None else mine
        lost["G"] += _fallen(memory, state, fight, me, mine=False) if theirs is None else theirs
    for row, points in lost.items():
        marks[row] += data.losses(points, memory.base)
    gone = {event.fields["force"] for event in view.events if event.type == "destroyed"}
    for id_, before in memory.forces.items():
        force = state.force(id_)
        fell = id_ in gone if force is None else state.ready_points(force) * 2 < force.points
        if fell and not before.below:
            marks["D" if before.owner == me else "E"] += data.marks["below_half"]


def _fallen(memory: Memory, state: State, fight: Fight, me: PlayerId, *, mine: bool) -> int:
    """Return the ready points that a side has lost in a battle on the table."""
    total = 0
    for id_ in fight.forces:
        before, force = memory.forces.get(id_), state.force(id_)
        if before is not None and (before.owner == me) == mine:
            total += max(0, before.points - (0 if force is None else state.ready_points(force)))
    return total


def _fights(view: View) -> dict[str, Fight]:
    label = view.state.board.label
    return {label(at): _as_fight(view.state, at) for at in view.state.battles}


def _as_fight(state: State, at: Hex) -> Fight:
    battle = state.battles[at]
    forces = tuple(dict.fromkeys((battle.attacker, battle.defender, *(force.id for force in state.forces_at(at)))))
    return Fight(battle.attacking, battle.defended_by, battle.raid, forces)


def _fight_in(view: View, label: str) -> Fight | None:
    at = view.state.board.find(label)
    return _as_fight(view.state, at) if at is not None and at in view.state.battles else None
