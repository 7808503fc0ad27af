"""Guests: accounts without credentials, what they may not do, how they are kept, and how they end."""

from __future__ import annotations

from datetime import timedelta

import pytest

from server.play.accounts import accounts, names, tokens
from server.play.campaigns import campaign_start, campaigns, practice, seats
from server.play.campaigns.campaigns import GUESTS_CAMPAIGNS, NewCampaign
from server.play.campaigns.practice import Opponents
from server.play.context import Actor, AppContext
from server.play.notices import push, webhooks
from server.play.people import guests, own_data
from server.play.schedule import ticker
from server.store.tables import Campaign, Seat, User
from tests.play.conftest import Clock, by_secret, person
from tests.play.test_campaigns import refused

FRIENDS = NewCampaign("Friends", "the-pass", listed=False, options={"gm_plays": True, "guests": True})


def guest(ctx: AppContext, name: str = "Robin") -> Actor:
    return by_secret(ctx, guests.create(ctx, name).token.secret)


def invited(ctx: AppContext, gm: Actor, new: NewCampaign = FRIENDS) -> tuple[str, str]:
    made = campaigns.create(ctx, gm, new)
    return made.id, seats.invite_by_code(ctx, gm, made.id).code


def status(ctx: AppContext, campaign_id: str) -> tuple[str, str | None]:
    with ctx.database.read() as session:
        found = session.get_one(Campaign, campaign_id)
        return found.status, found.gm_user_id


def test_a_guest_plays_alone_and_has_no_name_of_their_own(ctx: AppContext) -> None:
    first, second = guest(ctx), guest(ctx)
    assert first.guest
    assert first.user_id != second.user_id
    made = practice.begin(ctx, first, NewCampaign("Alone", "the-pass"), "", Opponents())
    assert made.status == "running"
    accounts.sign_up(ctx, "Robin", "correct horse")  # the name is free for an account
    refused("wrong_password", accounts.sign_in, ctx, "guest:" + first.user_id, "")
    refused("name_taken", guests.create, ctx, "Administrator")


@pytest.mark.parametrize("closed", [{"sign_up": "closed"}, {"guests_per_day": 0}])
def test_there_are_none_where_accounts_are_not_open_to_all(ctx: AppContext, closed: dict[str, object]) -> None:
    own = AppContext(ctx.database, ctx.settings.model_copy(update=closed), ctx.now)
    assert not guests.allowed(own)
    refused("sign_up_closed", guests.create, own, "Robin")


def test_what_needs_an_account(ctx: AppContext) -> None:
    robin = guest(ctx)
    id_, _ = invited(ctx, robin)
    for work, args in (
        (tokens.create, ("program", ["read"])),
        (accounts.create_bot, ("Bot",)),
        (accounts.change_password, ("correct horse",)),
        (seats.invite_user, (id_, "ann@example.org")),
        (webhooks.create, ("https://example.org/hook",)),
        (push.subscribe, ("https://push.example.org/1", "", "")),
    ):
        refused("guest_account", work, ctx, robin, *args)
    assert own_data.gather(ctx, robin)["account"] == "Robin"


def test_a_campaign_of_a_guest_is_not_listed_and_there_are_few(ctx: AppContext) -> None:
    robin = guest(ctx)
    made = [campaigns.create(ctx, robin, NewCampaign("Mine", "the-pass")) for _ in range(GUESTS_CAMPAIGNS)]
    assert not any(each.listed for each in made)
    assert not campaigns.change(ctx, robin, made[0].id, listed=True).listed
    refused("limit_reached", campaigns.create, ctx, robin, FRIENDS)
    practice.begin(ctx, robin, NewCampaign("Alone", "the-pass"), "", Opponents())


def test_friends_join_by_link_where_the_campaign_allows_it(ctx: AppContext) -> None:
    ann, robin = person(ctx, "Ann"), guest(ctx)
    id_, code = invited(ctx, ann)
    closed, its_code = invited(ctx, ann, NewCampaign("Others", "the-pass"))
    listed = campaigns.create(ctx, ann, NewCampaign("Listed", "the-pass", options={"guests": True})).id
    refused("guest_account", seats.join, ctx, robin, closed, faction="orks", code=its_code)
    refused("guest_account", seats.join, ctx, robin, listed, faction="orks")
    made = seats.join(ctx, robin, id_, faction="orks", code=code)
    assert made.seats[0].name == "Robin"


def test_a_name_is_unique_in_its_campaign(ctx: AppContext) -> None:
    """Skeletons of names are compared, so that no Cyrillic Аnn sits beside her."""
    ann = person(ctx, "Ann")
    id_, code = invited(ctx, ann)
    refused("name_taken", seats.join, ctx, guest(ctx, "\u0410nn"), id_, faction="orks", code=code)
    seats.join(ctx, guest(ctx), id_, faction="orks", code=code)
    refused("name_taken", seats.join, ctx, guest(ctx), id_, faction="orks", code=code)
    seats.join(ctx, guest(ctx), id_, faction="orks", code=code, name="Robin 2")


def test_the_game_master_reads_the_code_again(ctx: AppContext) -> None:
    ann = person(ctx, "Ann")
    id_, code = invited(ctx, ann)
    assert seats.code_of(ctx, ann, id_) == code
    again = seats.invite_by_code(ctx, ann, id_).code
    assert seats.code_of(ctx, ann, id_) == again != code
    refused("not_found", seats.campaign_of_code, ctx, code)
    refused("not_found", seats.code_of, ctx, person(ctx, "Bob"), id_)
    seats.withdraw_code(ctx, ann, id_)
    assert seats.code_of(ctx, ann, id_) == ""


def test_one_form_makes_an_account_and_nothing_is_lost(ctx: AppContext, clock: Clock) -> None:
    done = guests.create(ctx, "Robin")
    robin = by_secret(ctx, done.token.secret)
    alone = practice.begin(ctx, robin, NewCampaign("Alone", "the-pass"), "", Opponents()).id
    person(ctx, "Ann")
    refused("name_taken", guests.keep, ctx, robin, "Ann", "correct horse")
    refused("invalid_request", guests.keep, ctx, robin, "Robin Hood", "short")
    kept = guests.keep(ctx, robin, "Robin Hood", "correct horse", email="robin@example.org")
    assert (kept.id, kept.guest, kept.email_confirmed) == (robin.user_id, False, False)
    again = by_secret(ctx, done.token.secret)
    assert (again.guest, again.name) == (False, "Robin Hood")
    assert campaigns.get(ctx, again, alone).seats[0].name == "Robin Hood"
    assert accounts.sign_in(ctx, "robin hood", "correct horse").account.id == robin.user_id
    refused("conflict", guests.keep, ctx, again, "Robin", "correct horse")
    clock.forward(days=31)
    refused("bad_token", by_secret, ctx, done.token.secret)
    assert guests.end_forgotten(ctx) == 0


def test_an_account_takes_over_what_the_guest_has(ctx: AppContext) -> None:
    robin, ann = guest(ctx), person(ctx, "Ann")
    alone = practice.begin(ctx, robin, NewCampaign("Alone", "the-pass"), "", Opponents()).id
    both, code = invited(ctx, robin)
    seats.join(ctx, robin, both, faction="orks")
    seats.join(ctx, ann, both, faction="orks", code=code)
    guests.hand_over(ctx, robin, ann.user_id)
    for id_, own in ((alone, ("p1",)), (both, ("p2",))):
        found = campaigns.get(ctx, ann, id_)
        assert (found.you_are_gm, found.your_seats) == (True, own)
    assert not campaigns.get(ctx, ann, both).seats[0].taken
    refused("bad_token", accounts.me, ctx, robin)


def test_they_end_thirty_days_after_the_last_visit(ctx: AppContext, clock: Clock) -> None:
    """The seat falls vacant, what nobody else plays is deleted, and the rest goes to who has been there longest."""
    done = guests.create(ctx, "Robin")
    robin = by_secret(ctx, done.token.secret)
    alone = practice.begin(ctx, robin, NewCampaign("Alone", "the-pass"), "", Opponents()).id
    id_, code = invited(ctx, robin)
    seats.join(ctx, robin, id_, faction="orks")
    ann = person(ctx, "Ann")
    seats.join(ctx, ann, id_, faction="orks", code=code)
    campaign_start.start(ctx, robin, id_)
    clock.forward(days=29)
    by_secret(ctx, done.token.secret)  # a visit
    clock.forward(days=29)
    assert guests.end_forgotten(ctx) == 0
    clock.forward(days=2)
    assert guests.end_forgotten(ctx) == 1
    refused("bad_token", by_secret, ctx, done.token.secret)
    assert status(ctx, alone) == ("deleted", None)
    assert status(ctx, id_) == ("running", ann.user_id)
    with ctx.database.read() as session:
        assert session.get_one(Seat, (id_, "p1")).user_id is None
        left = session.get_one(User, robin.user_id)
        assert left.name.startswith("former player ")
        assert not left.guest
    assert guests.end_forgotten(ctx) == 0
    clock.forward(days=ctx.settings.deletion_grace_days + 1)
    assert ticker.work(ctx, "removal") == 1


def test_names_of_guests_keep_no_name_from_accounts(ctx: AppContext) -> None:
    guest(ctx, "Ann")
    with ctx.database.read() as session:
        names.refuse_lookalike(session, "Ann")
    assert timedelta(days=30) == guests.STAYS
