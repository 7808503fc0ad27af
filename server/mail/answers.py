"""The answer to a mail: orders as understood, what was refused and why, how to correct it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from server.mail.letters import Part
from server.mail.map_picture import map_picture
from server.mail.notices import NoticeMail, Reader, brief
from server.mail.report import Report
from server.play.notices.reply_tags import Tag
from server.play.views import history


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
            parts += [Part(t("brief.picture"), picture=True), known.map_text()] if known else []
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
