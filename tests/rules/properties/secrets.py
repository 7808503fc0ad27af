"""Changes to a campaign that one viewer must not notice: everything he cannot see, and nothing else.

What is hidden is told from the rule (3.4), not from the redaction under test: a hex he does not have in sight, a
force of somebody else there, in orbit or under construction, and of what he does see the orders, experience and
wounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from server.rules.board import ORBIT, Hex
from server.rules.sight import SPECTATOR, Seen, sight
from server.rules.state import (
    Battle,
    Convoy,
    Detachment,
    Force,
    Garrison,
    Id,
    PlayerId,
    State,
    Unit,
)
from tests.rules.properties.invariants import forces, land


@dataclass(slots=True)
class Secret:
    """A state about to be changed where the viewer cannot see it."""

    state: State
    viewer: str
    random: Random

    seen: Seen = field(init=False)
    """What the viewer has in sight."""

    def __post_init__(self) -> None:
        self.seen = sight(self.state)[self.viewer] if self.viewer != SPECTATOR else {}

    @property
    def others(self) -> list[PlayerId]:
        """Everybody else."""
        return [player for player in self.state.players if player != self.viewer]

    def strangers(self) -> list[PlayerId]:
        """Those who are no allies of the viewer: allies tell where their forces are, and may lend their eyes (D-08)."""
        if self.viewer == SPECTATOR:
            return self.others
        return [other for other in self.others if not self.state.friendly(other, self.viewer)]

    def hidden_hexes(self) -> list[Hex]:
        """Land out of sight."""
        return [at for at in range(self.state.board.size) if at not in self.seen and land(self.state, at)]

    def fights(self, force: Force) -> bool:
        """True for who takes part in a battle: its enemies, and who sees the battle, know of it."""
        return any(
            force.id in (battle.attacker, battle.defender, *battle.supporters) or force.at == battle.hex
            for battle in self.state.battles.values()
        )

    def is_hidden(self, force: Force) -> bool:
        """True for somebody else's force the viewer does not see, is not told of, and does not meet in battle."""
        if force.owner == self.viewer or self.fights(force):
            return False
        if isinstance(force, Detachment) and force.ready_in > 0:
            return True
        return force.owner in self.strangers() and (force.at == ORBIT or force.at not in self.seen)

    def hidden(self) -> list[Force]:
        """Return all forces that are hidden."""
        return [force for force in forces(self.state) if self.is_hidden(force)]

    def hidden_detachments(self) -> list[Detachment]:
        """Return those of them that are detachments."""
        return [force for force in self.hidden() if isinstance(force, Detachment)]

    def hidden_convoys(self) -> list[Convoy]:
        """Return others' convoys out of sight."""
        found = self.state.convoys.values()
        return [each for each in found if each.owner != self.viewer and each.at not in self.seen]

    def free(self) -> list[Hex]:
        """Return the hexes out of sight with room for a detachment; who stands in a battle's hex is met there."""
        taken = (*self.state.detachment_at, *self.state.battles)
        return [at for at in self.hidden_hexes() if at not in taken]

    def new_id(self) -> Id:
        """Return an id nobody has."""
        return f"{self.random.getrandbits(48):012x}"


Change = Callable[[Secret], object]
"""Changes the state of a secret, or returns without having done so where there is nothing of the kind."""


def army(random: Random, new_id: Callable[[], Id]) -> tuple[Unit, ...]:
    """Return any units, some of them with wounded."""
    units = []
    for number in range(random.randint(1, 4)):
        ready, flags = random.randint(1, 10), random.choice(((), ("scout",)))
        wounded, points = random.randint(0, 10 - ready), random.randint(1, 300)
        name = f"Ghost {number}"
        units.append(Unit(new_id(), name, "troops", 10, points, "infantry", flags, ready=ready, wounded=wounded))
    return tuple(units)


def add_detachment(secret: Secret) -> None:
    """A detachment nobody spoke of: on land, in orbit or under construction."""
    state, random = secret.state, secret.random
    places, owners = secret.free(), secret.strangers()
    if places and owners:
        kind = random.choice(list(state.ruleset.detachment_types))
        at, ready_in = random.choice(places), random.choice((0, 0, 0, 2))
        if ready_in and at in state.raising_at:
            return
        at = ORBIT if not ready_in and random.random() < 0.2 else at
        units = army(random, secret.new_id)
        owner = random.choice(owners)
        state.add_detachment(
            Detachment(secret.new_id(), owner, "Ghosts", kind, at, units, dxp=random.randint(0, 40), ready_in=ready_in)
        )


def remove_force(secret: Secret) -> None:
    """A hidden force that is no more."""
    if found := secret.hidden():
        secret.state.remove_force(secret.random.choice(found))


def move_detachment(secret: Secret) -> None:
    """A hidden detachment somewhere else, still out of sight."""
    bodies = [detachment for detachment in secret.hidden_detachments() if not detachment.ready_in]
    places = [*secret.free(), ORBIT]
    if bodies:
        secret.state.move(secret.random.choice(bodies), secret.random.choice(places))


def rename_force(secret: Secret) -> None:
    """A hidden force with another id."""
    if found := secret.hidden():
        force = secret.random.choice(found)
        secret.state.remove_force(force)
        force.id = secret.new_id()
        if isinstance(force, Garrison):
            secret.state.add_garrison(force)
        else:
            secret.state.add_detachment(force)


def rearm_force(secret: Secret) -> None:
    """A hidden force of other units, name and kind."""
    if found := secret.hidden():
        force = secret.random.choice(found)
        if force.at == ORBIT or force.at not in secret.seen or force.owner in secret.strangers():
            force.units = army(secret.random, secret.new_id)
        if isinstance(force, Detachment):
            force.name, force.mounted = "Renamed", not force.mounted


def turn_construction(secret: Secret) -> None:
    """What others are building is nobody's business, wherever it is: how long it takes, and what it will be."""
    found = [
        detachment
        for detachment in secret.state.detachments.values()
        if detachment.ready_in and detachment.owner != secret.viewer
    ]
    for each in found:
        each.ready_in = secret.random.randint(1, 9)
        each.units = army(secret.random, secret.new_id)


def change_plans(secret: Secret) -> None:
    """Others' battle orders, experience and new units, even of forces in full sight."""
    for detachment in secret.state.detachments.values():
        if detachment.owner != secret.viewer:
            detachment.battle_order = secret.random.choice(("", "inactive", "defend", "guard", "attack", "withdraw"))
            detachment.dxp = secret.random.randint(0, 60)
            detachment.pinned = secret.random.random() < 0.5


def count_wounded(secret: Secret) -> None:
    """How many of the models that are missing from others' units are wounded, and how many dead."""
    for force in forces(secret.state):
        if force.owner != secret.viewer:
            units = force.units
            force.units = tuple(replace(u, wounded=secret.random.randint(0, u.models - u.ready)) for u in units)


def add_garrison(secret: Secret) -> None:
    """A garrison in a stronghold out of sight."""
    state = secret.state
    taken = (*secret.seen, *state.garrison_at, *state.battles)
    places = [at for at in state.stronghold if at not in taken]
    owned = [at for at in places if state.owner[at] in secret.strangers()]
    if owned:
        at = secret.random.choice(owned)
        units = army(secret.random, secret.new_id)
        state.add_garrison(Garrison(secret.new_id(), state.owner[at], at, units))


def stir_convoys(secret: Secret) -> None:
    """Convoys out of sight come, go, move, change owner and load."""
    state, random = secret.state, secret.random
    for convoy in secret.hidden_convoys():
        choice = random.randrange(4)
        if choice == 0:
            state.remove_convoy(convoy)
        elif choice == 1:
            convoy.bp = random.randint(1, 9999)
        elif choice == 2 and convoy.owner in secret.strangers():
            state.move_convoy(convoy, random.choice(secret.hidden_hexes()))
    if secret.strangers() and secret.hidden_hexes():
        at = random.choice(secret.hidden_hexes())
        state.add_convoy(Convoy(secret.new_id(), random.choice(secret.strangers()), at, random.randint(1, 900)))


def stir_money(secret: Secret) -> None:
    """What lies in stores and at resource hexes out of sight."""
    state, random = secret.state, secret.random
    for at in (*state.urban, *state.stronghold):
        if at not in secret.seen:
            state.store.pop(at, None)
            if random.random() < 0.7:
                state.store[at] = random.randint(1, 99_999)
    for at in state.resource:
        if at not in secret.seen and state.owner[at] != secret.viewer:
            state.harvest.pop(at, None)
            if random.random() < 0.5:
                state.harvest[at] = random.randint(1, 900)


def rebuild_places(secret: Secret) -> None:
    """Buildings, defences and dates of places out of sight."""
    state, random = secret.state, secret.random
    for at, urban in state.urban.items():
        if at not in secret.seen:
            urban.buildings = tuple(sorted(random.sample(list(state.ruleset.buildings), 3)))
            urban.changed, urban.road, urban.disbanded = (random.randint(-1, state.turn) for _ in range(3))
    for at, stronghold in state.stronghold.items():
        if at not in secret.seen:
            stronghold.defences = {id_: random.randint(1, 4) for id_ in random.sample(list(state.ruleset.defences), 3)}
            stronghold.weapons = tuple(sorted(random.sample(list(state.ruleset.weapons), 2)))
            stronghold.changed = random.randint(-1, state.turn)


def read_minds(secret: Secret) -> None:
    """What others have seen, declared to each other, lost, and how many ids were made for them."""
    state, random = secret.state, secret.random
    for each in secret.others:
        player = state.players[each]
        player.serial += random.randint(1, 99)
        player.met = dict.fromkeys(secret.new_id() for _ in range(random.randint(0, 4)))
        player.start_urban = random.choice(((), ("village",)))
        player.start_resource = random.choice(((), ("tiny", "huge")))
        third = [other for other in secret.others if other != each and random.random() < 0.5]
        player.declared = tuple(sorted({*third, *({secret.viewer} & {*player.declared})}))
        unanswered = [other for other in third if each not in state.players[other].allies]
        kept = [other for other in player.allies if other == secret.viewer or state.friendly(each, other)]
        player.allies = tuple(sorted({*kept, *unanswered}))
        state.alliances_changed()
        state.lost_characters[f"{each}/Hero {random.random()}"] = None
    state.id_key = random.randbytes(16)


def stir_battles(secret: Secret) -> None:
    """Battles among others, out of sight."""
    state, random = secret.state, secret.random
    for at, battle in list(state.battles.items()):
        sides = [battle.attacking, battle.defended_by]
        sides += [force.owner for id_ in battle.supporters if (force := state.force(id_)) is not None]
        if at in secret.seen or secret.viewer in sides:
            continue
        battle.kind = random.choice(("attack", "raid"))
        battle.vp, battle.pillage, battle.tabletop = random.randint(0, 9), random.randint(0, 99), True
        battle.attacker_modifier = random.randint(-3, 3)
    if len(secret.others) >= 2 and (places := [at for at in secret.hidden_hexes() if at not in state.battles]):
        a, b = random.sample(secret.others, 2)
        at = random.choice(places)
        taken = list(state.battles.items())
        new = Battle(at, secret.new_id(), secret.new_id(), "attack", a, b, state.board.adjacent[at][0])
        taken.insert(random.randint(0, len(taken)), (at, new))
        state.battles = dict(taken)


CHANGES: tuple[Change, ...] = (
    add_detachment, remove_force, move_detachment, rename_force, rearm_force, turn_construction, change_plans,
    count_wounded, add_garrison, stir_convoys, stir_money, rebuild_places, read_minds, stir_battles,
)  # fmt: skip
