"""Starting a campaign: the players who sit there, the first dice, record 0, the Setup phase."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from sqlalchemy import delete
from sqlalchemy.orm import Session

from server.core.dice import SCHEME
from server.core.events import Event
from server.core.sentences import say
from server.play import access
from server.play.context import Actor, AppContext
from server.play.dice import salt_keeping
from server.play.errors import PlayError, stands_so
from server.play.game_data import game_data_of, id_key
from server.play.notices.notices import Notices
from server.play.options import options_to
from server.play.records.phase_dice import PhaseDice, keys_of, link, link_number
from server.play.records.records import START, Record, next_link, phase_inputs, set_position
from server.play.resolution.phase_opening import open_next
from server.play.resolution.version import RULES_VERSION
from server.rules import phases
from server.rules.codec import encode, state_hash
from server.rules.state import State
from server.rules.versions import NEWEST
from server.scenarios.begin import initial_state
from server.scenarios.problems import MapError
from server.store.database import lock_campaign
from server.store.phase_events import column_of
from server.store.position import save_position, settings_from_json, settings_to_json
from server.store.snapshots import pack
from server.store.tables import Branch, Campaign, CampaignDice, Phase, Seat


def start(ctx: AppContext, actor: Actor, campaign_id: str, *, nobody: bool = False) -> None:
    """Begin the campaign with those who have joined; seats nobody took are gone.

    With *nobody*, computer players take all of the seats if the campaign gives them free ones.
    """
    actor.require("gm")
    with ctx.database.write() as session:
        campaign = access.load_exclusive(session, actor, campaign_id).require_gm().campaign
        if campaign.status != "open":
            raise stands_so(campaign.status)
        begin(ctx, session, campaign, actor.user_id, nobody=nobody)


def start_if_due(ctx: AppContext, campaign_id: str) -> int:
    """Start a campaign whose time has come; called by the ticker. Returns how many were.

    One that cannot start stays open, and its game masters are notified: they start it when enough players are there.
    """
    try:
        with ctx.database.write() as session:
            campaign = lock_campaign(session, campaign_id, wait=True)
            if campaign is None or not _is_due(ctx, campaign):
                return 0
            begin(ctx, session, campaign, None)
            return 1
    except PlayError:
        _postpone(ctx, campaign_id)
        return 0


def _is_due(ctx: AppContext, campaign: Campaign) -> bool:
    starts_at = access.options_of(campaign).starts_at
    return campaign.status == "open" and starts_at is not None and starts_at <= ctx.now()


def _postpone(ctx: AppContext, campaign_id: str) -> None:
    with ctx.database.write() as session:
        campaign = lock_campaign(session, campaign_id, wait=True)
        if campaign is None or not _is_due(ctx, campaign):
            return
        options = access.options_of(campaign)
        campaign.options = options_to(replace(options, starts_at=None))
        campaign.revision += 1
        now = ctx.now()
        notices = Notices(session, campaign, now)
        notices.game_master("start_failed", f"start_failed/{now.isoformat()}")
        notices.send()


def begin(ctx: AppContext, session: Session, campaign: Campaign, by: str | None, *, nobody: bool = False) -> None:
    """Begin a campaign in a transaction that has claimed it."""
    seats = _take_seats(ctx, session, campaign, nobody=nobody)
    campaign.settings = settings_to_json(replace(settings_from_json(campaign.settings), readings=NEWEST.version))
    now = ctx.now()
    dice = start_dice(session, campaign, seats, now)
    state, events = _first(ctx, campaign, seats, dice)
    campaign.revision += 1
    notices = begin_at(session, campaign, seats, state, events, dice, now, by=by)
    notices.everybody("campaign_started", "started", seats, link0=campaign.link0)
    open_next(session, campaign, seats, state, 1, notices)
    notices.send()


def _take_seats(ctx: AppContext, session: Session, campaign: Campaign, *, nobody: bool) -> list[Seat]:
    seats = [seat for seat in access.seats_of(session, campaign.id) if seat.user_id is not None]
    if (seats or nobody) and access.options_of(campaign).computer_seats:
        return _with_computers(ctx, session, campaign)
    counts = game_data_of(ctx, campaign).scenario.player_counts
    if len(seats) not in counts:
        wanted = ", ".join(map(str, counts))
        raise PlayError(
            "too_few_players",
            say("The scenario is for {wanted} players, {n} have joined.", wanted=wanted, n=len(seats)),
        )
    session.execute(delete(Seat).where(Seat.campaign_id == campaign.id, Seat.user_id.is_(None)))
    return seats


def _with_computers(ctx: AppContext, session: Session, campaign: Campaign) -> list[Seat]:
    """Give the seats that nobody took to computer players, with army lists that nobody else has as far as they go."""
    seats = access.seats_of(session, campaign.id)
    lists = [id_ for id_ in game_data_of(ctx, campaign).ruleset.factions if id_ != "none"]
    key = hashlib.sha256(campaign.dice_secret + b"/computer seats").digest()
    lists.sort(key=lambda id_: hashlib.sha256(key + id_.encode()).digest())
    taken = {seat.faction for seat in seats if seat.user_id is not None}
    free = [id_ for id_ in lists if id_ not in taken] or lists
    for number, seat in enumerate(seat for seat in seats if seat.user_id is None):
        seat.stand_in = "bot"
        seat.faction = free[number % len(free)]
    return seats


def _first(ctx: AppContext, campaign: Campaign, seats: list[Seat], dice: PhaseDice) -> tuple[State, list[Event]]:
    """Return the state at Setup, and what was rolled for it."""
    world = game_data_of(ctx, campaign)
    players = [(seat.player_id, seat.faction or "") for seat in seats]
    settings = settings_from_json(campaign.settings)
    try:
        initial = initial_state(world.scenario, world.ruleset, settings, players, id_key(campaign.dice_secret))
    except MapError as error:
        raise PlayError("conflict", error.problems[0].message) from None
    begun = phases.begin(initial, dice.roll_with())
    return begun.state, begun.events


# --- for practices and campaigns that go on from a position, too ---


def start_dice(session: Session, campaign: Campaign, seats: list[Seat], now: datetime) -> PhaseDice:
    """Return the dice of the start: a link nobody has seen, and the salts of joining."""
    if session.get(CampaignDice, campaign.id) is None:  # made before there was scheme 2
        session.add(CampaignDice(campaign_id=campaign.id, scheme=SCHEME))
        session.flush()
    players = [seat.player_id for seat in seats]
    salt_keeping.open_for(session, campaign.id, 1, 0, players, now)
    salts, commitments = salt_keeping.in_seat_order(salt_keeping.rows_of(session, campaign.id, 1, 0), players)
    secret = campaign.dice_secret
    its_link = link(secret, link_number(session, campaign, 1, 0))
    return PhaseDice(SCHEME, campaign.id, 1, 0, START, its_link, salts, commitments, keys_of(secret, players))


def begin_at(
    session: Session, campaign: Campaign, seats: list[Seat], state: State, events: list[Event], dice: PhaseDice,
    now: datetime, *, by: str | None, told: Mapping[str, Any] = MappingProxyType({}),
) -> Notices:  # fmt: skip
    """Have a campaign run from a position, which is written as phase 0; return the notices, for the phase to open.

    The orders of phase 0 are who plays, in seat order, and what was settled; *told*: what else they hold.
    """
    session.add(Branch(campaign_id=campaign.id, number=1, made_at=now, made_by=by))
    session.flush()
    players = [[seat.player_id, seat.faction] for seat in seats]
    orders = {"players": players, "settings": dict(campaign.settings), **told}
    _write_start(session, campaign, orders, state, events, dice, now)
    save_position(session, campaign.id, None, state)
    campaign.status, campaign.started_at, campaign.branch = "running", now, 1
    return Notices(session, campaign, now)


def _write_start(
    session: Session, campaign: Campaign, orders: dict[str, Any], state: State, events: list[Event],
    dice: PhaseDice, now: datetime,
) -> None:  # fmt: skip
    hashed = state_hash(state)
    chained = next_link("", phase_inputs(dice, orders, {}, events), hashed)
    session.add(
        Phase(
            campaign_id=campaign.id,
            branch=1,
            number=0,
            turn=0,
            phase=START,
            opened_at=now,
            resolved_at=now,
            why="start",
            took_ms=0,
            link=dice.link.hex(),
            seed=dice.seed.hex(),
            ruleset_digest=campaign.ruleset_digest,
            rules_version=RULES_VERSION,
            state_hash=hashed,
            salts=list(dice.salts),
            orders=orders,
            problems={},
            chain_hash=chained,
            snapshot=pack(encode(state)),
            events=column_of(events),
        )
    )
    set_position(campaign, Record(1, 0, None, hashed, chained))
    session.flush()
