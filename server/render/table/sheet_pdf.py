"""The sheet of a mission as PDF, on A4."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING

from server.render.png import font_file, to_png
from server.render.table.sheet import CP_BOXES, Sheet, vp_boxes

if TYPE_CHECKING:
    from fpdf import FPDF

MARGIN, BOX = 12.0, 7.0
"""Millimetres."""
WIDTH = 210.0 - 2 * MARGIN
MAP_PIXELS = 2200
"""Across the map: 300 to an inch of paper."""
FONT = "DejaVu"
MADE = datetime(2000, 1, 1, tzinfo=UTC)
"""The date in every sheet, so that the same sheet is the same bytes."""


def to_pdf(sheet: Sheet) -> bytes:
    """Return the sheet as a PDF document; the same sheet gives the same bytes."""
    from fpdf import FPDF

    pdf = FPDF(format="A4")
    pdf.set_creation_date(MADE)
    pdf.set_title(sheet.title)
    pdf.set_margins(MARGIN, MARGIN)
    pdf.set_auto_page_break(True, MARGIN)
    for style, name in (("", ""), ("B", "-Bold")):
        pdf.add_font(FONT, style, font_file(name))
    pdf.add_page()
    _front(pdf, sheet)
    pdf.add_page()
    _back(pdf, sheet)
    return bytes(pdf.output())


def _front(pdf: FPDF, sheet: Sheet) -> None:
    pdf.set_font(FONT, "B", 18)
    pdf.multi_cell(WIDTH, 9, sheet.title, new_x="LMARGIN", new_y="NEXT")
    if sheet.result:
        pdf.set_font(FONT, "B", 12)
        pdf.multi_cell(WIDTH, 7, sheet.result, new_x="LMARGIN", new_y="NEXT")
    pdf.set_font(FONT, "", 10)
    pdf.multi_cell(WIDTH, 5, sheet.briefing, new_x="LMARGIN", new_y="NEXT")
    pdf.ln(2)
    pdf.image(BytesIO(to_png(sheet.map_svg, width=MAP_PIXELS)), w=WIDTH)
    _heading(pdf, sheet.word("rules"))
    pdf.set_font(FONT, "", 9)
    for line in sheet.rules:
        pdf.multi_cell(WIDTH, 4.6, f"• {line}", new_x="LMARGIN", new_y="NEXT")


def _back(pdf: FPDF, sheet: Sheet) -> None:
    _track(pdf, sheet.word("rounds"), range(1, sheet.rounds + 1), sheet.marked.get("rounds"))
    for side in ("attacker", "defender"):
        _heading(pdf, sheet.side(side))
        _track(pdf, sheet.word("vp"), vp_boxes(sheet, side), sheet.marked.get(f"{side}.vp"))
        _track(pdf, sheet.word("cp"), range(CP_BOXES + 1), sheet.marked.get(f"{side}.cp"))
        pdf.set_font(FONT, "", 9)
        _ticked(pdf, sheet.armies.get(side, ()))
    if sheet.scores:
        _heading(pdf, sheet.word("scores"))
        pdf.set_font(FONT, "", 9)
        for line in sheet.scores:
            pdf.multi_cell(WIDTH, 4.6, f"• {line}", new_x="LMARGIN", new_y="NEXT")
    if sheet.stratagems:
        _heading(pdf, sheet.word("stratagems"))
        for stratagem in sheet.stratagems:
            pdf.set_font(FONT, "B", 9)
            cost = f"{stratagem.cost} {sheet.word('per_use')}"
            _ticked(pdf, [f"{stratagem.name} · {sheet.word(stratagem.side)} · {cost}"], boxes=2)
            pdf.set_font(FONT, "", 8.5)
            pdf.multi_cell(WIDTH, 4.2, stratagem.text, new_x="LMARGIN", new_y="NEXT")


def _heading(pdf: FPDF, title: str) -> None:
    pdf.ln(2.5)
    pdf.set_font(FONT, "B", 12)
    pdf.cell(WIDTH, 7, title, border="B", new_x="LMARGIN", new_y="NEXT")
    pdf.ln(1)


def _track(pdf: FPDF, title: str, numbers: Iterable[int], marked: int | None = None) -> None:
    pdf.set_font(FONT, "B", 9)
    pdf.cell(WIDTH, 5, title, new_x="LMARGIN", new_y="NEXT")
    pdf.set_font(FONT, "", 8)
    for number in numbers:
        if pdf.get_x() + BOX > MARGIN + WIDTH:
            pdf.ln(BOX + 1)
        on = number == marked
        pdf.set_fill_color(28, 24, 19)
        pdf.set_text_color(255 if on else 0)
        pdf.cell(BOX, BOX, str(number), border=1, align="C", fill=on)
        pdf.set_text_color(0)
        pdf.set_x(pdf.get_x() + 1.2)
    pdf.ln(BOX + 1)


def _ticked(pdf: FPDF, lines: Sequence[str], boxes: int = 1) -> None:
    """Write lines with boxes to tick in front of them."""
    for line in lines:
        for _ in range(boxes):
            pdf.cell(4, 4, "", border=1)
            pdf.set_x(pdf.get_x() + 1)
        pdf.multi_cell(WIDTH - boxes * 5, 4.6, line, new_x="LMARGIN", new_y="NEXT")
