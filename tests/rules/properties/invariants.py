"""What is true of every state, and of every step from one to the next."""

from __future__ import annotations

from dataclasses import dataclass, field

from server.rules import codec
from server.rules.board import ORBIT
from server.rules.movement import mobilities
from server.rules.state import BUILD, OVER, SETUP, Detachment, Force, Garrison, Id, State, Unit
from tests.rules.properties.campaigns import Phase
from tests.rules.properties.ledger import check_books, check_income


def check_state(state: State) -> None:
    """Check everything that one state must satisfy by itself."""
    check_numbers(state)
    check_places(state)
    check_tables(state)
    check_armies(state)
    assert codec.decode(codec.encode(state), state.board, state.ruleset) == state


def check_numbers(state: State) -> None:
    """Nothing is negative, no store is empty, no unit has more models than it can have."""
    assert all(bp > 0 for bp in (*state.store.values(), *state.harvest.values()))
    assert all(convoy.bp > 0 for convoy in state.convoys.values())
    assert all(player.vp >= 0 and player.serial >= 0 for player in state.players.values())
    for stronghold in state.stronghold.values():
        assert all(count > 0 for count in stronghold.defences.values())
    for force in forces(state):
        assert force.units
        for unit in force.units:
            assert unit.ready >= 0 <= unit.wounded, unit
            assert 0 < unit.ready + unit.wounded <= unit.models, unit


def check_places(state: State) -> None:
    """One ready detachment in a hex, one garrison in a stronghold, enemies never together, nobody at sea.

    Forces that were allies when they came together may become enemies where they stand; the one exception.
    """
    taken: dict[int, Detachment] = {}
    raised: dict[int, Detachment] = {}
    for detachment in state.detachments.values():
        if detachment.at == ORBIT:
            assert state.ruleset.detachment_types[detachment.type].orbit
            assert not detachment.ready_in
            continue
        table = raised if detachment.ready_in else taken
        assert detachment.at not in table, state.board.label(detachment.at)
        table[detachment.at] = detachment
        assert land(state, detachment.at), detachment
        if detachment.ready_in:
            assert state.owner[detachment.at] == detachment.owner
            assert detachment.at in state.urban
    holds: dict[int, Garrison] = {}
    for garrison in state.garrisons.values():
        assert garrison.at not in holds
        assert garrison.at in state.stronghold
        assert state.owner[garrison.at] == garrison.owner
        holds[garrison.at] = garrison
    for at, garrison in holds.items():
        beside = taken.get(at)
        assert beside is None or state.friendly(beside.owner, garrison.owner) or parted(state), state.board.label(at)
    assert all(land(state, convoy.at) for convoy in state.convoys.values())
    assert all(land(state, at) for at, owner in enumerate(state.owner) if owner)
    assert all(at in state.urban or at in state.stronghold for at in state.store)
    assert all(at in state.resource for at in state.harvest)
    assert all(state.discovered[at] for at, owner in enumerate(state.owner) if owner)


def parted(state: State) -> bool:
    """True when alliances can end in this campaign."""
    return state.settings.alliances


def check_tables(state: State) -> None:
    """The tables of who stands where are what they would be if built anew."""
    fresh = state.copy()
    fresh.reindex()
    assert state.detachment_at == fresh.detachment_at
    assert state.raising_at == fresh.raising_at
    assert state.garrison_at == fresh.garrison_at
    convoys = {at: sorted(each.id for each in here) for at, here in state.convoys_at.items()}
    assert convoys == {at: sorted(each.id for each in here) for at, here in fresh.convoys_at.items()}
    for at, detachment in state.detachment_at.items():
        assert state.detachments[detachment.id] is detachment
        assert detachment.at == at
    for player in state.players.values():
        assert not player.eliminated or state.phase == OVER or not owns_anything(state, player.id)


def check_armies(state: State) -> None:
    """No force has more units of a slot or more points than it may (1.2.1, 1.3, 6.2.3.7)."""
    rules = state.ruleset
    for detachment in state.detachments.values():
        slots = [unit.slot for unit in detachment.units]
        for slot, (_, maximum) in rules.detachment_types[detachment.type].slots.items():
            assert slots.count(slot) <= maximum, detachment
        assert detachment.points <= rules.rank(detachment.dxp)[2], detachment
    levels = {stronghold.id: stronghold.garrison for stronghold in rules.strongholds}
    for garrison in state.garrisons.values():
        assert garrison.points <= levels[state.stronghold[garrison.at].type]
        assert all(unit.mobility == "infantry" and not unit.vehicle for unit in garrison.units)


def owns_anything(state: State, player: str) -> bool:
    """True when a player still has something in play."""
    things = (*forces(state), *state.convoys.values())
    return player in state.owner or any(thing.owner == player for thing in things)


def forces(state: State) -> list[Force]:
    """Return all forces there are."""
    return [*state.detachments.values(), *state.garrisons.values()]


def units(state: State) -> list[Unit]:
    """Return all units there are."""
    return [unit for force in forces(state) for unit in force.units]


def land(state: State, at: int) -> bool:
    """True on land."""
    return state.ruleset.terrain[state.board.terrain[at]].land


# --- from one phase to the next ---


@dataclass
class Witness:
    """Watches a campaign phase by phase, and remembers every id that ever was."""

    seen: dict[Id, str] = field(default_factory=dict)
    """What each id was given to."""

    def watch(self, phase: Phase) -> None:
        """Check a phase."""
        before, after = phase.before, phase.after
        check_state(after)
        check_books(phase)
        check_income(phase)
        check_steps(before, after)
        self.check_ids(after)
        for event in phase.resolution.events:
            assert event.to or event.public, event
            assert list(event.to) == [player for player in after.players if player in event.to], event
        assert after.turn - before.turn in (0, 1)

    def check_ids(self, state: State) -> None:
        """An id is one thing's, and is never given again, not even when that thing is no more (D-06)."""
        now = {f"{detachment.id}": "detachment" for detachment in state.detachments.values()}
        now |= {garrison.id: "garrison" for garrison in state.garrisons.values()}
        now |= {convoy.id: "convoy" for convoy in state.convoys.values()}
        now |= {unit.id: "unit" for unit in units(state)}
        count = len(state.detachments) + len(state.garrisons) + len(state.convoys) + len(units(state))
        assert len(now) == count, "two things have one id"
        for id_, what in now.items():
            assert self.seen.get(id_, what) == what, id_
        for id_, what in self.seen.items():
            if what != "gone" and id_ not in now:
                self.seen[id_] = "gone"
        self.seen |= now


def check_steps(before: State, after: State) -> None:
    """Who has moved stands where his kind may go, or came by road (3.2, 3.3, D-42)."""
    for detachment in after.detachments.values():
        old = before.detachments.get(detachment.id)
        if detachment.at == ORBIT or (old is not None and old.at == detachment.at):
            continue
        if old is None and before.phase == BUILD:
            continue  # it is raised in a town, whatever lies around it (D-32)
        allowed = after.ruleset.terrain[after.board.terrain[detachment.at]].enter
        roads = [near for near in after.board.adjacent[detachment.at] if before.road(detachment.at, near)]
        bodies = [each for each in (old, detachment) if each is not None]  # losses may have changed what it is
        can_enter = [all(mobility in allowed for mobility in mobilities(body, after.ruleset)) for body in bodies]
        assert roads or any(can_enter), (detachment, after.board.terrain[detachment.at])
        if before.phase == SETUP:
            assert after.owner[detachment.at] == detachment.owner
