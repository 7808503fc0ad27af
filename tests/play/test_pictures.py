"""Pictures that people send: nothing of the file is kept but what one sees, and no file does harm."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from server.play.errors import PlayError
from server.play.messages.pictures import MAX_BYTES, MAX_SIDE, reencode

SECRET = "48.137 north, camera 4711"


def file(kind: str, size: tuple[int, int] = (60, 40), mode: str = "RGB", **more: object) -> bytes:
    out = BytesIO()
    Image.new(mode, size, "red" if mode == "RGB" else 0).save(out, kind, **more)
    return out.getvalue()


def exif(orientation: int = 1) -> Image.Exif:
    made = Image.Exif()
    made[0x010E] = SECRET
    made[0x0112] = orientation
    return made


def noted() -> PngInfo:
    made = PngInfo()
    made.add_text("Comment", SECRET)
    return made


@pytest.mark.parametrize(
    "sent",
    [
        file("JPEG", exif=exif(), comment=SECRET.encode()),
        file("PNG", pnginfo=noted(), exif=exif()),
        file("WEBP", exif=exif(), xmp=SECRET.encode()),
        file("JPEG", icc_profile=SECRET.encode()),
    ],
)
def test_what_a_file_tells_besides_is_gone(sent: bytes) -> None:
    """Seen to fail when the picture that was read is saved itself: Pillow writes its comment and profile again."""
    assert SECRET.encode() in sent
    made = reencode(sent)
    assert SECRET.encode() not in made.content
    with Image.open(BytesIO(made.content)) as kept:
        assert (kept.format, kept.size, len(kept.getexif())) == ("JPEG", (60, 40), 0)
        assert not {"comment", "exif", "icc_profile", "xmp"} & set(kept.info)


def test_a_picture_is_turned_upright_and_made_smaller() -> None:
    made = reencode(file("JPEG", (4000, 2000), exif=exif(orientation=6)))
    assert (made.width, made.height) == (MAX_SIDE // 2, MAX_SIDE)


@pytest.mark.parametrize("mode", ["P", "L", "LA", "RGBA", "1", "I;16", "CMYK"])
def test_every_kind_of_colours_is_taken(mode: str) -> None:
    kind = "JPEG" if mode == "CMYK" else "PNG"
    assert reencode(file(kind, mode=mode)).width == 60


def bomb(width: int, height: int) -> bytes:
    """Return a small PNG file that says it is huge."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(1000))), (b"IEND", b""))
    body = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + body


@pytest.mark.parametrize("sent", [bomb(60_000, 60_000), bomb(2**31 - 1, 2**31 - 1), bytes(MAX_BYTES + 1)])
def test_what_would_unpack_to_too_much_is_refused_unread(sent: bytes) -> None:
    with pytest.raises(PlayError) as refused:
        reencode(sent)
    assert refused.value.code == "too_large"


WHOLE = file("JPEG", (400, 400))


@pytest.mark.parametrize(
    "sent",
    [b"", b"text", b"<svg xmlns='http://www.w3.org/2000/svg'/>", file("GIF"), file("BMP"), file("TIFF"), b"%PDF-1.7",
     WHOLE[: len(WHOLE) // 2], bomb(500, 500), file("PNG", (4, 4))],
)  # fmt: skip
def test_what_is_no_picture_is_refused(sent: bytes) -> None:
    with pytest.raises(PlayError) as refused:
        reencode(sent)
    assert (refused.value.code, refused.value.field) == ("invalid_request", "picture")
