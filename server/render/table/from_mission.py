"""The sheet of a mission, filled in from its data and the armies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from server.referee.mission import Mission
from server.referee.narrative.stratagem_data import Stratagem as StratagemData
from server.render.table.from_game import mission_drawing
from server.render.table.sheet import Sheet, Stratagem
from server.render.table.story import sentence
from server.render.table.svg import draw
from server.render.translations import Translations


def mission_sheet(mission: Mission, armies: Mapping[str, Mapping[str, Any]], language: str) -> Sheet:
    """Return the sheet of a mission. *armies*: by ``attacker`` and ``defender``, as a game's file has them."""
    t = Translations(language)
    summary = mission.summary.get(language) or mission.summary.get("en", ())
    return Sheet(
        title=mission.name.to(language),
        briefing=mission.briefing.to(language),
        rules=(*summary, *(hint.to(language) for hint in mission.hints)),
        rounds=mission.rounds,
        map_svg=draw(mission_drawing(mission, t), grey=True),
        stratagems=tuple(_stratagem(data, language) for data in mission.stratagems),
        armies={side: tuple(_lines(army.get("units"), t)) for side, army in armies.items()},
        language=language,
    )


def battle_sheet(
    mission: Mission, view: Mapping[str, Any], players: Mapping[str, str], picture: str, language: str, result: str = ""
) -> Sheet:
    """Return the sheet of a battle as it stands, from what you may know of it. *players*: names by red and blue."""
    t = Translations(language)
    red = "attacker" if view["attacker"] in ("red", "", None) else "defender"
    roles = {"red": red, "blue": "defender" if red == "attacker" else "attacker"}
    units = {side: [unit for unit in view["units"] if unit["side"] == side] for side in roles}
    names = {one.id: one.name.to(language) for one in mission.stratagems}
    names |= {unit["id"]: unit.get("name") or unit["id"] for unit in view["units"]}
    return replace(
        mission_sheet(mission, {role: {"units": units[side]} for side, role in roles.items()}, language),
        map_svg=picture,
        players={role: players.get(side, "") for side, role in roles.items()},
        marked={"rounds": view["round"]}
        | {f"{role}.{what}": view[what][side] for side, role in roles.items() for what in ("vp", "cp")},
        result=result,
        scores=tuple(
            f"{t('sheet.round', n=entry['round'])}: {sentence({'type': 'vp', **entry}, t, names, players)}"
            for entry in view["vp_log"]
        ),
    )


def _stratagem(data: StratagemData, language: str) -> Stratagem:
    return Stratagem(data.name.to(language), data.side, data.price, data.text.to(language))


def _lines(units: Any, t: Translations) -> Iterable[str]:
    for unit in units if isinstance(units, list) else ():
        if isinstance(unit, Mapping):
            name = unit.get("name") or unit.get("id", "")
            parts = [str(name), t("sheet.models", n=unit.get("models", 10))]
            if unit.get("models_now", unit.get("models")) != unit.get("models"):
                parts.append(t("sheet.left", n=unit["models_now"]))
            if unit.get("points"):
                parts.append(t("sheet.points", n=unit["points"]))
            yield " · ".join(parts)
