"""SVG pictures as PNG."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def _font() -> str:
    """Return a font that is always there: the one that comes with the plotting library hexalattice needs."""
    import matplotlib

    return str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf")


def to_png(svg: str, *, width: int | None = None) -> bytes:
    """Return the picture as PNG, *width* pixels wide or as wide as it says; :class:`ValueError` if it is no SVG."""
    import resvg_py

    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        font_files=[_font()],
        skip_system_fonts=True,
        font_family="DejaVu Sans",
        sans_serif_family="DejaVu Sans",
    )
    return bytes(png)
