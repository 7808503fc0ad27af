"""The map in a mail: drawn for its reader, and made once however many mails show it."""

from __future__ import annotations

from functools import partial
from hashlib import sha256

from server.play.background import ProcessLost
from server.play.context import AppContext
from server.play.notices.addresses import Unsendable
from server.render.png import small_png
from server.render.sheets import Sheets, sheets
from server.rules.sight import View

LARGEST_PICTURE = 200_000
"""Bytes of a map in a mail."""
WIDTHS = (640, 480, 320, 200)


def map_picture(ctx: AppContext, view: View) -> bytes:
    """Return the map as a PNG small enough for a mail; empty where it cannot be made that small.

    The store's key is the drawing itself, so nobody sees more than their own drawing shows.
    Another process, if there is one, makes the pixels: that takes some tenths of a second in which no request here
    would be answered. :class:`~server.play.notices.addresses.Unsendable` where that process ends before its work.
    """
    drawn = sheets(view)
    return ctx.caches.pictures.get(sha256(repr(drawn).encode()).digest(), partial(_made, ctx, drawn))


def _made(ctx: AppContext, drawn: Sheets) -> bytes:
    if not ctx.background.processes:
        return small_png(drawn, LARGEST_PICTURE, WIDTHS)
    try:
        return ctx.background.in_process(small_png, drawn, LARGEST_PICTURE, WIDTHS)
    except ProcessLost as error:
        raise Unsendable("the map was not made") from error
