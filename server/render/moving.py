"""A campaign as a moving picture: GIF or WebP, each phase a picture with its turn, the score and what happened."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import BinaryIO

from PIL import Image

from server.render import style
from server.render.page import LAND, Frame
from server.render.png import to_png
from server.render.svg import draw
from server.rules.sight import View

KINDS = {".gif": "GIF", ".webp": "WEBP"}
LINE, CHIP, MARGIN = 22, 190, 14
"""Height of a line and width of a player's score, in a picture 960 pixels wide."""
DESIGN = 960
LAST_TIMES = 4
"""How many times as long as the others the last picture stays."""
SAMPLES = 8
"""Pictures whose colours a GIF's one palette is made from."""


@dataclass(frozen=True, slots=True)
class Moving:
    """How a moving picture is made."""

    width: int = DESIGN
    """Pixels."""
    seconds: float = 1.0
    """Each phase is seen for so long."""


def write(
    to: BinaryIO,
    kind: str,
    title: str,
    ground: View,
    frames: Sequence[Frame],
    how: Moving | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> None:
    """Write the picture, *kind* being one of the values of :data:`KINDS`. *ground* is any view of the campaign."""
    how = how or Moving()
    still = replace(ground, events=())
    land = _image(draw(still, LAND), how.width)
    pictures = []
    for number, frame in enumerate(frames):
        pictures.append(_picture(land, title, frame, number, len(frames)))
        progress(number + 1, len(frames))
    times = [round(how.seconds * 1000)] * len(pictures)
    times[-1] *= LAST_TIMES
    if kind == "GIF":
        palette = _palette(pictures)
        pictures = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
        pictures[0].save(to, kind, save_all=True, append_images=pictures[1:], duration=times, loop=0, optimize=False)
    else:
        pictures[0].save(to, kind, save_all=True, append_images=pictures[1:], duration=times, loop=0, quality=82)


def _picture(land: Image.Image, title: str, frame: Frame, number: int, count: int) -> Image.Image:
    head, foot = _image(_head(title, frame), land.width), _image(_foot(frame, number, count), land.width)
    whole = Image.new("RGB", (land.width, head.height + land.height + foot.height), style.PAPER)
    whole.paste(head, (0, 0))
    whole.paste(Image.alpha_composite(land, _image(frame.picture, land.width)), (0, head.height))
    whole.paste(foot, (0, head.height + land.height))
    return whole


def _head(title: str, frame: Frame) -> str:
    across = (DESIGN - 2 * MARGIN) // CHIP
    chips = ""
    for seat, (name, vp, hexes) in enumerate(frame.score):
        x, y = MARGIN + seat % across * CHIP, 46 + seat // across * LINE
        chips += f'<g transform="translate({x} {y})">{_chip(seat, name, vp, hexes)}</g>'
    height = 40 + LINE * -(-len(frame.score) // across) + 6
    return _bar(
        height,
        f'<text x="{MARGIN}" y="27" font-size="20" font-weight="bold">{escape(title)}</text>'
        f'<text x="{DESIGN - MARGIN}" y="27" font-size="18" text-anchor="end">{escape(frame.heading)}</text>{chips}',
    )


def _chip(seat: int, name: str, vp: int, hexes: int) -> str:
    short = name if len(name) <= 12 else f"{name[:11]}…"
    return (
        f'<rect width="18" height="16" rx="3" fill="{style.player_colour(seat)}"/>'
        f'<text x="9" y="12.5" font-size="12" font-weight="bold" fill="{style.player_ink(seat)}" '
        f'text-anchor="middle">{seat + 1}</text>'
        f'<text x="24" y="13" font-size="13">{escape(short)}: {vp} VP, {hexes} hex{"es" if hexes != 1 else ""}</text>'
    )


def _foot(frame: Frame, number: int, count: int) -> str:
    whole = DESIGN - 2 * MARGIN
    track = f'x="{MARGIN}" y="6" height="4" rx="2" fill="{style.INK}"'
    lines = "".join(
        f'<text x="{MARGIN}" y="{30 + place * LINE}" font-size="14">{escape(_shortened(headline))}</text>'
        for place, headline in enumerate(frame.headlines)
    )
    return _bar(
        16 + LINE * 2 + 6,
        f'<rect width="{whole}" fill-opacity="0.15" {track}/>'
        f'<rect width="{whole * (number + 1) / count:.1f}" {track}/>{lines}',
    )


def _shortened(sentence: str, maximum: int = 118) -> str:
    return sentence if len(sentence) <= maximum else f"{sentence[: maximum - 1]}…"


def _bar(height: int, inner: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {DESIGN} {height}" width="{DESIGN}" height="{height}" '
        f'font-family="DejaVu Sans" fill="{style.INK}"><rect width="100%" height="100%" fill="{style.PAPER}"/>'
        f"{inner}</svg>"
    )


def _image(svg: str, width: int) -> Image.Image:
    return Image.open(io.BytesIO(to_png(svg, width=width))).convert("RGBA")


def _palette(pictures: Sequence[Image.Image]) -> Image.Image:
    """Return one palette for all: with one each, what stands still would flicker."""
    chosen = [pictures[round(n * (len(pictures) - 1) / (SAMPLES - 1))] for n in range(SAMPLES)]
    width, height = pictures[0].width, max(picture.height for picture in chosen)
    sheet = Image.new("RGB", (width, height * len(chosen)))
    for place, picture in enumerate(chosen):
        sheet.paste(picture, (0, place * height))
    return sheet.quantize(colors=255, method=Image.Quantize.MEDIANCUT)
