"""A film as a file for a chat: its steps as scenes of a moving picture, each march hex by hex."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from server.rules.sight import View
from server.web.presenters.film import Film, Step

if TYPE_CHECKING:
    from server.render.moving import Scene

MAX_BEATS, MAX_SCENES = 8, 60
LAST = 4.0
"""Seconds that the last scene stays."""


def scenes(film: Film, before: View, after: View) -> list[Scene]:
    """Return the scenes of a film; forces and hexes stay as they were until the scene that changes them."""
    from server.render.moving import Scene  # Pillow: only where wanted

    seats = {player: number for number, player in enumerate(after.state.players)}
    marching = any(step.moves for step in film.steps if step.chapter == "moves")
    found: list[Scene] = []
    for step in film.steps[:-1] or film.steps:
        caption, lines = _capital("".join(part.text for part in step.parts)), (*step.details, *_card(film, step))
        tone = step.tone if step.tone != "plain" else ""
        if step.moves and step.chapter == "moves":
            for beat in range(1, _beats(step) + 1):
                ways = tuple(_way(after, seats, move, beat) for move in step.moves)
                found.append(Scene(before, caption, lines, step.seconds, ways))
        else:
            fighting = step.shows in ("start", "forces", "modifiers", "dice", "totals")
            view = before if fighting or (step.chapter == "moves" and marching) else after
            found.append(Scene(view, caption, lines, max(1.2, step.seconds), (), step.hexes, tone))
    shown = found[:MAX_SCENES]
    last = shown[-1]
    shown[-1] = Scene(last.view, last.caption, last.lines, LAST, last.ways, last.lit, last.tone)
    return shown


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _beats(step: Step) -> int:
    return min(MAX_BEATS, max(len(move["path"]) - 1 for move in step.moves) or 1)


def _way(view: View, seats: Mapping[str, int], move: Mapping[str, Any], beat: int) -> tuple[int, tuple[str, ...]]:
    thing = view.state.force(str(move["force"])) or view.state.convoys.get(str(move["force"]))
    return seats.get(thing.owner, 0) if thing is not None else 0, tuple(move["path"][: beat + 1])


def _card(film: Film, step: Step) -> Iterator[str]:
    """Yield what the card of a battle shows by then: forces by name, modifiers, dice, sums."""
    if step.card < 0:
        return
    card = film.cards[step.card]
    for side in card["sides"]:
        forces = ", ".join(f"{force['name']} {force['points']}" for force in side["forces"])
        yield f"{side['name']}: {forces}"
    if step.modifiers and card["modifiers"]:
        told = card["modifiers"][: step.modifiers]
        yield ", ".join(f"{modifier['text']} {modifier['n']:+d}".replace("-", "−") for modifier in told)
    if step.shows in ("dice", "totals", "losses", "outcome") and card["dice"]:
        yield " : ".join(" ".join(str(face) for face in faces) for faces in card["dice"])
