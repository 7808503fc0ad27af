"""Templates and assets, as every page uses them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from server.http.responses import to_json
from server.render.drawing import styles
from server.web.assets import Assets
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
