"""Tables of battles, casualties and recovery (6, 7)."""

from __future__ import annotations

from server.rulebook.markdown import TableTranslations, faces, signed, spans, table
from server.rulebook.markdown import number as plain
from server.rules.ruleset import Ruleset, Strength


def _span(minimum: int | None, maximum: int | None, t: TableTranslations) -> str:
    """Return a span of totals in words; None: open."""
    if minimum is None:
        return t("{n} or less", n=plain(maximum))
    if maximum is None:
        return t("{n} or more", n=plain(minimum))
    return plain(minimum) if minimum == maximum else t("{a} to {b}", a=plain(minimum), b=plain(maximum))


def quick_damage(rs: Ruleset, t: TableTranslations) -> str:
    """Damage by 2D6 and modifiers, in percent (6.1)."""
    rising = reversed(list(spans(rs.quick_battle.damage)))
    return table(
        (t("2D6 and modifiers"), t("Damage in % of own ready points")),
        [(_span(minimum, maximum, t), value) for minimum, maximum, value in rising],
    )


def quick_modifiers(rs: Ruleset, t: TableTranslations) -> str:
    """Modifiers of both sides (6.1)."""
    quick = rs.quick_battle
    rows = [
        (t("The attack is a raid, planned or not"), signed(quick.raid), signed(quick.raid)),
        (t("The attack or raid is planned"), signed(quick.planned), ""),
        (t("The defender is on `defend`"), "", signed(quick.defend)),
        (t("Each supporter of the defender"), "", signed(quick.supports_defender)),
        (t("Each supporter of the attacker from the front"), signed(quick.front), ""),
        (t("Each supporter of the attacker from the flank"), signed(quick.flank), ""),
        (t("Each supporter of the attacker from the rear"), signed(quick.rear), ""),
    ]
    rows += [(_strength(rs, strength, t), *_sides(strength)) for strength in rs.strengths.values()]
    need = f"{quick.underdog_on}+" if quick.underdog_on < 6 else str(quick.underdog_on)
    either = t("{n} for the side with fewer ready points", n=signed(quick.underdog))
    rows.append((t("One die for the underdog shows {faces}", faces=need), either, either))
    return table((t("When"), t("Attacker"), t("Defender")), rows)


def _strength(rs: Ruleset, strength: Strength, t: TableTranslations) -> str:
    """Return whose strength it is and when it counts (D-71b)."""
    who = [t.inside(rs.detachment_types[id_].name) for id_ in strength.detachment_types] or [t("any force")]
    whose = [t.called(rs.factions[id_].name) for id_ in strength.factions]
    parts = [
        f"{t.called(strength.name)}: {t.listed(who)}"
        + (t(" of the {armies}", armies=t.listed(whose)) if whose else ""),
        t(" or ").join(t(_ROLES[role]) for role in strength.role),
        *(t(_WHEN[condition]) for condition in strength.when),
    ]
    return ", ".join(parts)


_ROLES = {"attacker": "as attacker", "defender": "as defender", "supporter": "as supporter of the attacker"}
_WHEN = {
    "from_orbit": "dropping from orbit",
    "no_vehicles": "the enemy without vehicles",
    "unprepared": "the defender not on `defend`",
    "stronghold": "a stronghold in the hex",
    "open": "no stronghold in the hex",
    "raid": "in a raid",
}


def _sides(strength: Strength) -> tuple[str, str]:
    attacking = {"attacker", "supporter"}.intersection(strength.role)
    return signed(strength.bonus) if attacking else "", signed(strength.bonus) if "defender" in strength.role else ""


def vp(rs: Ruleset, t: TableTranslations) -> str:
    """VP by the difference in strength (6.2.3)."""
    rows = [(_span(minimum, maximum, t), value) for minimum, maximum, value in spans(rs.vp)]
    return table((t("Winner's strength minus loser's"), t("VP")), rows)


def casualties(rs: Ruleset, t: TableTranslations) -> str:
    """What becomes of lost models, by 1D6 (6.2.3.6)."""
    rows = [
        (t("lost"), faces(1, rs.lose_dead), faces(rs.lose_dead + 1, 6), "–"),
        (t("won"), faces(1, rs.win_dead), faces(rs.win_dead + 1, rs.win_wounded), faces(rs.win_wounded + 1, 6)),
    ]
    tough = {type_.fewer_dead for type_ in rs.detachment_types.values() if type_.fewer_dead}
    for fewer in sorted(tough):
        names = t.listed(t.inside(type_.name) for type_ in rs.detachment_types.values() if type_.fewer_dead == fewer)
        rows += [
            (
                t("lost, by {types}", types=names),
                faces(1, rs.lose_dead - fewer),
                faces(rs.lose_dead - fewer + 1, 6),
                "–",
            ),
            (
                t("won, by {types}", types=names),
                faces(1, rs.win_dead - fewer),
                faces(rs.win_dead - fewer + 1, rs.win_wounded),
                faces(rs.win_wounded + 1, 6),
            ),
        ]
    return table((t("The battle was"), t("Dead"), t("Wounded"), t("Light injury")), rows)


def recovery(rs: Ruleset, t: TableTranslations) -> str:
    """Faces on which the wounded recover (7.1)."""
    armies = [faction for faction in rs.factions.values() if faction.recover_on]
    rows = [
        (t("A wounded model or damaged vehicle recovers on"), f"{rs.recover_on}+"),
        *(
            (t("A wounded model of the {army} recovers on", army=t.called(army.name)), f"{army.recover_on}+")
            for army in armies
        ),
        (t("In its owner's capital"), t("{n} to the roll", n=signed(rs.recover_capital))),
        (t("In any other settlement or stronghold"), t("{n} to the roll", n=signed(rs.recover_place))),
    ]
    return table((t("Recovery"), t("1D6")), rows)
