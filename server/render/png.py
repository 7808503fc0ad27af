"""SVG pictures as PNG."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from server.render.sheets import Sheets

if TYPE_CHECKING:
    from PIL.Image import Image

FONTS = Path(__file__).parent / "fonts"
KEPT, LARGEST_KEPT = 8, 1_000_000
"""How many sheets of pixels a process keeps, and how many pixels such a sheet has at most."""
SPEAK = 4
"""Distance in pixels, across and down, between those whose colour is sampled."""


@cache
def _fonts() -> list[str]:
    """Return the fonts of pictures: DejaVu, whose licence lies beside them."""
    return [str(font) for font in sorted(FONTS.glob("*.ttf"))]


def font_file(style: str = "") -> Path:
    """Return the file of a font that is always there: ``""``, ``-Bold`` or ``-Oblique``."""
    return FONTS / f"DejaVuSans{style}.ttf"


def to_png(svg: str, *, width: int | None = None) -> bytes:
    """Return the picture as PNG, *width* pixels wide or as wide as it says; :class:`ValueError` if it is no SVG."""
    import resvg_py

    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        font_files=_fonts(),
        skip_system_fonts=True,
        font_family="DejaVu Sans",
        sans_serif_family="DejaVu Sans",
        serif_family="DejaVu Serif",
    )
    return bytes(png)


def small_png(sheets: Sheets, largest: int, widths: Sequence[int]) -> bytes:
    """Return the picture in 256 colours, as the first of some *widths* at which it has at most *largest* bytes.

    Empty where none of them will do. Every so many pixels speak for all when the colours are chosen.
    """
    from PIL.Image import Dither, Resampling

    for width in widths:
        image = laid(sheets, width)
        some = [max(1, side // SPEAK) for side in image.size]
        colours = image.resize((some[0], some[1]), Resampling.NEAREST).quantize(256)
        file = io.BytesIO()
        image.quantize(palette=colours, dither=Dither.NONE).save(file, "PNG")
        if file.tell() <= largest:
            return file.getvalue()
    return b""


def laid(sheets: Sheets, width: int) -> Image:
    """Return the sheets as one picture."""
    from PIL import ImageChops

    seldom_new = _kept if sheets.shape * width**2 <= LARGEST_KEPT else _pixels
    image = seldom_new(sheets.ground, width).convert("RGB")
    if sheets.sight:
        sight = _pixels(sheets.sight, width // 2).resize(image.size)  # its rim is soft, and so it costs a third
        dusk = ImageChops.multiply(seldom_new(sheets.dusk, width).convert("RGB"), sight.convert("RGB"))
        image.paste(dusk, mask=sight.getchannel("A"))
    for sheet in (seldom_new(sheets.control, width), _pixels(sheets.standing, width)):
        image.paste(sheet, mask=sheet)
    return image


def _pixels(svg: str, width: int) -> Image:
    from PIL.Image import open as read

    image = read(io.BytesIO(to_png(svg, width=width)))
    return image if image.mode == "RGBA" else image.convert("RGBA")


_kept = lru_cache(KEPT)(_pixels)
"""The pixels of sheets that other pictures share; nobody may change them."""
