"""How a campaign ended, to look at and to show to others: also by a link of its own, whoever holds it.

What the page tells is what everyone may know: after the end everything, while the record is sealed what is public.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.core.events import Event
from server.core.sentences import say
from server.play import access
from server.play.access import Access
from server.play.campaigns.campaign_info import CampaignInfo, info
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.records.records import Record, current_record, lineage, on_line, record_of, view_at
from server.rules.sight import GM, SPECTATOR, View
from server.store.phase_events import WITH_EVENTS, events_of
from server.store.tables import Campaign, Phase, PhaseStanding

TOLD = (
    "battle_fought", "claimed", "capital_captured", "eliminated", "raided", "discovered", "urban_built",
    "urban_upgraded", "stronghold_built", "stronghold_upgraded", "campaign_over",
)  # fmt: skip
"""Types of events that an outcome is made of."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A finished turn: VP of each player at its end, and what happened in it."""

    number: int
    vp: dict[str, int]
    events: tuple[Event, ...]
    last: Record
    """The record of its last phase."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A campaign that is over."""

    info: CampaignInfo
    view: View
    """The position at the end."""
    turns: tuple[Turn, ...]
    """First to last; Setup is turn 0."""
    code: str
    """Of the link that shows the outcome to whoever holds it; for those who may see the campaign otherwise."""
    by_code: bool
    """The reader may know of the campaign only by that link."""
    film: tuple[tuple[Turn, View], ...] = ()
    """The positions at the end of some of the turns, as everyone may know them. Shared: not to be changed."""

    @property
    def for_everyone(self) -> bool:
        """Anyone may read it without the link."""
        return self.info.listed and self.info.options.spectators


def read(ctx: AppContext, actor: Actor, campaign_id: str, code: str = "", *, frames: int = 0) -> Outcome:
    """Return how a campaign ended. Raises PlayError ``not_found``, and ``wrong_status`` before its end.

    *frames* is how many turns a film of it shows at most: of more, every second one, every third ... and the last.
    """
    with ctx.database.read() as session:
        may, by_code = _enter(session, actor, campaign_id, code)
        viewer = GM if may.over else SPECTATOR  # that is everyone's, once the record is public, and until then
        view = view_at(ctx, session, may.campaign, current_record(may.campaign), viewer)
        turns = tuple(_turns(session, may, viewer))
        chosen = (*turns[: -1 : -(-len(turns) // frames)], turns[-1]) if frames else ()
        film = tuple((turn, view_at(ctx, session, may.campaign, turn.last, viewer)) for turn in chosen)
        return Outcome(info(ctx, session, actor, may), view, turns, _code(may.campaign), by_code, film)


# --- inside ---


def _enter(session: Session, actor: Actor, campaign_id: str, code: str) -> tuple[Access, bool]:
    """Return what someone is in a campaign that is over, and whether only the link lets them in."""
    campaign = session.get(Campaign, campaign_id)
    good = campaign is not None and bool(code) and hmac.compare_digest(code.encode(), _code(campaign).encode())
    may = access.load(session, actor, campaign_id, by_code=good)
    by_code = may.only_by_code
    try:
        may.require_visible()
    except PlayError:
        if not good:
            raise
        by_code = True
    if may.campaign.finished_at is None or may.campaign.position_hash is None:
        message = say("The campaign is not over yet.")
        raise PlayError("wrong_status", message, field="status", value=may.campaign.status)
    return may, by_code


def _code(campaign: Campaign) -> str:
    """Return the code of the link to a campaign's outcome."""
    return urlsafe_b64encode(hmac.digest(campaign.dice_secret, b"outcome", "sha256"))[:16].decode()


def _turns(session: Session, may: Access, viewer: str) -> Iterable[Turn]:
    """Yield the finished turns of the branch that was played to the end."""
    line, campaign_id = lineage(session, may.campaign.id, may.campaign.branch), may.campaign.id
    mine = (Phase.campaign_id == campaign_id, on_line(line, Phase), Phase.resolved_at.is_not(None))
    phases = list(session.scalars(select(Phase).where(*mine).order_by(Phase.number).options(WITH_EVENTS)))
    told = events_of(session, phases)
    stood = select(PhaseStanding).where(PhaseStanding.campaign_id == campaign_id, on_line(line, PhaseStanding))
    vp: dict[int, dict[str, int]] = {}
    for standing in session.scalars(stood.order_by(PhaseStanding.phase_number, PhaseStanding.player_id)):
        vp.setdefault(standing.phase_number, {})[standing.player_id] = standing.vp
    by_turn: dict[int, list[Phase]] = {}
    for phase in phases:
        by_turn.setdefault(phase.turn, []).append(phase)
    for turn, played in by_turn.items():
        last = played[-1]
        events = tuple(
            event
            for phase in played
            for event in told[phase.branch, phase.number]
            if event.type in TOLD and (viewer == GM or event.public)
        )
        yield Turn(turn, vp.get(last.number, {}), events, record_of(last))
