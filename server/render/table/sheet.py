"""The sheet of a mission for two players at one table: map, rules, tracks, stratagems; as a page to print.

It is filled in from the mission's data and the armies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

from server.referee.mission import Mission
from server.referee.narrative.stratagem_data import Stratagem as StratagemData
from server.render.table.drawing import mission_drawing
from server.render.table.story import sentence
from server.render.table.svg import draw
from server.render.translations import Translations

VP_STEP, VP_BOXES, CP_BOXES = 5, 18, 12
"""The victory track counts in fives up to 90, the track of command points to 12."""


@dataclass(frozen=True, slots=True)
class Stratagem:
    """One line of the list of stratagems, with a box to tick."""

    name: str
    side: str
    cost: str
    text: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """What stands on the sheet, in one language."""

    title: str
    briefing: str
    rules: Sequence[str]
    rounds: int
    map_svg: str
    """Drawn for print."""
    stratagems: Sequence[Stratagem] = ()
    armies: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By side, a line for each unit."""
    language: str = "en"
    players: Mapping[str, str] = field(default_factory=dict)
    """Names by side."""
    marked: Mapping[str, int] = field(default_factory=dict)
    """How far the tracks are: ``rounds``, ``attacker.vp``, ``attacker.cp`` and the defender's."""
    result: str = ""
    """How the battle ended, as a sentence."""
    scores: Sequence[str] = ()
    """What brought victory points, a line each."""

    def side(self, side: str) -> str:
        """Return the heading of a side: what it is, and who plays it."""
        return f"{self.word(side)}: {self.players[side]}" if self.players.get(side) else self.word(side)

    def word(self, name: str) -> str:
        """Return a heading in the sheet's language."""
        return Translations(self.language)(f"sheet.{name}")


def to_html(sheet: Sheet) -> str:
    """Return the sheet as one page without scripts or remote content; it prints on two sides of A4."""
    word = sheet.word
    rules = "".join(f"<li>{escape(line)}</li>" for line in sheet.rules)
    tracks = "".join(
        f"<section><h2>{escape(sheet.side(side))}</h2>"
        f"{_track(word('vp'), vp_boxes(sheet, side), sheet.marked.get(f'{side}.vp'))}"
        f"{_track(word('cp'), range(CP_BOXES + 1), sheet.marked.get(f'{side}.cp'))}{_army(sheet, side)}</section>"
        for side in ("attacker", "defender")
    )
    return (
        f'<!doctype html><html lang="{sheet.language}"><head><meta charset="utf-8"><title>{escape(sheet.title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body><main>'
        f"<h1>{escape(sheet.title)}</h1>{_result(sheet)}<p>{escape(sheet.briefing)}</p><figure>{sheet.map_svg}</figure>"
        f"<h2>{word('rules')}</h2><ul>{rules}</ul>"
        f'<div class="tracks">{_track(word("rounds"), range(1, sheet.rounds + 1), sheet.marked.get("rounds"))}</div>'
        f'<div class="sides">{tracks}</div>{_scores(sheet)}{_stratagems(sheet)}'
        f'<h2>{word("notes")}</h2><div class="notes"></div></main></body></html>'
    )


def vp_boxes(sheet: Sheet, side: str) -> list[int]:
    """Return the boxes of a side's victory track; where it stands between two of them there is one more."""
    steps = range(0, VP_BOXES * VP_STEP + 1, VP_STEP)
    return sorted({*steps, *(value for name, value in sheet.marked.items() if name == f"{side}.vp")})


def _result(sheet: Sheet) -> str:
    return f'<p class="result"><b>{escape(sheet.result)}</b></p>' if sheet.result else ""


def _scores(sheet: Sheet) -> str:
    if not sheet.scores:
        return ""
    return f"<h2>{sheet.word('scores')}</h2><ul>{''.join(f'<li>{escape(line)}</li>' for line in sheet.scores)}</ul>"


def _track(title: str, numbers: Iterable[int], marked: int | None = None) -> str:
    boxes = "".join(f'<i class="on">{number}</i>' if number == marked else f"<i>{number}</i>" for number in numbers)
    return f'<div class="track"><b>{escape(title)}</b><span>{boxes}</span></div>'


def _army(sheet: Sheet, side: str) -> str:
    lines = sheet.armies.get(side, ())
    if not lines:
        return ""
    rows = "".join(f"<li><i></i>{escape(line)}</li>" for line in lines)
    return f'<h3>{sheet.word("army")}</h3><ul class="army">{rows}</ul>'


def _stratagems(sheet: Sheet) -> str:
    if not sheet.stratagems:
        return ""
    rows = "".join(
        f"<tr><td><i></i><i></i></td><th>{escape(line.name)}</th><td>{escape(sheet.word(line.side))}</td>"
        f"<td>{escape(line.cost)} {sheet.word('per_use')}</td><td>{escape(line.text)}</td></tr>"
        for line in sheet.stratagems
    )
    return f"<h2>{sheet.word('stratagems')}</h2><table>{rows}</table>"


_STYLE = """
@page{size:A4;margin:12mm}*{box-sizing:border-box}
body{font:10.5pt/1.4 "DejaVu Sans",Verdana,sans-serif;color:#1c1813;background:#fff;margin:0}
main{max-width:186mm;margin:0 auto;padding:4mm}h1{font-size:20pt;margin:0 0 2mm}
h2{font-size:12.5pt;margin:4mm 0 1.5mm;border-bottom:1.5px solid #1c1813}h3{font-size:10.5pt;margin:2mm 0 1mm}
figure{margin:2mm 0}figure svg{width:100%;height:auto}ul{margin:0;padding-left:5mm}
.sides{display:grid;grid-template-columns:1fr 1fr;gap:6mm;break-before:page}
.track b{display:block;margin-top:2mm}.track span{display:flex;flex-wrap:wrap;gap:1mm}
i{font-style:normal;display:inline-grid;place-items:center;min-width:7mm;height:7mm;border:1.2px solid #1c1813}
i.on{background:#1c1813;color:#fff;font-weight:bold}
.result{font-size:13pt;border-left:2mm solid #1c1813;padding-left:3mm}
table{border-collapse:collapse;width:100%}
td,th{border:1px solid #888;padding:1mm 2mm;text-align:left;vertical-align:top}
td i,.army i{min-width:4mm;height:4mm;margin-right:1mm}.army{list-style:none;padding:0}tr,li{break-inside:avoid}
@media screen and (max-width:700px){table{display:block;overflow-x:auto}main{overflow-wrap:anywhere}}
.notes{height:40mm;border:1px dashed #888}@media(max-width:700px){.sides{grid-template-columns:1fr}}
""".replace("\n", "")


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
