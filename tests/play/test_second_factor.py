"""A second factor: codes of an app and recovery codes, wherever people sign in."""

from __future__ import annotations

import pyotp
import pytest
from sqlalchemy import select

from server.play.accounts import accounts, links, second_factor, second_factor_setup, tokens
from server.play.context import Actor, AppContext
from server.play.operating import user_admin
from server.store.tables import SecondFactor, ServerValue
from tests.play.conftest import Clock, by_secret
from tests.play.test_campaigns import refused

PASSWORD = "correct horse battery"


@pytest.fixture
def ada(ctx: AppContext) -> Actor:
    """Somebody with a second factor."""
    return by_secret(ctx, accounts.sign_up(ctx, "Ada", PASSWORD).token.secret)


def switched_on(ctx: AppContext, clock: Clock, actor: Actor) -> tuple[pyotp.TOTP, tuple[str, ...]]:
    app = pyotp.TOTP(second_factor_setup.begin(ctx, actor, PASSWORD).secret)
    codes = second_factor_setup.confirm(ctx, actor, app.at(clock.at)).codes
    clock.forward(seconds=60)
    return app, codes


def test_a_password_alone_lets_nobody_in(ctx: AppContext, clock: Clock, ada: Actor) -> None:
    app, _ = switched_on(ctx, clock, ada)
    refused("second_factor_needed", accounts.sign_in, ctx, "Ada", PASSWORD)
    refused("wrong_password", accounts.sign_in, ctx, "Ada", "wrong password", code=app.at(clock.at))
    refused("wrong_code", accounts.sign_in, ctx, "Ada", PASSWORD, code="000000")
    assert accounts.sign_in(ctx, "Ada", PASSWORD, code=app.at(clock.at)).account.name == "Ada"


def test_a_code_counts_once_and_for_a_minute(ctx: AppContext, clock: Clock, ada: Actor) -> None:
    """Seen to fail where the last step is not kept."""
    app, _ = switched_on(ctx, clock, ada)
    code = app.at(clock.at)
    accounts.sign_in(ctx, "Ada", PASSWORD, code=code)
    refused("wrong_code", accounts.sign_in, ctx, "Ada", PASSWORD, code=code)
    clock.forward(seconds=120)
    old = app.at(clock.at)
    clock.forward(seconds=90)
    refused("wrong_code", accounts.sign_in, ctx, "Ada", PASSWORD, code=old)


def test_recovery_codes_work_once_each(ctx: AppContext, clock: Clock, ada: Actor) -> None:
    _, codes = switched_on(ctx, clock, ada)
    assert len(set(codes)) == 10
    accounts.sign_in(ctx, "Ada", PASSWORD, code=codes[0].upper().replace("-", " "))
    refused("wrong_code", accounts.sign_in, ctx, "Ada", PASSWORD, code=codes[0])
    assert second_factor_setup.status(ctx, ada).recovery_codes == 9
    assert not set(codes) & set(second_factor_setup.new_recovery_codes(ctx, ada, codes[1]).codes)
    refused("wrong_code", accounts.sign_in, ctx, "Ada", PASSWORD, code=codes[2])


def test_guessing_is_slow(ctx: AppContext, clock: Clock, ada: Actor) -> None:
    """Seen to fail without the pause: five wrong codes, and the right one does not count for five minutes."""
    app, _ = switched_on(ctx, clock, ada)
    for number in range(5):
        refused("wrong_code", second_factor.check, ctx, ada.user_id, f"00000{number}")
    refused("wrong_code", second_factor.check, ctx, ada.user_id, app.at(clock.at))
    clock.forward(minutes=5, seconds=1)
    second_factor.check(ctx, ada.user_id, app.at(clock.at))


def test_links_need_a_code_and_stay_unused_without(ctx: AppContext, clock: Clock, ada: Actor) -> None:
    app, _ = switched_on(ctx, clock, ada)
    link = links.sign_in_link(ctx, "Ada")
    assert links.describe_link(ctx, link).second_factor
    refused("second_factor_needed", links.use_link, ctx, link)
    refused("wrong_code", links.use_link, ctx, link, code="000000")
    assert links.use_link(ctx, link, code=app.at(clock.at)).account.name == "Ada"


def test_tokens_stay_and_other_sessions_end(ctx: AppContext, clock: Clock, ada: Actor) -> None:
    other = accounts.sign_in(ctx, "Ada", PASSWORD).token.secret
    program = tokens.create(ctx, ada, "bot", ["read"]).secret
    app, _ = switched_on(ctx, clock, ada)
    refused("bad_token", tokens.authenticate, ctx, other)
    assert tokens.authenticate(ctx, program).name == "Ada"
    by_token = tokens.authenticate(ctx, program)
    refused("missing_scope", second_factor_setup.switch_off, ctx, by_token, app.at(clock.at))


def test_switching_off_and_the_operators_reset(ctx: AppContext, clock: Clock, ada: Actor) -> None:
    app, _ = switched_on(ctx, clock, ada)
    refused("conflict", second_factor_setup.begin, ctx, ada, PASSWORD)
    refused("second_factor_needed", second_factor_setup.switch_off, ctx, ada, "")
    second_factor_setup.switch_off(ctx, ada, app.at(clock.at))
    accounts.sign_in(ctx, "Ada", PASSWORD)
    switched_on(ctx, clock, ada)
    assert user_admin.reset_second_factor(ctx, "Ada")
    assert not user_admin.reset_second_factor(ctx, "Ada")
    accounts.sign_in(ctx, "Ada", PASSWORD)


def test_what_was_only_begun_counts_for_nothing(ctx: AppContext, ada: Actor) -> None:
    refused("wrong_password", second_factor_setup.begin, ctx, ada, "wrong password")
    drawn = second_factor_setup.begin(ctx, ada, PASSWORD)
    assert second_factor_setup.pending(ctx, ada) == drawn
    refused("wrong_code", second_factor_setup.confirm, ctx, ada, "000000")
    assert not second_factor_setup.status(ctx, ada).on
    accounts.sign_in(ctx, "Ada", PASSWORD)


def test_the_secret_is_not_kept_as_it_is(ctx: AppContext, clock: Clock, ada: Actor) -> None:
    app, codes = switched_on(ctx, clock, ada)
    with ctx.database.read() as session:
        row = session.scalars(select(SecondFactor)).one()
        assert app.secret.encode() not in row.secret
        assert not {code.replace("-", "") for code in codes} & set(row.recovery)
        assert session.get(ServerValue, "second_factor_key") is not None
