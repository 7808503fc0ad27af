"""Moving pictures, as GIF or WebP: a campaign with a picture for each phase, or one phase told step by step."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from textwrap import wrap
from typing import BinaryIO

from PIL import Image

from server.render.drawing.styles import INK, PAPER, player_colour, player_ink
from server.render.geometry import Layout
from server.render.page import LAND, Frame
from server.render.png import laid, to_png
from server.render.sheets import sheets
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


def _english_chip(name: str, vp: int, hexes: int) -> str:
    return f"{name}: {vp} VP, {hexes} hex{'es' if hexes != 1 else ''}"


@dataclass(frozen=True, slots=True)
class Moving:
    """How a moving picture is made."""

    width: int = DESIGN
    """Pixels."""
    seconds: float = 1.0
    """Each phase is seen for so long."""
    chip: Callable[[str, int, int], str] = _english_chip
    """Writes a player's score: name, VP, hexes."""


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
        pictures.append(_picture(land, title, frame, number, len(frames), how.chip))
        progress(number + 1, len(frames))
    times = [round(how.seconds * 1000)] * len(pictures)
    times[-1] *= LAST_TIMES
    if kind == "GIF":
        palette = _palette(pictures)
        pictures = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
        pictures[0].save(to, kind, save_all=True, append_images=pictures[1:], duration=times, loop=0, optimize=False)
    else:
        pictures[0].save(to, kind, save_all=True, append_images=pictures[1:], duration=times, loop=0, quality=82)


def write_still(to: BinaryIO, title: str, ground: View, frame: Frame, how: Moving | None = None) -> None:
    """Write one moment as a PNG."""
    how = how or Moving()
    land = _image(draw(replace(ground, events=()), LAND), how.width)
    _picture(land, title, frame, 0, 1, how.chip).save(to, "PNG")


@dataclass(frozen=True, slots=True)
class Scene:
    """A moment of a phase in a step-by-step report."""

    view: View
    """What lies on the map."""
    caption: str
    lines: tuple[str, ...] = ()
    """The text below the caption."""
    seconds: float = 1.0
    ways: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """Moves as far as they have come: the seat, counted from 0, and the hexes, with the start."""
    lit: tuple[str, ...] = ()
    """Hexes that are outlined."""
    tone: str = ""
    """``good`` or ``bad`` for the viewer colours the outline and the caption."""


STORY_WIDTH, SAID_LINES = 640, 5
"""Pixels, and lines of text below the map."""
TONES = {"good": "#1f5c36", "bad": "#9a1f16"}


def write_story(to: BinaryIO, kind: str, title: str, scenes: Sequence[Scene]) -> None:
    """Write a phase as a moving picture, scene by scene; *kind* is one of the values of :data:`KINDS`.

    The land of each view is drawn once; what moves is laid over it.
    """
    over: dict[int, Image.Image] = {}
    for scene in scenes:
        if id(scene.view) not in over:
            over[id(scene.view)] = laid(sheets(replace(scene.view, events=())), STORY_WIDTH).convert("RGBA")
    land = over[id(scenes[0].view)]
    sheet = Layout.of(scenes[0].view.state.board)
    head = _image(_title(title), STORY_WIDTH)

    def pictured(scene: Scene) -> Image.Image:
        board = over[id(scene.view)]
        if scene.lit or scene.ways:
            board = Image.alpha_composite(board, _image(_marks(sheet, scene), STORY_WIDTH).resize(land.size))
        foot = _image(_said(scene), STORY_WIDTH)
        whole = Image.new("RGB", (land.width, head.height + land.height + foot.height), PAPER)
        for y, part in ((0, head), (head.height, board), (head.height + land.height, foot)):
            whole.paste(part, (0, y))
        return whole

    times = [round(scene.seconds * 1000) for scene in scenes]
    if kind == "GIF":
        palette = _palette([pictured(scenes[0]), pictured(scenes[len(scenes) // 2]), pictured(scenes[-1])])
        pictures = [pictured(scene).quantize(palette=palette, dither=Image.Dither.NONE) for scene in scenes]
        pictures[0].save(to, kind, save_all=True, append_images=pictures[1:], duration=times, loop=0, optimize=False)
    else:
        first, *rest = [pictured(scene) for scene in scenes]
        first.save(to, kind, save_all=True, append_images=rest, duration=times, loop=0, quality=82)


def _marks(layout: Layout, scene: Scene) -> str:
    """Return the moves and outlines of a scene over its map, in the map's own measure."""
    board, (width, height) = scene.view.state.board, layout.size
    parts = []
    for label in scene.lit:
        if (hex_ := board.find(label)) is not None:
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in layout.corners(hex_))
            parts.append(
                f'<polygon points="{points}" fill="none" stroke="#fffdf6" stroke-width="11"/>'
                f'<polygon points="{points}" fill="none" stroke="{TONES.get(scene.tone, INK)}" stroke-width="6"/>'
            )
    for seat, way in scene.ways:
        middles = [layout.centres[hex_] for label in way if (hex_ := board.find(label)) is not None]
        if middles:
            points, (x, y) = " ".join(f"{x:.1f},{y:.1f}" for x, y in middles), middles[-1]
            colour = player_colour(seat)
            parts.append(
                f'<polyline points="{points}" fill="none" stroke="#fffdf6" stroke-width="12" stroke-linejoin="round"/>'
                f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="7" stroke-linejoin="round"/>'
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="15" fill="{colour}" stroke="#fffdf6" stroke-width="4"/>'
            )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}">{"".join(parts)}</svg>'


def _title(title: str) -> str:
    return _bar(
        44, f'<text x="{MARGIN}" y="30" font-size="23" font-weight="bold">{escape(_shortened(title, 70))}</text>'
    )


def _said(scene: Scene) -> str:
    """Return the words below the map: the caption, then what belongs to it, as far as there is room."""
    said = [(line, True) for line in wrap(scene.caption, 74)[:2]]
    said += [(line, False) for text in scene.lines for line in wrap(text, 84)]
    colour = TONES.get(scene.tone, INK)
    looks = {True: f'font-size="21" font-weight="bold" fill="{colour}"', False: 'font-size="19"'}
    text = "".join(
        f'<text x="{MARGIN}" y="{30 + place * 27}" {looks[bold]}>{escape(line)}</text>'
        for place, (line, bold) in enumerate(said[:SAID_LINES])
    )
    return _bar(18 + 27 * SAID_LINES, text)


def _picture(
    land: Image.Image, title: str, frame: Frame, number: int, count: int, chip: Callable[[str, int, int], str]
) -> Image.Image:
    head, foot = _image(_head(title, frame, chip), land.width), _image(_foot(frame, number, count), land.width)
    whole = Image.new("RGB", (land.width, head.height + land.height + foot.height), PAPER)
    whole.paste(head, (0, 0))
    whole.paste(Image.alpha_composite(land, _image(frame.picture, land.width)), (0, head.height))
    whole.paste(foot, (0, head.height + land.height))
    return whole


def _head(title: str, frame: Frame, chip: Callable[[str, int, int], str]) -> str:
    across = (DESIGN - 2 * MARGIN) // CHIP
    chips = ""
    for seat, (name, vp, hexes) in enumerate(frame.score):
        x, y = MARGIN + seat % across * CHIP, 46 + seat // across * LINE
        chips += f'<g transform="translate({x} {y})">{_chip(seat, name, vp, hexes, chip)}</g>'
    height = 40 + LINE * -(-len(frame.score) // across) + 6
    return _bar(
        height,
        f'<text x="{MARGIN}" y="27" font-size="20" font-weight="bold">{escape(title)}</text>'
        f'<text x="{DESIGN - MARGIN}" y="27" font-size="18" text-anchor="end">{escape(frame.heading)}</text>{chips}',
    )


def _chip(seat: int, name: str, vp: int, hexes: int, chip: Callable[[str, int, int], str]) -> str:
    short = name if len(name) <= 12 else f"{name[:11]}…"
    return (
        f'<rect width="18" height="16" rx="3" fill="{player_colour(seat)}"/>'
        f'<text x="9" y="12.5" font-size="12" font-weight="bold" fill="{player_ink(seat)}" '
        f'text-anchor="middle">{seat + 1}</text>'
        f'<text x="24" y="13" font-size="13">{escape(chip(short, vp, hexes))}</text>'
    )


def _foot(frame: Frame, number: int, count: int) -> str:
    whole = DESIGN - 2 * MARGIN
    track = f'x="{MARGIN}" y="6" height="4" rx="2" fill="{INK}"'
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
        f'font-family="DejaVu Sans" fill="{INK}"><rect width="100%" height="100%" fill="{PAPER}"/>'
        f"{inner}</svg>"
    )


def _image(svg: str, width: int) -> Image.Image:
    return Image.open(io.BytesIO(to_png(svg, width=width))).convert("RGBA")


def _palette(pictures: Sequence[Image.Image]) -> Image.Image:
    """Return one palette for all: with one each, what stands still would flicker."""
    most = min(SAMPLES, len(pictures))
    chosen = [pictures[round(n * (len(pictures) - 1) / max(1, most - 1))] for n in range(most)]
    width, height = pictures[0].width, max(picture.height for picture in chosen)
    sheet = Image.new("RGB", (width, height * len(chosen)))
    for place, picture in enumerate(chosen):
        sheet.paste(picture, (0, place * height))
    return sheet.quantize(colors=255, method=Image.Quantize.MEDIANCUT)
