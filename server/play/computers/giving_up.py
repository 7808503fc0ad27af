"""Computer players that give up, where the campaign has chosen so: hopeless two turns in a row (P-37).

It is an edit of the position as a game master makes them: written down, told to everyone, and verified with the
record. The player's remains are those of an eliminated player (D-14).
"""

from __future__ import annotations

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from server.bots.posture import gives_up
from server.play import access
from server.play.access import computers
from server.play.agenda import AGENDA
from server.play.computers.computer_players import evaluated
from server.play.context import Actor, AppContext
from server.play.edits import edits
from server.play.notices.notices import Notices
from server.play.records.records import Open, note_intervention, note_position, open_phase, state_at
from server.rules.state import BUILD, PlayerId, State
from server.store.database import lock_campaign
from server.store.position import save_position
from server.store.tables import Campaign, Intervention, OrderSet, Seat, User

WHY = "P-37: the computer player gives up, hopeless two turns in a row."


def give_up_where_due(ctx: AppContext, campaign_id: str) -> list[PlayerId]:
    """Let the computer players give up who are hopeless as a turn begins; return their seats."""
    with ctx.database.read() as session:
        found = session.get(Campaign, campaign_id)
        if found is None or not _hopeless(ctx, session, found):
            return []
    with ctx.database.write() as session:
        campaign = lock_campaign(session, campaign_id, wait=True)
        if campaign is None:
            return []
        gone = _hopeless(ctx, session, campaign)
        now_open = open_phase(session, campaign)
        if gone and now_open is not None:
            before = state_at(ctx, session, campaign, now_open.record)
            given = [{"do": "remove", "what": "player", "player": seat} for seat in gone]
            done = edits.apply(before, given)
            made = write_edit(ctx, session, campaign, Actor(), given, done.state, WHY)
            save_position(session, campaign_id, before, done.state)
            _wait_for_nobody(session, now_open, gone)
            notify_of_edit(ctx, session, campaign, made)
        return gone


def _hopeless(ctx: AppContext, session: Session, campaign: Campaign) -> list[PlayerId]:
    """Return the computer seats that give up now; one who would leave nobody to play on stays."""
    if campaign.status != "running" or not access.options_of(campaign).computers_give_up:
        return []
    now_open = open_phase(session, campaign)
    seats = [*computers(campaign, access.seats_of(session, campaign.id)), *_bots_of_gm(session, campaign)]
    if now_open is None or now_open.phase.phase != BUILD or not seats:
        return []
    state = state_at(ctx, session, campaign, now_open.record)
    felt = {postures.seat: postures.turns for postures in evaluated(ctx, session, campaign, seats)}
    gone = [seat for seat in seats if not state.players[seat].eliminated and gives_up(felt[seat])]
    return gone if len(gone) < len(state.living()) else []


def _bots_of_gm(session: Session, campaign: Campaign) -> list[PlayerId]:
    """Return the seats that the game master's own bots have, as in the demo; bots of others are not ours to end."""
    theirs = select(Seat.player_id).join(User, User.id == Seat.user_id).order_by(Seat.number)
    mine = (Seat.campaign_id == campaign.id, User.bot_owner_id.is_not(None), User.bot_owner_id == campaign.gm_user_id)
    return list(session.scalars(theirs.where(*mine)))


def _wait_for_nobody(session: Session, now_open: Open, gone: list[PlayerId]) -> None:
    """Nobody waits for the orders of those who are out."""
    phase = now_open.phase
    mine = (OrderSet.campaign_id == phase.campaign_id, OrderSet.branch == phase.branch,
            OrderSet.phase_number == phase.number, OrderSet.player_id.in_(gone))  # fmt: skip
    session.execute(update(OrderSet).where(*mine).values(wanted=False))
    AGENDA.touch(session, phase.campaign_id)


# --- edits of the GM and of the server ---


def write_edit(
    ctx: AppContext, session: Session, campaign: Campaign, actor: Actor, given: list[dict[str, str]], after: State,
    why: str,
) -> Intervention:  # fmt: skip
    """Write an edit down as a link of the record's chain."""
    made = note_intervention(session, campaign, actor, "edit", why, ctx.now(), edits=len(given))
    return note_position(campaign, made, {"edits": given}, after)


def notify_of_edit(ctx: AppContext, session: Session, campaign: Campaign, made: Intervention) -> None:
    """Tell everyone of an edit."""
    notices = Notices(session, campaign, ctx.now())
    key = f"edit/{made.branch}/{made.phase_number}/{made.seq}"
    notices.everybody("intervention", key, access.seats_of(session, campaign.id), number=made.phase_number)
    notices.send()
