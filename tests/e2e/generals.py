"""Players who order as the computer player would, over HTTP: they know what the API tells them and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import orjson

from server import rulesets
from server.bots import commander
from server.rules.board import Board
from server.rules.codec import decode
from server.rules.sight import View
from server.scenarios import library
from tests.e2e.clients import SCENARIOS, Client, Table

Order = dict[str, Any]


def view_of(client: Client, table: Table) -> View:
    """Return what a player knows, put together from the API's answer."""
    shown = client.do("GET", f"{table.path}/view")
    scenario = library.load(SCENARIOS[len(table.players)])
    ruleset = rulesets.load("wh40k-2001")
    state = decode(orjson.dumps(shown["state"]), scenario.board, ruleset)
    return View(shown["viewer"], state, _hexes(scenario.board, shown["sees"]), ())


def _hexes(board: Board, labels: list[str]) -> tuple[int, ...]:
    return tuple(hex_ for label in labels if (hex_ := board.find(label)) is not None)


@dataclass
class General:
    """One player, who writes down what the server has acknowledged."""

    client: Client
    table: Table
    acknowledged: dict[int, list[Order]] = field(default_factory=dict)
    """By phase: the orders the server has said it has, final."""

    def move(self) -> str:
        """Order once, if there is anything to order; returns the campaign's status."""
        campaign = self.client.do("GET", self.table.path)
        if campaign["status"] != "running":
            return str(campaign["status"])
        number = campaign["phase_number"]
        if number in self.acknowledged:
            return "waiting"
        answer = self.client.ask("GET", f"{self.table.path}/orders")
        if answer.status_code != 200:  # out of the campaign, or it has just ended
            return "waiting"
        mine = answer.json()
        if not mine["wanted"] or mine["number"] != number or mine["final"]:
            return "waiting"
        view = view_of(self.client, self.table)
        if (view.state.turn, view.state.phase) != (mine["turn"], mine["phase"]):
            return "waiting"
        self._hand_in(number, commander.choose(view))
        return "running"

    def _hand_in(self, number: int, orders: list[Order]) -> None:
        body = {"orders": orders, "number": number, "salt": f"{self.client.name} {number}"}
        path = f"{self.table.path}/orders"
        written = self.client.ask("PUT", path, body)
        if written.status_code == 409 and written.json()["code"] == "wrong_phase":
            return
        # the answer may have died with the server; then the set is there all the same
        assert written.status_code == 200 or written.json()["code"] == "already_done", written.text
        final = self.client.ask("POST", f"{path}/final", {"number": number})
        assert final.status_code == 200 or final.json()["code"] in ("already_done", "wrong_phase"), final.text
        self.acknowledged[number] = orders
