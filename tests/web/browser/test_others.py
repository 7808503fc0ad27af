"""The first turn in the other two engines: Firefox and WebKitGTK, as Debian has them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from server.play import orders
from tests.api.people import PASSWORD
from tests.web.browser.conftest import Site
from tests.web.browser.others import Engine, Eyes, firefox, webkit
from tests.web.browser.war import UNITS, begin

Start = Callable[[Path], AbstractContextManager[Engine]]


@pytest.mark.parametrize("start", [firefox, webkit])
def test_a_first_turn_by_mouse(start: Start, server: Site, tmp_path: Path) -> None:
    """Sign in, read what happened, raise a force, declare final, march, and see the next phase come.

    Seen to fail when ``table/main.js`` calls something that the engine does not have.
    """
    war = begin(server.ctx)
    for actor, capital, at in ((war.ann, "1003", "0806"), (war.ben, "0409", "0607")):
        raised = {"type": "build_detachment", "at": at, "units": UNITS}
        place = {"type": "place", "what": "capital", "at": capital}
        orders.replace(war.ctx, actor, war.id, [place, raised], final=True)
    with start(tmp_path) as engine:
        eyes = Eyes(engine)
        engine.goto(f"{server.url}/sign-in?next={war.address}")
        eyes.write("input[name=name]", "Ann")
        eyes.write("input[name=password]", PASSWORD)
        eyes.press("main form button.primary")
        eyes.wait("document.documentElement.dataset.ready === 'table'")
        engine.ask("['results do not open', 'first turn known'].forEach((key) => localStorage.setItem(key, '1'))")
        engine.goto(server.url + war.address)
        _read(eyes)
        _raise(eyes)
        war.final(war.ben)
        _march(eyes)
        assert [each["path"] for each in war.given()] == [["0706"]]
        war.final(war.ben)
        eyes.press(".dock-foot button", "Declare final")
        eyes.wait("document.querySelector('#table').dataset.phase === 'Battle orders'")
        eyes.see("#campaign-now .badge", "Battle orders")
        eyes.see("main", "Carrick Pass (0706)")
        assert engine.complaints == []


def _read(eyes: Eyes) -> None:
    """What happened in Setup: open the list by a click, and close it."""
    eyes.wait("document.documentElement.dataset.ready === 'table'")
    eyes.press("#results-open", "What happened")
    eyes.see("#results-card", "1 of 2")
    eyes.press("#results-card button", "×")
    eyes.wait("document.getElementById('results-card').hidden")


def _raise(eyes: Eyes) -> None:
    """In Build: a force in the capital, by three clicks, and final by one."""
    eyes.hex("1003")
    eyes.press('button[aria-label="A new detachment …"]')
    eyes.press("dialog[open] button", "Give the order")
    eyes.see(".dock-foot", "Handed in.")
    eyes.see(".dock-said", "Given: Raise")
    eyes.press(".dock-foot button", "Declare final")
    eyes.see(".dock-foot", "Your orders are final.")


def _march(eyes: Eyes) -> None:
    """In Movement: from 0806 to 0706, by two clicks."""
    eyes.wait("document.querySelector('#table').dataset.phase === 'Movement'")
    eyes.wait("document.documentElement.dataset.ready === 'table'")
    eyes.hex("0806")
    eyes.see(".chips legend", "Order for")
    eyes.hex("0706")
    eyes.see(".dock-foot", "Handed in.")
