"""The letter to someone who is asked into a campaign by their address, and answers while they have no account."""

from __future__ import annotations

from urllib.parse import quote, urlsplit
from zoneinfo import ZoneInfo

from server.mail.letters import Letter, Part
from server.mail.translations import Translations
from server.play.campaigns import mail_invitations
from server.play.context import AppContext
from server.play.errors import PlayError
from server.play.notices import reply_tags
from server.play.notices.delivery import Item
from server.play.notices.posting import PermanentFailure
from server.play.notices.reply_tags import Tag
from server.render import translations as names


def letter(ctx: AppContext, item: Item, id_: str) -> Letter:
    """Return the letter; :class:`PermanentFailure` when nobody can join any more."""
    invitation = str(item.payload["invitation"])
    try:
        asked = mail_invitations.read(ctx, invitation)
    except PlayError as error:
        raise PermanentFailure("the campaign does not wait for players") from error
    t = Translations(names.choose(asked.locale), ZoneInfo(asked.time_zone), ctx.now())
    called = names.Translations(t.language).called
    tag = Tag("address", asked.campaign_id, message_id=invitation)
    reply_to = reply_tags.address(ctx, tag, invitation)
    answer = str(item.payload["answer"])
    parts = [Part(t(f"asked.{answer}"))] if answer else []
    if answer != "stopped":
        parts.append(
            Part(t("invited.text", game_master=asked.game_master or t("message.game_master"), campaign=asked.campaign))
        )
        if asked.description:
            parts.append(Part(asked.description, quoted=True))
        factions = tuple(called(faction) for faction in asked.factions)
        parts.append(Part(t("invited.reply" if reply_to else "asked.page", faction=factions[0]), factions))
        parts.append(Part(t("asked.account", n=asked.free)))
    base = ctx.settings.public_url.rstrip("/")
    why = t("asked.why", host=urlsplit(base).netloc, campaign=asked.campaign)
    return Letter(
        asked.address,
        "",
        t.language,
        f"[{asked.campaign}] {t('invited.subject')}",
        t("greeting_plain"),
        tuple(parts),
        (t("asked.action"), f"{base}/campaigns/{quote(asked.campaign_id)}"),
        why,
        id=id_,
        reply_to=reply_to,
        automatic="auto-replied" if answer else "auto-generated",
    )
