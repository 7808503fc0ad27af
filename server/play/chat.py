"""The facts of a notification for a chat, before they become words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ChatNotice:
    """A notification for a chat, in words."""

    kind: str
    campaign_id: str
    campaign: str
    data: Mapping[str, Any]
    language: str
    """Of who made the webhook; empty where they never chose one."""
    personal: bool
    """Someone's own webhook, not a campaign's channel."""
    announcement: tuple[str, str] = ("", "")
    """Subject and words of an announcement."""
    map_at: int = 0
    """When the map changed, in seconds since 1970; 0 if it did not or strangers cannot see it."""
