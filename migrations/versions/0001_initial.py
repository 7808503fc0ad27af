"""The first schema: accounts, campaigns, positions, the record, people, delivery."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT = sa.DateTime(timezone=True)
JSON = sa.JSON(none_as_null=True)

_SQLITE_LIST = (
    "(SELECT group_concat({0}, ' ') FROM (SELECT {0} FROM {1}"
    " WHERE campaign_id = h.campaign_id AND hex = h.hex ORDER BY {0}))"
)
_POSTGRESQL_LIST = (
    "(SELECT string_agg({0}, ' ' ORDER BY {0}) FROM {1} WHERE campaign_id = h.campaign_id AND hex = h.hex)"
)
READY = (
    "CAST(coalesce(sum(CASE WHEN u.ready * 2 < u.models OR u.ready = 0 THEN 0"
    " WHEN u.damaged OR u.ready < u.models THEN (u.points + 1) / 2 ELSE u.points END), 0) AS BIGINT)"
)

WORDS = {
    dialect: {
        "buildings": words.format("building", "buildings"),
        "defences": words.format("defence", "defences"),
        "ready": READY,
    }
    for dialect, words in (("sqlite", _SQLITE_LIST), ("postgresql", _POSTGRESQL_LIST))
}
VIEWS = {
    "holdings": """
CREATE VIEW holdings AS
SELECT h.campaign_id, h.owner, h.hex, h.terrain, h.place, n.size AS urban, n.capital_of,
       {buildings} AS buildings, s.type AS stronghold, {defences} AS defences, g.id AS garrison,
       h.resource, h.store, h.harvest, h.corrupted_by, h.infested_by
FROM hexes h
LEFT JOIN urban_hexes n ON n.campaign_id = h.campaign_id AND n.hex = h.hex
LEFT JOIN strongholds s ON s.campaign_id = h.campaign_id AND s.hex = h.hex
LEFT JOIN garrisons g ON g.campaign_id = h.campaign_id AND g.hex = h.hex
WHERE h.owner IS NOT NULL OR n.hex IS NOT NULL OR s.hex IS NOT NULL OR h.resource IS NOT NULL
""",
    "forces": """
CREATE VIEW forces AS
SELECT d.campaign_id, d.owner, 'detachment' AS kind, d.id, d.name, d.type, d.hex, d.ready_in,
       count(u.id) AS units, CAST(coalesce(sum(u.points), 0) AS BIGINT) AS points,
       {ready} AS ready_points, 0 AS bp
FROM detachments d LEFT JOIN units u ON u.campaign_id = d.campaign_id AND u.detachment_id = d.id
GROUP BY d.campaign_id, d.owner, d.id, d.name, d.type, d.hex, d.ready_in
UNION ALL
SELECT g.campaign_id, g.owner, 'garrison', g.id, '', '', g.hex, 0,
       count(u.id), CAST(coalesce(sum(u.points), 0) AS BIGINT), {ready}, 0
FROM garrisons g LEFT JOIN units u ON u.campaign_id = g.campaign_id AND u.garrison_id = g.id
GROUP BY g.campaign_id, g.owner, g.id, g.hex
UNION ALL
SELECT c.campaign_id, c.owner, 'convoy', c.id, '', '', c.hex, 0, 0, 0, 0, c.bp
FROM convoys c
""",
    "standings": """
CREATE VIEW standings AS
SELECT p.campaign_id, p.number, p.id AS player, p.faction, p.vp, p.eliminated,
       (SELECT count(*) FROM hexes h WHERE h.campaign_id = p.campaign_id AND h.owner = p.id) AS hexes,
       (SELECT CAST(coalesce(sum(h.store), 0) AS BIGINT) FROM hexes h
         WHERE h.campaign_id = p.campaign_id AND h.owner = p.id) AS bp,
       (SELECT count(*) FROM detachments d WHERE d.campaign_id = p.campaign_id AND d.owner = p.id) AS detachments,
       (SELECT CAST(coalesce(sum(f.ready_points), 0) AS BIGINT) FROM forces f
         WHERE f.campaign_id = p.campaign_id AND f.owner = p.id) AS ready_points
FROM players p
""",
}


def upgrade() -> None:
    """Make everything."""
    op.create_table(
        "idempotency_keys",
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("request_hash", sa.Text(), nullable=False),
        sa.Column("status", WHOLE, nullable=False),
        sa.Column("headers", JSON, nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("owner", "key", name=op.f("pk_idempotency_keys")),
    )
    op.create_index(op.f("ix_idempotency_keys_expires_at"), "idempotency_keys", ["expires_at"])

    op.create_table(
        "live_events",
        sa.Column("id", WHOLE, nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("number", WHOLE, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("data", JSON, nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_live_events")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_live_events_at"), "live_events", ["at"])
    op.create_index("ix_live_events_topic_number", "live_events", ["topic", "number"], unique=True)

    op.create_table(
        "server_values",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_server_values")),
    )
    op.create_table(
        "streams",
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("last", WHOLE, nullable=False),
        sa.PrimaryKeyConstraint("topic", name=op.f("pk_streams")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("email_key", sa.Text(), nullable=True),
        sa.Column("email_confirmed_at", INSTANT, nullable=True),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("bot_owner_id", sa.Text(), nullable=True),
        sa.Column("admin", sa.Boolean(), nullable=False),
        sa.Column("locale", sa.Text(), nullable=False),
        sa.Column("time_zone", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("last_seen_at", INSTANT, nullable=True),
        sa.Column("disabled_at", INSTANT, nullable=True),
        sa.Column("revision", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(["bot_owner_id"], ["users.id"], name=op.f("fk_users_bot_owner_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("name_key", name=op.f("uq_users_name_key")),
    )
    op.create_index(op.f("ix_users_bot_owner_id"), "users", ["bot_owner_id"])
    op.create_index(op.f("ix_users_email_key"), "users", ["email_key"])
    op.create_index(
        "ix_users_email_key_confirmed",
        "users",
        ["email_key"],
        unique=True,
        sqlite_where=sa.text("email_confirmed_at IS NOT NULL"),
        postgresql_where=sa.text("email_confirmed_at IS NOT NULL"),
    )

    op.create_table(
        "campaigns",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("gm_user_id", sa.Text(), nullable=True),
        sa.Column("invite_hash", sa.Text(), nullable=True),
        sa.Column("scenario_id", sa.Text(), nullable=False),
        sa.Column("board_digest", sa.Text(), nullable=False),
        sa.Column("ruleset_id", sa.Text(), nullable=False),
        sa.Column("ruleset_version", sa.Text(), nullable=False),
        sa.Column("ruleset_digest", sa.Text(), nullable=False),
        sa.Column("rules_version", sa.Text(), nullable=False),
        sa.Column("settings", JSON, nullable=False),
        sa.Column("options", JSON, nullable=False),
        sa.Column("dice_secret", sa.LargeBinary(), nullable=False),
        sa.Column("link0", sa.Text(), nullable=False),
        sa.Column("branch", WHOLE, nullable=False),
        sa.Column("phase_number", WHOLE, nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("started_at", INSTANT, nullable=True),
        sa.Column("paused_at", INSTANT, nullable=True),
        sa.Column("finished_at", INSTANT, nullable=True),
        sa.Column("archived_at", INSTANT, nullable=True),
        sa.Column("deleted_at", INSTANT, nullable=True),
        sa.Column("revision", WHOLE, nullable=False),
        sa.Column("board", JSON, nullable=False),
        sa.Column("ruleset_data", JSON, nullable=True),
        sa.CheckConstraint(
            "status IN ('open', 'running', 'paused', 'finished', 'archived', 'deleted')",
            name=op.f("ck_campaigns_status"),
        ),
        sa.ForeignKeyConstraint(
            ["gm_user_id"], ["users.id"], name=op.f("fk_campaigns_gm_user_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaigns")),
    )
    op.create_index(op.f("ix_campaigns_deleted_at"), "campaigns", ["deleted_at"])
    op.create_index(op.f("ix_campaigns_gm_user_id"), "campaigns", ["gm_user_id"])
    op.create_index(
        "ix_campaigns_invite_hash",
        "campaigns",
        ["invite_hash"],
        unique=True,
        sqlite_where=sa.text("invite_hash IS NOT NULL"),
        postgresql_where=sa.text("invite_hash IS NOT NULL"),
    )
    op.create_index(op.f("ix_campaigns_status"), "campaigns", ["status"])

    op.create_table(
        "notification_settings",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_notification_settings_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "kind", "channel", name=op.f("pk_notification_settings")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "templates",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("ruleset_id", sa.Text(), nullable=False),
        sa.Column("faction", sa.Text(), nullable=False),
        sa.Column("content", JSON, nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.Column("revision", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_templates_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_templates")),
    )
    op.create_index(op.f("ix_templates_user_id"), "templates", ["user_id"])

    op.create_table(
        "tokens",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=True),
        sa.Column("revoked_at", INSTANT, nullable=True),
        sa.Column("used_at", INSTANT, nullable=True),
        sa.Column("last_used_at", INSTANT, nullable=True),
        sa.CheckConstraint("kind IN ('session', 'personal', 'link')", name=op.f("ck_tokens_kind")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_tokens_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("hash", name=op.f("uq_tokens_hash")),
    )
    op.create_index(op.f("ix_tokens_expires_at"), "tokens", ["expires_at"])
    op.create_index(op.f("ix_tokens_user_id"), "tokens", ["user_id"])

    op.create_table(
        "branches",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("number", WHOLE, nullable=False),
        sa.Column("from_branch", WHOLE, nullable=True),
        sa.Column("from_phase", WHOLE, nullable=True),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("made_by", sa.Text(), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("abandoned_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_branches_campaign_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["made_by"], ["users.id"], name=op.f("fk_branches_made_by"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("campaign_id", "number", name=op.f("pk_branches")),
    )
    op.create_table(
        "declarations",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("toward", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("turn", WHOLE, nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_declarations_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_declarations")),
    )
    op.create_index(op.f("ix_declarations_campaign_id_made_at"), "declarations", ["campaign_id", "made_at"])

    op.create_table(
        "inbound_mails",
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("campaign_id", sa.Text(), nullable=True),
        sa.Column("received_at", INSTANT, nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_inbound_mails_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("message_id", name=op.f("pk_inbound_mails")),
    )
    op.create_index(op.f("ix_inbound_mails_campaign_id"), "inbound_mails", ["campaign_id"])
    op.create_index(op.f("ix_inbound_mails_received_at"), "inbound_mails", ["received_at"])

    op.create_table(
        "invitations",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("declined_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_invitations_campaign_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_invitations_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("campaign_id", "user_id", name=op.f("pk_invitations")),
    )
    op.create_index(op.f("ix_invitations_user_id"), "invitations", ["user_id"])

    op.create_table(
        "lost_characters",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("character", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_lost_characters_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "character", name=op.f("pk_lost_characters")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "messages",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=True),
        sa.Column("to_all", sa.Boolean(), nullable=False),
        sa.Column("to_gm", sa.Boolean(), nullable=False),
        sa.Column("announcement", sa.Boolean(), nullable=False),
        sa.Column("in_character", sa.Boolean(), nullable=False),
        sa.Column("reply_to", sa.Text(), nullable=True),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("turn", WHOLE, nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("sent_at", INSTANT, nullable=False),
        sa.Column("gm_read_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_messages_campaign_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["reply_to"], ["messages.id"], name=op.f("fk_messages_reply_to"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
    )
    op.create_index(op.f("ix_messages_campaign_id_sent_at"), "messages", ["campaign_id", "sent_at"])
    op.create_index(op.f("ix_messages_reply_to"), "messages", ["reply_to"])

    op.create_table(
        "outbox",
        sa.Column("id", WHOLE, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("dedupe", sa.Text(), nullable=False),
        sa.Column("campaign_id", sa.Text(), nullable=True),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("payload", JSON, nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("due_at", INSTANT, nullable=False),
        sa.Column("attempts", WHOLE, nullable=False),
        sa.Column("leased_until", INSTANT, nullable=True),
        sa.Column("sent_at", INSTANT, nullable=True),
        sa.Column("failed_at", INSTANT, nullable=True),
        sa.Column("last_error", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_outbox_campaign_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_outbox_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("dedupe", name=op.f("uq_outbox_dedupe")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_outbox_campaign_id"), "outbox", ["campaign_id"])
    op.create_index(op.f("ix_outbox_user_id"), "outbox", ["user_id"])
    op.create_index(
        "ix_outbox_waiting",
        "outbox",
        ["due_at"],
        sqlite_where=sa.text("sent_at IS NULL AND failed_at IS NULL"),
        postgresql_where=sa.text("sent_at IS NULL AND failed_at IS NULL"),
    )

    op.create_table(
        "players",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("number", WHOLE, nullable=False),
        sa.Column("faction", sa.Text(), nullable=False),
        sa.Column("strategy", WHOLE, nullable=False),
        sa.Column("vp", WHOLE, nullable=False),
        sa.Column("eliminated", sa.Boolean(), nullable=False),
        sa.Column("serial", WHOLE, nullable=False),
        sa.Column("start_urban", sa.Text(), nullable=False),
        sa.Column("start_resource", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_players_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "id", name=op.f("pk_players")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "positions",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("turn", WHOLE, nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("winners", sa.Text(), nullable=False),
        sa.Column("ended_by", sa.Text(), nullable=False),
        sa.Column("system_control", sa.Text(), nullable=False),
        sa.Column("id_key", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_positions_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", name=op.f("pk_positions")),
    )
    op.create_table(
        "seats",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("number", WHOLE, nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("faction", sa.Text(), nullable=True),
        sa.Column("joined_at", INSTANT, nullable=True),
        sa.Column("stand_in", sa.Text(), nullable=False),
        sa.Column("stand_in_user_id", sa.Text(), nullable=True),
        sa.Column("holiday_until", INSTANT, nullable=True),
        sa.Column("missed", WHOLE, nullable=False),
        sa.Column("missed_in_a_row", WHOLE, nullable=False),
        sa.Column("last_seen_at", INSTANT, nullable=True),
        sa.Column("mail_key", sa.Text(), nullable=True),
        sa.CheckConstraint("stand_in IN ('', 'defaults', 'bot', 'user')", name=op.f("ck_seats_stand_in")),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_seats_campaign_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["stand_in_user_id"], ["users.id"], name=op.f("fk_seats_stand_in_user_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_seats_user_id"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("campaign_id", "player_id", name=op.f("pk_seats")),
        sa.UniqueConstraint("campaign_id", "number", name=op.f("uq_seats_campaign_id_number")),
        sa.UniqueConstraint("campaign_id", "user_id", name=op.f("uq_seats_campaign_id_user_id")),
        sa.UniqueConstraint("mail_key", name=op.f("uq_seats_mail_key")),
    )
    op.create_index(op.f("ix_seats_stand_in_user_id"), "seats", ["stand_in_user_id"])
    op.create_index(op.f("ix_seats_user_id"), "seats", ["user_id"])

    op.create_table(
        "webhooks",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("campaign_id", sa.Text(), nullable=True),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("kinds", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("failures", WHOLE, nullable=False),
        sa.Column("disabled_at", INSTANT, nullable=True),
        sa.Column("last_error", sa.Text(), nullable=False),
        sa.Column("revision", WHOLE, nullable=False),
        sa.CheckConstraint("format IN ('standard', 'discord')", name=op.f("ck_webhooks_format")),
        sa.CheckConstraint("(campaign_id IS NULL) <> (user_id IS NULL)", name=op.f("ck_webhooks_one_owner")),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_webhooks_campaign_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_webhooks_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhooks")),
    )
    op.create_index(op.f("ix_webhooks_campaign_id"), "webhooks", ["campaign_id"])
    op.create_index(op.f("ix_webhooks_user_id"), "webhooks", ["user_id"])

    op.create_table(
        "advance_orders",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("turn", WHOLE, nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("orders", JSON, nullable=False),
        sa.Column("revision", WHOLE, nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "player_id"],
            ["seats.campaign_id", "seats.player_id"],
            name=op.f("fk_advance_orders_campaign_id_player_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "player_id", "turn", "phase", name=op.f("pk_advance_orders")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "alliances",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("ally", sa.Text(), nullable=False),
        sa.Column("in_force", sa.Boolean(), nullable=False),
        sa.Column("declared", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "player_id"],
            ["players.campaign_id", "players.id"],
            name=op.f("fk_alliances_campaign_id_player_id"),
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_alliances_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "player_id", "ally", name=op.f("pk_alliances")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "encounters",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("met", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "player_id"],
            ["players.campaign_id", "players.id"],
            name=op.f("fk_encounters_campaign_id_player_id"),
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_encounters_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "player_id", "met", name=op.f("pk_encounters")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "hexes",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("hex", sa.Text(), nullable=False),
        sa.Column("terrain", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=True),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("discovered", sa.Boolean(), nullable=False),
        sa.Column("resource", sa.Text(), nullable=True),
        sa.Column("store", WHOLE, nullable=False),
        sa.Column("harvest", WHOLE, nullable=False),
        sa.Column("corrupted_by", sa.Text(), nullable=True),
        sa.Column("infested_by", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id", "owner"], ["players.campaign_id", "players.id"], name=op.f("fk_hexes_campaign_id_owner")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_hexes_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "hex", name=op.f("pk_hexes")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_hexes_campaign_id_owner"), "hexes", ["campaign_id", "owner"])

    op.create_table(
        "message_recipients",
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("read_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_message_recipients_campaign_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["message_id"], ["messages.id"], name=op.f("fk_message_recipients_message_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("message_id", "player_id", name=op.f("pk_message_recipients")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        op.f("ix_message_recipients_campaign_id_player_id"), "message_recipients", ["campaign_id", "player_id"]
    )

    op.create_table(
        "phases",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("branch", WHOLE, nullable=False),
        sa.Column("number", WHOLE, nullable=False),
        sa.Column("turn", WHOLE, nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("opened_at", INSTANT, nullable=False),
        sa.Column("deadline", INSTANT, nullable=True),
        sa.Column("resolved_at", INSTANT, nullable=True),
        sa.Column("resolved_by", sa.Text(), nullable=True),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("took_ms", WHOLE, nullable=True),
        sa.Column("link", sa.Text(), nullable=True),
        sa.Column("seed", sa.Text(), nullable=True),
        sa.Column("ruleset_digest", sa.Text(), nullable=True),
        sa.Column("rules_version", sa.Text(), nullable=True),
        sa.Column("state_hash", sa.Text(), nullable=True),
        sa.Column("chain_hash", sa.Text(), nullable=True),
        sa.Column("salts", JSON, nullable=True),
        sa.Column("orders", JSON, nullable=True),
        sa.Column("problems", JSON, nullable=True),
        sa.Column("snapshot", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint("why IN ('start', 'all_final', 'deadline', 'gm')", name=op.f("ck_phases_why")),
        sa.ForeignKeyConstraint(
            ["campaign_id", "branch"],
            ["branches.campaign_id", "branches.number"],
            name=op.f("fk_phases_campaign_id_branch"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["resolved_by"], ["users.id"], name=op.f("fk_phases_resolved_by"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("campaign_id", "branch", "number", name=op.f("pk_phases")),
    )
    op.create_index(
        "ix_phases_due",
        "phases",
        ["deadline"],
        sqlite_where=sa.text("resolved_at IS NULL"),
        postgresql_where=sa.text("resolved_at IS NULL"),
    )

    op.create_table(
        "battle_reports",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("branch", WHOLE, nullable=False),
        sa.Column("phase_number", WHOLE, nullable=False),
        sa.Column("hex", sa.Text(), nullable=False),
        sa.Column("reported_by", sa.Text(), nullable=True),
        sa.Column("content", JSON, nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("reported_at", INSTANT, nullable=False),
        sa.Column("answered_by", sa.Text(), nullable=True),
        sa.Column("answered_at", INSTANT, nullable=True),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("revision", WHOLE, nullable=False),
        sa.CheckConstraint(
            "status IN ('open', 'confirmed', 'disputed', 'decided', 'withdrawn')", name=op.f("ck_battle_reports_status")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id", "branch", "phase_number"],
            ["phases.campaign_id", "phases.branch", "phases.number"],
            name=op.f("fk_battle_reports_campaign_id_branch_phase_number"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_battle_reports")),
    )
    op.create_index(
        op.f("ix_battle_reports_campaign_id_branch_phase_number_hex"),
        "battle_reports",
        ["campaign_id", "branch", "phase_number", "hex"],
    )

    op.create_table(
        "battle_supporters",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("hex", sa.Text(), nullable=False),
        sa.Column("force", sa.Text(), nullable=False),
        sa.Column("side", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "hex"],
            ["hexes.campaign_id", "hexes.hex"],
            name=op.f("fk_battle_supporters_campaign_id_hex"),
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_battle_supporters_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "hex", "force", name=op.f("pk_battle_supporters")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "battles",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("hex", sa.Text(), nullable=False),
        sa.Column("place", WHOLE, nullable=False),
        sa.Column("attacker", sa.Text(), nullable=False),
        sa.Column("defender", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("attacking", sa.Text(), nullable=False),
        sa.Column("defended_by", sa.Text(), nullable=False),
        sa.Column("origin", sa.Text(), nullable=True),
        sa.Column("defending", sa.Boolean(), nullable=False),
        sa.Column("tabletop", sa.Boolean(), nullable=False),
        sa.Column("attacker_modifier", WHOLE, nullable=True),
        sa.Column("defender_modifier", WHOLE, nullable=True),
        sa.Column("attacker_damage", WHOLE, nullable=True),
        sa.Column("defender_damage", WHOLE, nullable=True),
        sa.Column("winner", sa.Text(), nullable=False),
        sa.Column("vp", WHOLE, nullable=False),
        sa.Column("pillage", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "hex"], ["hexes.campaign_id", "hexes.hex"], name=op.f("fk_battles_campaign_id_hex")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_battles_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "hex", name=op.f("pk_battles")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "buildings",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("hex", sa.Text(), nullable=False),
        sa.Column("building", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "hex"], ["hexes.campaign_id", "hexes.hex"], name=op.f("fk_buildings_campaign_id_hex")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_buildings_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "hex", "building", name=op.f("pk_buildings")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "convoys",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("hex", sa.Text(), nullable=False),
        sa.Column("bp", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "hex"], ["hexes.campaign_id", "hexes.hex"], name=op.f("fk_convoys_campaign_id_hex")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id", "owner"], ["players.campaign_id", "players.id"], name=op.f("fk_convoys_campaign_id_owner")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_convoys_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "id", name=op.f("pk_convoys")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_convoys_campaign_id_hex"), "convoys", ["campaign_id", "hex"])
    op.create_index(op.f("ix_convoys_campaign_id_owner"), "convoys", ["campaign_id", "owner"])

    op.create_table(
        "deadlines",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("branch", WHOLE, nullable=False),
        sa.Column("phase_number", WHOLE, nullable=False),
        sa.Column("seq", WHOLE, nullable=False),
        sa.Column("due_at", INSTANT, nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("set_at", INSTANT, nullable=False),
        sa.Column("set_by", sa.Text(), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.CheckConstraint("kind IN ('rolling', 'grid', 'extended', 'resumed', 'gm')", name=op.f("ck_deadlines_kind")),
        sa.ForeignKeyConstraint(
            ["campaign_id", "branch", "phase_number"],
            ["phases.campaign_id", "phases.branch", "phases.number"],
            name=op.f("fk_deadlines_campaign_id_branch_phase_number"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["set_by"], ["users.id"], name=op.f("fk_deadlines_set_by"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("campaign_id", "branch", "phase_number", "seq", name=op.f("pk_deadlines")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "defences",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("hex", sa.Text(), nullable=False),
        sa.Column("defence", sa.Text(), nullable=False),
        sa.Column("number", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "hex"], ["hexes.campaign_id", "hexes.hex"], name=op.f("fk_defences_campaign_id_hex")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_defences_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "hex", "defence", name=op.f("pk_defences")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "detachments",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("hex", sa.Text(), nullable=True),
        sa.Column("dxp", WHOLE, nullable=False),
        sa.Column("mounted", sa.Boolean(), nullable=False),
        sa.Column("battle_order", sa.Text(), nullable=False),
        sa.Column("ready_in", WHOLE, nullable=False),
        sa.Column("pinned", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "hex"], ["hexes.campaign_id", "hexes.hex"], name=op.f("fk_detachments_campaign_id_hex")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id", "owner"],
            ["players.campaign_id", "players.id"],
            name=op.f("fk_detachments_campaign_id_owner"),
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_detachments_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "id", name=op.f("pk_detachments")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_detachments_campaign_id_hex"), "detachments", ["campaign_id", "hex"])
    op.create_index(op.f("ix_detachments_campaign_id_owner"), "detachments", ["campaign_id", "owner"])

    op.create_table(
        "events",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("branch", WHOLE, nullable=False),
        sa.Column("phase_number", WHOLE, nullable=False),
        sa.Column("seq", WHOLE, nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("fields", JSON, nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "branch", "phase_number"],
            ["phases.campaign_id", "phases.branch", "phases.number"],
            name=op.f("fk_events_campaign_id_branch_phase_number"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "branch", "phase_number", "seq", name=op.f("pk_events")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "garrisons",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("hex", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "hex"], ["hexes.campaign_id", "hexes.hex"], name=op.f("fk_garrisons_campaign_id_hex")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id", "owner"], ["players.campaign_id", "players.id"], name=op.f("fk_garrisons_campaign_id_owner")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_garrisons_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "id", name=op.f("pk_garrisons")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_garrisons_campaign_id_hex"), "garrisons", ["campaign_id", "hex"])
    op.create_index(op.f("ix_garrisons_campaign_id_owner"), "garrisons", ["campaign_id", "owner"])

    op.create_table(
        "interventions",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("branch", WHOLE, nullable=False),
        sa.Column("phase_number", WHOLE, nullable=False),
        sa.Column("seq", WHOLE, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("made_by", sa.Text(), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("public", JSON, nullable=False),
        sa.Column("details", JSON, nullable=False),
        sa.Column("state_hash", sa.Text(), nullable=True),
        sa.Column("chain_hash", sa.Text(), nullable=True),
        sa.Column("snapshot", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id", "branch", "phase_number"],
            ["phases.campaign_id", "phases.branch", "phases.number"],
            name=op.f("fk_interventions_campaign_id_branch_phase_number"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["made_by"], ["users.id"], name=op.f("fk_interventions_made_by"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("campaign_id", "branch", "phase_number", "seq", name=op.f("pk_interventions")),
    )
    op.create_table(
        "order_sets",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("branch", WHOLE, nullable=False),
        sa.Column("phase_number", WHOLE, nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("wanted", sa.Boolean(), nullable=False),
        sa.Column("revision", WHOLE, nullable=False),
        sa.Column("final", sa.Boolean(), nullable=False),
        sa.Column("temporary", sa.Boolean(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("salt", sa.Text(), nullable=False),
        sa.Column("updated_at", INSTANT, nullable=True),
        sa.Column("updated_by", sa.Text(), nullable=True),
        sa.Column("orders", JSON, nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "branch", "phase_number"],
            ["phases.campaign_id", "phases.branch", "phases.number"],
            name=op.f("fk_order_sets_campaign_id_branch_phase_number"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["updated_by"], ["users.id"], name=op.f("fk_order_sets_updated_by"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "branch", "phase_number", "player_id", name=op.f("pk_order_sets")),
    )
    op.create_table(
        "phase_standings",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("branch", WHOLE, nullable=False),
        sa.Column("phase_number", WHOLE, nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("vp", WHOLE, nullable=False),
        sa.Column("hexes", WHOLE, nullable=False),
        sa.Column("bp", WHOLE, nullable=False),
        sa.Column("points", WHOLE, nullable=False),
        sa.Column("ready_points", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "branch", "phase_number"],
            ["phases.campaign_id", "phases.branch", "phases.number"],
            name=op.f("fk_phase_standings_campaign_id_branch_phase_number"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "branch", "phase_number", "player_id", name=op.f("pk_phase_standings")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "roads",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("hex_a", sa.Text(), nullable=False),
        sa.Column("hex_b", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "hex_a"], ["hexes.campaign_id", "hexes.hex"], name=op.f("fk_roads_campaign_id_hex_a")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id", "hex_b"], ["hexes.campaign_id", "hexes.hex"], name=op.f("fk_roads_campaign_id_hex_b")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_roads_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "hex_a", "hex_b", name=op.f("pk_roads")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_roads_campaign_id_hex_b"), "roads", ["campaign_id", "hex_b"])

    op.create_table(
        "strongholds",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("hex", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("changed_turn", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "hex"], ["hexes.campaign_id", "hexes.hex"], name=op.f("fk_strongholds_campaign_id_hex")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_strongholds_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "hex", name=op.f("pk_strongholds")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "turret_weapons",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("hex", sa.Text(), nullable=False),
        sa.Column("weapon", sa.Text(), nullable=False),
        sa.Column("number", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "hex"], ["hexes.campaign_id", "hexes.hex"], name=op.f("fk_turret_weapons_campaign_id_hex")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_turret_weapons_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "hex", "weapon", name=op.f("pk_turret_weapons")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "urban_hexes",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("hex", sa.Text(), nullable=False),
        sa.Column("size", sa.Text(), nullable=False),
        sa.Column("race", sa.Text(), nullable=False),
        sa.Column("capital_of", sa.Text(), nullable=True),
        sa.Column("changed_turn", WHOLE, nullable=False),
        sa.Column("road_turn", WHOLE, nullable=False),
        sa.Column("disbanded_turn", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "hex"], ["hexes.campaign_id", "hexes.hex"], name=op.f("fk_urban_hexes_campaign_id_hex")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_urban_hexes_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "hex", name=op.f("pk_urban_hexes")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "units",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("detachment_id", sa.Text(), nullable=True),
        sa.Column("garrison_id", sa.Text(), nullable=True),
        sa.Column("place", WHOLE, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("slot", sa.Text(), nullable=False),
        sa.Column("models", WHOLE, nullable=False),
        sa.Column("points", WHOLE, nullable=False),
        sa.Column("mobility", sa.Text(), nullable=False),
        sa.Column("flags", sa.Text(), nullable=False),
        sa.Column("bombardment", WHOLE, nullable=False),
        sa.Column("ready", WHOLE, nullable=False),
        sa.Column("wounded", WHOLE, nullable=False),
        sa.Column("damaged", sa.Boolean(), nullable=False),
        sa.CheckConstraint("(detachment_id IS NULL) <> (garrison_id IS NULL)", name=op.f("ck_units_one_force")),
        sa.ForeignKeyConstraint(
            ["campaign_id", "detachment_id"],
            ["detachments.campaign_id", "detachments.id"],
            name=op.f("fk_units_campaign_id_detachment_id"),
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id", "garrison_id"],
            ["garrisons.campaign_id", "garrisons.id"],
            name=op.f("fk_units_campaign_id_garrison_id"),
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_units_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "id", name=op.f("pk_units")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_units_campaign_id_detachment_id"), "units", ["campaign_id", "detachment_id"])
    op.create_index(op.f("ix_units_campaign_id_garrison_id"), "units", ["campaign_id", "garrison_id"])
    for statement in VIEWS.values():
        op.execute(statement.strip().format_map(WORDS[op.get_bind().dialect.name]))


def downgrade() -> None:
    """Take everything away."""
    for view in reversed(VIEWS):
        op.execute(f"DROP VIEW {view}")
    op.drop_table("units")
    op.drop_table("urban_hexes")
    op.drop_table("turret_weapons")
    op.drop_table("strongholds")
    op.drop_table("roads")
    op.drop_table("phase_standings")
    op.drop_table("order_sets")
    op.drop_table("interventions")
    op.drop_table("garrisons")
    op.drop_table("events")
    op.drop_table("detachments")
    op.drop_table("defences")
    op.drop_table("deadlines")
    op.drop_table("convoys")
    op.drop_table("buildings")
    op.drop_table("battles")
    op.drop_table("battle_supporters")
    op.drop_table("battle_reports")
    op.drop_table("phases")
    op.drop_table("message_recipients")
    op.drop_table("hexes")
    op.drop_table("encounters")
    op.drop_table("alliances")
    op.drop_table("advance_orders")
    op.drop_table("webhooks")
    op.drop_table("seats")
    op.drop_table("positions")
    op.drop_table("players")
    op.drop_table("outbox")
    op.drop_table("messages")
    op.drop_table("lost_characters")
    op.drop_table("invitations")
    op.drop_table("inbound_mails")
    op.drop_table("declarations")
    op.drop_table("branches")
    op.drop_table("tokens")
    op.drop_table("templates")
    op.drop_table("notification_settings")
    op.drop_table("campaigns")
    op.drop_table("users")
    op.drop_table("streams")
    op.drop_table("server_values")
    op.drop_table("live_events")
    op.drop_table("idempotency_keys")
