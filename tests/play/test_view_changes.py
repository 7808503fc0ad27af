"""Changes of a view make the whole view, byte for byte; who may not have them, or missed some, gets the whole.

Seen to fail: with rows that are gone left in, with lists that keep what is gone, with tables that are not put
in order; with views remembered for everybody alike, and with rights that are not compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as some

from sealed_orders.changes import patched
from server.play.campaigns import campaigns, seats
from server.play.context import NOBODY, Actor, AppContext
from server.play.game_masters import game_master, rollback
from server.play.views import positions, view_changes
from server.play.views.positions import view_bytes
from server.play.views.view_changes import changes
from server.rules.sight import GM, SPECTATOR, view_for
from server.rules.state import State
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person
from tests.rules.properties.campaigns import LONG, plans, play
from tests.rules.properties.worlds import Plan

WORDS = some.text("abc", min_size=1, max_size=2)
ROWS = some.dictionaries(WORDS, some.integers(0, 2) | some.dictionaries(WORDS, some.integers(0, 2)))
LISTS = some.lists(WORDS, max_size=4) | some.sets(some.sampled_from("abcdefgh")).map(sorted)


def as_json(value: object) -> Any:
    """Return a value as it comes over the wire."""
    return orjson.loads(orjson.dumps(value))


def known(state: State, viewer: str) -> bytes:
    return view_bytes(view_for(state, (), viewer))


@pytest.mark.parametrize("plan", plans(60 if LONG else 12, turns=2, seed=1800), ids=str)
def test_the_changes_of_each_phase_make_the_next_view_for_every_viewer(plan: Plan) -> None:
    for phase in play(plan):
        for viewer in (*phase.views, GM, SPECTATOR):
            before, after = known(phase.before, viewer), known(phase.after, viewer)
            old, new = orjson.loads(before), orjson.loads(after)
            found = as_json(changes(old, new))
            assert orjson.dumps(patched(old, found)) == after
            assert orjson.dumps(old) == before


@given(
    some.fixed_dictionaries({"sees": LISTS, "state": some.dictionaries(WORDS, ROWS | LISTS)}),
    some.fixed_dictionaries({"sees": LISTS, "state": some.dictionaries(WORDS, ROWS | LISTS)}),
)
def test_any_two_views_differ_by_their_changes(before: Any, after: Any) -> None:
    old, new = (orjson.loads(orjson.dumps(view, option=orjson.OPT_SORT_KEYS)) for view in (before, after))
    found = as_json(changes(old, new))
    assert orjson.dumps(patched(old, found)) == orjson.dumps(new)
    assert as_json(changes(new, new)) == {"replaced": [], "removed": [], "spliced": []}


@dataclass
class Page:
    """Somebody who follows a campaign."""

    actor: Actor
    as_: str | None = None
    etag: str = ""
    document: Any = None
    whole: int = 0
    """How often they were sent all of it."""

    def follow(self, ctx: AppContext, made: Club) -> None:
        shown = positions.shown(ctx, self.actor, made.id, as_=self.as_)
        answer = orjson.loads(view_changes.since(ctx, self.actor, made.id, shown, self.etag))
        self.whole += answer["whole"] is not None
        self.document = patched(self.document, answer) if answer["whole"] is None else answer["whole"]
        assert orjson.dumps(self.document) == shown.body
        self.etag = answer["etag"]
        assert self.etag == shown.etag


def test_whoever_follows_a_campaign_has_the_view_at_all_times(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx)
    pages = [Page(actor) for actor in (*made.players.values(), made.gm, NOBODY)] + [Page(made.gm, "p1")]

    def follow(wholes: int) -> None:
        for page in pages:
            page.follow(ctx, made)
        assert [page.whole for page in pages] == [wholes] * len(pages)

    follow(1)
    for _ in range(3):
        made.play_phase()
        follow(1)
    made.play_phase()
    made.play_phase()  # nobody looked at the phase between
    follow(1)
    game_master.set_due(ctx, made.gm, made.id, clock() + timedelta(days=3), "A reason.")
    follow(1)
    rollback.roll_back(ctx, made.gm, made.id, made.info.phase_number - 1, "A reason.")
    follow(1)
    campaigns.change(ctx, made.gm, made.id, options={"show_final": False})
    follow(1)  # what is no right changes nothing
    ctx.caches.bodies.clear()
    made.play_phase()
    follow(2)
    campaigns.finish(ctx, made.gm, made.id, "A reason.")
    follow(3)  # the record is public: everybody has other rights


def test_who_may_not_have_changes_gets_the_whole(ctx: AppContext) -> None:
    made, eve = club(ctx), person(ctx, "Eve")
    ada, bob = (Page(made.players[seat]) for seat in ("p1", "p2"))
    for page in (ada, bob):
        page.follow(ctx, made)
    seats.choose_stand_in(ctx, made.players["p1"], made.id, "user", substitute="Eve")
    substitute = Page(eve, etag=ada.etag)  # even who knows the ETag of somebody else's view
    substitute.follow(ctx, made)
    assert substitute.whole == 1
    other = Page(made.players["p2"], etag=ada.etag, document=bob.document)
    other.follow(ctx, made)
    assert other.whole == 1
    made.play_phase()
    campaigns.change(ctx, made.gm, made.id, options={"spectators": False})
    ada.follow(ctx, made)  # their rights are others now
    assert ada.whole == 2
    elsewhere = AppContext(ctx.database, ctx.settings, ctx.clock)  # a process that has sent them nothing
    ada.follow(elsewhere, made)
    assert ada.whole == 3
