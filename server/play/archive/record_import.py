"""Bringing a campaign from another server: only what can be verified, under its own id, with the same hashes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from time import thread_time
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from server.core.errors import RulesError
from server.play import access
from server.play.agenda import AGENDA
from server.play.archive import table_record as record_of_a_table
from server.play.archive.record_files import (
    PICTURES,
    STORIES,
    TABLE_GAMES,
    TABLE_MISSIONS,
    TABLE_PARTS,
    TABLES,
    Json,
    read,
    row_from_json,
    table_of,
    with_rows_packed,
)
from server.play.archive.verification import verify_record
from server.play.campaigns.campaign_info import CampaignInfo, info
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.game_data import game_data_of
from server.play.messages.pictures import reencode
from server.play.records.records import (
    Record,
    current_record,
    open_record,
    phase_on,
    record_of,
    set_phase,
    set_position,
    written_at,
)
from server.play.tables.setting_up import CODE_LENGTH
from server.rules.codec import decode
from server.scenarios.problems import MapError
from server.store.errors import StorageError
from server.store.memberships import MEMBERSHIPS
from server.store.position import save_position
from server.store.snapshots import DamagedSnapshot
from server.store.tables import Campaign, Intervention, Phase, StoryPictureRow, StoryRow, TableGameRow, TableMissionRow
from server.store.tables.base import Base, new_id

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MISFITS = (
    KeyError, TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError, DamagedSnapshot,
    SQLAlchemyError, MapError, RulesError,
)  # fmt: skip
"""Raised if the rows of a file do not fit together, or into their columns."""
_STATUSES = ("running", "paused", "finished", "archived")


class _TakesTooLong(Exception):
    """Playing a record again keeps the server busy for longer than its importer may."""


def import_(
    ctx: AppContext, actor: Actor, data: bytes, *, progress: Callable[[int, int], None] | None = None
) -> CampaignInfo:
    """Bring a campaign in. Its seats are empty, the importer is the GM; one that runs is paused.

    A record made before a table was added has nothing of it.

    Every phase is played once more: for an account that is not an admin, at most as long as ``import_seconds`` says,
    and the record unpacks to no more than ``import_unpacked``.

    The owner of the file knows its dice. So only the server's operator may bring in a campaign that runs, and one
    that is over is public at once, whatever the file says of it: nobody goes back in it.
    """
    actor.require("gm")
    record = read(data, most=None if actor.admin else ctx.settings.import_unpacked)
    status = record["campaign"].get("status")
    if status not in _STATUSES:
        raise PlayError("bad_record", "The campaign has not begun, or was deleted.")
    if status in access.UNDER_WAY and not actor.admin:
        raise PlayError("forbidden", "Only the server's operator brings in a campaign that is not over.")
    campaign_id = record["campaign"].get("id")
    if not isinstance(campaign_id, str) or not _ID.fullmatch(campaign_id):
        raise PlayError("bad_record", "The record does not say which campaign it is of.")
    with ctx.database.read() as session:
        if session.get(Campaign, campaign_id) is not None:
            raise PlayError("already_here")
    try:
        report = verify_record(record, _in_time(ctx, actor, progress), now=ctx.now())
    except _TakesTooLong:
        message = "The record takes too long to play again. Ask the server's operator to import it."
        raise PlayError("too_large", message, field="record") from None
    if report.first is not None:
        where = f"phase {report.first.number} of branch {report.first.branch}"
        raise PlayError("bad_record", f"{where}: {report.first.message}")
    for game in record.get(TABLE_GAMES, []):
        table = record_of_a_table.verify(game)
        if table.first is not None:
            raise PlayError("bad_record", f"table game {table.game}: {table.first.message}")
    try:
        return _store(ctx, actor, record)
    except _MISFITS as error:
        if isinstance(error, StorageError):
            raise
        raise PlayError("bad_record", f"The record does not fit: {type(error).__name__}.") from None


def _in_time(
    ctx: AppContext, actor: Actor, progress: Callable[[int, int], None] | None
) -> Callable[[int, int], None] | None:
    """Return what ends an import that keeps its thread busy for too long; else as *progress* is."""
    if actor.admin:
        return progress
    started = thread_time()

    def look(done: int, total: int) -> None:
        if thread_time() - started > ctx.settings.import_seconds:
            raise _TakesTooLong
        if progress is not None:
            progress(done, total)

    return look


def _store(ctx: AppContext, actor: Actor, record: Json) -> CampaignInfo:
    with ctx.database.write() as session:
        values = row_from_json(table_of(Campaign), record["campaign"], "")
        campaign_id = str(values["id"])
        if values["status"] == "running":
            values |= {"status": "paused", "paused_at": ctx.now()}
        values |= {"gm_user_id": actor.user_id, "listed": False, "deleted_at": None, **_ended(values, ctx.now())}
        session.execute(insert(table_of(Campaign)), [values])
        AGENDA.touch(session, campaign_id)
        MEMBERSHIPS.touch(session, campaign_id)
        packed = with_rows_packed(record)
        for model in TABLES:
            _put(session, model, packed.get(str(table_of(model).name), []), campaign_id)
        _put_tables(session, record, campaign_id)
        campaign = session.get_one(Campaign, campaign_id)
        _point(session, campaign)
        if campaign.finished_at is not None:
            open_record(session, campaign, ctx.now())
        world = game_data_of(ctx, campaign)
        state = decode(written_at(session, campaign_id, current_record(campaign)), world.board, world.ruleset)
        save_position(session, campaign_id, None, state)
        return info(ctx, session, actor, access.load(session, actor, campaign_id))


def _put(session: Session, model: type[Base], rows: Sequence[Json], campaign_id: str) -> list[Json]:
    """Bring in rows of a table; return their values."""
    values = [row_from_json(table_of(model), row, campaign_id) for row in rows]
    if values and "reply_to" in values[0]:  # what an answer refers to comes before it
        values.sort(key=lambda row: row["sent_at"])
    if values:
        session.execute(insert(table_of(model)), values)
    return values


def _ended(values: Json, now: datetime) -> Json:
    """Return when a campaign ended and was put away, as its status says; a time to come is none."""
    over = values["status"] not in access.UNDER_WAY
    finished = min(values["finished_at"] or now, now) if over else None
    archived = min(values["archived_at"] or now, now) if values["status"] == "archived" else None
    return {"finished_at": finished, "archived_at": archived}


def _put_tables(session: Session, record: Json, campaign_id: str) -> None:
    """Bring in the games on the table and the club's missions. Sides are empty; there are new codes for them."""
    for game in record.get(TABLE_GAMES, []):
        own = row_from_json(table_of(TableGameRow), game["game"], campaign_id)
        own |= {"join_code": new_id()[:CODE_LENGTH], "watch_code": new_id()}
        session.execute(insert(table_of(TableGameRow)), [own])
        for part in TABLE_PARTS:
            _put(session, part, game.get(str(table_of(part).name), []), campaign_id)
    _put(session, TableMissionRow, record.get(TABLE_MISSIONS, []), campaign_id)
    known = {story["id"] for story in _put(session, StoryRow, record.get(STORIES, []), campaign_id)}
    for picture in record.get(PICTURES, []):
        _put_picture(session, row_from_json(table_of(StoryPictureRow), picture, campaign_id), known)


def _put_picture(session: Session, picture: dict[str, Any], stories: set[str]) -> None:
    """Bring in a picture: made again, as one that someone sends."""
    if picture["story_id"] not in stories:
        raise ValueError("a picture of no story")
    try:
        made = reencode(picture["content"])
    except PlayError as error:
        raise ValueError(error.message) from error
    picture |= {"content": made.content, "width": made.width, "height": made.height}
    session.execute(insert(table_of(StoryPictureRow)), [picture])


def _point(session: Session, campaign: Campaign) -> None:
    """Find out where the campaign stands from its phases and edits: files of records do not say it."""
    phase = session.get_one(Phase, (campaign.id, campaign.branch, campaign.phase_number))
    is_open = phase.resolved_at is None
    set_phase(campaign, phase, phase.deadline if is_open and campaign.finished_at is None else None)
    mine = (Intervention.campaign_id == campaign.id, Intervention.branch == phase.branch,
            Intervention.phase_number == phase.number, Intervention.chain_hash.is_not(None))  # fmt: skip
    edits = select(Intervention).where(*mine).order_by(Intervention.seq.desc()).limit(1)
    if is_open and (edit := session.scalars(edits).first()) is not None:
        found = Record(edit.branch, edit.phase_number, edit.seq, edit.state_hash or "", edit.chain_hash or "")
    else:
        number = phase.number - 1 if is_open else phase.number
        holds = phase_on(session, campaign.id, campaign.branch, number)
        if holds is None or holds.state_hash is None:
            raise LookupError(f"the campaign {campaign.id} has no record of phase {number}")
        found = record_of(holds)
    set_position(campaign, found)
    session.flush()
