"""Dice for tests: campaigns and table games have the same dice in every run: no test passes or fails by luck.

A server draws them, salts, and the ids, which they depend on, at random; here they follow from what the campaign or
the game is, and from how many of the kind there are before it. ``SEALED_ORDERS_TEST_DICE=anything`` gives other ones.
"""

from __future__ import annotations

import hashlib
import os
from datetime import datetime
from itertools import count
from typing import Any

from sqlalchemy import Connection, event, select

from server.core.dice import commitment
from server.play.dice import salt_keeping
from server.play.records.phase_dice import link
from server.store.tables import Campaign, Salt, TableGameRow
from server.store.tables.base import ID_LENGTH

_WHICH = os.environ.get("SEALED_ORDERS_TEST_DICE", "")
_LIKE_IDS = str.maketrans("01", "xy")
"""There are no such digits in ids."""


def fix() -> None:
    """Have the campaigns that this process makes, and those it forks, all be made so."""
    event.listen(Campaign, "before_insert", _fixed)
    event.listen(TableGameRow, "before_insert", _fixed_table)
    salt_keeping.drawn = _drawn_salt
    event.listen(Salt, "before_update", _fixed_salt)


def _fixed(mapper: Any, connection: Connection, campaign: Campaign) -> None:
    if campaign.id is not None:  # one that comes from elsewhere
        return
    campaign.id, drawn = _free(connection, Campaign, f"{campaign.name}/{campaign.scenario_id}/{campaign.ruleset_id}")
    campaign.dice_secret = drawn
    campaign.link0 = link(drawn, 0).hex()


def _fixed_table(mapper: Any, connection: Connection, game: TableGameRow) -> None:
    if game.id is not None:
        return
    of = f"{game.campaign_id}/{game.branch}/{game.turn}/{game.hex}" if game.campaign_id else "table"
    game.id, game.dice_secret = _free(connection, TableGameRow, f"{of}/{game.name}/{game.mission}")
    game.commitment = hashlib.sha256(game.dice_secret).hexdigest()


def _free(connection: Connection, table: type[Campaign | TableGameRow], name: str) -> tuple[str, bytes]:
    """Return an id that nothing has, and 32 bytes that belong to it."""
    for number in count():
        drawn = hashlib.sha256(f"{_WHICH}/{name}/{number}".encode()).digest()
        id_ = drawn.hex()[:ID_LENGTH].translate(_LIKE_IDS)
        if connection.scalar(select(table.id).where(table.id == id_)) is None:
            return id_, drawn
    raise AssertionError


def _drawn_salt(campaign_id: str, player_id: str, serial: int, now: datetime) -> salt_keeping.Values:
    salt = _drawn(campaign_id, player_id, serial)
    return salt_keeping.values_of(campaign_id, player_id, serial, salt_keeping.SERVER, salt, now)


def _fixed_salt(mapper: Any, connection: Connection, row: Salt) -> None:
    drawn = _drawn(row.campaign_id, row.player_id, row.serial)
    before, space, words = row.salt.partition(" ")
    if row.kept_by == "server" and row.phase_number is None and before != drawn:
        row.salt = f"{drawn}{space}{words}"
        row.commitment = commitment(row.salt.encode())


def _drawn(campaign_id: str, player_id: str, serial: int) -> str:
    return hashlib.sha256(f"{_WHICH}/{campaign_id}/{player_id}/{serial}".encode()).hexdigest()[:22]
