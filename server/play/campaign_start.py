"""Starting a campaign: the players who sit there, the first dice, record 0, the Setup phase."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import delete
from sqlalchemy.orm import Session

from server.core.dice import SeededDice
from server.core.events import Event
from server.core.sentences import say
from server.play import access
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, stands_so
from server.play.game_data import game_data_of, id_key
from server.play.notices import Notices
from server.play.phase_opening import open_next
from server.play.records import START, link, next_link, phase_inputs, seed_of
from server.play.versions import RULES_VERSION
from server.rules.codec import encode, event_to_json, state_hash
from server.rules.phases import begin
from server.rules.state import State
from server.rules.versions import NEWEST
from server.scenarios.begin import initial_state
from server.scenarios.problems import MapError
from server.store.position import save_position, settings_from_json, settings_to_json
from server.store.snapshots import pack
from server.store.tables import Branch, Campaign, EventRow, Phase, Seat


def start(ctx: AppContext, actor: Actor, campaign_id: str) -> None:
    """Begin the campaign with those who have joined; seats nobody took are gone."""
    actor.require("gm")
    with ctx.database.write() as session:
        campaign = access.load_exclusive(session, actor, campaign_id).require_gm().campaign
        if campaign.status != "open":
            raise stands_so(campaign.status)
        seats = _take_seats(ctx, session, campaign)
        campaign.settings = settings_to_json(replace(settings_from_json(campaign.settings), readings=NEWEST.version))
        state, events, seed = _first(ctx, campaign, seats)
        now = ctx.now()
        session.add(Branch(campaign_id=campaign.id, number=1, made_at=now, made_by=actor.user_id))
        session.flush()
        _record(session, campaign, seats, state, events, seed, ctx)
        save_position(session, campaign.id, None, state)
        campaign.status, campaign.started_at, campaign.branch = "running", now, 1
        campaign.revision += 1
        notices = Notices(session, campaign, now)
        notices.everybody("campaign_started", "started", seats, link0=campaign.link0)
        open_next(session, campaign, seats, state, 1, notices)
        notices.send()


def _take_seats(ctx: AppContext, session: Session, campaign: Campaign) -> list[Seat]:
    seats = [each for each in access.seats_of(session, campaign.id) if each.user_id is not None]
    counts = game_data_of(ctx, campaign).scenario.player_counts
    if len(seats) not in counts:
        wanted = ", ".join(map(str, counts))
        raise PlayError(
            "too_few_players",
            say("The scenario is for {wanted} players, {n} have joined.", wanted=wanted, n=len(seats)),
        )
    session.execute(delete(Seat).where(Seat.campaign_id == campaign.id, Seat.user_id.is_(None)))
    return seats


def _first(ctx: AppContext, campaign: Campaign, seats: list[Seat]) -> tuple[State, list[Event], bytes]:
    """Return the state at Setup, what was rolled for it, and the seed."""
    world = game_data_of(ctx, campaign)
    players = [(each.player_id, each.faction or "") for each in seats]
    settings = settings_from_json(campaign.settings)
    try:
        initial = initial_state(world.scenario, world.ruleset, settings, players, id_key(campaign.dice_secret))
    except MapError as error:
        raise PlayError("conflict", error.problems[0].message) from None
    seed = seed_of(link(campaign.dice_secret, 0), campaign.id, 0, START, ())
    begun = begin(initial, SeededDice(seed))
    return begun.state, begun.events, seed


def _record(
    session: Session,
    campaign: Campaign,
    seats: list[Seat],
    state: State,
    events: list[Event],
    seed: bytes,
    ctx: AppContext,
) -> None:
    """Write phase 0; its orders are who plays, in seat order, and what was settled."""
    orders = {"players": [[each.player_id, each.faction] for each in seats], "settings": dict(campaign.settings)}
    hashed = state_hash(state)
    now = ctx.now()
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
            link=campaign.link0,
            seed=seed.hex(),
            ruleset_digest=campaign.ruleset_digest,
            rules_version=RULES_VERSION,
            state_hash=hashed,
            salts=[],
            orders=orders,
            problems={},
            chain_hash=next_link("", phase_inputs(seed.hex(), (), orders, {}, events), hashed),
            snapshot=pack(encode(state)),
        )
    )
    session.flush()
    session.add_all(event_rows(campaign.id, 1, 0, events))
    session.flush()


def event_rows(campaign_id: str, branch: int, number: int, events: list[Event]) -> list[EventRow]:
    """Return the events of a phase as rows."""
    return [
        EventRow(
            campaign_id=campaign_id,
            branch=branch,
            phase_number=number,
            seq=seq,
            type=each.type,
            fields=event_to_json(each)["fields"],
            told=each.to,
            public=each.public,
        )
        for seq, each in enumerate(events)
    ]
