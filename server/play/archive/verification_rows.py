"""A record's data beside the chain: players and rules, the orders as sent, the charts, the end.

Nothing of this decides a phase, but people read it; so it must be what the chained phases say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from server.play.archive.record_files import Json
from server.play.resolution.phase_writing import standings_of
from server.rules.state import OVER, Settings, State
from server.store.position import settings_from_json

_STAND_INS = ("bot", "defaults")

Place = tuple[int, int]
"""Branch and number of a phase."""


class ReplayMismatch(Exception):
    """Something in a record is not as it should be."""

    def __init__(self, what: str, message: str) -> None:
        super().__init__(message)
        self.what = what


def same(what: str, message: str, given: Any, expected: Any) -> None:
    """Raise :class:`ReplayMismatch` where two things are not the same."""
    if given != expected:
        raise ReplayMismatch(what, message)


class Rows:
    """A record's rows about phases, to be compared with the phases themselves."""

    def __init__(self, record: Json) -> None:
        self.record = record
        self.orders = _by_phase(record["order_sets"])
        self.standings = _by_phase(record["phase_standings"])

    def check_start(self, given: Mapping[str, Any], begun: State) -> None:
        """Check players and settings against those of phase 0."""
        seats = sorted(self.record["seats"], key=lambda seat: int(seat["number"]))
        same(
            "campaign",
            "The seats are not those the campaign began with.",
            [[seat["player_id"], seat["faction"]] for seat in seats],
            given["players"],
        )
        settings = self._settings()
        first = begun.settings  # the readings may change while a campaign runs
        settings = replace(settings, readings=first.readings, next_readings=first.next_readings)
        same("campaign", "The rules' settings are not those the campaign began with.", settings, begun.settings)

    def check_phase(self, phase: Json, state: State) -> None:
        """Check the orders as sent, and the standings afterwards."""
        place = (phase["branch"], phase["number"])
        for row in self.orders.get(place, ()):
            self._check_orders(row, phase["orders"].get(row["player_id"], []))
        kept = {standing["player_id"]: standing for standing in self.standings.get(place, ())}
        found = standings_of(state)
        shown = {id_: {name: row[name] for name in ("vp", *_CHARTED)} for id_, row in kept.items()}
        same("standings", "How the players stood is not what the position says.", shown, found)

    def check_end(self, states: Mapping[Place, State]) -> None:
        """Check that no phase is missing at the end of a branch, or follows an impossible one."""
        phases = {(phase["branch"], phase["number"]): phase for phase in self.record["phases"]}
        own = self.record["campaign"]
        for branch in self.record["branches"]:
            numbers = sorted(number for on, number in phases if on == branch["number"])
            first = 0 if branch["from_phase"] is None else branch["from_phase"] + 1
            same("campaign", "A line of play does not begin where it left the one before.", numbers[:1], [first])
            last = phases[branch["number"], numbers[-1]]
            open_ = [number for number in numbers if phases[branch["number"], number]["resolved_at"] is None]
            same("campaign", "A phase was never resolved, and others follow it.", open_[:1], open_ and numbers[-1:])
            if last["resolved_at"] is not None and states[branch["number"], numbers[-1]].phase != OVER:
                raise ReplayMismatch("campaign", f"The record is cut off: what follows phase {numbers[-1]} is missing.")
        newest = max(number for on, number in phases if on == own["branch"])
        self._check_readings(own["branch"], states)
        same("campaign", "The campaign does not stand at its last phase.", own["phase_number"], newest)

    def _settings(self) -> Settings:
        return settings_from_json(self.record["campaign"]["settings"])

    def _check_readings(self, branch: int, states: Mapping[Place, State]) -> None:
        """Check that the campaign says by which version of the readings it was played last."""
        last = max((place for place in states if place[0] == branch), default=None)
        if last is not None:
            same(
                "campaign",
                "The campaign is not played by the version of the readings that it names.",
                self._settings().readings,
                states[last].settings.readings,
            )

    def _check_orders(self, row: Json, played: list[Any]) -> None:
        given = row["orders"]
        if row["source"] in _STAND_INS:
            same("orders", f"A stand-in ordered for {row['player_id']}, who handed in orders.", given, [])
            return
        reports, own = played[: len(played) - len(given)], played[len(played) - len(given) :]
        told = all(isinstance(report, dict) and report.get("type") == "report" for report in reports)
        if own != given or not told:
            raise ReplayMismatch("orders", f"The orders of {row['player_id']} are not those that were handed in.")


_CHARTED = ("hexes", "bp", "points", "ready_points")


def _by_phase(rows: list[Json]) -> dict[Place, list[Json]]:
    found: dict[Place, list[Json]] = {}
    for row in rows:
        found.setdefault((row["branch"], row["phase_number"]), []).append(row)
    return found
