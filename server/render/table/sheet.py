"""The sheet of a mission for two players at one table: map, rules, tracks, stratagems; as a page to print."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

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

    def word(self, name: str) -> str:
        """Return a heading in the sheet's language."""
        return Translations(self.language)(f"sheet.{name}")


def to_html(sheet: Sheet) -> str:
    """Return the sheet as one page without scripts or remote content; it prints on two sides of A4."""
    word = sheet.word
    rules = "".join(f"<li>{escape(line)}</li>" for line in sheet.rules)
    tracks = "".join(
        f"<section><h2>{word(side)}</h2>{_track(word('vp'), range(0, VP_BOXES * VP_STEP + 1, VP_STEP))}"
        f"{_track(word('cp'), range(CP_BOXES + 1))}{_army(sheet, side)}</section>"
        for side in ("attacker", "defender")
    )
    return (
        f'<!doctype html><html lang="{sheet.language}"><head><meta charset="utf-8"><title>{escape(sheet.title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body><main>'
        f"<h1>{escape(sheet.title)}</h1><p>{escape(sheet.briefing)}</p><figure>{sheet.map_svg}</figure>"
        f"<h2>{word('rules')}</h2><ul>{rules}</ul>"
        f'<div class="tracks">{_track(word("rounds"), range(1, sheet.rounds + 1))}</div>'
        f'<div class="sides">{tracks}</div>{_stratagems(sheet)}'
        f'<h2>{word("notes")}</h2><div class="notes"></div></main></body></html>'
    )


def _track(title: str, numbers: Iterable[int]) -> str:
    boxes = "".join(f"<i>{number}</i>" for number in numbers)
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
table{border-collapse:collapse;width:100%}
td,th{border:1px solid #888;padding:1mm 2mm;text-align:left;vertical-align:top}
td i,.army i{min-width:4mm;height:4mm;margin-right:1mm}.army{list-style:none;padding:0}tr,li{break-inside:avoid}
.notes{height:40mm;border:1px dashed #888}@media(max-width:700px){.sides{grid-template-columns:1fr}}
""".replace("\n", "")
