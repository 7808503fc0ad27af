"""Refused orders on the command line: the force's name, then the page's sentence with the names of places."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sealed_orders import Fault
from server.commands.remote import Chosen
from server.computer_player import view_of, world_of
from server.render.forces import names_in
from server.render.messages import for_readers
from server.render.translations import FALLBACK


def known_names(chosen: Chosen) -> Mapping[str, str]:
    """Return the names of all players, forces and places that the player sees, by id; places as ``hex/<label>``."""
    position = chosen.campaign.position()
    info = chosen.info
    world = world_of(info.scenario, chosen.campaign.board(), info.ruleset, chosen.campaign.ruleset())
    view = view_of(position.viewer, position.sees, position.state, world)
    return names_in(chosen.names, [view.state], FALLBACK)


def refusal(problem: Fault, order: Any, names: Mapping[str, str]) -> str:
    """Return why an order was refused, as the pages say it: force, reason, section of the rulebook."""
    wording = for_readers(FALLBACK).get(problem.template, "")
    said = wording.format_map(problem.params) if wording and _plain(problem.params) else problem.message
    for value in problem.params.values():
        if isinstance(value, str) and (name := names.get(f"hex/{value}", names.get(value))):
            said = re.sub(rf"(?<![\w(]){re.escape(value)}(?!\w)", lambda _, name=name: name, said)  # type: ignore[misc]
    given = order if isinstance(order, Mapping) else {}
    ids = (str(given.get("detachment", "")), str(given.get("convoy", "")))
    force = next((names[id_] for id_ in ids if id_ in names), "")
    about = f"{force}: " if force and force not in said else ""
    return f"{about}{said}{f' [{problem.rule}]' if problem.rule else ''}"


def _plain(params: Mapping[str, Any]) -> bool:
    """Return whether numbers and texts alone fill a sentence; words of the rules are in the message already."""
    return all(isinstance(value, int | float | str) for value in params.values())
