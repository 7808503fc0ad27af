"""SVG pictures as PNG."""

from __future__ import annotations

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
