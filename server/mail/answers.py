"""The answer to a mail: orders as understood, what was refused and why, how to correct it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlsplit
from zoneinfo import ZoneInfo

from server.mail.briefing import map_picture
from server.mail.letters import Letter, Part
from server.mail.notices import brief, terms
from server.mail.reader import NoticeMail, Reader
from server.mail.report import Report
from server.mail.translations import Translations
from server.play.campaigns import mail_invitations
from server.play.context import AppContext
from server.play.errors import PlayError
from server.play.notices import reply_tags
from server.play.notices.delivery import Item
from server.play.notices.posting import PermanentFailure
from server.play.notices.reply_tags import Tag
from server.play.views import history
from server.render import translations as names


def answer(reader: Reader) -> NoticeMail:
    """What became of a mail: orders as understood, what was refused and why, how to correct it."""
    t, data = reader.t, reader.data
    purpose, player, branch, number, message_id = data["tag"]
    tag = Tag(purpose, reader.campaign.id, player, branch, number, message_id)
    parts: list[Part] = []
    picture = b""
    for line in data["said"]:
        if "report" in line:
            parts += _reports(reader, player, line["report"])
        elif "map" in line:
            known = brief(reader, player) if player else None
            parts += [Part(t("brief.picture"), picture=True), *known.map_text()] if known else []
            picture = map_picture(reader.ctx, known.view) if known else b""
        else:
            parts += _answer_part(reader, line, player)
    if data.get("confirm"):
        kind, hours = data["confirm"]
        tag = Tag(kind, reader.campaign.id, "", branch, reader.campaign.phase_number, hours=hours)
    subject = str(data.get("subject") or "")
    title = subject if subject.lower().startswith("re:") else f"Re: {subject}" if subject else t("answer.subject")
    return NoticeMail(
        title,
        tuple(parts),
        (t("action.look"), reader.url),
        picture=picture,
        tag=tag,
        in_reply_to=str(data.get("answers") or ""),
    )


def _answer_part(reader: Reader, line: Mapping[str, Any], player: str) -> list[Part]:
    t, key = reader.t, str(line["key"])
    filled = {name: value for name, value in line.items() if name not in ("key", "items", "code")}
    if "phase_name" in filled:
        phase = filled["phase"] = t.name("phase", str(filled["phase_name"]))
        filled["stage"] = t("stage", turn=filled["turn"], phase=phase) if filled["turn"] else phase
    if "why" in filled:
        filled["why"] = reader.told(str(filled["why"]))
    if "at" in filled:
        filled["when"] = reader.t.when(datetime.fromisoformat(str(filled["at"])))
    items = tuple(_item(reader, item) for item in line.get("items", ()))
    code = str(line["code"]) or t("answer.none") if "code" in line else ""
    if key != "help":
        return [Part(t(f"answer.{key}", **filled), items, code=code)]
    playing = player and reader.campaign.status in ("running", "paused")
    verbs = Part(t("answer.help"), tuple(t("answer.verbs").splitlines()))
    return [verbs, *(brief(reader, player).examples() if playing else ())]


def _item(reader: Reader, item: Any) -> str:
    """Return one thing of a list: as it is, a line that was refused, or an unknown player."""
    if not isinstance(item, Mapping):
        return str(item)
    if "nobody" in item:
        return reader.t("answer.nobody", name=item["nobody"])
    key = "answer.line" if item["line"] else "answer.refused_line"
    return reader.t(key, line=item["line"], why=reader.told(str(item["why"])), text=item["text"])


def _reports(reader: Reader, player: str, numbers: list[int]) -> list[Part]:
    parts = []
    for number in numbers[:8]:
        past = history.past(reader.ctx, reader.actor, reader.campaign.id, number, as_=player or None)
        told = Report(past, player, reader.names, reader.t).sentences()
        phase = reader.t.name("phase", past.info.phase)
        stage = reader.t("stage", turn=past.info.turn, phase=phase) if past.info.turn else phase
        parts.append(Part(stage, told))
    return parts


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
        parts.append(terms(t, asked.scenario, asked.deadlines, asked.free, asked.seats))
        factions = tuple(called(faction) for faction in asked.factions)
        parts.append(Part(t("invited.reply" if reply_to else "asked.page", faction=factions[0]), factions))
        parts.append(Part(t("asked.account")))
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
