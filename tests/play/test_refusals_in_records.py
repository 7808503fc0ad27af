"""Rewording a refused order changes no record: the sentence in the code is hashed, the catalogue is what people read.

``records/refusals.sealed``: four seats that handed in what the rule cases hold, with ids and hexes of their own, for
ten phases. It holds 6,903 refusals and was made before English had a catalogue. ``records/refusals.txt`` lists every
sentence with which the rules refused an order then.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from server.play.archive.record_files import read_file
from server.play.archive.verification import verify
from server.play.resolution import engine
from server.render import messages
from server.render.messages import catalogue, english
from server.rules import phases
from tests.web.sentences import everything

RECORDS = Path(__file__).parent / "records"
RECORD = RECORDS / "refusals.sealed"
FROZEN = (RECORDS / "refusals.txt").read_text("utf-8").splitlines()


def refused() -> list[Any]:
    """Return every refusal that the record holds."""
    each = (phase["problems"] for phase in read_file(RECORD)["phases"])
    return [problem for problems in each for found in (problems or {}).values() for problem in found]


def test_a_record_full_of_refusals_verifies() -> None:
    report = verify(RECORD)
    assert report.ok, report.first
    assert report.checked == report.total == 11
    assert len(refused()) == 6903


def test_the_sentence_in_the_code_is_part_of_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the record is a trap: with one sentence reworded in the code it would not verify."""
    resolve = phases.resolve

    def reworded(*given: Any) -> Any:
        done = resolve(*given)
        for found in done.problems.values():
            for problem in found:
                object.__setattr__(problem, "message", english(problem.message))
        return done

    monkeypatch.setattr(engine, "resolve", reworded)
    first = verify(RECORD).first
    assert first is not None
    assert first.what == "problems"


def test_it_verifies_whatever_the_catalogue_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "catalogue", lambda _language: dict.fromkeys(FROZEN, "No."))
    assert english("That is not yours to command.") == "No."
    assert verify(RECORD).ok


def test_every_sentence_that_a_record_may_hold_is_still_in_the_code() -> None:
    """Reword a refusal in ``server/render/texts/messages/en.toml``, never here and never where it is raised."""
    said = {each.template for each in everything() if each.where.startswith(("core/", "rules/"))}
    assert [sentence for sentence in FROZEN if sentence not in said] == []


def test_people_read_the_catalogue() -> None:
    kept = [problem["message"] for problem in refused()]
    reworded = {message for message in kept if english(message) != message}
    assert len(reworded) > 100
    assert not [message for message in reworded if english(message) in catalogue("en")]
