"""One view as sheets that lie over each other: those that seldom change are made into pixels once for many pictures.

Together they are the picture that :func:`server.render.svg.draw` gives for the same view, without its legend.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from server.render.drawing.styles import LIGHT, standalone, used_by, zoom_rules
from server.render.svg import Options, Picture
from server.rules.sight import View

_ID = re.compile(r'\bid="([^"]+)"')
_REFERENCE = re.compile(r"#([\w-]+)")


@dataclass(frozen=True, slots=True)
class Sheets:
    """SVG documents of one size, from the ground up. They hold exactly the contents of the viewer's own picture."""

    ground: str
    """The land: the same for everyone, in every phase."""
    dusk: str
    """The same land as it looks out of sight; empty where all is in sight."""
    sight: str
    """White where land is out of sight, darker towards its rim; empty where all is in sight."""
    control: str
    """Roads, borders, the numbers at the edge: seldom new, and the same for most."""
    standing: str
    """All else."""
    shape: float
    """Height, of the width."""


def sheets(view: View) -> Sheets:
    """Return the picture of a view in sheets."""
    picture = Picture(view, Options(legend=False))
    layers = {name: f'<g class="layer-{name}">{inner}</g>' for name, inner in picture.layers()}
    definitions = list(picture.definitions())
    below = ("land", "fog", "grid", "roads", "borders", "edge")
    above = "".join(layer for name, layer in layers.items() if name not in below)
    hidden = bool(picture.land.hidden)

    def document(*drawn: str) -> str:
        return _document(picture, definitions, "".join(drawn))

    return Sheets(
        document('<rect class="desk" width="100%" height="100%"/>', layers["land"], layers["grid"]),
        document(picture.land.dusk(), layers["grid"]) if hidden else "",
        document(picture.land.sight()) if hidden else "",
        document(layers["roads"], layers["borders"], layers["edge"]),
        document(above),
        picture.layout.size[1] / picture.layout.size[0],
    )


def _document(picture: Picture, definitions: Iterable[str], drawn: str) -> str:
    width, height = picture.layout.size
    scale = picture.layout.scale
    step = f'class="m z-{picture.step}"'
    css = standalone(LIGHT, len(picture.state.players)) + "".join(zoom_rules("m"))
    inner = f"<defs>{_needed(definitions, drawn + used_by(css, drawn))}</defs>{drawn}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {step} viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width * scale:.0f}" height="{height * scale:.0f}" font-family="DejaVu Sans, Verdana, sans-serif">'
        f"<style>{used_by(css, step + inner)}</style>{inner}</svg>"
    )


def _needed(definitions: Iterable[str], drawn: str) -> str:
    """Return the definitions that a drawing refers to, and those that these refer to."""
    known = {id_: text for text in definitions for id_ in _ID.findall(text)}
    wanted: dict[str, None] = {}
    found = _REFERENCE.findall(drawn)
    while found:
        text = known.get(found.pop())
        if text is not None and text not in wanted:
            wanted[text] = None
            found += _REFERENCE.findall(text)
    return "".join(text for text in dict.fromkeys(known.values()) if text in wanted)
