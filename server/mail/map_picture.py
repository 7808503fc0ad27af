"""The map in a mail: drawn for its reader, and made once however many mails show it."""

from __future__ import annotations

from functools import partial
from hashlib import sha256

from server.play.addresses import Unsendable
from server.play.background import ProcessLost
from server.play.context import AppContext
from server.render.png import small_png
from server.render.svg import Options, draw
from server.rules.sight import View

LARGEST_PICTURE = 200_000
"""Bytes of a map in a mail."""
_WIDTHS = (640, 480, 320, 200)


def map_picture(ctx: AppContext, view: View) -> bytes:
    """Return the map as a PNG small enough for a mail; empty where it cannot be made that small.

    What is kept is known by the drawing itself, so nobody sees more than their own drawing shows.
    Another process makes the pixels, where there is one: that takes half a second in which no request here would be
    answered. :class:`~server.play.addresses.Unsendable` where that process ends before its work.
    """
    svg = draw(view, Options(legend=False))
    return ctx.caches.pictures.get(sha256(svg.encode()).digest(), partial(_made, ctx, svg))


def _made(ctx: AppContext, svg: str) -> bytes:
    if not ctx.background.processes:
        return small_png(svg, LARGEST_PICTURE, _WIDTHS)
    try:
        return ctx.background.elsewhere(small_png, svg, LARGEST_PICTURE, _WIDTHS)
    except ProcessLost as error:
        raise Unsendable("the map was not made") from error
