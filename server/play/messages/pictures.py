"""Pictures that people send: checked, scaled down and encoded again, without the file's other data."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from server.core.sentences import say
from server.play.errors import PlayError, invalid

if TYPE_CHECKING:  # imported by the first picture
    from PIL import Image

FORMATS = ("JPEG", "PNG", "WEBP")
MAX_BYTES = 8_000_000
MAX_PIXELS = 50_000_000
"""The most pixels a file may state. Cameras of phones make up to 50 million, as JPEGs that are unpacked smaller."""
MAX_WHOLE = {"JPEG": 12_000_000, "PNG": 8_300_000, "WEBP": 4_800_000}
"""The most where all have to be unpacked at once, progressive JPEGs among them: it takes 100 MB."""
MAX_SIDE, SMALLEST = 1600, 16
"""Maximum pixels of stored and of accepted pictures."""
QUALITY = 82
FIELD = "picture"
"""What refusals call it."""
_BROKEN = (OSError, ValueError, SyntaxError, EOFError, MemoryError)
"""Errors that Pillow raises for damaged files and files other than pictures."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in its stored form."""

    content: bytes
    """JPEG."""
    width: int
    height: int


def reencode(data: bytes) -> Picture:
    """Return a picture from a file of one of :data:`FORMATS`: turned upright, at most :data:`MAX_SIDE`, no metadata.

    Raise ``too_large`` for too many bytes or pixels, ``invalid_request`` for anything but such a picture.
    """
    from PIL import Image

    if len(data) > MAX_BYTES:
        raise PlayError("too_large", say("At most {most} bytes.", most=MAX_BYTES), field=FIELD, value=len(data))
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as sent:
            width, height = sent.size
            whole = sent.format != "JPEG" or bool(sent.info.get("progressive"))
            most = MAX_WHOLE[sent.format or "JPEG"] if whole else MAX_PIXELS
            if width * height > most:
                raise _too_many(f"{width} x {height}", most)
            if min(width, height) < SMALLEST:
                raise invalid(
                    FIELD, say("At least {least} pixels wide and high.", least=SMALLEST), f"{width} x {height}"
                )
            sent.draft("RGB", (MAX_SIDE, MAX_SIDE))
            return _kept(sent)
    except Image.DecompressionBombError as error:
        raise _too_many(None, MAX_PIXELS) from error
    except _BROKEN as error:
        raise invalid(FIELD, say("This is no picture of these kinds: {kinds}.", kinds=", ".join(FORMATS))) from error


def _too_many(value: object, most: int) -> PlayError:
    return PlayError("too_large", say("At most {most} pixels.", most=most), field=FIELD, value=value)


def _kept(sent: Image.Image) -> Picture:
    from PIL import ExifTags, Image, ImageOps

    turned = sent.getexif().get(ExifTags.Base.Orientation)
    many = sent.mode in ("RGB", "RGBA", "L", "LA", "CMYK")
    small = sent if many else sent.convert("L" if sent.mode[0] == "I" else "RGBA")  # few colours become smaller badly
    small.thumbnail((MAX_SIDE, MAX_SIDE))
    if turned is not None:
        small.getexif()[ExifTags.Base.Orientation] = turned
    upright = ImageOps.exif_transpose(small)  # what is small is turned with little memory
    clean = Image.new("RGB", upright.size, "white")  # a new one: comments and profiles stay with the old one
    seen = upright.convert("RGBA")
    clean.paste(seen, mask=seen.getchannel("A"))
    out = BytesIO()
    clean.save(out, "JPEG", quality=QUALITY, optimize=True)
    return Picture(out.getvalue(), *clean.size)
