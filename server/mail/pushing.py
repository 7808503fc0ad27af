"""The same notices as mails, as short notices of a browser: the subject alone, and where to look."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import orjson

from server.mail.compose import TOO_OLD
from server.mail.notices import NOTICES
from server.mail.reader import Reader
from server.mail.translations import Translations
from server.play.context import AppContext
from server.play.errors import PlayError
from server.play.notices import push
from server.play.notices.delivery import Item
from server.play.notices.posting import PermanentFailure
from server.render.translations import choose
from server.store.tables import User

MAX_LENGTH = 300
"""Characters of a sentence; services take 4,096 bytes in all."""


def send(ctx: AppContext, item: Item) -> None:
    """Push a notice; raises as :func:`server.play.notices.push.send`; :class:`PermanentFailure` where none is left."""
    if ctx.now() - item.created_at > TOO_OLD:
        raise PermanentFailure("it is too old to be of use")
    try:
        content = compose(ctx, item)
    except PlayError as error:
        raise PermanentFailure(f"there is nothing to tell any more: {error.message}") from error
    push.send(ctx, str(item.payload["subscription_id"]), content, _tag(item))


def compose(ctx: AppContext, item: Item) -> bytes:
    """Return the browser's notification (JSON): ``title``, ``body``, ``tag``, ``url``, for its reader alone."""
    with ctx.database.read() as session:
        user = session.get(User, item.user_id)
    if user is None or user.disabled_at is not None:
        raise PermanentFailure("the account is disabled")
    t = Translations(choose(user.locale), ZoneInfo(user.time_zone), ctx.now())
    reader = Reader.of(ctx, user, t, item, short=True)
    written = NOTICES[str(item.payload["about"])](reader)
    told = {
        "title": reader.campaign.name,
        "body": written.subject[:MAX_LENGTH],
        "tag": _tag(item),
        "url": written.action[1],
    }
    return orjson.dumps(told)


def _tag(item: Item) -> str:
    """Return what a later notice of the same kind takes the place of."""
    return f"{item.payload['about']}/{item.campaign_id}"
