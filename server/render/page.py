"""A campaign as one self-contained HTML page with a slider: no other file, no network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from importlib import resources

import orjson

from server.core.events import Event
from server.render.drawing.styles import player_colour
from server.render.story import summarize
from server.render.svg import GROUND, OVER, Options, draw
from server.render.translations import FALLBACK, ruleset_names
from server.rules.elimination import held
from server.rules.sight import View

LAND, OVER_LAND = Options(legend=False, part=GROUND), Options(legend=False, part=OVER)
"""The land below all phases, and a phase without it."""
HEADLINES = (
    "campaign_over", "eliminated", "capital_captured", "battle_fought", "convoy_captured", "raided", "discovered",
)  # fmt: skip
"""Events that a moving picture's two lines are about, the greatest first."""

SHOWN = ("heading", "picture", "story", "score", "letters")
"""What the page's script reads of a frame."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One phase in the making of a page."""

    heading: str
    picture: str
    story: tuple[str, ...]
    score: tuple[tuple[str, int, int], ...]
    """Name, VP and hexes of each player in seat order."""
    headlines: tuple[str, ...] = ()
    """The two sentences of the story that matter most."""
    letters: tuple[tuple[str, str, str], ...] = ()
    """A message: its writer, its readers and its text."""


def first_events(events: Iterable[Event]) -> list[Event]:
    """Return the events that a moving picture's two lines are about, the greatest first."""
    return sorted((event for event in events if event.type in HEADLINES), key=lambda event: HEADLINES.index(event.type))


def frame(view: View, names: Mapping[str, str], heading: str) -> Frame:
    """Return the frame of a view: everything but the ground, what happened, the score."""
    hexes = held(view.state)
    score = tuple((names.get(id_, id_), player.vp, hexes[id_]) for id_, player in view.state.players.items())
    names = ruleset_names(view.state.ruleset, FALLBACK) | dict(names)
    story = tuple(summarize(view.events, names))
    headlines = tuple(dict.fromkeys((*summarize(first_events(view.events), names), *story)))[:2]
    return Frame(heading, draw(view, OVER_LAND), story, score, headlines)


def page(title: str, ground: View, frames: Sequence[Frame]) -> str:
    """Return the page. *ground* is any view of the campaign; its map lies under all frames."""
    still = replace(ground, events=())
    data = [{name: getattr(shot, name) for name in SHOWN} for shot in frames]
    # "</" would end the script early, whatever it is inside of
    script = orjson.dumps(data).decode().replace("</", "<\\/")
    colours = orjson.dumps([player_colour(seat) for seat in range(len(ground.state.players))]).decode()
    return (
        _template()
        .replace("{{title}}", escape(title))
        .replace("{{last}}", str(max(0, len(frames) - 1)))
        .replace("{{ground}}", draw(still, LAND))
        .replace("{{colours}}", colours)
        .replace("{{frames}}", script)
    )


@cache
def _template() -> str:
    return resources.files(__package__).joinpath("page.html").read_text(encoding="utf-8")
