"""SVG pictures as PNG."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from pathlib import Path


@cache
def _fonts() -> list[str]:
    """Return the fonts of pictures: they come with the plotting library that hexalattice needs."""
    plain = [font_file(style) for style in ("", "-Bold", "-Oblique")]
    return [str(font) for font in (*plain, plain[0].with_name("DejaVuSerif-Italic.ttf"))]


def font_file(style: str = "") -> Path:
    """Return the file of a font that is always there: ``""``, ``-Bold`` or ``-Oblique``."""
    import matplotlib

    return Path(matplotlib.get_data_path()) / "fonts" / "ttf" / f"DejaVuSans{style}.ttf"


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


def small_png(svg: str, largest: int, widths: Sequence[int]) -> bytes:
    """Return the picture in 128 colours, as the first of some *widths* at which it has at most *largest* bytes.

    Empty where none of them will do.
    """
    from PIL import Image

    for width in widths:
        image = Image.open(io.BytesIO(to_png(svg, width=width))).convert("RGB").quantize(128)
        file = io.BytesIO()
        image.save(file, "PNG", optimize=True)
        if file.tell() <= largest:
            return file.getvalue()
    return b""
