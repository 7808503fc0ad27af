"""What Discord is told: one sentence of what happened, the deadline in each reader's own time, where to look."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

MAX_LENGTH = 1900
"""Discord takes 2,000 characters."""

_SENTENCES = {
    "campaign_started": "the campaign has begun.",
    "phase_opened": "{moment} is open.",
    "deadline_near": "a deadline is near, and there are no orders of yours yet.",
    "deadline_changed": "the deadline has changed.",
    "paused": "the campaign is paused.",
    "resumed": "the campaign goes on.",
    "intervention": "the game master has stepped in.",
    "announcement": "the game master has an announcement.",
    "rolled_back": "the campaign goes back to an earlier phase.",
    "finished": "the campaign is over.",
    "invited": "you are invited.",
    "message": "there is a letter for you.",
    "declaration": "there is a declaration.",
    "battle_reported": "the result of the battle in {hex} was reported.",
    "battle_settled": "the result of the battle in {hex} is settled.",
    "new_readings": "the next turn begins with version {version} of the rules' readings (0: it stays as it is).",
    "seat_changed": "somebody else orders for a seat.",
    "missed_deadline": "somebody missed a deadline.",
    "gm_offered": "you are asked to be its game master.",
    "gm_declined": "{name} does not take the campaign over.",
    "mail_bounced": "mail to {name} comes back.",
    "gm_changed": "{gm} is the game master now.",
}
"""By kind, all there are (:data:`server.play.notices.KINDS`)."""


def text(payload: Mapping[str, Any], base: str) -> str:
    """Return what is posted of a notice; *base* is where people reach the server."""
    data = payload.get("data", {})
    told = {name: _plain(str(value)) for name, value in data.items()}
    phase = str(data.get("phase", "")).replace("_", " ")
    told["moment"] = f"turn {told['turn']}, {phase}" if data.get("turn") else phase
    sentence = _SENTENCES[payload["kind"]].format(**told)
    due = data.get("deadline")
    until = f" Until {_instant(due)}." if due else ""
    why = f" {_plain(data['why'])[:400]}" if data.get("why") else ""
    where = f"<{base.rstrip('/')}/campaigns/{quote(payload['campaign_id'])}>"
    return f"**{_plain(payload['campaign'])}**: {sentence}{until}{why}"[: MAX_LENGTH - len(where)] + f" {where}"


def _instant(at: str) -> str:
    """Return an instant as Discord shows it in each reader's own time zone and language."""
    seconds = int(datetime.fromisoformat(at).timestamp())
    return f"<t:{seconds}:f> (<t:{seconds}:R>)"


def _plain(value: str) -> str:
    """Return a text without what Discord would take for formatting or mentions."""
    return "".join(f"\\{each}" if each in "*_~`|>@#[]()\\<" else each for each in value.replace("\n", " "))
