"""Tables of battles, casualties and recovery (6, 7)."""

from __future__ import annotations

from server.rulebook.markdown import faces, signed, spans, table
from server.rulebook.markdown import number as plain
from server.rulebook.words import Words
from server.rules.ruleset import Ruleset, Strength


def _span(minimum: int | None, maximum: int | None, w: Words) -> str:
    """Return a span of totals in words; None: open."""
    if minimum is None:
        return w("{n} or less", n=plain(maximum))
    if maximum is None:
        return w("{n} or more", n=plain(minimum))
    return plain(minimum) if minimum == maximum else w("{a} to {b}", a=plain(minimum), b=plain(maximum))


def quick_damage(rs: Ruleset, w: Words) -> str:
    """Damage by 2D6 and modifiers, in percent (6.1)."""
    rising = reversed(list(spans(rs.quick_battle.damage)))
    return table(
        (w("2D6 and modifiers"), w("Damage in % of own ready points")),
        [(_span(minimum, maximum, w), value) for minimum, maximum, value in rising],
    )


def quick_modifiers(rs: Ruleset, w: Words) -> str:
    """Modifiers of both sides (6.1)."""
    quick = rs.quick_battle
    rows = [
        (w("The attack is a raid, planned or not"), signed(quick.raid), signed(quick.raid)),
        (w("The attack or raid is planned"), signed(quick.planned), ""),
        (w("The defender is on `defend`"), "", signed(quick.defend)),
        (w("Each supporter of the defender"), "", signed(quick.supports_defender)),
        (w("Each supporter of the attacker from the front"), signed(quick.front), ""),
        (w("Each supporter of the attacker from the flank"), signed(quick.flank), ""),
        (w("Each supporter of the attacker from the rear"), signed(quick.rear), ""),
    ]
    rows += [(_strength(rs, strength, w), *_sides(strength)) for strength in rs.strengths.values()]
    need = f"{quick.underdog_on}+" if quick.underdog_on < 6 else str(quick.underdog_on)
    either = w("{n} for the side with fewer ready points", n=signed(quick.underdog))
    rows.append((w("One die for the underdog shows {faces}", faces=need), either, either))
    return table((w("When"), w("Attacker"), w("Defender")), rows)


def _strength(rs: Ruleset, strength: Strength, w: Words) -> str:
    """Return whose strength it is and when it counts (D-71b)."""
    who = [w.inside(rs.detachment_types[id_].name) for id_ in strength.detachment_types] or [w("any force")]
    whose = [w.name(rs.factions[id_].name) for id_ in strength.factions]
    parts = [
        f"{w.name(strength.name)}: {w.listed(who)}" + (w(" of the {armies}", armies=w.listed(whose)) if whose else ""),
        w(" or ").join(w(_ROLES[role]) for role in strength.role),
        *(w(_WHEN[condition]) for condition in strength.when),
    ]
    return ", ".join(parts)


_ROLES = {"attacker": "as attacker", "defender": "as defender", "supporter": "as supporter of the attacker"}
_WHEN = {
    "from_orbit": "dropping from orbit",
    "no_vehicles": "the enemy without vehicles",
    "unprepared": "the defender not on `defend`",
    "stronghold": "a stronghold in the hex",
}


def _sides(strength: Strength) -> tuple[str, str]:
    attacking = {"attacker", "supporter"}.intersection(strength.role)
    return signed(strength.bonus) if attacking else "", signed(strength.bonus) if "defender" in strength.role else ""


def vp(rs: Ruleset, w: Words) -> str:
    """VP by the difference in strength (6.2.3)."""
    rows = [(_span(minimum, maximum, w), value) for minimum, maximum, value in spans(rs.vp)]
    return table((w("Winner's strength minus loser's"), w("VP")), rows)


def casualties(rs: Ruleset, w: Words) -> str:
    """What becomes of lost models, by 1D6 (6.2.3.6)."""
    rows = [
        (w("lost"), faces(1, rs.lose_dead), faces(rs.lose_dead + 1, 6), "–"),
        (w("won"), faces(1, rs.win_dead), faces(rs.win_dead + 1, rs.win_wounded), faces(rs.win_wounded + 1, 6)),
    ]
    tough = {type_.fewer_dead for type_ in rs.detachment_types.values() if type_.fewer_dead}
    for fewer in sorted(tough):
        names = w.listed(w.inside(type_.name) for type_ in rs.detachment_types.values() if type_.fewer_dead == fewer)
        rows += [
            (
                w("lost, by {types}", types=names),
                faces(1, rs.lose_dead - fewer),
                faces(rs.lose_dead - fewer + 1, 6),
                "–",
            ),
            (
                w("won, by {types}", types=names),
                faces(1, rs.win_dead - fewer),
                faces(rs.win_dead - fewer + 1, rs.win_wounded),
                faces(rs.win_wounded + 1, 6),
            ),
        ]
    return table((w("The battle was"), w("Dead"), w("Wounded"), w("Light injury")), rows)


def recovery(rs: Ruleset, w: Words) -> str:
    """Faces on which the wounded recover (7.1)."""
    armies = [faction for faction in rs.factions.values() if faction.recover_on]
    rows = [
        (w("A wounded model or damaged vehicle recovers on"), f"{rs.recover_on}+"),
        *(
            (w("A wounded model of the {army} recovers on", army=w.name(army.name)), f"{army.recover_on}+")
            for army in armies
        ),
        (w("In its owner's capital"), w("{n} to the roll", n=signed(rs.recover_capital))),
        (w("In any other urban hex or stronghold"), w("{n} to the roll", n=signed(rs.recover_place))),
    ]
    return table((w("Recovery"), w("1D6")), rows)
