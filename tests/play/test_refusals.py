"""A refusal names what was at fault: the field, and the value that was given."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from server.play.campaigns import seats
from server.play.context import AppContext
from server.play.errors import PlayError
from server.play.game_masters import game_master
from server.play.options import options_from
from server.play.orders.patches import patched
from server.play.rhythm import rhythm_from
from server.play.text_input import lines
from tests.play.campaigns import club
from tests.play.conftest import Clock
from tests.play.test_campaigns import refused


@pytest.mark.parametrize(
    ("read", "given", "field", "value"),
    [
        (rhythm_from, {"days": [0, 7]}, "deadlines.days", 7),
        (rhythm_from, {"days": 3}, "deadlines.days", None),
        (rhythm_from, {"times": ["20:00", "24:00"]}, "deadlines.times", "24:00"),
        (rhythm_from, "daily", "deadlines", "daily"),
        (options_from, {"warn_hours": [24, 0]}, "options.warn_hours", 0),
        (options_from, "none", "options", "none"),
        (options_from, {"bot_level": ["regular"]}, "options.bot_level", ["regular"]),
        (options_from, {"seat_levels": {"p1": {}}}, "options.seat_levels", {}),
        (options_from, {"seat_levels": {"p25": "regular"}}, "options.seat_levels.p25", "p25"),
        (lambda text: lines(text, "body", 100), "a\x07b", "body", "a\x07b"),
        (lambda text: lines(text, "body", 100), 7, "body", 7),
        (lambda changes: patched([], changes), [{"op": "swap"}], "changes.0.op", "swap"),
    ],
)
def test_what_is_wrong_is_shown(read: Any, given: object, field: str, value: object) -> None:
    with pytest.raises(PlayError) as caught:
        read(given)
    assert (caught.value.code, caught.value.field, caught.value.value) == ("invalid_request", field, value)


def test_times(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx)
    past, naive = clock.at - timedelta(hours=1), datetime(2031, 6, 1, 20)
    assert refused("invalid_request", game_master.set_due, ctx, made.gm, made.id, past).value == past.isoformat()
    assert refused("invalid_request", game_master.set_due, ctx, made.gm, made.id, naive).value == naive.isoformat()
    away = refused("invalid_request", seats.go_away, ctx, made.players["p1"], made.id, naive)
    assert away.value == naive.isoformat()
    assert refused("invalid_request", seats.go_away, ctx, made.players["p1"], made.id, past).value == past.isoformat()
