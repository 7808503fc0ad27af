"""Campaigns: made, found, changed, paused, finished, archived, deleted."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from server.core.dice import SCHEME
from server.core.sentences import say
from server.play import access, audit, text_input
from server.play.access import Access
from server.play.agenda import AGENDA
from server.play.campaigns import catalog
from server.play.campaigns.campaign_info import CampaignInfo, info
from server.play.context import Actor, AppContext, check_limit
from server.play.errors import PlayError, check_revision, invalid, stands_so
from server.play.game_data import game_data_of, ruleset_data, scenario_data
from server.play.notices.notices import Notices, notify_everybody
from server.play.options import Options, as_practice, options_from, options_to, settings_from
from server.play.records import records
from server.play.records.phase_dice import link
from server.play.records.records import note_intervention, set_deadline
from server.play.resolution.version import RULES_VERSION
from server.store.groups import forget
from server.store.memberships import run_by
from server.store.position import settings_to_json
from server.store.tables import Campaign, CampaignDice, LiveEvent, Phase, Seat, User
from server.store.tables.base import fold

MAX_NAME_LENGTH, MAX_DESCRIPTION_LENGTH = 80, 20_000
GUESTS_CAMPAIGNS = 3
"""Campaigns with others that a guest may run at a time."""


@dataclass(frozen=True, slots=True)
class NewCampaign:
    """What a campaign is made from."""

    name: str
    scenario: str
    """Id of one of the server's scenarios, or the name of an uploaded one."""
    scenario_data: Mapping[str, Any] | None = None
    """One's own scenario, as ``scenario.json`` has it."""
    ruleset: str | None = None
    """None: the scenario's."""
    ruleset_data: Mapping[str, Any] | None = None
    description: str = ""
    listed: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)
    """See :class:`server.play.options.Options`."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    """Victory, alliances, muster, ...: see :class:`server.rules.state.Settings`."""


def create(
    ctx: AppContext, actor: Actor, new: NewCampaign,
    and_then: Callable[[Session, Campaign], None] = lambda _session, _campaign: None,
) -> CampaignInfo:  # fmt: skip
    """Create a campaign; its creator is the GM. The dice are fixed now, before anyone has joined (D-81).

    *and_then* is done in the same transaction.
    """
    actor.require("gm")
    if actor.guest and (new.scenario_data is not None or new.ruleset_data is not None):
        actor.require_account()
    name = text_input.line(new.name, "name", MAX_NAME_LENGTH)
    description = text_input.lines(new.description, "description", MAX_DESCRIPTION_LENGTH)
    catalog.check_hexes(new.scenario_data, ctx.settings.own_map_hexes)
    scenario, board = scenario_data(new.scenario, new.scenario_data)
    ruleset, rules = ruleset_data(new.ruleset or scenario.ruleset, new.ruleset_data)
    if new.scenario_data is not None or new.ruleset_data is not None:
        catalog.check_together(scenario, ruleset)
    options, settings = options_from(new.options), settings_from(new.rules)
    _check_start(ctx, options, Options())
    if options.practice:
        options = as_practice(options)
    campaign = of_dice(
        actor,
        options,
        ctx.now(),
        name=name,
        description=description,
        listed=new.listed and not (options.practice or actor.guest),
        scenario_id=scenario.id,
        board=board,
        board_digest=scenario.board.digest,
        ruleset_id=ruleset.id,
        ruleset_version=ruleset.version,
        ruleset_digest=ruleset.digest,
        ruleset_data=rules,
        settings=settings_to_json(settings),
    )
    with ctx.database.write() as session:
        if options.practice:
            check_practices(ctx, session, actor)
        else:
            if actor.guest:
                _check_guests_campaigns(session, actor)
            _check_open(ctx, session, actor)
        session.add(campaign)
        session.flush()
        session.add(CampaignDice(campaign_id=campaign.id, scheme=SCHEME))
        session.add_all(
            Seat(campaign_id=campaign.id, player_id=f"p{number}", number=number, name=start.name)
            for number, start in enumerate(scenario.starts, 1)
        )
        session.flush()
        and_then(session, campaign)
        return info(ctx, session, actor, access.load(session, actor, campaign.id))


def get(ctx: AppContext, actor: Actor, campaign_id: str, *, by_code: bool = False) -> CampaignInfo:
    """Return a campaign as someone sees it; *by_code*: even if it is not listed."""
    with ctx.database.read() as session:
        return info(ctx, session, actor, access.load(session, actor, campaign_id, by_code=by_code))


def change(
    ctx: AppContext,
    actor: Actor,
    campaign_id: str,
    *,
    name: str | None = None,
    description: str | None = None,
    listed: bool | None = None,
    options: Mapping[str, Any] | None = None,
    rules: Mapping[str, Any] | None = None,
    revision: int | None = None,
) -> CampaignInfo:
    """Change what is given. Of a campaign that runs the rules stay, and so does whether seats are anonymous."""
    actor.require("gm")
    with ctx.database.write() as session:
        may = access.load_exclusive(session, actor, campaign_id).require_gm()
        campaign = may.campaign
        check_revision(revision, campaign.revision)
        if name is not None:
            campaign.name = text_input.line(name, "name", MAX_NAME_LENGTH)
        if description is not None:
            campaign.description = text_input.lines(description, "description", MAX_DESCRIPTION_LENGTH)
        if listed is not None:
            campaign.listed = listed and not actor.guest
        if options is not None:
            _change_options(ctx, session, may, options)
        if rules is not None:
            if campaign.status != "open":
                raise PlayError("wrong_status", "The rules of a campaign that has begun stay.", field="rules")
            campaign.settings = settings_to_json(settings_from(rules))
        campaign.revision += 1
        session.flush()
        return info(ctx, session, actor, access.load(session, actor, campaign_id))


def pause(ctx: AppContext, actor: Actor, campaign_id: str, why: str = "") -> None:
    """Stop the clock: no orders are lost, none are due."""
    _switch(ctx, actor, campaign_id, "running", "paused", why)


def resume(ctx: AppContext, actor: Actor, campaign_id: str, why: str = "") -> None:
    """Go on; the open phase has as much time left as when it was paused."""
    _switch(ctx, actor, campaign_id, "paused", "running", why)


def finish(ctx: AppContext, actor: Actor, campaign_id: str, why: str = "") -> None:
    """End a campaign by hand, without a winner; its record becomes public after some days."""
    actor.require("gm")
    with ctx.database.write() as session:
        campaign = access.load_exclusive(session, actor, campaign_id).require_gm().campaign
        _expect(campaign, "running", "paused")
        now = ctx.now()
        reason = text_input.lines(why, "why", 2000)
        note_intervention(session, campaign, actor, "finish", reason, now)
        records.seal(ctx, session, campaign)
        end(session, campaign, now, Notices(session, campaign, now), why=reason)


def archive(ctx: AppContext, actor: Actor, campaign_id: str) -> None:
    """Put a finished campaign away: its record becomes public; it is read, never changed."""
    actor.require("gm")
    with ctx.database.write() as session:
        campaign = access.load_exclusive(session, actor, campaign_id).require_gm().campaign
        _expect(campaign, "finished")
        records.open_record(session, campaign, ctx.now())
        campaign.status, campaign.archived_at = "archived", ctx.now()
        campaign.revision += 1
        note_intervention(session, campaign, actor, "archive", "", ctx.now())


def remove(ctx: AppContext, actor: Actor, campaign_id: str) -> datetime:
    """Mark a campaign deleted; returns when it is gone for good. Until then :func:`restore` brings it back."""
    actor.require("gm")
    with ctx.database.write() as session:
        campaign = access.load_exclusive(session, actor, campaign_id).require_gm().campaign
        if campaign.status == "deleted":
            raise PlayError("wrong_status", "The campaign is deleted already.", field="status")
        campaign.status, campaign.deleted_at = "deleted", ctx.now()
        campaign.revision += 1
        if campaign.started_at is not None:
            note_intervention(session, campaign, actor, "delete", "", ctx.now())
        _note_admin(ctx, session, actor, campaign, "campaign_delete")
        return ctx.now() + timedelta(days=ctx.settings.deletion_grace_days)


def restore(ctx: AppContext, actor: Actor, campaign_id: str) -> None:
    """Bring a deleted campaign back as it was; one that ran is paused."""
    actor.require("gm")
    with ctx.database.write() as session:
        campaign = access.load_exclusive(session, actor, campaign_id).require_gm().campaign
        _expect(campaign, "deleted")
        campaign.status = _status_by_times(campaign)
        campaign.paused_at = (campaign.paused_at or campaign.deleted_at) if campaign.status == "paused" else None
        campaign.deleted_at = None
        campaign.revision += 1
        if campaign.started_at is not None:
            note_intervention(session, campaign, actor, "restore", "", ctx.now())
        _note_admin(ctx, session, actor, campaign, "campaign_restore")


def remove_if_due(ctx: AppContext, campaign_id: str) -> int:
    """Delete a campaign whose grace is over; called by the ticker. Returns how many were."""
    before = ctx.now() - timedelta(days=ctx.settings.deletion_grace_days)
    with ctx.database.write() as session:
        due = (Campaign.id == campaign_id, Campaign.status == "deleted", Campaign.deleted_at <= before)
        gone: int = session.execute(delete(Campaign).where(*due)).rowcount  # type: ignore[attr-defined]
        if gone:
            session.execute(delete(LiveEvent).where(LiveEvent.topic.startswith(f"campaign/{campaign_id}/")))
            forget(session, campaign_id)
            AGENDA.touch(session, campaign_id)
        return gone


# --- for the rest of this package ---


def of_dice(actor: Actor, options: Options, now: datetime, **columns: Any) -> Campaign:
    """Return a campaign of someone's, not stored yet, with dice of its own; *columns* are the others of its row."""
    secret = secrets.token_bytes(32)
    dice = {"dice_secret": secret, "link0": link(secret, 0).hex(), "rules_version": RULES_VERSION}
    return Campaign(gm_user_id=actor.user_id, options=options_to(options), created_at=now, **dice, **columns)


def end(session: Session, campaign: Campaign, now: datetime, notices: Notices, **data: Any) -> None:
    """Make a campaign finished and tell everyone. Sends the notices."""
    campaign.status, campaign.finished_at, campaign.paused_at = "finished", now, None
    campaign.deadline = None
    campaign.revision += 1
    seats = access.seats_of(session, campaign.id)
    notices.everybody("finished", f"finished/{campaign.branch}", seats, **data)
    notices.send()


def check_practices(ctx: AppContext, session: Session, actor: Actor) -> None:
    """Refuse someone who has as many practices under way as there may be (``limit_reached``)."""
    mine = (run_by(session, [actor.user_id]), Campaign.status.in_(access.NOT_FINISHED))
    practices = (*mine, Campaign.options["practice"].as_boolean())
    maximum = ctx.settings.practices_per_account
    told = say("At most {most} practices under way; end or delete one.", most=maximum)
    check_limit(session, Campaign, practices, maximum, told)


def _check_guests_campaigns(session: Session, actor: Actor) -> None:
    mine = (run_by(session, [actor.user_id]), Campaign.status.in_(access.NOT_FINISHED))
    with_others = (*mine, Campaign.options["practice"].as_boolean().is_not(True))
    told = say("A guest has at most {most} campaigns under way.", most=GUESTS_CAMPAIGNS)
    check_limit(session, Campaign, with_others, GUESTS_CAMPAIGNS, told)


def _check_open(ctx: AppContext, session: Session, actor: Actor) -> None:
    """Refuse a user who has reached the limit of campaigns that have not started; admins have none."""
    mine = (run_by(session, [actor.user_id]), Campaign.status == "open")
    maximum = ctx.settings.open_campaigns_per_account
    if not actor.admin:
        told = say("At most {most} campaigns that have not started; start or delete one.", most=maximum)
        check_limit(session, Campaign, mine, maximum, told)


def hide_names(ctx: AppContext, session: Session, campaign: Campaign, of: Collection[str] | None = None) -> None:
    """Give the seats (those *of* some accounts, or all) that are called like their players' the scenario's names."""
    starts = game_data_of(ctx, campaign).scenario.starts
    sitting = select(Seat, User).join(User, User.id == Seat.user_id).where(Seat.campaign_id == campaign.id)
    for seat, user in session.execute(sitting):
        if fold(seat.name) == user.name_key and (of is None or user.id in of):
            seat.name = starts[seat.number - 1].name


def _note_admin(ctx: AppContext, session: Session, actor: Actor, campaign: Campaign, act: str) -> None:
    """Write down what an admin does to a campaign of others."""
    if actor.user_id not in access.game_masters_of(session, campaign):
        audit.note(session, actor, act, campaign.name, ctx.now())


def _check_start(ctx: AppContext, options: Options, before: Options) -> None:
    starts, name = options.starts_at, "options.starts_at"
    if starts is None or starts == before.starts_at:
        return
    if text_input.instant(starts, name, ctx.now()) <= ctx.now():
        raise invalid(name, "A time that is yet to come.", starts.isoformat())


def _change_options(ctx: AppContext, session: Session, may: Access, given: Mapping[str, Any]) -> None:
    campaign, changed = may.campaign, options_from(given, may.options)
    _check_start(ctx, changed, may.options)
    if changed.practice != may.options.practice:
        raise invalid("options.practice", "That is settled when the campaign is made.", changed.practice)
    if campaign.status != "open":
        for name in ("anonymous", "gm_sees_orders", "gm_plays"):
            if getattr(changed, name) != getattr(may.options, name):
                raise PlayError("wrong_status", "That is settled when the campaign begins.", field=f"options.{name}")
    if changed.anonymous and not may.options.anonymous:
        hide_names(ctx, session, campaign)
    campaign.options = options_to(changed)


def _switch(ctx: AppContext, actor: Actor, campaign_id: str, before: str, after: str, why: str) -> None:
    actor.require("gm")
    reason = text_input.lines(why, "why", 2000)
    with ctx.database.write() as session:
        campaign = access.load_exclusive(session, actor, campaign_id).require_gm().campaign
        _expect(campaign, before)
        now = ctx.now()
        phase = session.get(Phase, (campaign.id, campaign.branch, campaign.phase_number))
        if phase is not None and after == "running" and phase.deadline is not None and campaign.paused_at is not None:
            stood = max(now - campaign.paused_at, timedelta())  # a clock may have been put back
            due = min(phase.deadline, text_input.latest(now)) + stood
            due = access.options_of(campaign).deadlines.rested(now, due)
            set_deadline(session, campaign, phase, due, "resumed", now, by=actor.user_id)
        campaign.status, campaign.paused_at = after, now if after == "paused" else None
        campaign.revision += 1
        made = note_intervention(session, campaign, actor, "pause" if after == "paused" else "resume", reason, now)
        kind = "paused" if after == "paused" else "resumed"
        key = f"{kind}/{made.branch}/{made.phase_number}/{made.seq}"
        notify_everybody(session, campaign, now, kind, key, why=reason)


def _expect(campaign: Campaign, *statuses: str) -> None:
    if campaign.status not in statuses:
        raise stands_so(campaign.status, value=campaign.status)


def _status_by_times(campaign: Campaign) -> str:
    if campaign.archived_at is not None:
        return "archived"
    if campaign.finished_at is not None:
        return "finished"
    return "paused" if campaign.started_at is not None else "open"
