"""Notifications for Discord: one sentence of news, the deadline in each reader's own time, where to look, the map."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

from server.play.context import ChatNotice
from server.render.translations import choose
from server.web.translations import Translations

MAX_LENGTH = 1900
"""Discord takes 2,000 characters."""
_MAX_TITLE = 256
"""Characters that Discord shows of an embed's title."""
_MAX_EXCERPT = 1400
"""Characters of an announcement; the rest is read on the page."""


def post(said: ChatNotice, base: str) -> dict[str, Any]:
    """Return the body that is posted for a notice; with the public map if it has changed."""
    body: dict[str, Any] = {"content": text(said, base), "allowed_mentions": {"parse": []}}
    if said.map_at:
        page = f"{base.rstrip('/')}{_path(said)}"
        picture = f"{page}/map.png?at={said.map_at}"  # Discord keeps a picture by its address
        title = _plain(said.campaign)[:_MAX_TITLE]
        body["embeds"] = [{"title": title, "url": page, "image": {"url": picture}}]
    return body


def text(said: ChatNotice, base: str) -> str:
    """Return what is posted of a notice; *base* is where people reach the server."""
    t, data = Translations(choose(said.language)), said.data
    told = {name: _plain(str(value)) for name, value in data.items()}
    if "phase" in data:
        told["stage"] = _plain(t.stage(int(data.get("turn") or 0), str(data["phase"]), between=", "))
    sentence = t(_key(t, said, told), **told)
    if data.get("deadline"):
        sentence += f" {t('discord.until', when=_instant(data['deadline']))}"
    if data.get("why"):
        sentence += f" {_plain(data['why'])[:400]}"
    if any(said.announcement):
        sentence += _quoted(*said.announcement)
    where = f"<{base.rstrip('/')}{_path(said)}>"
    whole = f"**{_plain(said.campaign)}**: {sentence}" if said.campaign else sentence
    return f"{whole[: MAX_LENGTH - len(where)]}\n{where}"


def _key(t: Translations, said: ChatNotice, told: Mapping[str, Any]) -> str:
    """Return the sentence of a notification; some differ between a channel and a player."""
    key = f"discord.{said.kind}"
    if said.kind == "deadline_changed" and said.data.get("downtime"):
        return f"{key}_downtime"
    if said.kind == "deadline_changed" and not said.data.get("deadline"):
        return f"{key}_none"
    if not said.personal and t.has(f"{key}_channel") and "stage" in told:
        return f"{key}_channel"
    return key


def _path(said: ChatNotice) -> str:
    return f"/campaigns/{quote(said.campaign_id)}" if said.campaign_id else "/settings#webhooks"


def _quoted(subject: str, body: str) -> str:
    lines = [f"**{_plain(subject)}**"] if subject else []
    lines += [_plain(line) for line in body.splitlines()]
    whole = "\n".join(f"> {line}" for line in lines)
    return f"\n{whole}" if len(whole) <= _MAX_EXCERPT else f"\n{whole[:_MAX_EXCERPT].rpartition(' ')[0]} …"


def _instant(at: str) -> str:
    """Return an instant as Discord shows it in each reader's own time zone and language."""
    seconds = int(datetime.fromisoformat(at).timestamp())
    return f"<t:{seconds}:f> (<t:{seconds}:R>)"


def _plain(value: str) -> str:
    """Return a text without what Discord would take for formatting or mentions."""
    return "".join(
        f"\\{character}" if character in "*_~`|>@#[]()\\<" else character for character in value.replace("\n", " ")
    )
