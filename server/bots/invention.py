"""A position to practise in, made from one view alone: what its viewer could not see is invented by dice, and marked.

Nothing here is given the true position, so nothing of it can come out. Invented are: buildings, stores and harvests
out of sight, garrisons, detachments, and in Setup what the others may place. Not invented are convoys, defences,
detachments under construction, experience and wounds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from server.bots.army import PATROL, SQUAD, host, price, units_for
from server.core.dice import Dice
from server.rules.board import Hex
from server.rules.economy import Income, income
from server.rules.force_names import name_for
from server.rules.scene import Scene
from server.rules.setup import play_start_sizes
from server.rules.sight import GM, View, remember
from server.rules.state import (
    BATTLES,
    REPORTS,
    SETUP,
    Battle,
    Detachment,
    Force,
    Garrison,
    Player,
    PlayerId,
    State,
    Unit,
)

MARK = " (?)"
"""Ends the name of each invented detachment."""
BUILT_FROM, BUILT_IN_CAPITAL_FROM, HELD_FROM, HARVEST_FROM = 5, 4, 3, 3
"""Faces of 1D6 from which an unseen town has a building, its capital one, a stronghold a garrison, a resource BP."""
MIN_PERCENT, STEPS_OF_TEN = 60, 7
"""An army has 60 % and ten for each of 1D7 of the viewer's, for as much land."""
MIN_LAND, MAX_LAND = 50, 150
"""Percent of the viewer's land that a player's counts as at least and at most."""
HOSTS = (price(PATROL), 540, 540, 1040)
"""Points of a detachment at most, by 1D4."""


@dataclass(frozen=True, slots=True)
class Invented:
    """One thing that was invented."""

    what: str
    """``building``, ``store``, ``harvest``, ``garrison``, ``detachment``, ``start`` (what one places in Setup), or
    ``battle``: one of whose sides the viewer did not know both, and which is left out."""
    owner: PlayerId
    hex: str
    """Label; empty for ``start``."""
    id: str = ""
    """Of a force; of a building what it is."""


@dataclass(frozen=True, slots=True)
class Practice:
    """A position to practise in."""

    state: State
    invented: tuple[Invented, ...]


def practice_from(view: View, dice: Dice, id_key: bytes) -> Practice:
    """Return a position that looks to the viewer of *view* as theirs did, whatever else was true.

    *dice* and *id_key* must be the practice's own. The same view, dice and key give the same position. Battles are
    fought by dice: nobody sits at a table with a computer player.
    """
    state = view.state.copy()
    state.id_key = id_key
    state.settings = replace(state.settings, battles="quick", named_ids=False)
    work = _Invention(view, state, dice)
    if view.viewer != GM:
        work.invent()
    work.settle_battles()
    remember(state)
    return Practice(state, tuple(work.found))


class _Invention:
    """One invention in the making."""

    def __init__(self, view: View, state: State, dice: Dice) -> None:
        self.state, self.dice = state, dice
        self.viewer = view.viewer
        self.sees = frozenset(view.sees)
        self.found: list[Invented] = []

    def invent(self) -> None:
        """Generate the others' hidden forces."""
        others = [player for player in self.state.living() if player.id != self.viewer]
        self._promises(others)
        if self.state.phase == SETUP:
            play_start_sizes(Scene(self.state, self.dice), [player.id for player in others])
            self.found += [Invented("start", player.id, "") for player in others]
            return
        gains = income(self.state)
        for player in others:
            hidden = [at for at in self._land(player.id) if at not in self.sees]
            self._places(player.id, hidden, gains[player.id])
            if not self._is_friend(player.id):  # allies tell each other where their forces are (D-08)
                self._army(player.id, hidden)

    def settle_battles(self) -> None:
        """Leave out battles whose sides are not both known; those that wait for the table are fought by dice."""
        state = self.state
        for at, battle in list(state.battles.items()):
            if state.force(battle.attacker) is None or state.force(battle.defender) is None:
                del state.battles[at]
                self.found.append(Invented("battle", battle.defended_by, self._label(at)))
                continue
            battle.supporters = {id_: side for id_, side in battle.supporters.items() if state.force(id_) is not None}
            _not_on_a_table(battle)
        if state.phase == REPORTS:
            state.phase = BATTLES

    # --- who stands with whom ---

    def _promises(self, others: list[Player]) -> None:
        """Let alliances among the others last: what they have declared since is theirs alone to know."""
        for player in others:
            lasting = {ally for ally in player.allies if ally != self.viewer}
            player.declared = tuple(sorted(lasting | {*player.declared}))

    # --- places ---

    def _places(self, owner: PlayerId, hidden: list[Hex], gains: Income) -> None:
        state = self.state
        for at in hidden:
            label = self._label(at)
            if at in state.urban:
                self._buildings(owner, at)
                own = gains.urban.get(at, 0)
                if state.urban[at].capital == owner:
                    own += gains.space + gains.hexes
                self._put("store", owner, at, own * self._face(f"store/{label}") // 3)
            if at in state.resource and self._face(f"harvest/{label}") >= HARVEST_FROM:
                self._put("harvest", owner, at, gains.resources.get(at, 0))

    def _put(self, what: str, owner: PlayerId, at: Hex, bp: int) -> None:
        if bp > 0:
            (self.state.store if what == "store" else self.state.harvest)[at] = bp
            self.found.append(Invented(what, owner, self._label(at)))

    def _buildings(self, owner: PlayerId, at: Hex) -> None:
        """Invent buildings of the first kind, none that replaces another; in a capital oftener."""
        state, urban = self.state, self.state.urban[at]
        rules = state.ruleset
        level = next(place for place, size in enumerate(rules.urban, 1) if size.id == urban.size)
        minimum = BUILT_IN_CAPITAL_FROM if urban.capital else BUILT_FROM
        for building in rules.buildings.values():
            fits = building.min_level <= level and not building.upgrades and not building.foreign_only
            if fits and self._face(f"building/{self._label(at)}/{building.id}") >= minimum:
                urban.buildings = tuple(sorted((*urban.buildings, building.id)))
                self.found.append(Invented("building", owner, self._label(at), building.id))

    # --- forces ---

    def _army(self, owner: PlayerId, hidden: list[Hex]) -> None:
        """Invent forces: as many points as the viewer's for as much land, more or less, less those that are known."""
        state = self.state
        left = self._points(owner) - self._known(owner)
        holds = {type_.id: type_.garrison for type_ in state.ruleset.strongholds}
        for at in hidden:
            stronghold = state.stronghold.get(at)
            maximum = min(holds[stronghold.type] if stronghold else 0, max(0, left) // 2) // SQUAD["points"]
            if maximum and at not in state.garrison_at and self._face(f"garrison/{self._label(at)}") >= HELD_FROM:
                count = self._face(f"squads/{self._label(at)}", maximum)
                garrison = Garrison(state.new_id(owner), owner, at, self._units(owner, (SQUAD,) * count))
                state.add_garrison(garrison)
                left -= garrison.points
                self.found.append(Invented("garrison", owner, self._label(at), garrison.id))
        sites = [at for at in hidden if at not in state.detachment_at and at not in state.battles]
        number = 0
        while sites and left >= price(PATROL):
            number += 1
            maximum = HOSTS[self._face(f"host/{owner}/{number}", len(HOSTS)) - 1]
            units = host(min(left, maximum))
            at = sites.pop(self._face(f"site/{owner}/{number}", len(sites)) - 1)
            made = self._detachment(owner, at, units)
            left -= made.points
            self.found.append(Invented("detachment", owner, self._label(at), made.id))

    def _detachment(self, owner: PlayerId, at: Hex, units: tuple[dict[str, object], ...]) -> Detachment:
        state = self.state
        id_ = state.new_id(owner)
        name = name_for(state, owner, id_, "") + MARK
        made = Detachment(id_, owner, name, "standard", at, self._units(owner, units))
        state.add_detachment(made)
        return made

    def _units(self, owner: PlayerId, units: tuple[dict[str, object], ...]) -> tuple[Unit, ...]:
        plain = [{name: value for name, value in unit.items() if name != "id"} for unit in units_for(units)]
        return tuple(
            Unit(
                self.state.new_id(owner), **(fields | {"flags": tuple(fields.get("flags", ()))}), ready=fields["models"]
            )
            for fields in plain
        )

    def _points(self, owner: PlayerId) -> int:
        """Return the points of a player's army: a spectator, who has none, takes what everyone began with."""
        state = self.state
        percent = MIN_PERCENT + 10 * self._face(f"army/{owner}", STEPS_OF_TEN)
        if self.viewer not in state.players:
            start = state.settings.start_bp
            return (state.ruleset.start_bp if start is None else start) * percent // 100
        land = 100 * state.owner.count(owner) // max(1, state.owner.count(self.viewer))
        return self._known(self.viewer) * percent * max(MIN_LAND, min(MAX_LAND, land)) // 10_000

    def _known(self, owner: PlayerId) -> int:
        """Return the points of a player's forces as far as there are any."""
        forces: list[Force] = [*self.state.detachments.values(), *self.state.garrisons.values()]
        return sum(force.points for force in forces if force.owner == owner)

    # --- small things ---

    def _is_friend(self, owner: PlayerId) -> bool:
        return self.viewer in self.state.players and self.state.friendly(self.viewer, owner)

    def _land(self, owner: PlayerId) -> list[Hex]:
        state = self.state
        terrain = state.ruleset.terrain
        return [at for at, whose in enumerate(state.owner) if whose == owner and terrain[state.board.terrain[at]].land]

    def _face(self, label: str, sides: int = 6) -> int:
        return self.dice.roll(f"invented/{label}", sides)

    def _label(self, at: Hex) -> str:
        return self.state.board.label(at)


def _not_on_a_table(battle: Battle) -> None:
    if not battle.winner:
        battle.tabletop = False
