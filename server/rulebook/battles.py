"""Tables of battles, casualties and recovery (6, 7)."""

from __future__ import annotations

from server.rulebook.markdown import faces, listed, signed, span, spans, table
from server.rules.ruleset import Ruleset, Strength


def quick_damage(rs: Ruleset) -> str:
    """Damage by 2D6 and modifiers, in percent (6.1)."""
    rising = reversed(list(spans(rs.quick_battle.damage)))
    return table(
        ("2D6 and modifiers", "Damage in % of own ready points"),
        [(span(minimum, maximum), value) for minimum, maximum, value in rising],
    )


def quick_modifiers(rs: Ruleset) -> str:
    """Modifiers of both sides (6.1)."""
    quick = rs.quick_battle
    rows = [
        ("The attack is a raid, planned or not", signed(quick.raid), signed(quick.raid)),
        ("The attack or raid is planned", signed(quick.planned), ""),
        ("The defender is on `defend`", "", signed(quick.defend)),
        ("Each supporter of the defender", "", signed(quick.supports_defender)),
        ("Each supporter of the attacker from the front", signed(quick.front), ""),
        ("Each supporter of the attacker from the flank", signed(quick.flank), ""),
        ("Each supporter of the attacker from the rear", signed(quick.rear), ""),
    ]
    rows += [(_strength(rs, each), *_sides(each)) for each in rs.strengths.values()]
    need = f"{quick.underdog_on}+" if quick.underdog_on < 6 else str(quick.underdog_on)
    either = f"{signed(quick.underdog)} for the side with fewer ready points"
    rows.append((f"One die for the underdog shows {need}", either, either))
    return table(("When", "Attacker", "Defender"), rows)


def _strength(rs: Ruleset, strength: Strength) -> str:
    """Return whose strength it is and when it counts (D-71b)."""
    who = [rs.detachment_types[id_].name.lower() for id_ in strength.detachment_types] or ["any force"]
    whose = [rs.factions[id_].name for id_ in strength.factions]
    roles = {"attacker": "as attacker", "defender": "as defender", "supporter": "as supporter of the attacker"}
    parts = [
        f"{strength.name}: {listed(who)}" + (f" of the {listed(whose)}" if whose else ""),
        " or ".join(roles[each] for each in strength.role),
        *(_WHEN[each] for each in strength.when),
    ]
    return ", ".join(parts)


_WHEN = {
    "from_orbit": "dropping from orbit",
    "no_vehicles": "the enemy without vehicles",
    "unprepared": "the defender not on `defend`",
    "stronghold": "a stronghold in the hex",
}


def _sides(strength: Strength) -> tuple[str, str]:
    attacking = {"attacker", "supporter"}.intersection(strength.role)
    return signed(strength.bonus) if attacking else "", signed(strength.bonus) if "defender" in strength.role else ""


def vp(rs: Ruleset) -> str:
    """VP by the difference in strength (6.2.3)."""
    rows = [(span(minimum, maximum), value) for minimum, maximum, value in spans(rs.vp)]
    return table(("Winner's strength minus loser's", "VP"), rows)


def casualties(rs: Ruleset) -> str:
    """What becomes of lost models, by 1D6 (6.2.3.6)."""
    rows = [
        ("lost", faces(1, rs.lose_dead), faces(rs.lose_dead + 1, 6), "–"),
        ("won", faces(1, rs.win_dead), faces(rs.win_dead + 1, rs.win_wounded), faces(rs.win_wounded + 1, 6)),
    ]
    tough = {each.fewer_dead for each in rs.detachment_types.values() if each.fewer_dead}
    for fewer in sorted(tough):
        names = listed(each.name.lower() for each in rs.detachment_types.values() if each.fewer_dead == fewer)
        rows += [
            (f"lost, by {names}", faces(1, rs.lose_dead - fewer), faces(rs.lose_dead - fewer + 1, 6), "–"),
            (
                f"won, by {names}",
                faces(1, rs.win_dead - fewer),
                faces(rs.win_dead - fewer + 1, rs.win_wounded),
                faces(rs.win_wounded + 1, 6),
            ),
        ]
    return table(("The battle was", "Dead", "Wounded", "Light injury"), rows)


def recovery(rs: Ruleset) -> str:
    """Faces on which the wounded recover (7.1)."""
    armies = [each for each in rs.factions.values() if each.recover_on]
    rows = [
        ("A wounded model or damaged vehicle recovers on", f"{rs.recover_on}+"),
        *((f"A wounded model of the {each.name} recovers on", f"{each.recover_on}+") for each in armies),
        ("In its owner's capital", f"{signed(rs.recover_capital)} to the roll"),
        ("In any other urban hex or stronghold", f"{signed(rs.recover_place)} to the roll"),
    ]
    return table(("Recovery", "1D6"), rows)
