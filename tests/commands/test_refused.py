"""Refused orders on the command line name force and place, and speak of no field."""

from __future__ import annotations

from sealed_orders import Fault
from server.commands.ordering import refusal

NAMES = {"d1": "Iron Guard", "hex/0505": "Gate Field (0505)", "hex/0605": "Stone Ford (0605)"}


def test_a_refusal_names_the_force_and_its_places() -> None:
    problem = Fault(
        "not_adjacent", "0605 is not next to 0505.", "path", "0605", "2.1.1", 0,
        "{hex} is not next to {other}.", {"hex": "0605", "other": "0505"},
    )  # fmt: skip
    said = refusal(problem, {"type": "move", "detachment": "d1", "path": ["0605"]}, NAMES)
    assert said == "Iron Guard: Stone Ford (0605) is not next to Gate Field (0505). [2.1.1]"


def test_a_refusal_speaks_as_the_pages_do() -> None:
    problem = Fault("missing_field", "The order is missing the field at.", "at", None, "", 0,
                    "The order needs the field {name}.", {"name": "at"})  # fmt: skip
    assert refusal(problem, {"type": "place"}, NAMES) == (
        "The order is incomplete. Open it and fill in what is missing."
    )


def test_a_refusal_with_words_of_the_rules_keeps_the_servers_sentence() -> None:
    problem = Fault("slots", "The hex has 2 heavy units too many.", template="{slot} {n}", params={
        "slot": {"word": "slot.heavy"}, "n": 2})  # fmt: skip
    assert refusal(problem, ["no order"], NAMES) == "The hex has 2 heavy units too many."
