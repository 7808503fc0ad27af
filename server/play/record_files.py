"""A campaign as one file: JSON, compressed; everything that is needed to replay, verify and go on with it.

The file holds the campaign's secrets (dice, orders). It names no accounts: seats keep their names only.
"""

from __future__ import annotations

import base64
import zlib
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import LargeBinary, Table, select
from sqlalchemy.orm import Session

from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.positions import reader
from server.store import tables
from server.store.tables.base import Base, UtcDateTime, WordList

FORMAT, VERSION = "sealed-orders-campaign", 1
MAX_BYTES = 1_000_000_000
"""The largest record that is unpacked."""
MAX_TIMES, ROOM = 50, 8_000_000
"""How many times its file's size a record may be, beyond the bytes it may have in any case; real ones are a tenth of
that. A small file that unpacks to much is made to do harm.
"""
STEP = 1 << 16
SIGNS = {b"PK\x03\x04": "a zip archive", b"\x1f\x8b": "a gzip file", b"\x28\xb5\x2f\xfd": "a zstd file",
         b"SQLite format 3": "a database", b"{": "plain JSON", b"\x89PNG": "a picture"}  # fmt: skip
"""How files begin that are given for a record by mistake."""

TABLES: tuple[type[Base], ...] = (
    tables.Seat, tables.Branch, tables.Phase, tables.EventRow, tables.PhaseStanding, tables.OrderSet, tables.Deadline,
    tables.Intervention, tables.AdvanceOrders, tables.Message, tables.MessageRecipient, tables.Declaration,
    tables.BattleReport,
)  # fmt: skip
"""Whose rows are in a file, what others refer to first. The position follows from the last snapshot."""

_PERSONAL = frozenset(
    {"user_id", "stand_in_user_id", "made_by", "set_by", "resolved_by", "updated_by", "mail_key", "gm_user_id",
     "invite_hash"}
)  # fmt: skip
"""Columns that mean something on one server only."""

Json = dict[str, Any]


def export(ctx: AppContext, actor: Actor, campaign_id: str) -> bytes:
    """Return a campaign as a file: for everybody who may read it once it is over, for the operator at any time.

    Letters stay between those who wrote and got them: only the operator's file holds them.
    """
    with ctx.database.read() as session:
        may = reader(session, actor, campaign_id)
        if not (may.over or may.admin):
            raise PlayError("forbidden", "A record holds every secret: it is given out when the campaign is over.")
        if may.campaign.started_at is None:
            raise PlayError("wrong_status", "The campaign has not begun.", field="status")
        return pack(_collect(session, campaign_id, letters=may.admin))


def pack(record: Json) -> bytes:
    """Return a record as the bytes of a file."""
    return zlib.compress(orjson.dumps(record, option=orjson.OPT_SORT_KEYS), 6)


def read(data: bytes) -> Json:
    """Return the record in a file's bytes; ``bad_record`` for anything else."""
    try:
        record = orjson.loads(_unpacked(data))
    except (zlib.error, orjson.JSONDecodeError):
        sign = next((name for begins, name in SIGNS.items() if data.startswith(begins)), "something else or damaged")
        raise PlayError("bad_record", f"Not a campaign's record: it is {sign}.") from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise PlayError("bad_record", "Not a campaign's record.")
    if record.get("version") != VERSION:
        raise PlayError("bad_record", f"Written by another version ({record.get('version')!r}).")
    _check_shape(record)
    return record


def read_file(path: str | Path) -> Json:
    """Return the record in a file."""
    return read(bytes_of(path))


def bytes_of(path: str | Path) -> bytes:
    """Return what is in a record's file; ``bad_record`` for what is no file, cannot be read or is too large."""
    file = Path(path)
    try:
        if not file.is_file() and file.exists():
            raise PlayError("bad_record", f"{file}: this is no file.")
        if file.stat().st_size > MAX_BYTES:
            raise PlayError("bad_record", f"{file}: larger than a record can be.")
        return file.read_bytes()
    except OSError as error:
        raise PlayError("bad_record", f"{file}: {error.strerror}") from None


def _unpacked(data: bytes) -> bytes:
    reading, parts, size = zlib.decompressobj(), [], 0
    for at in range(0, len(data), STEP):
        parts.append(reading.decompress(data[at : at + STEP]))
        size += len(parts[-1])
        if size > min(MAX_BYTES, ROOM + MAX_TIMES * (at + STEP)):
            raise PlayError("bad_record", "Not a campaign's record: it unpacks to far more than a campaign can be.")
    if not reading.eof or reading.unused_data:
        raise PlayError("bad_record", "The file is cut off, or something follows it.")
    return b"".join(parts)


# --- rows as JSON ---


def row_to_json(table: Table, row: Any) -> Json:
    """Return a row as JSON; columns that mean something on one server only are left out."""
    return {
        str(name): _plain(value)
        for name, value in zip(table.c.keys(), row, strict=True)
        if name not in _PERSONAL and name != "campaign_id"
    }


def row_from_json(table: Table, data: Json, campaign_id: str) -> Json:
    """Return the values of a row; raises ``ValueError``, ``TypeError`` or ``KeyError`` where they do not fit."""
    values: Json = {}
    for column in table.c:
        if column.name == "campaign_id":
            values["campaign_id"] = campaign_id
        elif column.name not in _PERSONAL:
            values[column.name] = _typed(column.type, data[column.name])
    return values


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else value


def _typed(type_: Any, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(type_, LargeBinary):
        return base64.b64decode(value, validate=True)
    if isinstance(type_, UtcDateTime):
        instant = datetime.fromisoformat(value)
        if instant.tzinfo is None:
            raise ValueError("a time without a time zone")
        return instant
    if isinstance(type_, WordList):
        return tuple(value)
    return value


def _collect(session: Session, campaign_id: str, *, letters: bool) -> Json:
    """Return the rows of a campaign; without *letters* only what was written to all."""
    campaigns = table_of(tables.Campaign)
    own = session.execute(select(campaigns).where(campaigns.c.id == campaign_id)).one()
    record: Json = {"format": FORMAT, "version": VERSION, "campaign": row_to_json(campaigns, own)}
    for each in TABLES:
        table = table_of(each)
        rows = session.execute(select(table).where(table.c.campaign_id == campaign_id).order_by(*table.primary_key))
        record[str(table.name)] = [row_to_json(table, row) for row in rows]
    if not letters:
        _keep_letters_private(record)
    return record


def _keep_letters_private(record: Json) -> None:
    letters, recipients = (str(table_of(each).name) for each in (tables.Message, tables.MessageRecipient))
    record[letters] = [each for each in record[letters] if each["to_all"] or each["announcement"]]
    known = {each["id"] for each in record[letters]}
    for each in record[letters]:
        each["reply_to"] = each["reply_to"] if each["reply_to"] in known else None
    record[recipients] = [each for each in record[recipients] if each["message_id"] in known]


def _check_shape(record: Json) -> None:
    if not isinstance(record.get("campaign"), dict):
        raise PlayError("bad_record", "The record has no campaign.")
    for each in TABLES:
        rows = record.get(table_of(each).name)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise PlayError("bad_record", f"The record has no {table_of(each).name}.")


def table_of(row: type[Base]) -> Table:
    """Return the table of a kind of row."""
    table = row.__table__
    assert isinstance(table, Table)
    return table
