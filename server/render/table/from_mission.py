"""The sheet of a mission, filled in from its data and the armies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from server.referee.mission import Mission
from server.referee.stratagems import Stratagem as StratagemData
from server.render.table.from_game import mission_drawing
from server.render.table.sheet import Sheet, Stratagem
from server.render.table.svg import draw
from server.render.translations import Translations


def mission_sheet(mission: Mission, armies: Mapping[str, Mapping[str, Any]], language: str) -> Sheet:
    """Return the sheet of a mission. *armies*: by ``attacker`` and ``defender``, as a game's file has them."""
    words = Translations(language)
    summary = mission.summary.get(language) or mission.summary.get("en", ())
    return Sheet(
        title=mission.name.to(language),
        briefing=mission.briefing.to(language),
        rules=(*summary, *(hint.to(language) for hint in mission.hints)),
        rounds=mission.rounds,
        map_svg=draw(mission_drawing(mission, words), grey=True),
        stratagems=tuple(_stratagem(data, language) for data in mission.stratagems),
        armies={side: tuple(_lines(army.get("units"), words)) for side, army in armies.items()},
        language=language,
    )


def _stratagem(data: StratagemData, language: str) -> Stratagem:
    return Stratagem(data.name.to(language), data.side, data.price, data.text.to(language))


def _lines(units: Any, words: Translations) -> Iterable[str]:
    for unit in units if isinstance(units, list) else ():
        if isinstance(unit, Mapping):
            name = unit.get("name") or unit.get("id", "")
            parts = [str(name), words("sheet.models", n=unit.get("models", 10))]
            if unit.get("points"):
                parts.append(words("sheet.points", n=unit["points"]))
            yield " · ".join(parts)
