"""Playing on: a campaign that is over and public continues as a new one, with dice that nobody knows.

A published or imported campaign is never opened again: its record has the secret of its dice. The new
campaign begins with a position of it, has a secret of its own, and its seats are free.
"""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import func, select

from server.core.sentences import say
from server.play import access, text_input
from server.play.access import NOT_FINISHED
from server.play.campaigns.campaign_info import CampaignInfo, info
from server.play.campaigns.campaign_start import start_dice
from server.play.campaigns.campaigns import MAX_NAME_LENGTH
from server.play.campaigns.practice import campaign_from, open_at
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.game_data import id_key
from server.play.records.records import state_at
from server.play.views import history
from server.play.views.positions import here
from server.rules.sight import GM
from server.rules.state import OVER
from server.store.memberships import run_by
from server.store.tables import Campaign, Seat


def create(
    ctx: AppContext, actor: Actor, campaign_id: str, *, number: int | None = None, branch: int | None = None,
    name: str = "",
) -> CampaignInfo:  # fmt: skip
    """Make a campaign that begins after a phase of another whose record is public (None: the last to play on from).

    Its maker is the game master; it is paused until its seats are taken. Errors: ``wrong_status`` where the record is
    not public, ``limit_reached``, ``not_found``.
    """
    actor.require("gm").require_account()
    title = text_input.line(name, "name", MAX_NAME_LENGTH) if name else ""
    with ctx.database.write() as session:
        may = access.load(session, actor, campaign_id).require_visible()
        source = may.campaign
        if not may.over or source.started_at is None:
            raise PlayError("wrong_status", "Its record is not public yet.", field="status", value=source.status)
        mine = (run_by(session, [actor.user_id]), Campaign.status.in_(NOT_FINISHED), Campaign.status != "running")
        maximum = ctx.settings.open_campaigns_per_account
        if (session.scalar(select(func.count()).select_from(Campaign).where(*mine)) or 0) >= maximum:
            told = say("At most {most} campaigns that have not started or are paused.", most=maximum)
            raise PlayError("limit_reached", told)
        _, record = here(session, may)
        if number is not None or branch is not None:
            record = history.record_after(session, may, number, branch)
        state = state_at(ctx, session, source, record)
        if state.phase == OVER:
            record = history.record_after(session, may, record.number - 1, record.branch)
            state = state_at(ctx, session, source, record)
        now = ctx.now()
        end = f" · {record.number}"
        options = replace(may.options, practice=False)
        made = campaign_from(
            session, source, title or source.name[: MAX_NAME_LENGTH - len(end)] + end, actor, options, now
        )
        old = {seat.player_id: seat for seat in access.seats_of(session, source.id)}
        seats = [
            Seat(
                campaign_id=made.id, player_id=player, number=old[player].number, name=old[player].name,
                faction=state.players[player].faction,
            )
            for player in old
            if player in state.players
        ]  # fmt: skip
        session.add_all(seats)
        session.flush()
        state = state.copy()
        state.id_key = id_key(made.dice_secret)
        where = {
            "campaign_id": source.id, "campaign_name": source.name, "branch": record.branch, "number": record.number,
            "viewer": GM,
        }  # fmt: skip
        dice = start_dice(session, made, seats, now)
        open_at(session, actor, made, seats, dice, state, {"from": where, "invented": []}, now)
        made.status, made.paused_at = "paused", now
        session.flush()
        return info(ctx, session, actor, access.load(session, actor, made.id))
