"""Owners see the deliveries of their webhook, have one posted again, and change its key."""

from __future__ import annotations

from standardwebhooks import Webhook as Signer

from server.play.context import AppContext
from server.play.messages import messages
from server.play.notices import webhooks
from tests.play.campaigns import club
from tests.play.conftest import Clock, person
from tests.play.test_campaigns import refused
from tests.play.test_delivery import drain, receiving, trusting


def test_a_notice_is_posted_again_and_signed_with_the_new_key(ctx: AppContext, clock: Clock) -> None:
    """What was given up is posted again, and what was taken; its id stays, the old key is over."""
    ctx = trusting(ctx)
    made = club(ctx)
    with receiving() as receiver:
        hook = webhooks.create(ctx, made.gm, receiver.url, campaign_id=made.id)
        receiver.status = 404
        messages.announce(ctx, made.gm, made.id, "We meet on Friday.")
        drain(ctx)
        (first,) = webhooks.deliveries(ctx, made.gm, hook.info.id)
        assert (first.kind, first.sent_at, bool(first.last_error)) == ("announcement", None, True)
        receiver.status = 204
        secret = webhooks.change_key(ctx, made.gm, hook.info.id).secret
        webhooks.redeliver(ctx, made.gm, hook.info.id, first.id)
        drain(ctx)
        (taken,) = webhooks.deliveries(ctx, made.gm, hook.info.id)
        assert (taken.id, bool(taken.sent_at)) == (first.id, True)
        webhooks.redeliver(ctx, made.gm, hook.info.id, first.id)
        drain(ctx)
    assert len(receiver.got) == 3
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1
    headers, body = receiver.got[-1]
    signed = [Signer(key).sign(headers["webhook-id"], clock.at, body.decode()) for key in (secret, hook.secret)]
    assert [each == headers["webhook-signature"] for each in signed] == [True, False]


def test_nobody_else_may(ctx: AppContext) -> None:
    ctx = trusting(ctx)
    made = club(ctx)
    hook = webhooks.create(ctx, made.gm, "http://127.0.0.1:9/", campaign_id=made.id).info.id
    other = webhooks.create(ctx, made.gm, "http://127.0.0.1:9/", campaign_id=made.id).info.id
    messages.announce(ctx, made.gm, made.id, "We meet on Friday.")
    delivery = webhooks.deliveries(ctx, made.gm, hook)[0].id
    stranger = person(ctx, "Stranger")
    refused("not_found", webhooks.deliveries, ctx, stranger, hook)
    refused("not_found", webhooks.redeliver, ctx, stranger, hook, delivery)
    refused("not_found", webhooks.change_key, ctx, stranger, hook)
    refused("not_found", webhooks.redeliver, ctx, made.gm, other, delivery)
    webhooks.change(ctx, made.gm, hook, enabled=False)
    refused("conflict", webhooks.redeliver, ctx, made.gm, hook, delivery)
    discord = webhooks.create(ctx, made.gm, "http://127.0.0.1:9/", campaign_id=made.id, format_="discord").info.id
    refused("conflict", webhooks.change_key, ctx, made.gm, discord)
