"""The agenda of campaigns: the times in their rows, and how the agenda follows them.

============== ==========================================================================================
``deadline``   the open phase of a running campaign has one; not while a phase waits without end
``ready``      everyone with orders due is final, so the phase ends at once
``warning``    the next warning before the deadline that nobody has seen to
``start``      the campaign starts at a time that was set
``vote``       an open vote ends; at once if the campaign is over
``abandoned``  all players have left, and the campaign ends for that
``succession`` the successor's patience ends, if nobody who runs the campaign comes; never later than that
``removal``    it was deleted: from then on the grace counts
``publication`` it is over, and its record is sealed: from then on the seal counts
============== ==========================================================================================

It listens to every session (:mod:`server.store.derived`), so whoever works on campaigns imports this:
:mod:`server.play.access` does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Exists, and_, exists, func, select
from sqlalchemy.orm import Session

from server.play.options import Options, stored_options
from server.store.derived import MISSING, Derived, Key
from server.store.groups import GIVEN, of_given
from server.store.tables import (
    NOT_FINISHED,
    UNDER_WAY,
    AgendaRow,
    Campaign,
    CampaignDice,
    GameMaster,
    OrderSet,
    Outbox,
    Phase,
    Seat,
    SeatReader,
    Visit,
    Vote,
)

DEADLINE, READY, WARNING, START, VOTE = "deadline", "ready", "warning", "start", "vote"
ABANDONED, SUCCESSION, REMOVAL, PUBLICATION = "abandoned", "succession", "removal", "publication"
KINDS = (DEADLINE, READY, WARNING, START, VOTE, ABANDONED, SUCCESSION, REMOVAL, PUBLICATION)

_CAUSES: Mapping[type[Any], tuple[str, ...]] = {
    Campaign: ("status", "branch", "phase_number", "deadline", "options", "started_at", "finished_at", "deleted_at",
               "gm_user_id"),
    CampaignDice: ("published_at",),
    GameMaster: ("role", "since"),
    OrderSet: ("wanted", "final"),
    Phase: ("opened_at", "deadline", "resolved_at"),
    Seat: ("user_id",),
    SeatReader: ("player_id", "until"),
    Vote: ("outcome", "ends_at"),
}  # fmt: skip
"""The columns that the agenda follows from."""


def entries(session: Session, campaign_ids: Sequence[str]) -> dict[Key, datetime]:
    """Return the due times of some campaigns by their rows; nothing of campaigns that no longer exist."""
    found: dict[Key, datetime] = {}
    warnings: dict[str, list[tuple[str, datetime]]] = {}
    for row in session.execute(_FACTS, {"of": campaign_ids}):
        facts = _Facts(row)
        for kind, at in facts.due():
            found[row.id, kind] = at
        if notes := facts.warnings():
            warnings[row.id] = notes
    for campaign_id, at in _next_warnings(session, warnings):
        found[campaign_id, WARNING] = at
    for campaign_id, at in _successions(session, campaign_ids):
        found[campaign_id, SUCCESSION] = at
    return found


def warning_key(campaign_id: str, branch: int, number: int, deadline: datetime, hours: int) -> str:
    """Return what a warning is noted under in the outbox, which takes nothing twice."""
    return f"warned/{campaign_id}/{branch}/{number}/{deadline.timestamp():.0f}/{hours}"


def warning_times(options: Options, opened_at: datetime, deadline: datetime) -> Iterator[tuple[int, datetime]]:
    """Yield how many hours before a deadline players are warned, and when that is; not before the phase opened."""
    for hours in options.warn_hours:
        at = deadline - timedelta(hours=hours)
        if opened_at < at:
            yield hours, at


def waits_for_orders(phase: Phase | type[Phase]) -> Exists:
    """Return the condition that someone with orders due has not finalised them.

    Of a phase, or of those of a query.
    """
    return exists().where(
        OrderSet.campaign_id == phase.campaign_id,
        OrderSet.branch == phase.branch,
        OrderSet.phase_number == phase.number,
        OrderSet.wanted,
        ~OrderSet.final,
    )


def _same(key: Key, said: Any, has: Any) -> bool:
    if key[1] == SUCCESSION and MISSING not in (said, has):
        return bool(has <= said)  # visits are not followed: the agenda asks again when its time has come
    return bool(said == has)


# --- what rows say ---


def _facts() -> Any:
    """Return the statement for campaigns with what their agenda follows from, but for warnings and successors."""
    now_open = (Phase.branch == Campaign.branch, Phase.number == Campaign.phase_number, Phase.resolved_at.is_(None))
    vote = select(func.min(Vote.ends_at)).where(of_given(Vote), Vote.outcome == "")
    asked = select(func.min(Vote.made_at)).where(of_given(Vote), Vote.outcome == "")
    left = select(func.max(SeatReader.until)).where(of_given(SeatReader), SeatReader.player_id != "")
    columns: list[Any] = [
        Campaign.id, Campaign.status, Campaign.options, Campaign.started_at, Campaign.finished_at, Campaign.deleted_at,
        Phase.branch, Phase.number, Phase.phase, Phase.opened_at, Phase.deadline,
        waits_for_orders(Phase).where(of_given(OrderSet)).label("waits"), vote.scalar_subquery().label("vote"),
        asked.scalar_subquery().label("vote_made"), left.scalar_subquery().label("left_at"),
        exists().where(of_given(Seat), Seat.user_id.is_not(None)).label("sits"),
        exists().where(of_given(CampaignDice), CampaignDice.published_at.is_(None)).label("sealed"),
    ]  # fmt: skip
    return (
        select(*columns)
        .select_from(Campaign)
        .outerjoin(Phase, and_(of_given(Phase), *now_open))
        .where(Campaign.id.in_(GIVEN))
    )


_FACTS = _facts()


class _Facts:
    """A campaign's row, with what belongs to it."""

    def __init__(self, row: Any) -> None:
        self.row = row
        self.options = stored_options(row.options)

    def due(self) -> Iterator[tuple[str, datetime]]:
        """Yield what is due and when."""
        row, options = self.row, self.options
        if row.status == "running" and row.opened_at is not None:
            if row.deadline is not None:
                yield DEADLINE, row.deadline
            if not row.waits and (row.deadline is None or options.ends_early(row.phase)):
                yield READY, row.opened_at
        if row.status == "open" and options.starts_at is not None:
            yield START, options.starts_at
        if row.vote is not None:
            yield VOTE, row.vote if row.status in UNDER_WAY else row.vote_made
        since = row.left_at or row.started_at
        if row.status in UNDER_WAY and not row.sits and not options.practice and options.abandoned_days and since:
            yield ABANDONED, since + timedelta(days=options.abandoned_days)
        if row.status == "deleted" and row.deleted_at is not None:
            yield REMOVAL, row.deleted_at
        if row.finished_at is not None and row.sealed:
            yield PUBLICATION, row.finished_at

    def warnings(self) -> list[tuple[str, datetime]]:
        """Return the warnings before the deadline, with the keys that note them."""
        row = self.row
        if row.status != "running" or row.opened_at is None or row.deadline is None:
            return []
        times = warning_times(self.options, row.opened_at, row.deadline)
        return [(warning_key(row.id, row.branch, row.number, row.deadline, hours), at) for hours, at in times]


def _next_warnings(
    session: Session, warnings: Mapping[str, list[tuple[str, datetime]]]
) -> Iterator[tuple[str, datetime]]:
    """Yield by campaign the first warning that nobody has seen to."""
    keys = [key for notes in warnings.values() for key, _ in notes]
    done = set(session.scalars(select(Outbox.dedupe).where(Outbox.dedupe.in_(keys)))) if keys else set()
    for campaign_id, notes in warnings.items():
        left = [at for key, at in notes if key not in done]
        if left:
            yield campaign_id, min(left)


def _successions(session: Session, campaign_ids: Sequence[str]) -> Iterator[tuple[str, datetime]]:
    """Yield when successors take over if nobody who runs the campaign comes until then."""
    sits = exists().where(of_given(Seat), Seat.user_id == GameMaster.user_id)
    columns = (GameMaster.campaign_id, GameMaster.user_id, GameMaster.role, GameMaster.since, Campaign.gm_user_id,
               Campaign.options, sits.label("sits"))  # fmt: skip
    query = select(*columns).join(Campaign, of_given(GameMaster))
    mine = (Campaign.id.in_(GIVEN), Campaign.status.in_(NOT_FINISHED))
    by_campaign: dict[str, list[Any]] = defaultdict(list)
    for row in session.execute(query.where(*mine), {"of": campaign_ids}):
        by_campaign[row.campaign_id].append(row)
    with_successor = {
        campaign_id: rows for campaign_id, rows in by_campaign.items() if any(row.role == "successor" for row in rows)
    }
    if not with_successor:
        return
    run = {
        campaign_id: {rows[0].gm_user_id, *(row.user_id for row in rows if row.role == "partner")} - {None}
        for campaign_id, rows in with_successor.items()
    }
    everyone = set[str]().union(*run.values())
    seen = dict(session.execute(select(Visit.user_id, Visit.last_seen_at).where(Visit.user_id.in_(everyone))).all())
    for campaign_id, rows in with_successor.items():
        successor = next(row for row in rows if row.role == "successor")
        options = stored_options(successor.options)
        visits = [at for user_id in run[campaign_id] if (at := seen.get(user_id)) is not None]
        if options.successor_days and (options.gm_plays or not successor.sits):
            yield campaign_id, max([successor.since, *visits]) + timedelta(days=options.successor_days)


AGENDA = Derived(AgendaRow, _CAUSES, entries, _same)
"""The table, and how it is written."""
