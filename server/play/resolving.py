"""Resolving phases: each once, whoever asks and however many ask at once.

What goes into a phase is gathered, the rules run outside of any transaction, and the result is written by whoever
then claims the campaign and finds that everything is still as it was gathered. The key of the next phase's row
makes a second result impossible even so.
"""

from __future__ import annotations

import time
from datetime import datetime

import orjson
import structlog
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from server.play.context import Play
from server.play.engine import Job, Outcome, is_long, outcome_of, resolve_bytes, resolve_here
from server.play.gathering import Gathered, due_reason, gather
from server.play.worlds import world_of
from server.play.writing import Written, write_down
from server.rules.codec import encode
from server.store.database import claim_campaign
from server.store.tables import Campaign

MOST_TRIES = 5
"""Times that orders may change while a phase is being resolved; then it is resolved with the campaign claimed."""
MOST_IN_A_ROW = 12
"""Phases resolved one after the other when nobody has anything to order; the ticker goes on from there."""

_log = structlog.get_logger("server.play")


def resolve_when_due(play: Play, campaign_id: str) -> None:
    """Have the open phase resolved if it is due: now, or soon where the server resolves in the background."""
    with play.database.read() as session:
        campaign = session.get(Campaign, campaign_id)
        if campaign is None or due_reason(session, campaign, play.now()) is None:
            return
    play.background.soon(f"resolve/{campaign_id}", lambda: resolve_due(play, campaign_id))


def resolve_due(play: Play, campaign_id: str) -> int:
    """Resolve the open phase, and those after it that wait for nobody; returns how many were resolved here."""
    count = 0
    while count < MOST_IN_A_ROW and resolve_once(play, campaign_id) is not None:
        count += 1
    return count


def resolve_once(
    play: Play, campaign_id: str, *, by_gm: str | None = None, number: int | None = None
) -> Written | None:
    """Resolve the open phase if it is due, or because the GM *by_gm* says so; None if there was nothing to do.

    *number* is the phase that is meant; another one stays as it is.
    """
    for attempt in range(MOST_TRIES + 1):
        with play.database.read() as session:
            found = _gathered(play, session, session.get(Campaign, campaign_id), play.now(), by_gm, number)
        if found is None:
            return None
        begun = time.perf_counter()
        outcome = _resolve(play, found)
        took = time.perf_counter() - begun
        try:
            with play.database.write() as session:
                again = _claimed(play, session, campaign_id, by_gm, number)
                if again is None:
                    return None
                if again.fingerprint != found.fingerprint:
                    if attempt < MOST_TRIES:
                        continue
                    begun = time.perf_counter()
                    outcome = _resolve(play, again)
                    took = time.perf_counter() - begun
                done = write_down(session, again, outcome, play.now(), by=by_gm, took=took)
        except IntegrityError:
            _log.warning("resolved elsewhere", campaign_id=campaign_id)
            return None
        play.caches.states.put((campaign_id, done.state_hash), outcome.state)
        _log.info(
            "resolved", campaign_id=campaign_id, branch=done.branch, phase=done.number, why=done.why,
            ms=round(took * 1000),
        )  # fmt: skip
        return done
    return None


def _claimed(play: Play, session: Session, campaign_id: str, by_gm: str | None, number: int | None) -> Gathered | None:
    campaign = claim_campaign(session, campaign_id, wait=True)
    return _gathered(play, session, campaign, play.now(), by_gm, number)


def _gathered(
    play: Play, session: Session, campaign: Campaign | None, now: datetime, by_gm: str | None, number: int | None
) -> Gathered | None:
    if campaign is None:
        return None
    found = gather(play, session, campaign, now, by_gm=by_gm is not None)
    if found is None or (number is not None and found.phase.number != number):
        return None
    world_of(play, campaign)  # what is loaded only when asked for is asked for while the session is open
    if play.background.processes and is_long(found.before):
        _ = campaign.board, campaign.ruleset_data
    return found


def _resolve(play: Play, found: Gathered) -> Outcome:
    if not (play.background.processes and is_long(found.before)):
        return resolve_here(found.before, found.orders, found.seed)
    campaign = found.campaign
    job = Job(
        campaign.scenario_id, orjson.dumps(campaign.board), campaign.ruleset_id, orjson.dumps(campaign.ruleset_data),
        encode(found.before), orjson.dumps(found.orders), found.seed,
    )  # fmt: skip
    written, told = play.background.compute(resolve_bytes, job, long=True)
    return outcome_of(written, told, world_of(play, campaign))
