"""Orders, problems and events as bytes, where they were JSON texts of compressed bytes before: a quarter less."""

from __future__ import annotations

import base64
import json
import zlib
from importlib import resources
from typing import Any

import sqlalchemy as sa
import zstandard
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

COLUMNS = (("order_sets", ("orders",), False), ("phases", ("orders", "problems", "events"), True))
"""Tables, their columns, whether these may be empty."""
PHASES = sa.table("phases", *map(sa.column, ("campaign_id", "branch", "number", "orders", "snapshot")))
ORDER_SETS = sa.table("order_sets", *map(sa.column, ("campaign_id", "branch", "phase_number", "player_id", "orders")))
SIGN = b"\x28\xb5\x2f\xfd"
"""How a frame of zstandard begins."""
ALONE, AFTER = b"\x01", b"\x02"
"""How a snapshot begins that stands alone, or that is packed upon the state before it; others are zlib."""
JSON_TEXT, BYTES = sa.JSON(none_as_null=True), sa.LargeBinary()


def upgrade() -> None:
    """Turn texts into what they are of, bytes; what was not compressed becomes the bytes of its JSON."""
    _retype(
        JSON_TEXT, BYTES, _packed,
        "CASE WHEN json_typeof({0}) = 'string' THEN decode({0} #>> '{{}}', 'base64')"
        " ELSE convert_to({0}::text, 'UTF8') END",
    )  # fmt: skip


def downgrade() -> None:
    """Make texts again, of whole orders, and have every eighth snapshot stand alone, as the program expects it then."""
    _fill_in_orders(op.get_bind())
    _make_stand_alone(op.get_bind())
    _retype(
        BYTES, JSON_TEXT, _text,
        f"CASE WHEN encode(substring({{0}} from 1 for 4), 'hex') = '{SIGN.hex()}'"
        " THEN to_json(translate(encode({0}, 'base64'), E'\\n', '')) ELSE convert_from({0}, 'UTF8')::json END",
    )  # fmt: skip


def _retype(before: Any, after: Any, convert: Any, on_postgresql: str) -> None:
    """Change the columns' type and what stands in them: by a function of ours on SQLite, by an expression elsewhere."""
    bind = op.get_bind()
    if bind.dialect.name != "sqlite":
        for table, columns, nullable in COLUMNS:
            for column in columns:
                using = on_postgresql.format(column)
                op.alter_column(
                    table, column, existing_type=before, type_=after, existing_nullable=nullable, postgresql_using=using
                )
        return
    bind.connection.driver_connection.create_function("converted", 1, convert, deterministic=True)
    for table, columns, nullable in COLUMNS:
        with op.batch_alter_table(table, recreate="always") as batch:
            for column in columns:
                batch.alter_column(column, existing_type=before, type_=after, existing_nullable=nullable)
        changes = ", ".join(f"{column} = converted({column})" for column in columns)
        bind.exec_driver_sql(f"UPDATE {table} SET {changes}")


def _packed(text: str | bytes | None) -> bytes | None:
    if text is None:
        return None
    plain = text.encode() if isinstance(text, str) else text
    return base64.b64decode(plain[1:-1]) if plain[:1] == b'"' else plain


def _text(kept: bytes | str | None) -> str | None:
    if kept is None:
        return None
    plain = kept.encode() if isinstance(kept, str) else kept
    return f'"{base64.b64encode(plain).decode()}"' if plain.startswith(SIGN) else plain.decode()


def _fill_in_orders(bind: sa.Connection) -> None:
    """Write the orders of order sets where a phase says that they were resolved as they were handed in."""
    keys = sa.select(PHASES.c.campaign_id, PHASES.c.branch, PHASES.c.number).where(PHASES.c.orders.is_not(None))
    for campaign_id, branch, number in bind.execute(keys).all():
        mine = (PHASES.c.campaign_id == campaign_id, PHASES.c.branch == branch, PHASES.c.number == number)
        orders = _json(bind.scalar(sa.select(PHASES.c.orders).where(*mine))) or {}
        if None not in orders.values():
            continue
        sets = (ORDER_SETS.c.campaign_id == campaign_id, ORDER_SETS.c.branch == branch)
        query = sa.select(ORDER_SETS.c.player_id, ORDER_SETS.c.orders).where(*sets, ORDER_SETS.c.phase_number == number)
        handed_in = {player: _json(given) for player, given in bind.execute(query)}
        whole = {player: handed_in[player] if given is None else given for player, given in orders.items()}
        bind.execute(sa.update(PHASES).where(*mine).values(orders=json.dumps(whole, separators=(",", ":")).encode()))


def _make_stand_alone(bind: sa.Connection) -> None:
    keys = sa.select(PHASES.c.campaign_id, PHASES.c.branch, PHASES.c.number).where(PHASES.c.number % 16 == 8)
    for campaign_id, branch, number in bind.execute(keys.where(PHASES.c.snapshot.is_not(None))).all():
        mine = (PHASES.c.campaign_id == campaign_id, PHASES.c.branch == branch)
        query = sa.select(PHASES.c.snapshot).where(*mine, PHASES.c.number.between(number - 8, number))
        kept = [bytes(snapshot) for snapshot in bind.scalars(query.order_by(PHASES.c.number))]
        if kept[-1][:1] == AFTER:
            alone = zlib.compress(_state(kept), 6)
            bind.execute(sa.update(PHASES).where(*mine, PHASES.c.number == number).values(snapshot=alone))


def _state(snapshots: list[bytes]) -> bytes:
    """Return the state of the last of some snapshots that follow each other."""
    state = b""
    for kept in snapshots:
        if kept[:1] == AFTER:
            before = zstandard.ZstdCompressionDict(state, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
            state = zstandard.ZstdDecompressor(dict_data=before).decompress(kept[1:])
        else:
            state = _unpacked(kept[1:]) if kept[:1] == ALONE else zlib.decompress(kept)
    return state


def _json(kept: bytes) -> Any:
    return json.loads(_unpacked(kept) if kept.startswith(SIGN) else kept)


def _unpacked(frame: bytes) -> bytes:
    """Return what was packed with the program's first dictionary."""
    dictionary = resources.files("server.store").joinpath("dictionary.1.zstd").read_bytes()
    unpacked: bytes = zstandard.ZstdDecompressor(dict_data=zstandard.ZstdCompressionDict(dictionary)).decompress(frame)
    return unpacked
