"""Which live topics somebody may follow: each is one audience, so that its numbers tell nothing of another's."""

from __future__ import annotations

from server.play import access
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.notices import finality_topic, gm_topic, player_topic, public_topic, user_topic


def campaign_topics(ctx: AppContext, actor: Actor, campaign_id: str) -> list[str]:
    """Return the topics of a campaign one may follow; what they tell is looked up with one's own rights."""
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id)
        if may.seat is None and not may.substitutes and not may.gm:
            may.viewer()
        topics = [public_topic(campaign_id)]
        topics += [
            player_topic(campaign_id, each.player_id) for each in (may.seat, *may.substitutes) if each is not None
        ]
        if may.gm and may.sees_all:
            return [*topics, gm_topic(campaign_id), finality_topic(campaign_id)]
        # a GM who plays is a player, and knows no more of who is final
        return [*topics, *([gm_topic(campaign_id)] if may.gm and may.options.show_final else [])]


def own_topics(actor: Actor) -> list[str]:
    """Return the topics of one's account."""
    if not actor.signed_in:
        raise PlayError("not_signed_in")
    actor.require("read")
    return [user_topic(actor.user_id)]
