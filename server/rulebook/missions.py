"""The tables of the rules for the table, written from the mission files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from server import missions
from server.referee.act import Act
from server.referee.mission import ROLES, Mission, Polygon
from server.referee.narrative.stratagem_data import EFFECTS
from server.referee.reading import specs
from server.referee.registry import ALWAYS
from server.referee.rule import RULES
from server.rulebook.markdown import TableTranslations, table

COMBAT_PATROL, CRUCIBLE = "combat_patrol", "crucible_of_war"

ENGLISH = TableTranslations()


def family(name: str) -> list[Mission]:
    """Return the missions of a family, those that dice draw first, in the order of their faces."""
    found = [mission for mission in missions.library().values() if mission.family == name]
    return sorted(found, key=lambda mission: (mission.number == 0, mission.number, mission.name.en))


def rule(mission: Mission, name: str) -> Any:
    """Return one of a mission's rules with its parameters, None where it does not have that rule."""
    return next((data.kind(**data.values) for data in mission.rules if name == data.kind.NAME), None)


def patrol_missions() -> str:
    """Combat Patrol missions with their zones, schedule and score."""
    rows = [
        (mission.number, mission.name.en, *_zones(mission), *_scoring(mission)) for mission in family(COMBAT_PATROL)
    ]
    return table(("D6", "Mission", "Attacker's zone", "Defender's zone", "Scores in rounds", "For", "At most"), rows)


def patrol_markers() -> str:
    """Combat Patrol missions with the places of their markers."""
    rows = []
    for mission in family(COMBAT_PATROL):
        places = [
            f"`{marker.id}` ({_inches(marker.at[0])}, {_inches(marker.at[1])})"
            for marker in mission.markers
            if marker.at is not None
        ]
        rows.append((mission.name.en, " ".join(places)))
    return table(("Mission", "Markers"), rows)


def _scoring(mission: Mission) -> tuple[str, str, str]:
    primary = rule(mission, "primary_objective")
    rounds = ", ".join(str(number) for number in primary.rounds)
    late = primary.late_in
    lines = [f"{line.vp} for {_WORTH[line.what].format(count=line.count)}{_where(line.zone)}" for line in primary.lines]
    return f"{rounds}{f' ({late}: late)' if late else ''}", "; ".join(lines), str(primary.max or "–")


_WORTH = {
    "each_marker": "each marker", "markers": "{count} or more", "more_markers": "more than the opponent",
    "razed": "a marker razed this turn", "claimed": "a site claimed", "claimed_twice": "a site claimed for two turns",
}  # fmt: skip


def _where(zone: str) -> str:
    return {"no_mans_land": " in No Man's Land", "enemy": " in the enemy's zone", "own": " in the own zone"}.get(
        zone, ""
    )


def _zones(mission: Mission) -> Iterator[str]:
    for role in ROLES:
        yield "; ".join(_shape(polygon) for polygon in mission.zones.get(role, ())) or "–"


def _shape(polygon: Polygon) -> str:
    """Return a rectangle as its two spans, another shape as its corners."""
    xs, ys = sorted({x for x, _ in polygon}), sorted({y for _, y in polygon})
    if len(polygon) == 4 and len(xs) == len(ys) == 2:
        return f"x {_inches(xs[0])}–{_inches(xs[1])}, y {_inches(ys[0])}–{_inches(ys[1])}"
    return " ".join(f"({_inches(x)}, {_inches(y)})" for x, y in polygon)


def _inches(thousandths: int) -> str:
    return f"{thousandths / 1000:g}"


def spotting() -> str:
    """From how far Sentries see a unit, by its power."""
    spotted = next(found.spotted for mission in family(CRUCIBLE) if (found := rule(mission, "sentries")))
    rows, lowest = [], 0
    for step in spotted:
        last = step is spotted[-1]
        rows.append((f"{lowest} or more" if last else f"{lowest}–{step.power}", f'{step.inches}"'))
        lowest = step.power + 1
    return table(("Power of the unit", "Range"), rows)


def narrative_missions() -> str:
    """Narrative missions with their zones, edges and rules."""
    rows = []
    for mission in family(CRUCIBLE):
        edges = [f"{side}: {ENGLISH.listed(mission.edges[side])}" for side in mission.edges]
        others = [
            f"{name.replace('_', ' ')}: {_shape(polygons[0])}"
            for name, polygons in mission.zones.items()
            if name not in ROLES
        ]
        rows.append((mission.name.en, *_zones(mission), "; ".join(others) or "–", "; ".join(edges)))
    return table(("Mission", "Attacker's zone", "Defender's zone", "Other areas", "Edges"), rows)


def stratagems() -> str:
    """Every stratagem: mission, side, cost, and what it does."""
    rows = [
        (mission.name.en, stratagem.name.en, stratagem.side, stratagem.price, stratagem.text.en)
        for mission in family(CRUCIBLE)
        for stratagem in mission.stratagems
    ]
    return table(("Mission", "Stratagem", "Side", "CP", "When and what"), rows)


def _battle(name: str) -> Any:
    return next(found for mission in family("battle") if (found := rule(mission, name)))


def terrain_pieces() -> str:
    """The pieces of terrain by 2D6 and ground (6.2.1.1)."""
    terrain = _battle("battle_terrain")
    words = {feature.id: re.split("[:;,]", feature.text.en)[0] for feature in terrain.features}
    words["special"] = "special"
    rows = [
        (total, *(words[column.rows[total - 2]] for column in terrain.columns))
        for total in range(2, 2 + len(terrain.columns[0].rows))
    ]
    return table(("2D6", *(column.ground for column in terrain.columns)), rows)


def dangerous_terrain() -> str:
    """What dangerous ground is, by a D6."""
    features = {feature.id: feature for feature in _battle("battle_terrain").features}
    rolled = next(feature.rolls for feature in features.values() if feature.rolls)
    return table(("D6", "Ground"), [(face, features[id_].text.en) for face, id_ in enumerate(rolled, 1)])


def scenarios() -> str:
    """The scenarios by situation and D6 (6.2.1.2.1)."""
    battle = _battle("which_battle")
    words = {scenario.id: _scenario(scenario.text.en) for scenario in battle.scenarios}
    rows = [(_situation(row), *(words[id_] for id_ in row.scenarios)) for row in battle.situations]
    return table(("Situation", *(str(face) for face in range(1, 7))), rows)


def _situation(row: Any) -> str:
    kind = "raid" if row.raid else "attack"
    if row.stronghold:
        return f"{kind}, the defender's stronghold"
    return f"{kind}, defender on withdraw" if row.withdrawing else f"{kind}, otherwise"


def _scenario(words: str) -> str:
    """Return the name of a scenario without its family."""
    family_, _, name = words.partition(": ")
    return "special" if family_ == "Special" else name


def scenario_families() -> str:
    """Which family of the players' rulebook each scenario belongs to."""
    families: dict[str, list[str]] = {}
    for scenario in _battle("which_battle").scenarios:
        name, _, title = scenario.text.en.partition(": ")
        if not scenario.halves and name != "Special":
            families.setdefault(name, []).append(title)
    return table(("Family", "Scenarios"), [(name, ENGLISH.listed(titles)) for name, titles in families.items()])


def reinforcements() -> str:
    """The die that brings reinforcements, by turn (6.2.2.1)."""
    faces = _battle("reinforcements").faces
    rows = [
        (f"{turn} and later" if turn == len(faces) else str(turn), f"{face} or more" if face < 7 else "none come")
        for turn, face in enumerate(faces, 1)
    ]
    return table(("Turn", "D6"), rows)


def _solo(name: str) -> Any:
    return next(found for mission in family("posture") if (found := rule(mission, name)))


def postures() -> str:
    """The postures by score."""
    steps = list(_solo("posture").postures)
    rows = []
    for place, step in enumerate(steps):
        maximum = steps[place + 1].from_score - 1 if place + 1 < len(steps) else None
        low = place == 0
        words = (
            f"{maximum} or less"
            if low
            else f"{step.from_score} or more"
            if maximum is None
            else f"{step.from_score} to {maximum}"
        )
        rows.append((words.replace("-", "−"), step.name.capitalize()))
    return table(("Score", "Posture"), rows)


def posture_actions() -> str:
    """What a unit of the solo opponent does, by face and posture."""
    steps = list(_solo("posture").postures)[::-1]
    rows = [(face % 10, *(step.actions[face - 1].replace("_", " ") for step in steps)) for face in range(1, 11)]
    return table(("d10", *(step.name.capitalize() for step in steps)), rows)


def solo_terrain() -> str:
    """The terrain of a solo game, by two dice."""
    rows = []
    for face, ground in enumerate(_solo("solo_scenarios").grounds, 1):
        details = [detail.en for detail in ground.details]
        rows += [(face, ground.text.en, faces, text) for faces, text in _runs(details)]
    return table(("D6", "Ground", "D6", "Besides"), rows)


def _runs(texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield equal texts that follow each other once, with their faces."""
    first = 0
    for place, text in enumerate(texts):
        if place + 1 == len(texts) or texts[place + 1] != text:
            yield (f"{first + 1}" if first == place else f"{first + 1}–{place + 1}", text)
            first = place + 1


def solo_scenarios() -> str:
    """The scenarios of a solo game."""
    found = _solo("solo_scenarios")
    by_face = list(found.by_face)
    rows = []
    for scenario in found.scenarios:
        faces = [str(face) for face, id_ in enumerate(by_face, 1) if id_ == scenario.id]
        rows.append((", ".join(faces), scenario.id.replace("_", " "), scenario.even, scenario.odd, scenario.text.en))
    return table(("D6", "Scenario", "You are, d10 even", "d10 odd", "Forces and set-up"), rows)


def mission_rules() -> str:
    """Every rule that a mission may name, with its parameters."""
    rows = [(f"`{name}`", _sentence(kind), _parameters(kind)) for name, kind in sorted(RULES.items())]
    return table(("Rule", "What it does", "Parameters"), rows)


def effects() -> str:
    """Every effect that a stratagem may have, with its values."""
    rows = [(f"`{name}`", _sentence(kind), _parameters(kind)) for name, kind in sorted(EFFECTS.items())]
    return table(("Effect", "What it does", "Values"), rows)


def _sentence(kind: type) -> str:
    """Return the first sentence of a class's documentation, with its numbers."""
    return " ".join((kind.__doc__ or "").strip().split("\n\n")[0].split()).replace("``", "`")


def _parameters(kind: type) -> str:
    """Return the names of the fields a class reads, required ones first."""
    declared = specs(kind)
    needed = [f"`{name}`" for name, item in declared.items() if item.needed]
    optional = [f"[`{name}`]" for name, item in declared.items() if not item.needed]
    return " ".join((*needed, *optional)) or "–"


def acts() -> str:
    """Every act, with the rule that brings it and its fields."""
    brought: list[tuple[str, type[Act], str]] = [(kind.DO, kind, "every game") for kind in ALWAYS]
    for name, kind in sorted(RULES.items()):
        brought += [(act.DO, act, f"`{name}`") for act in kind.ACTS]
    sources: dict[tuple[str, str], list[str]] = {}
    for do, act, source in sorted(brought, key=lambda item: item[0]):
        sources.setdefault((do, _parameters(act)), []).append(source)
    rows = [(f"`{do}`", fields, ", ".join(dict.fromkeys(found))) for (do, fields), found in sources.items()]
    return table(("Act", "Fields", "Brought by"), rows)


TABLES: Mapping[str, Callable[[], str]] = {
    "patrol_missions": patrol_missions,
    "patrol_markers": patrol_markers,
    "terrain_pieces": terrain_pieces,
    "dangerous_terrain": dangerous_terrain,
    "scenarios": scenarios,
    "scenario_families": scenario_families,
    "reinforcements": reinforcements,
    "spotting": spotting,
    "narrative_missions": narrative_missions,
    "stratagems": stratagems,
    "postures": postures,
    "posture_actions": posture_actions,
    "solo_terrain": solo_terrain,
    "solo_scenarios": solo_scenarios,
    "mission_rules": mission_rules,
    "effects": effects,
    "acts": acts,
}
"""By the name that a text calls them by."""
