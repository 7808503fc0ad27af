"""Who may do what: every operation of the description, asked by those who may not, answers without telling anything.

Each operation is the game master's, or stands in one of the lists here: a new one must be put where it belongs.

Seen to fail: with ``must_be_gm`` left out of ``campaigns.pause``; with the seat looked up before the right to it in
``game_master.replace_player``; with 403 instead of 404 for strangers in ``access.load``; with a message of others
"forbidden" instead of not found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from server.app import create_app
from tests.api.asking import PREFIX, Operation, operations
from tests.api.club import Club, found
from tests.api.conftest import settings_for
from tests.api.people import Person, sign_up
from tests.store import databases

OF_CAMPAIGN = [operation for operation in operations() if "campaign_id" in operation.places and not operation.stream]
GAME_MASTERS = [each for each in OF_CAMPAIGN if each.of_game_master]
WITH_SEAT = [each for each in OF_CAMPAIGN if {"seat", "as"} & set(each.query)]

PLAYERS = frozenset(
    {
        "get_campaign", "decline_invitation", "join", "leave", "watch_everything", "choose_faction", "go_on_holiday",
        "choose_stand_in", "take_campaign_over", "decline_campaign",
        "get_orders", "replace_orders", "change_orders", "check_orders", "declare_final", "take_final_back",
        "list_orders_in_advance", "leave_orders_in_advance", "drop_orders_in_advance", "look_at_draft",
        "list_repeated_orders", "repeat_orders",
        "get_odds_of_orders", "get_view", "get_view_changes", "get_picture", "get_board", "get_ruleset", "get_finality",
        "get_legal_orders", "preview_order", "list_phases",
        "get_phase", "get_past_picture", "list_branches", "list_interventions", "list_standings", "list_postures",
        "practise", "get_practice", "play_on_from_here",
        "list_battles",
        "get_dice", "get_salts", "give_salts", "read_chronicle", "list_untold_battles", "tell_story_of_battle",
        "report_battle", "confirm_report", "dispute_report", "get_odds", "list_messages", "send_message",
        "mark_message_read", "list_declarations", "declare", "export_campaign", "follow_campaign",
        "read_notebook", "write_note", "drop_note", "put_pin", "drop_pin", "block_person", "report_person",
        "list_votes", "open_vote", "answer_vote", "withdraw_vote", "get_suggestions",
    }
)  # fmt: skip
"""What players do, or whoever may know of a campaign."""
NOBODYS = "aaaaaaaaaaaaaaaa"
"""An id nothing has."""


@pytest.fixture(scope="module")
def shared() -> Iterator[TestClient]:
    """One server for all: what is refused changes nothing."""
    with databases.migrated("sqlite", "who_may") as url, TestClient(create_app(settings_for(url))) as client:
        yield client


@pytest.fixture(scope="module")
def club(shared: TestClient) -> Club:
    """A private campaign that runs."""
    made = found(shared, 3, listed=False)
    made.pass_phase()
    return made


@pytest.fixture(scope="module")
def stranger(shared: TestClient) -> Person:
    return sign_up(shared, "Stranger")


@pytest.fixture(scope="module")
def weak(club: Club) -> Person:
    return club.gm.token("read", "orders")


def places(club: Club, **more: object) -> dict[str, Any]:
    return {
        "campaign_id": club.id, "number": 1, "hex": "0101", "player_id": "p2", "turn": 9, "phase": "build",
        "report_id": NOBODYS, "message_id": NOBODYS,
    } | more  # fmt: skip


def same(answers: list[Any], *names: str) -> bool:
    """Say whether answers are the same, whichever of the names they repeat."""

    def told(answer: Any) -> tuple[int, dict[str, str], str]:
        text, headers = answer.text, dict(answer.headers)
        for name in names:
            text = text.replace(name, "")
        for name in ("x-request-id", "content-length", "etag"):
            headers.pop(name, None)
        return answer.status_code, headers, text

    return all(told(each) == told(answers[0]) for each in answers)


def ids(operation: Operation) -> str:
    return operation.name


def test_every_operation_is_somebodys() -> None:
    known = {master.name for master in GAME_MASTERS} | PLAYERS
    assert {operation.name for operation in operations() if "campaign_id" in operation.places} == known
    assert not {master.name for master in GAME_MASTERS} & PLAYERS


@pytest.mark.parametrize("operation", OF_CAMPAIGN, ids=ids)
def test_a_stranger_cannot_tell_whether_a_private_campaign_exists(
    club: Club, stranger: Person, operation: Operation
) -> None:
    answers = [
        stranger.ask(operation.method, operation.filled(places(club, campaign_id=each)), operation.example)
        for each in (club.id, NOBODYS)
    ]
    assert answers[0].status_code == 404, answers[0].text
    assert same(answers, club.id, NOBODYS)


@pytest.mark.parametrize("operation", OF_CAMPAIGN, ids=ids)
def test_nobody_can_tell_either(club: Club, operation: Operation) -> None:
    answers = [
        club.gm.client.request(operation.method, PREFIX + operation.filled(places(club, campaign_id=each)),
                               json=operation.example)
        for each in (club.id, NOBODYS)
    ]  # fmt: skip
    assert answers[0].status_code in (401, 404), answers[0].text
    assert same(answers, club.id, NOBODYS)


@pytest.mark.parametrize("operation", GAME_MASTERS, ids=ids)
def test_what_is_the_game_masters_is_forbidden_to_players(club: Club, operation: Operation) -> None:
    """Whether the seat, the battle or the phase exists makes no difference."""
    ann = club.players[0]
    there = operation.filled(places(club))
    nowhere = operation.filled(places(club, player_id="p9", hex="9999", number=77))
    answers = [ann.ask(operation.method, each, operation.example) for each in (there, nowhere)]
    assert answers[0].status_code == 403, answers[0].text
    assert answers[0].json()["code"] == "forbidden"
    assert same(answers)
    assert club.open()["status"] == "running"


@pytest.mark.parametrize("operation", GAME_MASTERS, ids=ids)
def test_a_token_without_the_scope_runs_nothing(club: Club, weak: Person, operation: Operation) -> None:
    answer = weak.ask(operation.method, operation.filled(places(club)), operation.example)
    assert answer.status_code == 403, answer.text
    assert answer.json()["code"] == "missing_scope"


@pytest.mark.parametrize("operation", WITH_SEAT, ids=ids)
def test_others_seats_are_not_found(club: Club, operation: Operation) -> None:
    """A seat that somebody sits in, one nobody sits in, and one that is no seat at all."""
    ann = club.players[0]
    name = "as" if "as" in operation.query else "seat"
    path = operation.filled(places(club))
    example = operation.example
    if operation.name.endswith("_orders") and operation.method in ("PUT", "PATCH") and "orders" in (example or {}):
        example = example | {"orders": []}
    answers = {seat: ann.ask(operation.method, f"{path}?{name}={seat}", example) for seat in ("p2", "p3", "p9", "zz")}
    assert {answer.status_code for answer in answers.values()} <= {404, 409}, answers["p2"].text
    for seat, each in answers.items():
        assert same([answers["p2"], each], "p2", seat)


def test_others_things_are_not_found(club: Club) -> None:
    """Letters, reports, tokens, bots, webhooks of others: as if they were not there."""
    ann, ben = club.players[:2]
    gm_hook = club.gm.post(f"{club.path}/webhooks", {"url": "https://example.org/a"})["info"]["id"]
    letter = ben.post(f"{club.path}/messages", {"to": ["p3"], "body": "Against Ann."})["id"]
    token = ben.post("/me/tokens", {"name": "x", "scopes": ["read"]})["info"]["id"]
    bot = ben.post("/me/bots", {"name": "Ben's bot"})["id"]
    hook = ben.post("/me/webhooks", {"url": "https://example.org/b"})["info"]["id"]
    for method, path, id_, body in (
        ("PUT", f"{club.path}/messages/{{}}/read", letter, None),
        ("DELETE", "/me/tokens/{}", token, None),
        ("DELETE", "/me/bots/{}", bot, None),
        ("GET", "/me/bots/{}/tokens", bot, None),
        ("POST", "/me/bots/{}/tokens", bot, {"name": "mine", "scopes": ["read"]}),
        ("PATCH", "/webhooks/{}", hook, {"enabled": False}),
        ("PATCH", "/webhooks/{}", gm_hook, {"enabled": False}),
        ("DELETE", "/webhooks/{}", hook, None),
        ("DELETE", "/webhooks/{}", gm_hook, None),
    ):
        answers = [ann.ask(method, path.format(each), body) for each in (id_, NOBODYS)]
        assert answers[0].status_code == 404, f"{method} {path}: {answers[0].text}"
        assert same(answers, id_, NOBODYS)
    answers = [
        ann.ask("POST", f"{club.path}/messages", {"to": ["gm"], "body": "?", "reply_to": each})
        for each in (letter, NOBODYS)
    ]
    assert answers[0].status_code == 404
    assert same(answers, letter, NOBODYS)
