"""Tiled maps as Tiled writes them."""

from __future__ import annotations

import base64
import gzip
import struct
import zlib
from collections.abc import Sequence

import zstandard

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
TILESET = """ <tileset firstgid="1" name="land" tilewidth="56" tileheight="64" tilecount="4" columns="2">
  <image source="land.png" width="112" height="128"/>
  <tile id="0" type="plains"/>
  <tile id="1"><properties><property name="terrain" value="forest"/></properties></tile>
  <tile id="2" class="mountains"/>
  <tile id="3"><image width="56" height="64" source="../pictures/swamp.png"/></tile>
 </tileset>
"""
ENCODINGS = ("xml", "csv", "base64", "zlib", "gzip", "zstd")


def pack(gids: Sequence[int], encoding: str, columns: int) -> str:
    """Return the <data> element of a layer."""
    if encoding == "xml":
        return "<data>" + "".join(f'<tile gid="{gid}"/>' for gid in gids) + "</data>"
    if encoding == "csv":
        rows = [",".join(map(str, gids[at : at + columns])) for at in range(0, len(gids), columns)]
        return '<data encoding="csv">\n' + ",\n".join(rows) + "\n</data>"
    raw = struct.pack(f"<{len(gids)}I", *gids)
    packed = {"base64": lambda: raw, "zlib": lambda: zlib.compress(raw), "gzip": lambda: gzip.compress(raw)}
    data = zstandard.compress(raw) if encoding == "zstd" else packed[encoding]()
    compression = "" if encoding == "base64" else f' compression="{encoding}"'
    return f'<data encoding="base64"{compression}>\n   {base64.b64encode(data).decode()}\n  </data>'


def tmx(
    data: str,
    columns: object = 3,
    rows: object = 2,
    *,
    axis: str = "y",
    index: str = "odd",
    tileset: str = TILESET,
    extra: str = "",
    head: str = HEAD,
    more: str = 'infinite="0"',
    layer: str = "",
) -> bytes:
    """Return a whole map with one tile layer."""
    return (
        f'{head}<map version="1.10" tiledversion="1.11.0" orientation="hexagonal" renderorder="right-down" '
        f'width="{columns}" height="{rows}" tilewidth="56" tileheight="64" {more} hexsidelength="32" '
        f'staggeraxis="{axis}" staggerindex="{index}" nextlayerid="2" nextobjectid="1">\n{tileset}'
        f' <layer id="1" name="Ground" width="{columns}" height="{rows}"{layer}>\n  {data}\n </layer>\n{extra}</map>\n'
    ).encode()
