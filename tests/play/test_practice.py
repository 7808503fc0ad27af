"""Practice: a position one may read, opened against computer players; nothing of the hidden truth goes with it."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest

from server.bots.invention import MARK, practice_from
from server.core.dice import SeededDice
from server.play.archive.record_files import export, read
from server.play.archive.verification import verify_record
from server.play.campaigns import campaigns, practice
from server.play.campaigns.practice import NewPractice
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.game_data import id_key
from server.play.orders import orders
from server.play.records.records import PRACTICE
from server.play.views import positions
from server.store.tables import Campaign, Phase
from tests.api.hidden import alter, alter_dice_secret
from tests.play.campaigns import Club, club
from tests.play.conftest import person


@pytest.fixture
def played(ctx: AppContext) -> Club:
    return club(ctx, phases=6, rules={"turn_limit": 9})


def begun_from(ctx: AppContext, id_: str) -> dict[str, object]:
    """Return phase 0's orders of a practice: all that it was made from."""
    with ctx.database.read() as session:
        return dict(session.query(Phase.orders).filter_by(campaign_id=id_, number=0).one()[0])


def test_a_player_practises_alone_from_what_they_know(ctx: AppContext, played: Club) -> None:
    ada = played.players["p1"]
    made = practice.create(ctx, ada, played.id, NewPractice(level="recruit", give_up=True))
    assert (made.status, made.listed, made.your_seats, made.you_are_gm) == ("running", False, ("p1",), True)
    assert (made.options.bot_level, made.options.computers_give_up, made.options.spectators) == ("recruit", True, False)
    assert (made.turn, made.phase) == (played.info.turn, played.info.phase)
    mine = positions.position(ctx, ada, made.id).view
    theirs = played.view("p1")
    assert mine.state.detachments == theirs.state.detachments
    assert mine.sees == theirs.sees
    before = made.phase_number
    orders.replace(ctx, ada, made.id, [], final=True)
    assert campaigns.get(ctx, ada, made.id).phase_number > before, "somebody was waited for"


def test_nothing_hidden_reaches_the_practice(ctx: AppContext, played: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything hidden from p1 is changed in the database: with the same dice, the practice begins the same to a byte.

    Seen to fail where the practice was made from the game master's view.
    """
    monkeypatch.setattr(practice, "practice_from", lambda view, *_: practice_from(view, SeededDice(b"same"), b"key"))
    ada = played.players["p1"]

    def begun(ctx: AppContext) -> list[bytes]:
        made = [practice.create(ctx, ada, played.id, NewPractice(number=number)) for number in numbers]
        return [orjson.dumps(begun_from(ctx, each.id)) for each in made]

    numbers = range(1, played.info.phase_number)
    before, kept = begun(ctx), campaign_bytes(ctx, played.id)
    assert alter(ctx, played.id, "p1", seed=5) > 3
    alter_dice_secret(ctx, played.id)
    assert campaign_bytes(ctx, played.id) != kept
    assert begun(AppContext(ctx.database, ctx.settings)) == before, "with nothing kept in memory"


def campaign_bytes(ctx: AppContext, id_: str) -> list[bytes | None]:
    with ctx.database.read() as session:
        rows = session.query(Phase.snapshot).filter_by(campaign_id=id_).order_by(Phase.number)
        return [row[0] for row in rows]


def test_no_id_and_no_name_of_what_is_hidden_is_in_it(ctx: AppContext, played: Club) -> None:
    ada = played.players["p1"]
    truth = positions.position(ctx, played.gm, played.id).view.state
    known = played.view("p1").state
    made = practice.create(ctx, ada, played.id, NewPractice())
    written = str(begun_from(ctx, made.id))
    hidden = {*truth.detachments, *truth.garrisons, *truth.convoys} - {
        *known.detachments,
        *known.garrisons,
        *known.convoys,
    }
    assert hidden
    assert not [each for each in hidden if each in written]
    with ctx.database.read() as session:
        secret = session.get_one(Campaign, played.id).dice_secret
    assert id_key(secret).hex() not in written


def test_what_is_invented_is_told_as_one_comes_to_see_it(ctx: AppContext, played: Club) -> None:
    ada = played.players["p1"]
    made = practice.create(ctx, ada, played.id, NewPractice(number=5))
    told = practice.get(ctx, ada, made.id)
    assert (told.campaign_id, told.number, told.viewer) == (played.id, 5, "p1")
    assert not [each for each in told.invented if each.what == "detachment"]
    campaigns.finish(ctx, ada, made.id)
    told = practice.get(ctx, ada, made.id)
    with ctx.database.read() as session:
        marked = session.query(Phase.orders).filter_by(campaign_id=made.id, number=0).one()[0][PRACTICE]["position"]
    invented = {each.id for each in told.invented if each.what == "detachment"}
    assert invented
    assert {id_ for id_, each in marked["detachments"].items() if each["name"].endswith(MARK)} == invented


def test_a_practice_is_played_and_its_record_verifies(ctx: AppContext, played: Club) -> None:
    ada = played.players["p1"]
    made = practice.create(ctx, ada, played.id, NewPractice(number=3))
    for _ in range(5):
        orders.replace(ctx, ada, made.id, [], final=True)
    campaigns.finish(ctx, ada, made.id)
    record = read(export(ctx, ada, made.id))
    assert verify_record(record).ok
    start = next(phase for phase in record["phases"] if phase["number"] == 0)
    start["orders"][PRACTICE]["position"]["turn"] += 1
    assert not verify_record(record).ok


def test_the_record_of_a_practice_is_public_at_once(ctx: AppContext, played: Club) -> None:
    """Nobody else plays in it. Seen to fail: its only player waited three days to see the postures of the others."""
    sealing_it = replace(ctx, settings=ctx.settings.model_copy(update={"seal_hours": 72}))
    ada = played.players["p1"]
    made = practice.create(sealing_it, ada, played.id, NewPractice())
    campaigns.finish(sealing_it, ada, made.id)
    assert campaigns.get(sealing_it, ada, made.id).public
    assert verify_record(read(export(sealing_it, ada, made.id))).ok


def test_a_finished_campaign_opens_at_the_last_position_that_can_be_played(ctx: AppContext) -> None:
    played = club(ctx, phases=6, rules={"turn_limit": 1})
    assert played.info.status == "finished"
    made = practice.create(ctx, played.gm, played.id, NewPractice(seat="p3"))
    assert made.your_seats == ("p3",)
    assert made.turn == 1
    told = practice.get(ctx, played.gm, made.id)
    assert told.viewer == "gm"
    assert told.invented == ()


def test_who_may_read_nothing_practises_nothing(ctx: AppContext, played: Club) -> None:
    eve = person(ctx, "Eve")
    with pytest.raises(PlayError) as refused:
        practice.create(ctx, eve, played.id, NewPractice(as_="p1"))
    assert (refused.value.code, refused.value.field) == ("not_found", "as")
    with pytest.raises(PlayError) as refused:
        practice.create(ctx, played.players["p1"], played.id, NewPractice(as_="p2"))
    assert (refused.value.code, refused.value.field) == ("not_found", "as")
    made = practice.create(ctx, played.players["p1"], played.id, NewPractice())
    with pytest.raises(PlayError) as refused:
        campaigns.get(ctx, played.players["p2"], made.id)
    assert refused.value.code == "not_found"


@pytest.mark.parametrize(
    ("new", "code", "field"),
    [
        (NewPractice(number=99), "not_found", "number"),
        (NewPractice(number=-1), "not_found", "number"),
        (NewPractice(branch=7), "not_found", "branch"),
        (NewPractice(seat="p9"), "invalid_request", "seat"),
        (NewPractice(level="genius"), "invalid_request", "options.bot_level"),
        (NewPractice(name="x" * 81), "invalid_request", "name"),
    ],
)
def test_what_is_wrong_is_said(ctx: AppContext, played: Club, new: NewPractice, code: str, field: str) -> None:
    with pytest.raises(PlayError) as refused:
        practice.create(ctx, played.players["p1"], played.id, new)
    assert (refused.value.code, refused.value.field) == (code, field)


def test_a_campaign_that_has_not_begun_cannot_be_practised(ctx: AppContext) -> None:
    waiting = club(ctx, begin=False)
    with pytest.raises(PlayError) as refused:
        practice.create(ctx, waiting.gm, waiting.id, NewPractice())
    assert refused.value.code == "wrong_status"


def test_a_campaign_that_is_no_practice_has_nothing_invented(ctx: AppContext, played: Club) -> None:
    with pytest.raises(PlayError) as refused:
        practice.get(ctx, played.players["p1"], played.id)
    assert (refused.value.code, refused.value.field) == ("not_found", "practice")


def test_a_token_without_the_scope_makes_none(ctx: AppContext, played: Club) -> None:
    ada = played.players["p1"]
    reader = Actor(ada.user_id, ada.name, scopes=("read",))
    with pytest.raises(PlayError) as refused:
        practice.create(ctx, reader, played.id, NewPractice())
    assert refused.value.code == "missing_scope"
