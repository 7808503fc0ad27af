"""Dice for tests: a campaign has the same dice in every run, so that no test passes or fails by luck.

A server draws them, and the campaign's id, which they depend on, at random; here they follow from what the campaign is,
and from how many of the kind there are before it. ``SEALED_ORDERS_TEST_DICE=anything`` gives other ones.
"""

from __future__ import annotations

import hashlib
import os
from itertools import count
from typing import Any

from sqlalchemy import Connection, event, select

from server.play.records import link
from server.store.ids import LENGTH
from server.store.tables import Campaign

_WHICH = os.environ.get("SEALED_ORDERS_TEST_DICE", "")
_LIKE_IDS = str.maketrans("01", "xy")
"""There are no such digits in ids."""


def fix() -> None:
    """Have the campaigns that this process makes, and those it forks, all be made so."""
    event.listen(Campaign, "before_insert", _fixed)


def _fixed(mapper: Any, connection: Connection, campaign: Campaign) -> None:
    if campaign.id is not None:  # one that comes from elsewhere
        return
    for number in count():
        name = f"{_WHICH}/{campaign.name}/{campaign.scenario_id}/{campaign.ruleset_id}/{number}"
        drawn = hashlib.sha256(name.encode()).digest()
        campaign.id = drawn.hex()[:LENGTH].translate(_LIKE_IDS)
        if connection.scalar(select(Campaign.id).where(Campaign.id == campaign.id)) is None:
            break
    campaign.dice_secret = drawn
    campaign.link0 = link(drawn, 0).hex()
