"""The server is killed in the middle of acts at tables: no act that was answered is lost, none is done twice."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Mapping
from typing import Any

from server.play.archive.record_files import table_game
from server.play.archive.table_record import verify
from server.play.tables.folding import acts_from
from server.store.database import Database
from tests.api.tables import SALTS, Acts, acts_to_the_end, commitment
from tests.e2e.clients import Client
from tests.e2e.processes import ServerProcess, serving
from tests.store import databases

LONG = os.environ.get("SEALED_ORDERS_LONG") == "1"
KILLS, GAMES = (60, 6) if LONG else (6, 2)
PATIENCE = 120.0


class Seated:
    """A guest who plays both sides of a game, one act after the other, whatever happens to the server."""

    def __init__(self, base_url: str, number: int) -> None:
        self.client = Client(base_url, patience=PATIENCE)
        made = self.client.do("POST", "/tables/guests", {"name": f"Ann {number}"})
        self.client.secret = made["token"]
        self.client.http.cookies.clear()
        self.id: str = self.client.do("POST", "/tables", {"mission": "sweeping_raid", "take": "both"})["id"]
        self.path = f"/tables/{self.id}"
        for side, salt in SALTS.items():
            self.client.do("PUT", f"{self.path}/seats/{side}/army", {"sample": True})
            self.client.do("PUT", f"{self.path}/seats/{side}/commitment", {"commitment": commitment(salt)})
        for side, salt in SALTS.items():
            self.client.do("PUT", f"{self.path}/seats/{side}/salt", {"salt": salt})
        self.client.do("POST", f"{self.path}/start")
        self.answered: list[Mapping[str, Any]] = []

    def play(self, acts: Acts) -> None:
        """Do all acts; what is not answered is sent again with the same key."""
        for number, (by, act) in enumerate(acts):
            body = {"expected": number, "side": by, "act": act}
            answer = self.client.ask("POST", f"{self.path}/acts", body)
            # the answer alone may be lost: then the server says that the act is done
            done = answer.status_code == 201 or answer.json().get("code") in ("already_done", "idempotency_in_progress")
            assert done, answer.text
            self.answered.append(act)


def test_no_act_that_was_answered_is_lost(kind: str) -> None:
    with databases.migrated(kind, "tables") as url, serving(url, table_games_per_address=99) as server:
        seated = [Seated(server.base_url, number) for number in range(GAMES)]
        database = Database(url)
        acts = [acts_to_the_end(database, each.id) for each in seated]
        assert _play_and_kill(server, seated, acts) >= KILLS
        with database.read() as session:
            for each, wanted in zip(seated, acts, strict=True):
                kept = [(row.by, row.content) for row in acts_from(session, each.id, 0)]
                assert kept == [(by, dict(act)) for by, act in wanted]
                assert verify(table_game(session, each.id)).first is None
        database.close()


def _play_and_kill(server: ServerProcess, seated: list[Seated], acts: list[Acts]) -> int:
    """Let all play, and kill the server after random acts; returns how often."""
    failures: list[BaseException] = []
    kills, dice = 0, random.Random(f"tables {KILLS}")
    moments = sorted(dice.sample(range(sum(map(len, acts)) * 3 // 4), KILLS))

    def play(number: int) -> None:
        try:
            seated[number].play(acts[number])
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=play, args=(number,)) for number in range(len(seated))]
    for thread in threads:
        thread.start()
    waiting = threading.Event()
    while any(thread.is_alive() for thread in threads):
        if kills < KILLS and sum(len(each.answered) for each in seated) >= moments[kills]:
            waiting.wait(dice.uniform(0, 0.02))
            server.kill()
            kills += 1
            server.start()
        else:
            waiting.wait(0.005)
    if failures:
        raise failures[0]
    return kills
