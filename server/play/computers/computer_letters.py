"""Letters of computer players at seats that nobody took: to people, in their own language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.bots.diplomacy_action import KEPT, DiplomacyAction
from server.bots.letters import letter
from server.play.notices.notices import Notices
from server.store.tables import Campaign, Message, MessageRecipient, Phase, Seat, User


def send_letters(
    session: Session, campaign: Campaign, phase: Phase, seats: Sequence[Seat],
    acts: Mapping[str, tuple[DiplomacyAction, ...]], notices: Notices,
) -> None:  # fmt: skip
    """Write a letter about each act that people are concerned by, from its seat. Keeping a promise needs none.

    Messages do not belong to the record: they decide nothing.
    """
    told = [(writer, act) for writer, theirs in acts.items() for act in theirs if act.kind != KEPT]
    by_id = {seat.player_id: seat for seat in seats}
    told = [(writer, act) for writer, act in told if by_id[act.toward].user_id is not None]
    if not told:
        return
    readers = {by_id[act.toward].user_id for _, act in told}
    found = session.scalars(select(User).where(User.id.in_(readers)))
    languages: dict[str | None, str] = {user.id: user.locale for user in found}
    names = {seat.player_id: seat.name for seat in seats}
    for writer, act in told:
        seat = by_id[act.toward]
        body = letter(act, by_id[writer].faction or "", names, languages.get(seat.user_id, "en"))
        message = Message(
            campaign_id=campaign.id,
            sender=writer,
            in_character=True,
            body=body,
            turn=phase.turn,
            phase=phase.phase,
            sent_at=notices.now,
        )
        session.add(message)
        session.flush()
        session.add(MessageRecipient(message_id=message.id, player_id=act.toward, campaign_id=campaign.id))
        notices.seat(seat, "message", f"message/{message.id}/{act.toward}", message=message.id)
    session.flush()
