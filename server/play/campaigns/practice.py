"""Practice: a position one may read, opened as a private campaign against computer players.

It is made from what one may know of the position (:func:`server.rules.sight.view_for`) and of nothing else. What one
could not see is invented by the practice's own dice, and written down as invented.
"""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import select
from sqlalchemy.orm import Session

from server.bots.invention import Invented, Practice, practice_from
from server.bots.levels import REGULAR
from server.core.dice import SCHEME
from server.core.sentences import say
from server.play import access, text_input
from server.play.access import Access
from server.play.campaigns.campaign_info import CampaignInfo, info
from server.play.campaigns.campaign_start import begin_at, start_dice
from server.play.campaigns.campaigns import MAX_NAME_LENGTH, check_practices
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, invalid, not_found
from server.play.game_data import id_key
from server.play.options import Options, as_practice, options_from, options_to
from server.play.records.phase_dice import PhaseDice, link
from server.play.records.pointer import Record
from server.play.records.records import PRACTICE, view_at
from server.play.resolution import resolution
from server.play.resolution.phase_opening import open_next
from server.play.resolution.version import RULES_VERSION
from server.play.views import history
from server.play.views.positions import here
from server.rules.codec import encode
from server.rules.sight import View
from server.rules.state import OVER, PlayerId, State
from server.store.position import settings_to_json
from server.store.tables import Campaign, CampaignDice, Phase, Seat


@dataclass(frozen=True, slots=True)
class NewPractice:
    """What to practise, and against whom."""

    number: int | None = None
    """Of the finished phase whose position is meant; None: the last position that can be played on."""
    branch: int | None = None
    """A line of play; None: the one that is played on."""
    as_: str | None = None
    """As whom one reads the position: what they did not know is invented. None: as oneself."""
    seat: str | None = None
    """The player whose seat one takes; None: the reader's, else one's own, else the first who lives."""
    name: str = ""
    """Empty: the campaign's, and the phase."""
    level: str = REGULAR
    """How well the computer players play."""
    give_up: bool = False
    """A computer player is out when it was hopeless two turns in a row (P-37)."""


@dataclass(frozen=True, slots=True)
class PracticeInfo:
    """Where a practice comes from, and what of it was invented."""

    campaign_id: str
    campaign_name: str
    branch: int
    number: int
    """Of the phase after which the position stood."""
    viewer: str
    """As whom it was read."""
    invented: tuple[Invented, ...]
    """What the reader has in sight of it; all when the practice is over."""


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A position that was chosen."""

    record: Record
    view: View
    seat: PlayerId


def create(ctx: AppContext, actor: Actor, campaign_id: str, new: NewPractice) -> CampaignInfo:
    """Open a position as a practice, which has started; one who makes it plays in it, and nobody else finds it."""
    actor.require("gm")
    with ctx.database.write() as session:
        may = access.load(session, actor, campaign_id)
        name = text_input.line(new.name, "name", MAX_NAME_LENGTH) if new.name else ""
        options = as_practice(options_from({"bot_level": new.level, "computers_give_up": new.give_up}))
        chosen = _chosen(ctx, session, may, new)
        check_practices(ctx, session, actor)
        source = may.campaign
        campaign = campaign_from(session, source, name or _name(source, chosen), actor, options, ctx.now())
        seats = _seats(session, actor, may, campaign, chosen)
        _begin(ctx, session, actor, campaign, seats, _source(source, chosen), chosen.view)
        made = info(ctx, session, actor, access.load(session, actor, campaign.id))
    resolution.resolve_when_due(ctx, made.id)
    return made


def get(ctx: AppContext, actor: Actor, campaign_id: str) -> PracticeInfo:
    """Return where a practice comes from and what was invented; ``not_found`` where the campaign is none."""
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id).require_visible()
        query = select(Phase.orders).where(
            Phase.campaign_id == campaign_id, Phase.branch == 1, Phase.number == 0, Phase.resolved_at.is_not(None)
        )
        kept = (session.scalar(query) or {}).get(PRACTICE)
        if kept is None:
            raise not_found("practice", campaign_id)
        _, record = here(session, may)
        view = view_at(ctx, session, may.campaign, record, may.viewer())
        found = tuple(Invented(**fields) for fields in kept["invented"])
        return PracticeInfo(
            **kept["from"], invented=tuple(invented for invented in found if may.over or _shows(view, invented))
        )


# --- inside ---


def _chosen(ctx: AppContext, session: Session, may: Access, new: NewPractice) -> _Chosen:
    viewer = may.viewer(new.as_)
    if may.campaign.started_at is None:
        raise PlayError("wrong_status", "The campaign has not begun.", field="status")
    if new.number is None and new.branch is None:
        _, record = here(session, may)
    else:
        record = history.record_after(session, may, new.number, new.branch)
    view = view_at(ctx, session, may.campaign, record, viewer)
    if view.state.phase == OVER:  # nothing can be ordered any more: one phase back
        record = history.record_after(session, may, record.number - 1, record.branch)
        view = view_at(ctx, session, may.campaign, record, viewer)
    return _Chosen(record, view, _seat(may, view, new.seat))


def _seat(may: Access, view: View, wanted: str | None) -> PlayerId:
    """Return the player whose seat one takes."""
    living = [player.id for player in view.state.living()]
    if wanted is not None:
        if wanted not in living:
            raise invalid("seat", say("One of: {words}.", words=", ".join(living)), wanted)
        return wanted
    own = "" if may.seat is None else may.seat.player_id
    return next(player for player in (view.viewer, own, *living) if player in living)


def _name(source: Campaign, chosen: _Chosen) -> str:
    end = f" · {chosen.record.number}"
    return source.name[: MAX_NAME_LENGTH - len(end)] + end


def _source(source: Campaign, chosen: _Chosen) -> dict[str, Any]:
    return {
        "campaign_id": source.id, "campaign_name": source.name, "branch": chosen.record.branch,
        "number": chosen.record.number, "viewer": chosen.view.viewer,
    }  # fmt: skip


def _seats(session: Session, actor: Actor, may: Access, campaign: Campaign, chosen: _Chosen) -> list[Seat]:
    """Give everyone's seat to a computer player but the one that is taken; names are as they were shown."""
    made = []
    for seat in access.seats_of(session, may.campaign.id):
        if seat.player_id not in chosen.view.state.players:
            continue
        mine = seat.player_id == chosen.seat
        made.append(
            Seat(
                campaign_id=campaign.id,
                player_id=seat.player_id,
                number=seat.number,
                name=seat.name,
                faction=chosen.view.state.players[seat.player_id].faction,
                user_id=actor.user_id if mine else None,
                joined_at=campaign.created_at if mine else None,
                stand_in="" if mine else "bot",
            )
        )
    session.add_all(made)
    session.flush()
    return made


def _begin(
    ctx: AppContext, session: Session, actor: Actor, campaign: Campaign, seats: list[Seat], source: dict[str, Any],
    view: View,
) -> None:  # fmt: skip
    """Write the position as phase 0 and open its phase."""
    now = ctx.now()
    dice = start_dice(session, campaign, seats, now)
    practice: Practice = practice_from(view, dice.roll_with(), id_key(campaign.dice_secret))
    state = practice.state
    told = {"from": source, "invented": [asdict(invented) for invented in practice.invented]}
    open_at(session, actor, campaign, seats, dice, state, told, now)


# --- for campaigns that go on from a position, too ---


def campaign_from(
    session: Session, source: Campaign, name: str, actor: Actor, options: Options, now: datetime
) -> Campaign:
    """Make a campaign on the map and by the rules of another, with dice of its own."""
    secret = secrets.token_bytes(32)
    campaign = Campaign(
        name=name,
        description="",
        listed=False,
        gm_user_id=actor.user_id,
        scenario_id=source.scenario_id,
        board=source.board,
        board_digest=source.board_digest,
        ruleset_id=source.ruleset_id,
        ruleset_version=source.ruleset_version,
        ruleset_digest=source.ruleset_digest,
        ruleset_data=source.ruleset_data,
        rules_version=RULES_VERSION,
        settings={},
        options=options_to(options),
        dice_secret=secret,
        link0=link(secret, 0).hex(),
        created_at=now,
    )
    session.add(campaign)
    session.flush()
    session.add(CampaignDice(campaign_id=campaign.id, scheme=SCHEME))
    return campaign


def open_at(
    session: Session, actor: Actor, campaign: Campaign, seats: list[Seat], dice: PhaseDice, state: State,
    told: dict[str, Any], now: datetime,
) -> None:  # fmt: skip
    """Have a campaign run from a position, told in phase 0 with where it comes from, and open its phase."""
    campaign.settings = settings_to_json(state.settings)
    kept = {PRACTICE: {**told, "position": orjson.loads(encode(state))}}
    notices = begin_at(session, campaign, seats, state, [], dice, now, by=actor.user_id, told=kept)
    open_next(session, campaign, seats, state, 1, notices)
    notices.send()


# --- what one sees of it ---


def _shows(view: View, thing: Invented) -> bool:
    """Say whether a viewer of the practice has something invented in sight."""
    state = view.state
    if thing.id and thing.what != "building":
        return state.force(thing.id) is not None
    at = state.board.find(thing.hex) if thing.hex else None
    return at is None or at in view.sees
