"""The game master lets an open campaign use the newest rules version from its next turn."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import access, text_input
from server.play.access import Access
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, invalid
from server.play.game_masters.game_master import MAX_REASON_LENGTH, Edit
from server.play.notices.notices import Notices
from server.play.records.records import note_intervention, note_position, open_phase, state_at
from server.rules.state import State
from server.rules.versions import NEWEST, VERSIONS
from server.store.position import save_position
from server.store.tables import Intervention

KIND = "readings"
"""What the log of interventions calls it."""


def choose(ctx: AppContext, actor: Actor, campaign_id: str, version: int, why: str = "") -> Edit:
    """Let the campaign use a later rules version from its next turn; 0: keep the current one.

    Nothing else changes: orders stay, and stay final. All players are notified. Raise ``invalid_request`` for a version
    that does not exist or is not later than the campaign's own.
    """
    actor.require("gm")
    reason = text_input.lines(why, "why", MAX_REASON_LENGTH)
    with ctx.database.write() as session:
        may = access.load_exclusive(session, actor, campaign_id).require_gm()
        now_open = open_phase(session, may.campaign)
        if now_open is None or may.campaign.status not in access.UNDER_WAY:
            raise PlayError("phase_closed")
        before = state_at(ctx, session, may.campaign, now_open.record)
        _check(version, before.settings.readings)
        after = with_next(before, version)
        made = note_intervention(session, may.campaign, actor, KIND, reason, ctx.now(), version=version)
        note_position(may.campaign, made, {"version": version}, after)
        save_position(session, campaign_id, before, after)
        may.campaign.revision += 1
        _announce(session, ctx, may, made, version)
        return Edit(now_open.phase.number, made.seq, made.state_hash or "", made.chain_hash or "")


def with_next(state: State, version: int) -> State:
    """Return the state with the version that its next turn begins with; *state* itself stays as it was."""
    after = state.copy()
    after.settings = replace(state.settings, next_readings=version)
    return after


def _check(version: int, current: int) -> None:
    if version and (type(version) is not int or version not in VERSIONS or version <= current):
        later = [str(number) for number in VERSIONS if number > current]
        if not later:
            raise invalid(
                "version", say("The campaign has the newest readings: version {n}.", n=NEWEST.version), version
            )
        raise invalid("version", say("One of: {words}.", words=", ".join(["0", *later])), version)


def _announce(session: Session, ctx: AppContext, may: Access, made: Intervention, version: int) -> None:
    notices = Notices(session, may.campaign, ctx.now())
    key = f"readings/{made.branch}/{made.phase_number}/{made.seq}"
    notices.everybody("new_readings", key, access.seats_of(session, may.campaign.id), version=version)
    notices.send()
