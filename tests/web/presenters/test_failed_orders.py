"""Every order of a player's that failed is among the results, with a reason: over random phases.

What failed is found out here from the true positions before and after, not from what the player was told.
``SEALED_ORDERS_LONG=1`` (``make deep``) looks at 1,000 phases at least.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from server.play.resolution.engine import problem_to_json
from server.play.views.history import PastPhase
from server.render.naming import names_in
from server.rules.phases import resolve
from server.rules.sight import view_for
from server.rules.state import BATTLE_MOVEMENT, MOVEMENT, PlayerId
from server.web.presenters.failed_orders import failed_orders
from server.web.presenters.phase_outcome import results
from server.web.presenters.reader import Reader
from server.web.translations import Translations
from tests.rules.properties.campaigns import LONG, Phase, plans, play
from tests.rules.properties.garbage import spoilt
from tests.rules.properties.worlds import dice_of

CAMPAIGNS, TURNS = (34, 8) if LONG else (5, 4)
MARCHES = ("path", "move_and_claim", "reserve")


def _past(phase: Phase, player: PlayerId) -> PastPhase:
    done = phase.resolution
    problems = {player: [problem_to_json(each) for each in done.problems.get(player, ())]}
    view = view_for(done.state, done.events, player)
    info: Any = None
    return PastPhase(info, player, view, view.events, {player: phase.orders[player]}, problems, b"")


def _reader(phase: Phase, player: PlayerId, past: PastPhase, language: str = "en") -> Reader:
    states = [phase.views[player].state, past.view.state]
    names = names_in({each: each for each in phase.before.players}, states, language)
    return Reader(Translations(language), player, names, past.view.state.board, (player,))


def _truly_failed(phase: Phase, player: PlayerId) -> Iterator[tuple[int, str]]:
    """Yield the places of orders that failed, and the hex of a claim that did, as the true positions have it."""
    before, after, events = phase.before, phase.after, phase.resolution.events
    refused = {each.order for each in phase.resolution.problems.get(player, ())}
    for index, order in enumerate(phase.orders[player]):
        if index in refused:
            yield index, ""
            continue
        force = str(order.get("detachment") or order.get("convoy") or "")
        mine = [event for event in events if player in event.to]
        type_ = order["type"]
        if phase.before.phase == MOVEMENT and type_ in MARCHES:
            moved = [event for event in mine if event.type == "moved" and event.fields["force"] == force]
            unloaded = [event for event in mine if event.type == "convoy_unloaded" and event.fields["convoy"] == force]
            ends = {event.fields["path"][-1] for event in moved} | {event.fields["hex"] for event in unloaded}
            if order["path"][-1] not in ends:
                yield index, ""
            if type_ == "move_and_claim":
                for hex_ in {hex_ for event in moved for hex_ in event.fields["path"]}:
                    at = before.board.find(hex_)
                    assert at is not None
                    land = before.ruleset.terrain[before.board.terrain[at]].land
                    if (
                        land
                        and after.owner[at] != player
                        and not (after.owner[at] and after.friendly(player, after.owner[at]))
                    ):
                        yield index, hex_
        if phase.before.phase == BATTLE_MOVEMENT and type_ in ("attack", "raid", "support"):
            battles = [event for event in mine if event.type == "battle" and event.fields["attacker"] == force]
            joined = [event for event in mine if event.type == "supports" and event.fields["force"] == force]
            there = after.detachments.get(force)
            went = there is not None and there.at != before.detachments[force].at
            took = [
                event for event in mine if event.type in ("raided", "convoy_captured") and event.fields["by"] == player
            ]
            if not battles and not joined and not (went and type_ == "attack") and not (took and type_ == "raid"):
                yield index, ""
        if any(event.type == "no_effect" and event.fields["order"] == index for event in mine):
            yield index, ""


def _phases() -> Iterator[Phase]:
    for plan in plans(CAMPAIGNS, TURNS, seed=90):
        for phase in play(plan):
            yield phase
            yield _with_mistakes(phase)


def _with_mistakes(phase: Phase) -> Phase:
    """The same phase, in which each player has made a mistake in an order."""
    orders = {}
    for player, given in phase.orders.items():
        random = Random(f"{phase.plan}/{phase.before.turn}/{player}")
        orders[player] = [*given, *([spoilt(random.choice(given), random)] if given else [])]
    return Phase(
        phase.plan, phase.before, phase.views, orders, resolve(phase.before, orders, dice_of(phase.plan, phase.before))
    )


def test_every_failed_order_is_told_with_its_reason() -> None:
    """Seen to fail when supports, claims, or orders without an event were left out."""
    phases = failed = 0
    for phase in _phases():
        phases += 1
        for player in phase.views:
            past = _past(phase, player)
            reader = _reader(phase, player, past)
            found, _ = failed_orders(phase.views[player], past, reader)
            told = {each.index for each in found}
            for index, hex_ in _truly_failed(phase, player):
                failed += 1
                order = phase.orders[player][index]
                assert index in told, (order, phase.before.phase, phase.before.turn, phase.plan)
                assert not hex_ or any(hex_ in each.hexes for each in found if each.index == index), (order, hex_)
            assert all(each.why and all(each.why) for each in found)
            lines = [each for each in results(phase.views[player], [past], reader, ()) if each.kind == "failed"]
            assert len(lines) >= len(found)
    assert failed > phases / 2, "failures are no rarity among random orders"
    assert not LONG or phases >= 1000


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_order_that_worked_is_not_told_as_failed(language: str) -> None:
    """An order is told once, in either language, and none that did what it said."""
    for plan in plans(2, 3, seed=7):
        for phase in play(plan):
            for player in phase.views:
                past = _past(phase, player)
                found, _ = failed_orders(phase.views[player], past, _reader(phase, player, past, language))
                failed = {index for index, _ in _truly_failed(phase, player)}
                whole = [each for each in found if not each.hexes or each.stopped or each.index in failed]
                for each in whole:
                    order = phase.orders[player][each.index] if each.index >= 0 else {}
                    certain = order.get("type") in MARCHES and phase.before.phase == MOVEMENT
                    assert not certain or each.index in failed, (order, each)


def test_what_is_out_of_sight_is_not_called_by_its_id() -> None:
    """Seen to fail with the refusal as it comes from the rules: "You do not know anything with the id 1103."."""
    phase = next(phase for phase in play(plans(1, 3)[0]) if phase.before.phase == MOVEMENT and phase.before.detachments)
    owner = next(iter(phase.before.detachments.values())).owner
    mine = next(each.id for each in phase.before.detachments.values() if each.owner == owner)
    follow = {"type": "follow", "detachment": mine, "target": "1103"}
    done = resolve(phase.before, phase.orders | {owner: [follow]}, dice_of(phase.plan, phase.before))
    view = view_for(done.state, done.events, owner)
    problems = {owner: [problem_to_json(each) for each in done.problems[owner]]}
    info: Any = None
    past = PastPhase(info, owner, view, view.events, {owner: [follow]}, problems, b"")
    for language, words in (("en", "no longer in sight"), ("de", "nicht mehr in Sicht")):
        found, _ = failed_orders(phase.views[owner], past, _reader(phase, owner, past, language))
        assert words in found[0].why[0]
        assert "1103" not in found[0].why[0]
