"""Guests at a table are guests like all others: accounts whose session is the only key."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0029"
branch_labels = None
depends_on = None

OWNED = (("table_games", "owner_guest_id", "owner_user_id"), ("table_seats", "guest_id", "user_id"),
         ("stories", "guest_id", "user_id"), ("table_armies", "guest_id", "user_id"))  # fmt: skip
"""Tables, the column of a guest, and that of an account, which a guest is now."""
ARMIES = ("uq_table_armies_guest_id_name", "unique"), ("ck_table_armies_one_owner", "check")
INSTANT = sa.DateTime(timezone=True)
ACCOUNTS = """INSERT INTO users (id, name, name_key, guest, admin, locale, time_zone, created_at, revision)
    SELECT 'guest-' || id, name, 'guest:guest-' || id, true, false, 'en', 'UTC', created_at, 1 FROM table_guests"""
VISITS = "INSERT INTO visits (user_id, last_seen_at) SELECT 'guest-' || id, last_seen_at FROM table_guests"
SESSION = "INSERT INTO tokens (id, user_id, hash, kind, purpose, name, scopes, created_at, last_used_at, proved_at)"
SESSIONS = f"""{SESSION}
    SELECT 'guest-' || id, 'guest-' || id, token_hash, 'session', '', '', '[]', created_at, last_seen_at, created_at
    FROM table_guests"""
DEVICES = f"""{SESSION}
    SELECT 'device-' || device.id, 'guest-' || guest.id, device.secret_hash, 'session', '', '', '[]',
        guest.created_at, guest.last_seen_at, guest.created_at
    FROM table_guest_devices AS device JOIN table_guests AS guest ON guest.id = device.guest_id
    WHERE device.expires_at IS NULL"""

THEIRS = "SELECT id FROM users WHERE guest AND id LIKE 'guest-%'"
GUESTS = """INSERT INTO table_guests (id, name, token_hash, created_at, last_seen_at)
    SELECT substr(users.id, 7), users.name, tokens.hash, users.created_at,
        coalesce(visits.last_seen_at, users.created_at)
    FROM users JOIN tokens ON tokens.id = users.id LEFT JOIN visits ON visits.user_id = users.id
    WHERE users.guest AND users.id LIKE 'guest-%'"""
THEIR_DEVICES = f"""INSERT INTO table_guest_devices (id, guest_id, secret_hash)
    SELECT substr(id, 8), substr(user_id, 7), hash FROM tokens WHERE id LIKE 'device-%' AND user_id IN ({THEIRS})"""


def upgrade() -> None:
    """Make accounts of the guests, sessions of their tokens; what was theirs is the accounts'. Codes are made again."""
    for statement in (ACCOUNTS, VISITS, SESSIONS, DEVICES):
        op.execute(statement)
    for table, guest, user in OWNED:
        theirs = f"{guest} IS NOT NULL AND {user} IS NULL"
        op.execute(f"UPDATE {table} SET {user} = 'guest-' || {guest}, {guest} = NULL WHERE {theirs}")
        with op.batch_alter_table(table) as batch:
            if table == "table_armies":
                for name, kind in ARMIES:
                    batch.drop_constraint(op.f(name), type_=kind)
                batch.alter_column(user, existing_type=sa.Text(), nullable=False)
            else:
                batch.drop_index(op.f(f"ix_{table}_{guest}"))
            batch.drop_constraint(op.f(f"fk_{table}_{guest}"), type_="foreignkey")
            batch.drop_column(guest)
    op.drop_table("table_guest_devices")
    op.drop_table("table_guests")


def downgrade() -> None:
    """Make the tables and columns again, with those who came from there and are guests still; others stay accounts."""
    op.create_table(
        "table_guests",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("last_seen_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_table_guests")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_table_guests_token_hash")),
    )
    op.create_index(op.f("ix_table_guests_last_seen_at"), "table_guests", ["last_seen_at"])
    op.create_table(
        "table_guest_devices",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("guest_id", sa.Text(), nullable=False),
        sa.Column("secret_hash", sa.Text(), nullable=False),
        sa.Column("expires_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["guest_id"], ["table_guests.id"], name=op.f("fk_table_guest_devices_guest_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_table_guest_devices")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_table_guest_devices_secret_hash")),
    )
    for column in ("guest_id", "expires_at"):
        op.create_index(op.f(f"ix_table_guest_devices_{column}"), "table_guest_devices", [column])
    for statement in (GUESTS, THEIR_DEVICES):
        op.execute(statement)
    for table, guest, user in OWNED:
        armies = table == "table_armies"
        with op.batch_alter_table(table) as batch:
            batch.add_column(sa.Column(guest, sa.Text(), nullable=True))
            batch.create_foreign_key(
                op.f(f"fk_{table}_{guest}"), "table_guests", [guest], ["id"],
                ondelete="CASCADE" if armies else "SET NULL",
            )  # fmt: skip
            if armies:
                batch.alter_column(user, existing_type=sa.Text(), nullable=True)
                batch.create_unique_constraint(op.f(ARMIES[0][0]), [guest, "name"])
                batch.create_check_constraint(op.f(ARMIES[1][0]), "(user_id IS NULL) <> (guest_id IS NULL)")
            else:
                batch.create_index(op.f(f"ix_{table}_{guest}"), [guest])
        op.execute(f"UPDATE {table} SET {guest} = substr({user}, 7), {user} = NULL WHERE {user} IN ({THEIRS})")
    for table, column in (("tokens", "user_id"), ("visits", "user_id"), ("users", "id")):
        op.execute(f"DELETE FROM {table} WHERE {column} IN ({THEIRS})")
