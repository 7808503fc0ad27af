"""The books: BP appear and vanish only through sources that the events name.

Kept from the events alone, with the prices of the ruleset where an event tells what was built but not for how much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from server.core.events import Event
from server.rules.ruleset import Ruleset
from server.rules.state import BATTLES, REPORTS, PlayerId, State
from server.rules.treasury import worth
from tests.rules.properties.campaigns import Phase

Entry = Callable[[Event, State], int]


def _told(name: str, sign: int = 1) -> Entry:
    return lambda event, _: sign * int(event.fields[name])


def _start(event: Event, state: State) -> int:
    if event.fields["what"] != "capital":
        return 0
    usual = state.ruleset.start_bp if state.settings.start_bp is None else state.settings.start_bp
    return usual * state.faction(event.fields["player"]).start_percent // 100


def _cache(event: Event, _: State) -> int:
    return int(event.fields["bp"])


def _new_village(_: Event, state: State) -> int:
    return -state.ruleset.urban[0].cost


def _larger_town(event: Event, state: State) -> int:
    return -next(each.cost for each in state.ruleset.urban if each.id == event.fields["size"])


def _stronghold(event: Event, state: State) -> int:
    price = next(
        stronghold.cost for stronghold in state.ruleset.strongholds if stronghold.id == event.fields["stronghold"]
    )
    percent = _faction(state.ruleset, state.players[event.fields["by"]].faction)
    return -((price * percent + 99) // 100)


def _faction(ruleset: Ruleset, id_: str) -> int:
    return ruleset.factions[id_].stronghold_percent


def _road(_: Event, state: State) -> int:
    return -state.ruleset.road_cost


def _mustered(event: Event, _: State) -> int:
    """Ready at once is what is mustered, and paid (D-33); ready after its time what was paid long ago."""
    return -int(event.fields.get("bp", 0))


BOOKS: Mapping[str, Entry] = {
    # what comes in
    "placed": _start,
    "income": _told("total"),
    "building_disbanded": _told("bp"),
    "building_lost": lambda event, _: int(event.fields.get("bp", 0)),
    "spoils": _told("bp"),
    "discovered": _cache,
    # what goes out
    "maintenance": _told("bp", -1),
    "detachment_ordered": _told("bp", -1),
    "detachment_ready": _mustered,
    "units_added": _told("bp", -1),
    "restructured": lambda event, _: -int(event.fields.get("bp", 0)),
    "models_bought": _told("bp", -1),
    "garrison_built": _told("bp", -1),
    "repaired": _told("bp", -1),
    "building_built": _told("bp", -1),
    "defence_built": _told("bp", -1),
    "road_built": _road,
    "road_failed": _road,
    "urban_built": _new_village,
    "urban_upgraded": _larger_town,
    "stronghold_built": _stronghold,
    "stronghold_upgraded": _stronghold,
    "convoys_lost": _told("bp", -1),
}
"""Every source and drain there is; whatever else happens only moves BP about."""


def pillage(phase: Phase) -> int:
    """Return what the winners carry off: it comes when the last battle of the turn is over (6.2.3.4)."""
    if phase.before.phase not in (BATTLES, REPORTS) or phase.after.phase == REPORTS:
        return 0
    fought = sum(event.fields["pillage"] for event in phase.resolution.events if event.type == "battle_fought")
    return int(fought) + sum(battle.pillage for battle in phase.before.battles.values() if battle.winner)


def booked(events: Iterable[Event], state: State) -> int:
    """Return by how much the events say that all BP together have changed, pillage left out."""
    return sum(BOOKS[event.type](event, state) for event in events if event.type in BOOKS)


def check_books(phase: Phase) -> None:
    """All BP after a phase are those before it and what the events account for."""
    told = booked(phase.resolution.events, phase.before) + pillage(phase)
    assert worth(phase.after) == worth(phase.before) + told, _account(phase)


def _account(phase: Phase) -> str:
    lines = [
        f"{event.type} {dict(event.fields)}: {BOOKS[event.type](event, phase.before):+}"
        for event in phase.resolution.events
        if event.type in BOOKS
    ]
    return f"{phase.plan}, {phase.before.phase}: {worth(phase.before)} -> {worth(phase.after)}\n" + "\n".join(lines)


# --- income, reckoned a second time ---


def check_income(phase: Phase) -> None:
    """What each player is told he gets is what his land yields (1.1, D-20, D-21, D-25)."""
    events = phase.resolution.events
    told = {event.to[0]: dict(event.fields) for event in events if event.type == "income"}
    if not told:
        return
    assert list(told) == [each.id for each in phase.after.living()]
    for player, fields in told.items():
        expected = expected_income(phase.after, events, player)
        assert fields == expected, f"{phase.plan}, {player}: told {fields}, reckoned {expected}"


def expected_income(state: State, events: Iterable[Event], player: PlayerId) -> Mapping[str, Any]:
    """Reckon a player's income from the state after the start of a turn, and from what happened in it since."""
    rules, label = state.ruleset, state.board.label
    faction = rules.factions[state.players[player].faction]
    facts = list(events)
    own = [at for at, owner in enumerate(state.owner) if owner == player]
    fertile = [at for at in own if state.infested.get(at, player) == player]
    paying = [at for at in fertile if at not in state.corrupted]  # corruption takes the 5 BP of the hex only (D-71)
    at_home = any(state.urban[at].capital == player for at in own if at in state.urban)
    space = rules.space_income if faction.space_income is None else faction.space_income
    ruler = state.system_control if state.settings.fleet else ""
    if ruler and ruler != player and not _allied(state, player, ruler):
        space = space * faction.blockaded_space_percent // 100
    urban = {}
    for at in sorted(each for each in own if each in state.urban):
        shrunk = any(fact.type == "urban_shrunk" and fact.fields["hex"] == label(at) for fact in facts)
        sizes = [each.id for each in rules.urban]
        size = rules.urban[sizes.index(state.urban[at].size) + shrunk]
        base = max(0, size.income + faction.urban_income.get(size.id, 0))
        urban[label(at)] = (base + base * _percent(state, facts, at, player) // 100) if at in fertile else 0
    resources = {
        label(at): next(resource.income for resource in rules.resources if resource.id == state.resource[at])
        * (at in fertile)
        for at in sorted(each for each in own if each in state.resource)
    }
    home = space * at_home, len(paying) * rules.hex_income * at_home
    total = sum(home) + sum(urban.values()) + sum(resources.values())
    return {"space": home[0], "hexes": home[1], "urban": urban, "resources": resources, "total": total}


def _allied(state: State, a: PlayerId, b: PlayerId) -> bool:
    return state.settings.alliances and b in state.players[a].allies and a in state.players[b].allies


def _percent(state: State, events: list[Event], at: int, player: PlayerId) -> int:
    """What offices and centres added, with the buildings and forces there were when it was reckoned."""
    hex_, known = state.board.label(at), state.ruleset.buildings
    lost = [
        event.fields["building"] for event in events if event.type == "building_lost" and event.fields["hex"] == hex_
    ]
    new = [event.fields["force"] for event in events if event.type == "detachment_ready"]
    guarded = any(force.owner == player and force.id not in new for force in state.forces_at(at))
    levels = [each.id for each in state.ruleset.strongholds]
    stronghold = levels.index(state.stronghold[at].type) if at in state.stronghold else -1
    percent = 0
    for id_ in (*state.urban[at].buildings, *lost):
        while id_:
            needs = known[id_].income_needs
            if known[id_].income_percent and (not needs or (guarded and stronghold >= levels.index(needs))):
                percent += known[id_].income_percent
                break
            id_ = known[id_].upgrades
    return percent
