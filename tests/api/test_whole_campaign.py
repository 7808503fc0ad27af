"""A campaign of four over HTTP, from the first account to victory and to another server; everything is used."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx2
import pytest
from standardwebhooks import Webhook as Signer

from server.cli import main
from server.play import context
from tests.api.serving import serving
from tests.api.story import Story, choose, clash, hand_in, settle
from tests.e2e.clients import PASSWORD, Client, Table, close_all, sign_up
from tests.mail.conftest import PostOffice, office, post, text_of
from tests.play.conftest import Clock
from tests.play.test_delivery import receiving
from tests.store import databases

__all__ = ["office", "post"]

RULES = {"turn_limit": 4, "battles": "tabletop", "capital_eliminates": True}
OPTIONS = {
    "deadlines": {"kind": "rolling", "hours": 48}, "gm_sees_orders": True, "stand_in": "bot", "warn_hours": [24],
}  # fmt: skip


@pytest.fixture
def story(office: PostOffice, post: Any) -> Iterator[Story]:
    clock = Clock()
    smtp = {"smtp_host": "127.0.0.1", "smtp_port": post.port, "smtp_tls": "none"}
    with ExitStack() as stack:
        urls = [stack.enter_context(databases.migrated("sqlite", name)) for name in ("here", "there")]
        here = stack.enter_context(serving(urls[0], clock, webhooks_to_private_addresses=True, **smtp))
        there = stack.enter_context(serving(urls[1], clock))
        receiver = stack.enter_context(receiving())
        yield Story(here, there, office, receiver, sign_up(here.base_url, "Gwen"))
        close_all()


def test_from_creation_to_victory(story: Story, tmp_path: Path) -> None:
    ann, ben, cat, dans_bot = people(story)
    create(story, ann, ben, cat, dans_bot)
    webhooks(story)
    first_orders(story)
    letters(story)
    orders_while_away(story)
    time_passes(story)
    the_game_master(story)
    play_to_the_end(story)
    after_the_end(story)
    on_another_server(story, tmp_path)


# --- before the start ---


def people(story: Story) -> list[Client]:
    """Sign up by a mailed link and by password; tokens with scopes; a bot."""
    base = story.here.base_url
    door = Client(base)
    door.do("POST", "/links", {"email": "ann@example.org"})
    story.here.tick()
    found = re.search(r"https?://\S+[/=]([\w.-]+)\s", text_of(story.office.got[-1]))
    assert found, text_of(story.office.got[-1])
    assert door.do("POST", "/links/look", {"link": found[1]})["purpose"] == "sign_up"
    made = door.do("POST", "/links/follow", {"link": found[1], "name": "Ann"})
    assert story.refused(door, "POST", "/links/follow", {"link": found[1], "name": "Eve"}) == (401, "bad_link")
    ann = Client(base, made["token"], "Ann")
    assert ann.do("GET", "/me")["email"] == "ann@example.org"
    ben, cat, dan = (sign_up(base, name) for name in ("Ben", "Cat", "Dan"))
    reader = cat.do("POST", "/me/tokens", {"name": "reading", "scopes": ["read"]})
    assert story.refused(Client(base, reader["secret"]), "PATCH", "/me", {"name": "Kat"})[1] == "missing_scope"
    cat.do("DELETE", f"/me/tokens/{reader['info']['id']}")
    assert story.refused(Client(base, reader["secret"]), "GET", "/me") == (401, "bad_token")
    playing = cat.do("POST", "/me/tokens", {"name": "playing", "scopes": ["read", "orders"], "days": 300})
    bot = dan.do("POST", "/me/bots", {"name": "Dan's general"})
    token = dan.do("POST", f"/me/bots/{bot['id']}/tokens", {"name": "general", "scopes": ["read", "orders"]})
    ben.do("PATCH", "/me", {"locale": "de", "time_zone": "Europe/Berlin"}, If_Match='"1"')
    assert story.refused(ben, "PATCH", "/me", {"locale": "en"}, If_Match='"1"') == (412, "stale_revision")
    return [ann, ben, Client(base, playing["secret"], "Cat"), Client(base, token["secret"], "Dan's general")]


def create(story: Story, *players: Client) -> None:
    """Create, invite, join, choose, change, start."""
    gm = story.gm
    assert "four-corners" in [each["id"] for each in gm.do("GET", "/scenarios")["items"]]
    wanted = {"name": "Thursday", "scenario": "four-corners", "listed": False, "rules": RULES, "options": OPTIONS}
    once = gm.ask("POST", "/campaigns", wanted, Idempotency_Key="thursday")
    again = gm.ask("POST", "/campaigns", wanted, Idempotency_Key="thursday")
    assert (again.content, again.headers["idempotent-replayed"]) == (once.content, "true")
    other = wanted | {"name": "Friday"}
    assert story.refused(gm, "POST", "/campaigns", other, Idempotency_Key="thursday")[1] == "idempotency_key_reused"
    story.table = Table(once.json()["id"], gm, list(players))
    ann, ben, cat, bot = players
    assert story.refused(ann, "GET", story.path) == (404, "not_found")
    code = gm.do("POST", f"{story.path}/invitation-code")["code"]
    assert ann.do("POST", "/invitation-codes/look", {"code": code}) == {"campaign_id": story.table.id}
    for actor, faction in ((ann, "orks"), (cat, "space_marines"), (bot, "chaos")):
        actor.do("POST", f"{story.path}/seats", {"faction": faction, "code": code, "seat": None})
    gm.do("POST", f"{story.path}/invitations", {"name": "Ben"})
    ben.do("POST", f"{story.path}/seats", {"faction": "orks"})
    ben.do("PUT", f"{story.path}/seats/mine/faction", {"faction": "eldar"})
    eve = sign_up(story.here.base_url, "Eve")
    gm.do("POST", f"{story.path}/invitations", {"name": "Eve"})
    assert story.refused(eve, "POST", f"{story.path}/seats", {"faction": "orks"}) == (409, "campaign_full")
    eve.do("DELETE", f"{story.path}/invitations/mine")
    etag = gm.ask("GET", story.path).headers["etag"]
    gm.do("PATCH", story.path, {"description": "Every Thursday."}, If_Match=etag)
    assert story.refused(gm, "PATCH", story.path, {"name": "Friday"}, If_Match=etag) == (412, "stale_revision")
    assert story.refused(ann, "POST", f"{story.path}/start") == (403, "forbidden")
    gm.do("POST", f"{story.path}/start")
    seats = story.campaign()["seats"]
    assert [(seat["user"], seat["bot"]) for seat in seats] == [
        ("Ann", False),
        ("Cat", False),
        ("Dan's general", True),
        ("Ben", False),
    ]
    story.table.players = [ann, cat, bot, ben]


def webhooks(story: Story) -> None:
    """A campaign's webhook is signed; private addresses are refused where the operator did not allow them."""
    wanted = {"url": story.receiver.url, "kinds": []}
    hook = story.gm.do("POST", f"{story.path}/webhooks", wanted)
    story.key = hook["secret"]
    mine = story.gm.do("POST", "/me/webhooks", wanted | {"format": "discord"})
    story.gm.do("PATCH", f"/webhooks/{mine['info']['id']}", {"enabled": False})
    story.gm.do("DELETE", f"/webhooks/{mine['info']['id']}")
    assert story.gm.do("GET", "/me/webhooks")["items"] == []
    stranger = sign_up(story.there.base_url, "Gwen")
    for url in (story.receiver.url, "http://localhost/", "http://[::1]/", "http://10.0.0.1/", "ftp://example.org/"):
        assert story.refused(stranger, "POST", "/me/webhooks", {"url": url})[0] == 422
    assert story.refused(stranger, "POST", "/me/webhooks", {"url": "http://192.168.0.1/"})[1] == "bad_address"


# --- playing ---


def first_orders(story: Story) -> None:
    """Legal orders, preview, check, ETags, patches, final and back, temporary; and what is refused."""
    ann, cat = story.table.players[:2]
    path = f"{story.path}/orders"
    assert ann.do("GET", f"{story.path}/legal-orders")["items"]
    chosen = choose(story, ann)
    assert ann.do("POST", f"{path}/check", {"orders": chosen})["problems"] == []
    assert ann.do("POST", f"{story.path}/preview", {"order": chosen[0]})["problems"] == []
    bad = ann.ask("PUT", path, {"orders": [{"type": "dance"}, {"type": "place_capital", "hex": "9999"}]})
    assert (bad.status_code, [problem["order"] for problem in bad.json()["problems"]]) == (422, [0, 1])
    etag = ann.ask("GET", path).headers["etag"]
    written = ann.ask("PUT", path, {"orders": chosen, "number": 1, "salt": "random"}, If_Match=etag)
    assert story.refused(ann, "PUT", path, {"orders": []}, If_Match=etag) == (412, "stale_revision")
    change = {"changes": [{"op": "remove", "at": 0}, {"op": "add", "at": 0, "order": chosen[0]}]}
    patched = ann.do("PATCH", path, change, If_Match=written.headers["etag"])
    assert patched["orders"]["orders"] == chosen
    assert ann.do("POST", f"{path}/final", {"number": 1})["final"]
    assert ann.do("POST", f"{path}/final", {"number": 1})["revision"] == 3
    assert not ann.do("DELETE", f"{path}/final")["final"]
    assert hand_in(story, cat, temporary=True)["temporary"]
    assert story.refused(cat, "PUT", path, {"orders": [], "number": 2}) == (409, "wrong_phase")
    assert story.refused(story.gm, "GET", path) == (403, "forbidden")
    assert [each["final"] for each in cat.do("GET", f"{story.path}/finality")["items"]] == [False] * 4
    with ann.follow(f"{story.path}/stream") as stream:
        assert next(stream)["event"] == "state"
        hand_in(story, ann, final=True)
        told = next(stream)
        assert told["event"] == "orders_changed"
    for player in story.table.players[1:]:
        hand_in(story, player, final=True)
    with ann.follow(f"{story.path}/stream", Last_Event_ID=told["id"]) as stream:
        assert [next(stream)["event"] for _ in range(5)] == ["finality"] * 4 + ["phase_opened"]
    with ann.follow("/me/stream") as stream:
        assert [campaign["id"] for campaign in next(stream)["data"]["campaigns"]] == [story.table.id]
    assert story.campaign()["phase"] == "build"


def letters(story: Story) -> None:
    """Messages to one, to all, to the game master, in character; pages; declarations; an announcement."""
    ann, cat, bot, ben = story.table.players
    path = f"{story.path}/messages"

    def write(actor: Client, to: str, body: str, **more: Any) -> Any:
        story.here.clock.forward(seconds=1)
        return actor.do("POST", path, {"to": [to], "body": body} | more)

    first = write(ann, "p2", "Shall we share it?", subject="The river")
    cat.do("PUT", f"{path}/{first['id']}/read", {})
    write(cat, "p1", "No.", reply_to=first["id"], in_character=True)
    write(ann, "gm", "He is rude.")
    write(ben, "all", "Hello.")
    write(story.gm, "p1", "He is an ork.", as_gm=True)
    assert [each["body"] for each in bot.do("GET", path)["items"]] == ["Hello."]
    read, cursor = [], ""
    while cursor is not None:
        page = ann.do("GET", f"{path}?limit=2&cursor={cursor}")
        read += [each["body"] for each in page["items"]]
        cursor = page["next"]
    assert read == ["He is an ork.", "Hello.", "He is rude.", "No.", "Shall we share it?"]
    ann.do("POST", f"{story.path}/declarations", {"kind": "war", "toward": "p2", "public": True})
    story.here.clock.forward(seconds=1)
    ben.do("POST", f"{story.path}/declarations", {"kind": "alliance", "toward": "p1"})
    kinds = [[each["kind"] for each in actor.do("GET", f"{story.path}/declarations")["items"]] for actor in (ann, bot)]
    assert kinds == [["war", "alliance"], ["war"]]
    story.gm.do("POST", f"{story.path}/gm/announcements", {"body": "Tuesday is off."})
    ann.do("PATCH", "/me/notifications", {"notifications": {"message": {"mail": True}}})
    story.here.tick()
    headers, body = next(each for each in story.receiver.got if b"announcement" in each[1])
    assert (
        Signer(story.key).sign(headers["webhook-id"], story.here.clock.at, body.decode())
        == (headers["webhook-signature"])
    )
    told = [each[0]["webhook-id"] for each in story.receiver.got]
    assert len(told) == len(set(told))


def orders_while_away(story: Story) -> None:
    """Orders in advance, a holiday, a substitute."""
    ann, cat, _, ben = story.table.players
    path = f"{story.path}/orders/advance"
    ann.do("PUT", f"{path}/2/build", {"orders": [{"type": "declare_alliance", "with": "p4"}]})
    ann.do("PUT", f"{path}/3/build", {"orders": []})
    ann.do("DELETE", f"{path}/3/build")
    assert [(each["turn"], each["phase"]) for each in ann.do("GET", path)["items"]] == [(2, "build")]
    back = story.here.clock.at + timedelta(days=3)
    cat.do("PUT", f"{story.path}/seats/mine/holiday", {"until": back.isoformat()})
    eve = sign_up(story.here.base_url, "Eve the second")
    ben.do("PUT", f"{story.path}/stand-in", {"stand_in": "user", "substitute": eve.name})
    assert eve.do("GET", f"{story.path}/view")["viewer"] == "p4"
    hand_in(story, eve, final=True)
    ben.do("PUT", f"{story.path}/stand-in", {"stand_in": "bot"})
    assert eve.ask("GET", story.path).status_code == 404


def time_passes(story: Story) -> None:
    """Pause, resume, extend; a warning; a deadline that two let pass, one of them on holiday."""
    clock, gm = story.here.clock, story.gm
    gm.do("POST", f"{story.path}/pause", {"why": "Easter."})
    ann, cat = story.table.players[:2]
    assert story.refused(ann, "PUT", f"{story.path}/orders", {"orders": []}) == (409, "phase_closed")
    clock.forward(days=5)
    story.here.tick()
    assert story.campaign()["phase_number"] == 2
    gm.do("POST", f"{story.path}/resume", {"why": ""})
    cat.do("PUT", f"{story.path}/seats/mine/holiday", {"until": (clock.at + timedelta(days=9)).isoformat()})
    due = clock.at + timedelta(days=3)
    gm.do("PUT", f"{story.path}/gm/deadline", {"due": due.isoformat(), "why": "Ann is ill."})
    clock.forward(days=2, hours=3)
    story.here.tick()
    assert any("ann@example.org" in recipient for recipient in story.office.recipients[1:])
    hand_in(story, story.table.players[2], final=True)
    clock.at = due
    assert story.refused(ann, "PUT", f"{story.path}/orders", {"orders": []}) == (409, "deadline_passed")
    story.here.tick()
    now = story.campaign()
    assert (now["phase_number"], now["phase"]) == (3, "movement")
    assert [seat["missed"] for seat in now["seats"]] == [1, 0, 0, 0]


def the_game_master(story: Story) -> None:
    """Advance, edit, replace, roll back: each looked at first."""
    gm, path = story.gm, f"{story.path}/gm"
    hand_in(story, story.table.players[0], final=True)
    waits = gm.do("POST", f"{path}/advance/check")
    assert (waits["waiting_for"], waits["seats"][1]["source"]) == (["p2", "p3", "p4"], "bot")
    assert [each["player_id"] for each in gm.do("GET", f"{path}/orders")["items"]] == ["p1", "p2", "p3", "p4"]
    gm.do("POST", f"{path}/advance", {"number": 3, "why": "It is late."})
    edits = [{"do": "set", "what": "vp", "player": "p2", "vp": 3}]
    assert gm.do("POST", f"{path}/edits/check", {"edits": edits})["changes"][0]["after"]["vp"] == 3
    bad = gm.ask("POST", f"{path}/edits", {"edits": [{"do": "sing"}], "why": "x"}).json()
    assert (bad["code"], bad["problems"][0]["field"]) == ("edits_refused", "edits.0")
    gm.do("POST", f"{path}/edits", {"edits": edits, "why": "A wager."})
    assert story.gm.do("GET", f"{story.path}/view")["state"]["players"][1]["vp"] == 3
    seen = gm.do("POST", f"{path}/rollback/check", {"number": 3})
    assert [each["number"] for each in seen["abandoned"]] == [3, 4]
    assert gm.do("POST", f"{path}/rollback", {"number": 3, "why": "Ann's orders were lost."}) == {"branch": 2}
    assert story.gm.do("GET", f"{story.path}/view")["state"]["players"][1]["vp"] != 3
    ann = story.table.players[0]
    assert [each["number"] for each in ann.do("GET", f"{story.path}/branches")["items"]] == [1, 2]
    assert len(ann.do("GET", f"{story.path}/phases?branch=1")["items"]) == 5
    fay = sign_up(story.here.base_url, "Fay")
    gm.do("PUT", f"{path}/seats/p4", {"name": "Fay", "why": "Ben has moved."})
    assert story.refused(story.table.players[3], "GET", f"{story.path}/orders") == (403, "forbidden")
    story.table.players[3] = fay
    done = [(each["kind"], each["why"]) for each in ann.do("GET", f"{story.path}/interventions")["items"]]
    assert [each for each in done if each[0] in ("advance", "edit", "rollback", "replace_player")] == [
        ("advance", "It is late."),
        ("edit", "A wager."),
        ("rollback", "Ann's orders were lost."),
        ("replace_player", "Ben has moved."),
    ]
    for name, body in (("advance/check", {}), ("edits/check", {"edits": edits}), ("rollback/check", {"number": 1})):
        assert story.refused(ann, "POST", f"{path}/{name}", body) == (403, "forbidden")


def play_to_the_end(story: Story) -> None:
    ann = story.table.players[0]
    for _ in range(60):
        now = story.campaign()
        if now["status"] != "running":
            break
        number = now["phase_number"]
        if now["phase"] == "reports":
            settle(story, number)
        elif now["phase"] == "battle_movement":
            clash(story)
        else:
            for player in story.table.players:
                mine = player.ask("GET", f"{story.path}/orders")
                if mine.status_code == 200 and mine.json()["number"] == number and mine.json()["wanted"]:
                    hand_in(story, player, final=True, number=number)
        story.here.clock.forward(minutes=5)
        story.here.tick()
        story.seen[number] = ann.ask("GET", f"{story.path}/phases/{number}?as=p1").content
    assert story.ways == {"confirmed", "decided", "dice"}
    assert story.campaign()["status"] == "finished"


# --- afterwards ---


def after_the_end(story: Story) -> None:
    """Everybody knows everything, and each phase as it was seen then is still what it was."""
    stranger, path = Client(story.here.base_url), story.path
    assert stranger.ask("GET", path).status_code == 404
    story.gm.do("PATCH", path, {"listed": True})
    end = stranger.do("GET", f"{path}/view")
    assert (end["viewer"], end["state"]["ended_by"]) == ("gm", "turn_limit")
    assert end["state"]["winners"]
    for number, seen in story.seen.items():
        then = stranger.ask("GET", f"{path}/phases/{number}?as=p1")
        assert then.content == seen, number
    assert set(stranger.do("GET", f"{path}/phases/5")["orders"]) >= {"p1", "p2"}
    assert stranger.ask("GET", f"{path}/phases/5/map.svg").headers["content-type"].startswith("image/svg+xml")
    standings = stranger.do("GET", f"{path}/standings")["items"]
    assert all(standing["bp"] is not None for standing in standings)
    assert story.gm.do("POST", f"{path}/archive") is None


def on_another_server(story: Story, tmp_path: Path) -> None:
    """The record is verified offline and brought to another server, where it has the same hashes."""
    given = Client(story.here.base_url).ask("GET", f"{story.path}/record")
    record = zlib.decompress(given.content)
    assert b'"Hello."' in record
    assert b"rude" not in record  # letters stay between those who wrote and got them
    file = tmp_path / "thursday.campaign"
    file.write_bytes(given.content)
    # the story is set in the servers' time, not in ours
    with pytest.raises(SystemExit) as ended, patch.object(context, "utc_now", story.here.clock):
        main(["verify", str(file)])
    assert ended.value.code == 0
    gwen = Client(story.there.base_url)
    gwen.secret = gwen.do("POST", "/sessions", {"name": "Gwen", "password": PASSWORD})["token"]
    gwen.http.cookies.clear()
    url = f"{story.there.base_url}/api/v1/imports"
    headers = {"Authorization": f"Bearer {gwen.secret}"}
    assert httpx2.post(url, headers=headers, content=given.content[:-9]).json()["code"] == "bad_record"
    made = httpx2.post(url, headers=headers, content=given.content, timeout=60)
    assert made.status_code == 201, made.text
    assert json.loads(made.content)["id"] == story.table.id
    assert httpx2.post(url, headers=headers, content=given.content, timeout=60).json()["code"] == "already_here"
    hashes = [
        [
            (each["number"], each["state_hash"], each["chain_hash"])
            for each in actor.do("GET", f"{story.path}/phases")["items"]
        ]
        for actor in (story.gm, gwen)
    ]
    assert hashes[0] == hashes[1]
    assert all(each[1] for each in hashes[0])
