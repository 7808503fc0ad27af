"""The table of how often each army list won, as it was played and recorded (D-71c)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from server.rulebook.markdown import table
from server.rulebook.translations import TableTranslations
from server.rules.ruleset import Ruleset

WRITTEN = "played"
"""The folder of records: what ``sealed-orders balance --json`` printed, by ruleset."""


@cache
def record_of(ruleset: str) -> Mapping[str, Any]:
    """Return what was recorded for a ruleset; empty for one that nobody has measured."""
    file = files("server.rulebook").joinpath(WRITTEN, f"{ruleset}.json")
    found: Mapping[str, Any] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return found


def balance(rs: Ruleset, t: TableTranslations) -> str:
    """Wins of each army list and of each strategy value over their fair share, with 95 % intervals."""
    found = record_of(rs.id)
    lists = [(t.name(rs.factions[line["name"]].name), line) for line in found.get("lists", ())]
    values = [(t("strategy {n}", n=line["name"]), line) for line in found.get("strategies", ())]
    rows = [
        (
            name,
            line["games"],
            f"{line['ratio']:.2f}",
            t("{a} to {b}", a=f"{line['low']:.2f}", b=f"{line['high']:.2f}"),
        )
        for name, line in (*lists, *values)
    ]
    return table((t("Army list"), t("Appearances"), t("Of its fair share"), "95 %"), rows)
