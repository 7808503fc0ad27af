"""Every read of the description: an ETag of the reader's own bytes, and nothing is sent twice."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from server.play.operating import user_admin
from tests.api.asking import operations
from tests.api.club import found, play_of

READS = [operation for operation in operations() if operation.method == "GET" and not operation.stream]
NOT_NOW = frozenset(
    {
        "export_campaign",
        "get_odds",
        "list_bot_tokens",
        "view_table",
        "list_acts",
        "draw_table",
        "draw_table_as_png",
        "export_table",
        "get_uploaded_mission",
        "look_at_invitation",
        "read_table_report",
        "table_meeting",
        "get_practice",
        "get_story",
        "get_story_picture",
        "list_webhook_deliveries",
    }
)
"""What there is nothing of yet: a record, a battle, a bot, a practice, a story, a webhook, a started table game."""
GROWING = frozenset(
    {
        "find_campaigns", "list_messages", "list_declarations", "list_interventions", "list_phases", "list_branches",
        "list_standings", "list_postures",
    }
)  # fmt: skip
"""Lists without bounds: they come in pages."""


def test_reads_carry_etags_and_are_sent_once(client: TestClient) -> None:
    club = found(client, options={"gm_sees_orders": True})
    club.pass_phase()
    ann = club.players[0]
    table = ann.post("/tables", {"mission": "blitz", "take": "both"})["id"]
    values = {
        "campaign_id": club.id, "number": 1, "hex": "0101", "code": "busy", "scenario_id": "the-pass", "bot_id": "x",
        "template_id": "x", "table_id": table, "upload_id": "x", "mission_id": "blitz", "story_id": "x",
        "picture_id": "x", "webhook_id": "x", "delivery_id": "x",
    }  # fmt: skip
    user_admin.set_admin(play_of(client), None, club.gm.name, True)
    missing = set()
    for read in READS:
        person = club.gm if read.of_game_master or read.path.startswith("/admin") else ann
        first = person.ask("GET", read.filled(values))
        if first.status_code != 200:
            missing.add(read.name)
            continue
        assert first.headers.get("etag"), read.name
        again = person.ask("GET", read.filled(values), If_None_Match=first.headers["etag"])
        assert (again.status_code, again.content) == (304, b""), read.name
        assert again.headers["etag"] == first.headers["etag"]
    assert missing == NOT_NOW


@pytest.mark.parametrize("name", sorted(GROWING))
def test_lists_that_grow_come_in_pages(name: str) -> None:
    (operation,) = [read for read in READS if read.name == name]
    assert {"cursor", "limit"} <= set(operation.query)
