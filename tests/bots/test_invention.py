"""A practice is made from one view: whatever else was true, its bytes are the same, and it can be played."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from server.bots import commander
from server.bots.invention import MARK, Practice, practice_from
from server.core.dice import SeededDice
from server.play.edits import edits
from server.rules.codec import encode
from server.rules.phases import resolve
from server.rules.sight import GM, SPECTATOR, View, view_for, views_for
from server.rules.state import BATTLES, OVER, REPORTS, SETUP, State
from tests.rules.properties.campaigns import Phase, plans, play
from tests.rules.properties.secrets import CHANGES, Secret
from tests.rules.properties.worlds import Plan, new_campaign

PLANS = plans(6, turns=2, seed=40)
KEY = b"the practice's own"


def made(view: View) -> Practice:
    return practice_from(view, SeededDice(b"the practice's dice"), KEY)


def positions(plan: Plan) -> Iterator[Phase]:
    return (phase for phase in play(plan) if phase.after.phase != OVER)


@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_nothing_hidden_reaches_the_practice(plan: Plan) -> None:
    """Change all that the viewer cannot see: the practice stays byte for byte the same.

    Seen to fail where ``view_for`` handed on the whole ``store``.
    """
    changed = 0
    for phase in positions(plan):
        state = phase.after
        random = Random(f"{plan}/{state.turn}/{state.phase}")
        for viewer in (*state.players, SPECTATOR):
            other = state.copy()
            for change in CHANGES:
                change(Secret(other, viewer, random))
            other.id_key = b"another"
            changed += encode(other) != encode(state)
            one, two = made(view_for(state, (), viewer)), made(view_for(other, (), viewer))
            assert encode(one.state) == encode(two.state), (viewer, state.turn, state.phase)
            assert one.invented == two.invented
    assert changed


@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_what_is_invented_is_out_of_sight_and_marked(plan: Plan) -> None:
    for phase in positions(plan):
        for viewer, view in views_for(phase.after, ()).items():
            practice = made(view)
            state = practice.state
            marked = {each.id for each in practice.invented if each.what in ("detachment", "garrison")}
            known = {*view.state.detachments, *view.state.garrisons}
            assert {*state.detachments, *state.garrisons} - known == marked
            for id_, force in state.detachments.items():
                assert (id_ in marked) == force.name.endswith(MARK)
            seen = {state.board.label(at) for at in view.sees}
            assert not [each for each in practice.invented if each.hex in seen and each.what != "battle"]
            assert not [each for each in practice.invented if each.owner == viewer and each.what != "battle"]


@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_the_viewer_knows_as_much_as_before(plan: Plan) -> None:
    """What they see in the practice is what they saw, but for the battles that are left out and the new dice."""
    for phase in positions(plan):
        for viewer, view in views_for(phase.after, ()).items():
            state = made(view).state
            again = view_for(state, (), viewer)
            assert again.sees == view.sees
            assert again.state.detachments == view.state.detachments
            assert again.state.garrisons == view.state.garrisons
            assert again.state.store == view.state.store
            assert again.state.urban == view.state.urban


@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_a_practice_is_sound_and_can_be_played(plan: Plan) -> None:
    for number, phase in enumerate(positions(plan)):
        viewer = [*phase.after.players, SPECTATOR][number % (len(phase.after.players) + 1)]
        state = made(view_for(phase.after, (), viewer)).state
        assert not edits._unsound(state)
        assert state.phase != REPORTS
        for _ in range(5):
            if state.phase == OVER:
                break
            orders = {player: commander.choose(view) for player, view in views_for(state, ()).items()}
            resolution = resolve(state, orders, SeededDice(b"practice"))
            assert not any(resolution.problems.values())
            state = resolution.state


def test_in_setup_the_others_have_something_to_place() -> None:
    state = new_campaign(PLANS[0])
    viewer, *others = state.players
    practice = made(view_for(state, (), viewer))
    assert practice.state.phase == SETUP
    assert all(practice.state.players[other].start_urban for other in others)
    assert [each.what for each in practice.invented] == ["start"] * len(others)


def test_who_knew_everything_has_nothing_invented() -> None:
    phase = next(positions(PLANS[0]))
    practice = made(view_for(phase.after, (), GM))
    assert not practice.invented
    assert practice.state.detachments == phase.after.detachments


def test_other_dice_invent_something_else() -> None:
    *_, phase = positions(PLANS[0])
    view = view_for(phase.after, (), next(iter(phase.after.players)))
    one, two = made(view), practice_from(view, SeededDice(b"other dice"), KEY)
    assert encode(one.state) != encode(two.state)


def test_battles_that_wait_for_the_table_are_fought_by_dice() -> None:
    found = 0
    for state, view in _battles():
        practice = made(view)
        assert practice.state.phase == BATTLES
        assert practice.state.settings.battles == "quick"
        assert not any(battle.tabletop for battle in practice.state.battles.values() if not battle.winner)
        left_out = {each.hex for each in practice.invented if each.what == "battle"}
        kept = {state.board.label(at) for at in practice.state.battles}
        assert kept | left_out == {state.board.label(at) for at in view.state.battles}
        found += len(kept)
    assert found


def _battles() -> Iterator[tuple[State, View]]:
    for plan in PLANS:
        for phase in positions(plan):
            if phase.after.phase in (BATTLES, REPORTS):
                for view in views_for(phase.after, ()).values():
                    yield phase.after, view
