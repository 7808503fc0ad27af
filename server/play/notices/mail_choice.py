"""How much of a campaign someone wants by mail: every phase, once a turn, reminders only, or nothing."""

from __future__ import annotations

from sqlalchemy import select

from server.core.sentences import say
from server.play.context import Actor, AppContext
from server.play.errors import invalid
from server.play.notices.notices import BY_MAIL, EACH_TURN, KINDS
from server.store.tables import NotificationSetting

CHOICES = ("phase", "turn", "reminders", "nothing")


def choice(ctx: AppContext, actor: Actor) -> str:
    """Return what someone has chosen."""
    actor.require("read")
    with ctx.database.read() as session:
        mine = (NotificationSetting.user_id == actor.user_id, NotificationSetting.channel == "mail")
        chosen = {row.kind: row.enabled for row in session.scalars(select(NotificationSetting).where(*mine))}
    if not any(chosen.get(kind, kind in BY_MAIL) for kind in KINDS):
        return "nothing"
    if not chosen.get("phase_opened", True):
        return "reminders"
    return "turn" if chosen.get(EACH_TURN, False) else "phase"


def choose(ctx: AppContext, actor: Actor, wanted: str) -> None:
    """Set the amount of email: ``nothing`` leaves replies only, every other choice switches on the kinds it needs."""
    actor.require("orders")
    if wanted not in CHOICES:
        raise invalid("mail", say("One of: {words}.", words=", ".join(CHOICES)), wanted)
    settings = {EACH_TURN: wanted == "turn"}
    if wanted == "nothing":
        settings |= dict.fromkeys(KINDS, False)
    else:
        if choice(ctx, actor) == "nothing":
            settings |= {kind: kind in BY_MAIL for kind in KINDS}
        settings |= {"phase_opened": wanted in ("phase", "turn"), "deadline_near": True}
    with ctx.database.write() as session:
        for kind, enabled in settings.items():
            session.merge(NotificationSetting(user_id=actor.user_id, kind=kind, channel="mail", enabled=enabled))
