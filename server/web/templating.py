"""Templates, and scripts, styles and pictures under an address that changes when any of them changes."""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from fastapi import Request, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from server.http.problems import Refused
from server.http.responses import to_json
from server.render.drawing import styles
from server.web.presenters import scenario_cards
from server.web.presenters.score import how_to_win
from server.web.translations import translation_files

TEMPLATES = Path(__file__).parent / "templates"

PHASE_SECTIONS = {
    "setup": "starting-conditions",
    "build": "1-build",
    "movement": "2-movement-orders",
    "battle_movement": "4-battle-movement-orders",
    "battles": "6-battle-orders-and-battle-resolution",
    "over": "victory",
}
"""The chapter about the orders of each phase."""

_ESCAPES = {b"<": b"\\u003c", b">": b"\\u003e", b"&": b"\\u0026", "\u2028".encode(): b"\\u2028",
            "\u2029".encode(): b"\\u2029"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Site:
    """Templates and assets."""

    templates: Environment
    assets: Assets

    def fill(self, template: str, content: Mapping[str, Any]) -> str:
        """Return a template filled in; everything in *content* is escaped."""
        return str(Markup(self.templates.get_template(template).render(content)))


@cache
def site() -> Site:
    """Read what is needed; nothing is read again while the process runs."""
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    looks = {"map.css": styles.for_pages().encode(), "seats.css": styles.seat_colours().encode()}
    assets = Assets.read(made=translation_files() | looks)
    templates.globals["asset"] = assets.url
    living = sorted(name for name in assets.files if name.startswith("living/"))
    templates.globals["living_pictures"] = [assets.url(name) for name in living]
    templates.globals["living_first"] = Markup(assets.files[living[0]].decode())
    templates.globals["phase_sections"] = PHASE_SECTIONS
    templates.globals["shipped"] = scenario_cards.titles
    templates.globals["rules_of"] = scenario_cards.ruleset_names
    templates.globals["how_to_win"] = how_to_win
    templates.filters["script_data"] = script_data
    templates.filters["instant"] = datetime.fromisoformat
    return Site(templates, assets)


def script_data(value: object) -> Markup:
    """Return JSON that may stand in a ``<script type="application/json">``: nothing in it can end the element."""
    text = orjson.dumps(value, default=to_json)
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    return Markup(text.decode())


STATIC = Path(__file__).parent / "static"
PREFIX = "/static"
_FOREVER = "public, max-age=31536000, immutable"

mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("image/svg+xml", ".svg")
mimetypes.add_type("application/manifest+json", ".webmanifest")


@dataclass(frozen=True, slots=True)
class Assets:
    """All files of ``static``, read once."""

    files: dict[str, bytes]
    version: str
    """Changes with the content of any of them."""

    @classmethod
    def read(cls, folder: Path = STATIC, made: Mapping[str, bytes] | None = None) -> Assets:
        """Read the files below *folder*; *made* are some more, that stand in no folder."""
        paths = sorted(file for file in folder.rglob("*") if file.is_file())
        files = {file.relative_to(folder).as_posix(): file.read_bytes() for file in paths} | dict(made or {})
        digest = hashlib.sha256()
        for name, content in files.items():
            digest.update(f"{name} {len(content)} ".encode() + content)
        return cls(files, digest.hexdigest()[:12])

    def url(self, name: str) -> str:
        """Return the address of a file; modules may import their neighbours by relative names."""
        if name not in self.files:
            raise LookupError(f"there is no static file {name!r}")
        return f"{PREFIX}/{self.version}/{name}"

    def serve(self, request: Request, name: str) -> Response:
        """Answer a request for a file; one of another version is served too, but not kept."""
        content = self.files.get(name)
        if content is None:
            raise Refused("not_found")
        current = request.path_params.get("version") == self.version
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return Response(content, 200, {"Cache-Control": _FOREVER if current else "no-cache"}, kind)
