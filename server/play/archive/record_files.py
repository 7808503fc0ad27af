"""A campaign as one file: JSON, compressed; everything that is needed to replay, verify and continue it.

The file holds the campaign's secrets (dice, orders). It names no accounts: seats keep their names only.

It has rows of events, all orders, and snapshots that stand alone, which the database keeps otherwise. So it reads the
same whichever version wrote it, and a program that checks it needs zlib and JSON only.
"""

from __future__ import annotations

import base64
import zlib
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Boolean, Integer, LargeBinary, Table, Text, select
from sqlalchemy.orm import Session

from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.views.positions import reader
from server.store import phase_orders, snapshots, tables
from server.store.phase_events import EventLine
from server.store.tables.base import Base, StringListType, UtcDateTime

FORMAT, TABLE_FORMAT = "sealed-orders-campaign", "sealed-orders-table"
VERSION, WITH_SALTS = 1, 2
"""Versions of both formats; campaigns of the first have dice of scheme 1 and no rows of salts."""
MAX_BYTES = 1_000_000_000
"""The largest record that is unpacked."""
MAX_TIMES, ROOM = 50, 8_000_000
"""How many times its file's size a record may be, beyond the bytes it may have in any case; real ones are a tenth of
that. A small file that unpacks to much is made to do harm.
"""
BYTES_OF_A_VALUE = 12
"""A stranger's record has at most one value in this many of the bytes it may have; real ones have one in 15."""
STEP = 1 << 16
SIGNS = {b"PK\x03\x04": "a zip archive", b"\x1f\x8b": "a gzip file", b"\x28\xb5\x2f\xfd": "a zstd file",
         b"SQLite format 3": "a database", b"{": "plain JSON", b"\x89PNG": "a picture"}  # fmt: skip
"""How files begin that are given for a record by mistake."""

TABLES: tuple[type[Base], ...] = (
    tables.CampaignDice, tables.Seat, tables.Salt, tables.Branch, tables.Phase, tables.EventRow, tables.PhaseStanding,
    tables.OrderSet, tables.Deadline, tables.Intervention, tables.AdvanceOrders, tables.Message,
    tables.MessageRecipient, tables.Declaration, tables.BattleReport,
)  # fmt: skip
"""Whose rows are in a file, what others refer to first. The position follows from the last snapshot."""

TABLE_PARTS: tuple[type[Base], ...] = (
    tables.TableBeginningRow, tables.TableSeatRow, tables.TableActRow, tables.TableResultRow, tables.TableBattleRow,
    tables.TableProposalRow,
)  # fmt: skip
"""Tables with further rows of a tabletop game; older records lack the last two."""
TABLE_GAMES, TABLE_MISSIONS = "table_games", "table_missions"
"""What a campaign's record holds of the table; older ones do not."""
STORIES, PICTURES = "stories", "story_pictures"
"""Its chronicle; older ones have none."""

_PERSONAL = frozenset(
    {"user_id", "stand_in_user_id", "made_by", "set_by", "resolved_by", "updated_by", "gm_user_id",
     "invite_hash", "guest_id", "owner_user_id", "owner_guest_id", "address", "join_code", "watch_code"}
)  # fmt: skip
"""Columns that mean something on one server only."""

Json = dict[str, Any]


def export(ctx: AppContext, actor: Actor, campaign_id: str) -> bytes:
    """Return a campaign as a file: for everyone who may read it once it is over, for the operator at any time.

    Letters stay between those who wrote and got them: only the operator's file holds them.
    """
    with ctx.database.read() as session:
        may = reader(session, actor, campaign_id)
        if not (may.over or may.admin):
            raise PlayError("forbidden", "The record holds every secret. It can be downloaded some days after the end.")
        if may.campaign.started_at is None:
            raise PlayError("wrong_status", "The campaign has not begun.", field="status")
        return pack(_collect(session, campaign_id, letters=may.admin))


def pack(record: Json) -> bytes:
    """Return a record as the bytes of a file."""
    return zlib.compress(orjson.dumps(record, option=orjson.OPT_SORT_KEYS), 6)


def read(data: bytes, *formats: str, most: int | None = None) -> Json:
    """Return the record in a file's bytes: a campaign's, or one of the *formats*; ``bad_record`` for anything else.

    *most*: the bytes it may unpack to, else ``too_large``; then its values are counted before any is read.
    """
    try:
        unpacked = _unpacked(data, most)
        if most is not None and sum(map(unpacked.count, (b",", b"[", b"{"))) > most // BYTES_OF_A_VALUE:
            raise too_large()
        record = orjson.loads(unpacked)
    except (zlib.error, orjson.JSONDecodeError):
        sign = next((name for begins, name in SIGNS.items() if data.startswith(begins)), "something else or damaged")
        raise PlayError("bad_record", f"Not a campaign's record: it is {sign}.") from None
    if not isinstance(record, dict) or record.get("format") not in (formats or (FORMAT,)):
        raise PlayError("bad_record", "Not a campaign's record.")
    if record.get("version") not in (VERSION, WITH_SALTS):
        raise PlayError("bad_record", f"Written by another version ({record.get('version')!r}).")
    if record["format"] == FORMAT:
        if record["version"] == VERSION:
            record |= {str(table_of(model).name): [] for model in (tables.CampaignDice, tables.Salt)}
        _check_shape(record)
    return record


def too_large() -> PlayError:
    """Return the refusal of a record that only the operator may import."""
    return PlayError("too_large", "The record is too large. Ask the server's operator to import it.", field="record")


def read_file(path: str | Path, *formats: str) -> Json:
    """Return the record in a file; see :func:`read`."""
    return read(bytes_of(path), *formats)


def bytes_of(path: str | Path) -> bytes:
    """Return what is in a record's file; ``bad_record`` if it is not a file, cannot be read or is too large."""
    file = Path(path)
    try:
        if not file.is_file() and file.exists():
            raise PlayError("bad_record", f"{file}: this is no file.")
        if file.stat().st_size > MAX_BYTES:
            raise PlayError("bad_record", f"{file}: larger than a record can be.")
        return file.read_bytes()
    except OSError as error:
        raise PlayError("bad_record", f"{file}: {error.strerror}") from None


def _unpacked(data: bytes, most: int | None = None) -> bytes:
    reading, parts, size = zlib.decompressobj(), [], 0
    for at in range(0, len(data), STEP):
        parts.append(reading.decompress(data[at : at + STEP]))
        size += len(parts[-1])
        if most is not None and size > most:
            raise too_large()
        if size > min(MAX_BYTES, ROOM + MAX_TIMES * (at + STEP)):
            raise PlayError("bad_record", "Not a campaign's record: it unpacks to far more than a campaign can be.")
    if not reading.eof or reading.unused_data:
        raise PlayError("bad_record", "The file is cut off, or something follows it.")
    return b"".join(parts)


# --- rows as JSON ---


def row_to_json(table: Table, row: Any) -> Json:
    """Return a row as JSON; columns that mean something on one server only, or follow from others, are left out."""
    return {
        str(column.name): _plain(value)
        for column, value in zip(table.c, row, strict=True)
        if column.name not in _PERSONAL and column.name != "campaign_id" and "derived" not in column.info
    }


def row_from_json(table: Table, data: Json, campaign_id: str) -> Json:
    """Return the values of a row; raises ``ValueError``, ``TypeError`` or ``KeyError`` where they do not fit."""
    values: Json = {}
    column: Any
    for column in table.c:
        if column.name == "campaign_id":
            values["campaign_id"] = campaign_id
        elif column.name not in data and column.server_default is not None:  # added after the record was made
            values[column.name] = column.default.arg
        elif column.name not in data and "later" in column.info:
            values[column.name] = None
        elif column.name not in _PERSONAL and "derived" not in column.info:
            value = _typed(column.type, data[column.name])
            shape = _shapes().get((str(table.name), column.name))
            values[column.name] = value if value is None or shape is None else _fits(value, shape)
    return values


@cache
def _shapes() -> dict[tuple[str, str], type]:
    """Return which columns of JSON hold objects and which hold lists, by table and column."""
    return {
        (str(table_of(mapper.class_).name), name): dict if "dict[" in told else list
        for mapper in Base.registry.mappers
        for name, told in vars(mapper.class_).get("__annotations__", {}).items()
        if "dict[" in told or "list[" in told
    }


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
    if isinstance(type_, StringListType):
        return tuple(_fits(word, str) for word in value)
    if isinstance(type_, Text):
        return _fits(value, str)
    if isinstance(type_, Boolean):
        return _fits(value, bool)
    if isinstance(type_, Integer):
        return _fits(value, int)
    return value


def _fits(value: Any, kind: type[Any]) -> Any:
    """Return a value that is exactly of a kind, and that every database can keep."""
    wide = isinstance(value, int) and not -(2**63) <= value < 2**63
    if type(value) is not kind or wide or (isinstance(value, str) and "\0" in value):
        raise ValueError(f"not a value of its column: {type(value).__name__}")
    return value


def _collect(session: Session, campaign_id: str, *, letters: bool) -> Json:
    """Return the rows of a campaign; without *letters* only what was written to all."""
    campaigns = table_of(tables.Campaign)
    own = session.execute(select(campaigns).where(campaigns.c.id == campaign_id)).one()
    record: Json = {"format": FORMAT, "version": WITH_SALTS, "campaign": row_to_json(campaigns, own)}
    for model in TABLES:
        table = table_of(model)
        rows = session.execute(select(table).where(table.c.campaign_id == campaign_id).order_by(*table.primary_key))
        record[str(table.name)] = [row_to_json(table, row) for row in rows]
    spread_rows(record)
    if not letters:
        _keep_letters_private(record)
    games = select(tables.TableGameRow.id).where(tables.TableGameRow.campaign_id == campaign_id)
    wanted = games if letters else games.where(tables.TableGameRow.status == "closed")
    record[TABLE_GAMES] = [table_game(session, id_) for id_ in session.scalars(wanted.order_by(tables.TableGameRow.id))]
    uploads = table_of(tables.TableMissionRow)
    kept = select(uploads).where(uploads.c.campaign_id == campaign_id).order_by(uploads.c.mission)
    record[TABLE_MISSIONS] = [row_to_json(uploads, row) for row in session.execute(kept)]
    record |= _chronicle(session, campaign_id, record[TABLE_GAMES])
    return record


def _chronicle(session: Session, campaign_id: str, games: list[Json]) -> Json:
    """Return the stories of a campaign with their pictures; those of games that stay here have no game."""
    stories, pictures = table_of(tables.StoryRow), table_of(tables.StoryPictureRow)
    ours = stories.c.campaign_id == campaign_id
    told = [row_to_json(stories, row) for row in session.execute(select(stories).where(ours).order_by(stories.c.id))]
    known = {game["game"]["id"] for game in games}
    for story in told:
        story["game_id"] = story["game_id"] if story["game_id"] in known else None
    mine = pictures.c.story_id.in_(select(stories.c.id).where(ours))
    shown = session.execute(select(pictures).where(mine).order_by(pictures.c.story_id, pictures.c.number))
    return {STORIES: told, PICTURES: [row_to_json(pictures, row) for row in shown]}


def table_game(session: Session, game_id: str) -> Json:
    """Return the rows of a game on the table as JSON, without what means something on one server only."""
    games = table_of(tables.TableGameRow)
    own = session.execute(select(games).where(games.c.id == game_id)).one()
    record: Json = {"game": row_to_json(games, own)}
    for part in TABLE_PARTS:
        table = table_of(part)
        rows = session.execute(select(table).where(table.c.game_id == game_id).order_by(*table.primary_key))
        record[str(table.name)] = [row_to_json(table, row) for row in rows]
    return record


def _keep_letters_private(record: Json) -> None:
    letters, recipients = (str(table_of(model).name) for model in (tables.Message, tables.MessageRecipient))
    record[letters] = [letter for letter in record[letters] if letter["to_all"] or letter["announcement"]]
    known = {letter["id"] for letter in record[letters]}
    for letter in record[letters]:
        letter["reply_to"] = letter["reply_to"] if letter["reply_to"] in known else None
    record[recipients] = [recipient for recipient in record[recipients] if recipient["message_id"] in known]


def _check_shape(record: Json) -> None:
    if not isinstance(record.get("campaign"), dict):
        raise PlayError("bad_record", "The record has no campaign.")
    for model in TABLES:
        rows = record.get(table_of(model).name)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise PlayError("bad_record", f"The record has no {table_of(model).name}.")


def table_of(row: type[Base]) -> Table:
    """Return the table of a kind of row."""
    table = row.__table__
    assert isinstance(table, Table)
    return table


def spread_rows(record: Json) -> None:
    """Turn the rows of phases and events, as they came from the database, into those of a file."""
    known: dict[tuple[int, int], bytes] = {}
    handed_in = _handed_in(record)
    for phase in sorted(record["phases"], key=_place):
        branch, number = _place(phase)
        if phase["orders"] is not None:
            phase["orders"] = phase_orders.resolved(phase["orders"], handed_in.get((branch, number), {}))
        told = phase.pop("events") or ()
        for seq, line in enumerate(map(EventLine._make, told)):
            event = {"type": line.type, "fields": line.fields, "told": line.to, "public": line.public}
            record["events"].append({"branch": branch, "phase_number": number, "seq": seq} | event)
        if phase["snapshot"] is not None:
            known = {(branch, number): _state(phase["snapshot"], known.get((branch, number - 1)))}
            phase["snapshot"] = _text(snapshots.pack_plain(known[branch, number]))
    record["events"].sort(key=lambda event: (event["branch"], event["phase_number"], event["seq"]))
    for edit in record["interventions"]:
        if edit["snapshot"] is not None:
            edit["snapshot"] = _text(snapshots.pack_plain(_state(edit["snapshot"], None)))


def with_rows_packed(record: Json) -> Json:
    """Return a record with the rows of phases and events as the database keeps them."""
    told: dict[tuple[int, int], list[Any]] = {}
    for event in sorted(record["events"], key=lambda row: int(row["seq"])):
        line = EventLine(event["type"], event["fields"], event["told"], event["public"])
        told.setdefault((event["branch"], event["phase_number"]), []).append(list(line))
    phases, known = [], dict[tuple[int, int], bytes]()
    handed_in = _handed_in(record)
    for phase in sorted(record["phases"], key=_place):
        branch, number = _place(phase)
        kept = phase["snapshot"]
        if kept is not None:
            state = _state(kept, None)
            before = None if snapshots.stands_alone(number) else known.get((branch, number - 1))
            known, kept = {(branch, number): state}, _text(snapshots.pack(state, before))
        if phase["resolved_at"] is None:
            phases.append(phase | {"snapshot": kept, "events": None})
            continue
        sets = handed_in.get((branch, number), {})
        if None in phase["orders"].values():
            raise ValueError("orders that are none")
        as_handed_in = [player for player, given in phase["orders"].items() if given == sets.get(player)]
        orders = phase_orders.column_of(phase["orders"], as_handed_in)
        events = told.pop((branch, number), [])
        phases.append(phase | {"snapshot": kept, "orders": orders, "events": events})
    if told:
        raise ValueError("events of phases that are not finished")
    edits = [
        edit if edit["snapshot"] is None else edit | {"snapshot": _text(snapshots.pack(_state(edit["snapshot"], None)))}
        for edit in record["interventions"]
    ]
    return record | {"phases": phases, "events": [], "interventions": edits}


def _handed_in(record: Json) -> dict[tuple[int, int], dict[str, list[Any]]]:
    """Return the orders of the order sets by branch and phase, and player."""
    found: dict[tuple[int, int], dict[str, list[Any]]] = {}
    for row in record["order_sets"]:
        found.setdefault((row["branch"], row["phase_number"]), {})[row["player_id"]] = row["orders"]
    return found


def _place(phase: Json) -> tuple[int, int]:
    return int(phase["branch"]), int(phase["number"])


def _state(kept: str, before: bytes | None) -> bytes:
    return snapshots.unpack(base64.b64decode(kept, validate=True), before)


def _text(snapshot: bytes) -> str:
    return base64.b64encode(snapshot).decode()
