"""Letters as threads: what answers what, and what has not been read yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from server.play.campaigns.campaign_info import CampaignInfo
from server.play.messages.messages import ALL, GAME_MASTER, DeclarationInfo, MessageInfo


@dataclass(frozen=True, slots=True)
class Letter:
    """A message and what it is to the reader."""

    info: MessageInfo
    mine: bool
    unread: bool


@dataclass(frozen=True, slots=True)
class Thread:
    """A letter and everything that answers it, oldest first."""

    id: str
    subject: str
    letters: tuple[Letter, ...]

    @property
    def unread(self) -> int:
        """How many of them have not been read."""
        return sum(letter.unread for letter in self.letters)


def threads(found: Sequence[MessageInfo], info: CampaignInfo, own: str | None) -> list[Thread]:
    """Return messages as threads, the one with the newest letter first. *own*: the reader's seat."""
    by_id = {message.id: message for message in found}
    grouped: dict[str, list[MessageInfo]] = {}
    for message in found:
        grouped.setdefault(_root(message, by_id), []).append(message)
    return [
        Thread(root, _subject(group[::-1]), tuple(_letter(message, info, own) for message in group[::-1]))
        for root, group in grouped.items()
    ]


def unread(found: Sequence[MessageInfo], info: CampaignInfo, own: str | None) -> list[MessageInfo]:
    """Return the messages that the reader has not read, newest first."""
    return [message for message in found if _letter(message, info, own).unread]


def open_proposals(newest_first: Sequence[DeclarationInfo], own: str | None) -> frozenset[str]:
    """Return the ids of the alliances that were proposed to the reader's seat and not answered since."""
    found, answered = [], dict[str, None]()
    for declared in newest_first:
        if declared.player_id == own:
            answered.update(dict.fromkeys([declared.toward] if declared.toward else []))
        elif declared.toward == own and declared.player_id not in answered:
            if declared.kind == "alliance":
                found.append(declared.id)
            answered[declared.player_id] = None  # only the last word counts
    return frozenset(found) if own else frozenset()


def recipients(message: MessageInfo, own: str | None) -> list[str]:
    """Return the readers of a reply: the writer and the other readers."""
    sender = message.sender or GAME_MASTER
    found = [sender, *message.to] if ALL not in message.to else [ALL]
    return [name for name in dict.fromkeys(found) if name != (own or GAME_MASTER)]


def _root(message: MessageInfo, by_id: dict[str, MessageInfo]) -> str:
    while message.reply_to in by_id:
        message = by_id[message.reply_to]
    return message.id


def _subject(letters: Sequence[MessageInfo]) -> str:
    return next((message.subject for message in letters if message.subject), "")


def _letter(message: MessageInfo, info: CampaignInfo, own: str | None) -> Letter:
    mine = message.sender == own if own else message.sender is None and info.you_are_gm
    to_me = bool(own) and (own in message.to or ALL in message.to)
    to_me = to_me or (info.you_are_gm and GAME_MASTER in message.to)
    return Letter(message, mine, to_me and not mine and message.read_at is None)
