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
