"""Broken and hostile files of other programs: refused with a clear message, in under a second."""

from __future__ import annotations

import base64
import gzip
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from server.rulesets import load as load_ruleset
from server.scenarios.exchange import import_map
from server.scenarios.problems import MapError
from tests.scenarios.tmx import HEAD, pack, tmx

RULES = load_ruleset("wh40k-2001")
GOOD = pack([1] * 6, "csv", 3)
LAUGHS = (
    '<!DOCTYPE lolz [<!ENTITY a "lol">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(10))
    + "]>"
)
ENTITY = '<!DOCTYPE map [<!ENTITY x SYSTEM "file:///etc/passwd">]>'


TILE, OBJECT = '<tile id="1"/>', '<object x="1" y="1"/>'
ENDLESS = '<data><chunk x="0" y="0" width="16" height="16"/><chunk x="900000" y="0" width="9" height="9"/></data>'


def b64(data: bytes, compression: str) -> str:
    return f'<data encoding="base64" compression="{compression}">{base64.b64encode(data).decode()}</data>'


def long_zeros() -> bytes:
    packer = zlib.compressobj(9)
    return b"".join([*(packer.compress(bytes(1_000_000)) for _ in range(20)), packer.flush()])


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "huge.tmx": (lambda: tmx(GOOD, 100_000, 100_000), "100000 x 100000 hexes"),
    "large.tmx": (lambda: tmx(GOOD, 501, 2), "501 x 2 hexes"),
    "negative.tmx": (lambda: tmx(GOOD, -5), "width must be"),
    "no-number.tmx": (lambda: tmx(GOOD, "9" * 5_000), "width must be"),
    "zlib-bomb.tmx": (lambda: tmx(b64(long_zeros(), "zlib")), "more data than 6 tiles"),
    "zlib-bomb-in-time.tmx": (lambda: tmx(b64(zlib.compress(bytes(1_000_000)), "zlib")), "unpacks to more"),
    "gzip-bomb.tmx": (lambda: tmx(b64(gzip.compress(bytes(1_000_000)), "gzip")), "unpacks to more"),
    "zstd-bomb.tmx": (lambda: tmx(b64(zstandard.compress(bytes(50_000_000)), "zstd")), "unpacks to more"),
    "one-byte-more.tmx": (lambda: tmx(b64(zlib.compress(bytes(25)), "zlib")), "unpacks to more"),
    "too-little.tmx": (lambda: tmx(b64(zlib.compress(bytes(20)), "zlib")), "unpacks to less"),
    "no-zlib.tmx": (lambda: tmx(b64(b"plain", "zlib")), "is not zlib"),
    "no-gzip.tmx": (lambda: tmx(b64(b"plain", "gzip")), "is not gzip"),
    "no-zstd.tmx": (lambda: tmx(b64(b"plain", "zstd")), "is not zstd"),
    "lzma.tmx": (lambda: tmx(b64(b"plain", "lzma")), "unknown compression 'lzma'"),
    "rot13.tmx": (lambda: tmx('<data encoding="rot13">x</data>'), "unknown encoding 'rot13'"),
    "csv-zlib.tmx": (lambda: tmx('<data encoding="csv" compression="zlib">1</data>'), "without being base64"),
    "no-base64.tmx": (lambda: tmx('<data encoding="base64">!!!!</data>'), "not base64"),
    "long-csv.tmx": (lambda: tmx(f'<data encoding="csv">{"1," * 3_000_000}</data>'), "more data than 6 tiles"),
    "long-number.tmx": (lambda: tmx(f'<data encoding="csv">1,1,1,1,1,{"1" * 5_000}</data>'), "numbers that are none"),
    "minus.tmx": (lambda: tmx('<data encoding="csv">1,1,1,1,1,-1</data>'), "numbers that are none"),
    "words.tmx": (lambda: tmx('<data encoding="csv">1,1,1,1,1,a</data>'), "numbers that are none"),
    "too-few.tmx": (lambda: tmx('<data encoding="csv">1,1</data>'), "2 tiles and should have 6"),
    "bad-gid.tmx": (lambda: tmx("<data>" + '<tile gid="x"/>' * 6 + "</data>"), "numbers that are none"),
    "laughs.tmx": (lambda: tmx("<data>&k;</data>", head=HEAD + LAUGHS), "document type"),
    "entity.tmx": (lambda: tmx("<data>&x;</data>", head=HEAD + ENTITY), "document type"),
    "dtd.tmx": (lambda: tmx(GOOD, head=HEAD + '<!DOCTYPE map SYSTEM "http://example.org/m.dtd">'), "document type"),
    "tileset.tmx": (
        lambda: tmx(GOOD, tileset='<tileset firstgid="1" source="../../../etc/passwd"/>'),
        "'passwd' is another file: embed",
    ),
    "template.tmx": (
        lambda: tmx(GOOD, extra='<objectgroup><object id="1" template="C:\\secret.tx" x="1" y="1"/></objectgroup>'),
        "template 'secret.tx'",
    ),
    "deep.tmx": (lambda: tmx(GOOD, extra="<group>" * 5_000 + "</group>" * 5_000), "nested too deeply"),
    "many.tmx": (lambda: tmx(GOOD, extra="<a/>" * 1_500_000), "too many elements"),
    "attributes.tmx": (lambda: tmx(GOOD, more=" ".join(f'a{n}=""' for n in range(100_000))), "too many elements"),
    "tiles.tmx": (lambda: tmx(GOOD, tileset=f'<tileset firstgid="1">{TILE * 20_001}</tileset>'), "20001 tiles"),
    "layers.tmx": (
        lambda: tmx(pack([1] * 250_000, "zlib", 500), 500, 500, extra='<layer width="500" height="500"/>' * 9),
        "more than 1500000 tiles",
    ),
    "objects.tmx": (lambda: tmx(GOOD, extra=f"<objectgroup>{OBJECT * 20_001}</objectgroup>"), "more than 20000"),
    "points.tmx": (
        lambda: tmx(GOOD, extra=f'<objectgroup><object><polyline points="{"0,0 " * 10_001}"/></object></objectgroup>'),
        "more than 10000 points",
    ),
    "pairs.tmx": (
        lambda: tmx(GOOD, extra='<objectgroup><object><polyline points="0,0 1"/></object></objectgroup>'), "pairs"),
    "nan.tmx": (lambda: tmx(GOOD, extra='<objectgroup><object x="nan" y="1"/></objectgroup>'), "no place on the map"),
    "endless.tmx": (lambda: tmx(ENDLESS, more='infinite="1"'), "900009 x 16 hexes"),
    "nothing.tmx": (lambda: tmx("<data/>", more='infinite="1"'), "without tiles"),
    "square.tmx": (lambda: tmx(GOOD).replace(b"hexagonal", b"orthogonal"), "is orthogonal"),
    "stagger.tmx": (lambda: tmx(GOOD, axis="z"), "staggeraxis must be one of x, y"),
    "zero.tmx": (lambda: tmx(GOOD).replace(b'tilewidth="56" tileheight="64" ', b'tilewidth="0" '), "tilewidth must be"),
    "cut.tmx": (lambda: tmx(GOOD)[:300], "no XML file"),
    "picture.tmx": (lambda: b"\x89PNG\r\n\x1a\n", "no XML file"),
    "empty.tmx": (lambda: b"", "no XML file"),
    "utf7.tmx": (lambda: tmx(GOOD, head='<?xml version="1.0" encoding="utf-7"?>'), "no XML file"),
    "codec.tmx": (lambda: tmx(GOOD, head='<?xml version="1.0" encoding="rot13"?>'), "no XML file"),
    "svg.tmx": (lambda: b"<svg/>", "root is <svg>"),
    "big.tmx": (lambda: b" " * 8_000_001, "larger than 8 MB"),
    "ragged.map": (lambda: b"Gg, Gg, Gg\nGg, Gg\nGg", "row 2 has 2 codes"),
    "code.map": (lambda: b"Gg, Gg, Gg\nGg, " + b"A" * 1_000_000 + b", Gg\nGg, Gg, Gg", "is no terrain code"),
    "backtrack.map": (lambda: b"Gg,Gg,Gg\nGg,1" + b" " * 1_000_000 + b"!,Gg\nGg,Gg,Gg", "is no terrain code"),
    "wide.map": (lambda: (b"Gg," * 600 + b"Gg\n") * 3, "599 x 1 hexes"),
    "border.map": (lambda: b"Gg, Gg\nGg, Gg", "nothing is left"),
    "empty.map": (lambda: b"\n\n", "no rows"),
    "binary.map": (lambda: bytes(range(256)), "not UTF-8"),
    "wide.csv": (lambda: b"1," * 3_900_000, "too large"),
    "long.csv": (lambda: b"a\n" * 3_900_000, "3900000 lines"),
    "quote.csv": (lambda: b'"' + b"a," * 1_000_000, "no table"),
    "sparse.csv": (lambda: b"hex,terrain\n500500,plains\n", "only 1 of the 250000"),
    "twice.csv": (lambda: b"hex,terrain\n0101,plains\n0101,plains\n", "line 3: the hex 0101 comes twice"),
    "label.csv": (lambda: b"hex,terrain\n0000,plains\n", "line 2: '0000' is no hex"),
    "seat.csv": (lambda: b"hex,terrain,seat\n0101,plains,99\n", "'99' is no seat"),
    "road.csv": (lambda: b"hex,terrain,roads\n0101,plains,0109\n", "no road can go to '0109'"),
    "ragged.csv": (lambda: b"plains,plains\nplains\n", "row 2 has 1 hexes"),
    "zero.csv": (lambda: b"a,b\0", "no text"),
    "empty.csv": (lambda: b"", "empty"),
    "binary.txt": (lambda: b"\xff\xff", "not UTF-8"),
    "page.html": (lambda: b"<html/>", "cannot tell its format"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_refused_with_a_clear_message(tmp_path: Path, name: str) -> None:
    """How quickly, ``python -m bench refusals`` measures."""
    make, said = HOSTILE[name]
    file = tmp_path / name
    file.write_bytes(make())
    with pytest.raises(MapError) as caught:
        import_map(file, RULES)
    message = str(caught.value)
    assert message.startswith(f"{file}: ")
    assert said in message
    assert len(message) < 400 + len(str(file))


@pytest.mark.parametrize("encoding", ["xml", "csv", "zlib"])
def test_no_damage_does_more_than_be_refused(tmp_path: Path, encoding: str) -> None:
    """Cut off, a byte missing, a byte changed: a map or a clear refusal, nothing else."""
    good = tmx(pack([1, 2, 3, 4, 1, 2], encoding, 3), extra='<objectgroup><object name="a" x="9" y="9"/></objectgroup>')
    file = tmp_path / "map.tmx"
    for at in range(0, len(good), 17):
        for broken in (good[:at], good[:at] + good[at + 1 :], good[:at] + b"9" + good[at + 1 :]):
            file.write_bytes(broken)
            try:
                import_map(file, RULES)
            except MapError as error:
                assert str(error)  # noqa: PT017


def test_no_other_file_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "swamp.png").write_bytes(b"never read")
    file = tmp_path / "map.tmx"
    file.write_bytes(tmx(GOOD))
    opened: list[str] = []
    read_bytes, open_ = Path.read_bytes, Path.open

    def noted(self: Path) -> Path:
        opened.append(str(self))
        return self

    monkeypatch.setattr(Path, "read_bytes", lambda self: read_bytes(noted(self)))
    monkeypatch.setattr(Path, "open", lambda self, *a, **k: open_(noted(self), *a, **k))
    import_map(file, RULES)
    assert [each for each in opened if each.startswith(str(tmp_path))] == [str(file)]
