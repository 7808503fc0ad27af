"""A record's data beside the chain: players and rules, the orders as sent, the charts, the end.

Nothing of this decides a phase, but people read it; so it must be what the chained phases say. And what must be so
whatever the phases say: every row has its place, its order and a time that has come.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from server.core import dice_scheme_1
from server.play.archive.record_files import Json
from server.play.campaigns.votes import ABANDONED, KIND, PROPOSED, VOTED_NO, VOTED_YES
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


NOT_COVERED = (
    "names of the campaign and its seats",
    "times within the order of the phases, the end's among them",
    "letters, reasons and words",
    "interventions that changed no position",
)
"""What a record says and nothing proves: whoever writes the file may write it as they like."""
_TIMES = {
    "phases": ("opened_at", "resolved_at"),
    "branches": ("made_at", "abandoned_at"),
    "salts": ("committed_at",),
    "order_sets": ("updated_at",),
    "interventions": ("made_at",),
    "deadlines": ("set_at",),
    "declarations": ("made_at",),
}
_OWN_TIMES = ("created_at", "started_at", "finished_at", "archived_at", "paused_at")
_WRONG_CLOCK, _LAST = timedelta(days=1), datetime.max.replace(tzinfo=UTC)
_STARTED_WITHIN = timedelta(minutes=1)
"""Starts before version 3 of the readings noted the time twice: phase 0 ends a little after Setup opened."""

Found = tuple[tuple[int, int], str, str]
"""Branch and number of the phase, what differs, and a sentence."""


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


def first_flaw(record: Json, scheme: int, now: datetime | None) -> Found | None:
    """Return what is first wrong with the rows of a record; None: nothing. Without *now* no time is to come."""
    return next(_flaws(record, scheme, now), None)


def _flaws(record: Json, scheme: int, now: datetime | None) -> Iterator[Found]:
    yield from _scheme(record, scheme)
    yield from _places(record)
    if scheme != dice_scheme_1.SCHEME:
        yield from _salts(record)
    yield from _times(record, _LAST if now is None else now + _WRONG_CLOCK)
    yield from _order_sets(record)
    yield from _interventions(record)
    yield from _votes(record)


def _scheme(record: Json, scheme: int) -> Iterator[Found]:
    dice = record["campaign_dice"]
    if len(dice) > 1:
        yield (1, 0), "campaign", "The campaign has dice of two schemes."
    if scheme == dice_scheme_1.SCHEME and record["salts"]:
        yield (1, 0), "campaign", "Dice of scheme 1 have no commitments; the record has some, and so is of scheme 2."


def _places(record: Json) -> Iterator[Found]:
    """Find rows of phases that are not there; events of phases that were not resolved; seats that are none."""
    phases = {(phase["branch"], phase["number"]): phase["resolved_at"] is not None for phase in record["phases"]}
    seats = {seat["player_id"] for seat in record["seats"]}
    for event in record["events"]:
        place = (event["branch"], event["phase_number"])
        if not phases.get(place):
            yield place, "events", "Something happened in a phase that was not resolved, or is not there."
    for table in ("order_sets", "phase_standings", "deadlines", "interventions"):
        for row in record[table]:
            place = (row["branch"], row["phase_number"])
            if place not in phases:
                yield place, _WHAT.get(table, "campaign"), f"A row of {table} belongs to a phase that is not there."
            if row.get("player_id", "p1") not in seats and "player_id" in row:
                yield place, _WHAT.get(table, "campaign"), f"A row of {table} belongs to a seat that is not there."
    for table, keys in _KEYS.items():
        rows = [tuple(row[key] for key in keys) for row in record[table]]
        if len(set(rows)) != len(rows):
            yield (1, 0), _WHAT.get(table, "campaign"), f"A row of {table} is there twice."


_WHAT = {"order_sets": "orders", "phase_standings": "standings", "interventions": "intervention", "salts": "seed"}
_KEYS = {
    "order_sets": ("branch", "phase_number", "player_id"),
    "phase_standings": ("branch", "phase_number", "player_id"),
    "interventions": ("branch", "phase_number", "seq"),
    "salts": ("player_id", "serial"),
    "events": ("branch", "phase_number", "seq"),
}


def _salts(record: Json) -> Iterator[Found]:
    """Find salts that were not used one after the other, as their serial numbers say."""
    phases = {(phase["branch"], phase["number"]) for phase in record["phases"]}
    rows: dict[str, list[Json]] = {seat["player_id"]: [] for seat in record["seats"]}
    for salt in record["salts"]:
        if salt["player_id"] not in rows:
            yield (1, 0), "seed", "A salt belongs to a seat that is not there."
            return
        rows[salt["player_id"]].append(salt)
    for seat, own in rows.items():
        own.sort(key=lambda salt: int(salt["serial"]))
        if [salt["serial"] for salt in own] != [*range(len(own))]:
            yield (1, 0), "seed", f"The salts of {seat} are not numbered one after the other."
        used = [(salt["branch"], salt["phase_number"]) for salt in own if salt["phase_number"] is not None]
        if not set(used) <= phases:
            yield (1, 0), "seed", f"A salt of {seat} is for a phase that is not there."
        if used != sorted(set(used)) or used != [(salt["branch"], salt["phase_number"]) for salt in own[: len(used)]]:
            yield (1, 0), "seed", f"The salts of {seat} were not used in the order in which they were committed."


def _times(record: Json, latest: datetime) -> Iterator[Found]:
    for table, names in _TIMES.items():
        for row in record[table]:
            if any(_time(row.get(name)) > latest for name in names):
                place = (row.get("branch") or 1, row.get("phase_number", row.get("number")) or 0)
                yield place, "campaign", f"A time of {table} is still to come."
    own = record["campaign"]
    if any(_time(own.get(name)) > latest for name in _OWN_TIMES):
        yield (1, 0), "campaign", "A time of the campaign is still to come."
    if own["status"] in ("finished", "archived") and own["finished_at"] is None:
        yield (1, 0), "campaign", "A campaign that is over says no time of its end."
    yield from _times_of_phases(record, own["finished_at"])


def _times_of_phases(record: Json, finished_at: str | None) -> Iterator[Found]:
    for phase in record["phases"]:
        place = (phase["branch"], phase["number"])
        if phase["resolved_at"] is None:
            continue
        if _time(phase["resolved_at"]) < _time(phase["opened_at"]):
            yield place, "campaign", "The phase ended before it began."
        if finished_at is not None and _time(finished_at) < _time(phase["resolved_at"]):
            yield place, "campaign", "The campaign was over before the phase was."
    for branch in {phase["branch"]: None for phase in record["phases"]}:
        line = sorted((phase for phase in record["phases"] if phase["branch"] == branch), key=lambda row: row["number"])
        for before, after in pairwise(line):
            noted_late = timedelta(0) if before["number"] else _STARTED_WITHIN
            if _time(after["opened_at"]) + noted_late < _time(before["resolved_at"]):
                yield (branch, after["number"]), "campaign", "The phase began before the one before it was over."


def _time(value: str | None) -> datetime:
    return datetime.min.replace(tzinfo=UTC) if value is None else datetime.fromisoformat(value)


def _order_sets(record: Json) -> Iterator[Found]:
    """Find orders that were played and that nobody handed in."""
    seats = {seat["player_id"] for seat in record["seats"]}
    given = {(row["branch"], row["phase_number"], row["player_id"]) for row in record["order_sets"]}
    for phase in record["phases"]:
        if phase["number"] == 0 or phase["resolved_at"] is None:
            continue
        for player in seats & {*phase["orders"]}:
            if (phase["branch"], phase["number"], player) not in given and phase["orders"][player]:
                yield (phase["branch"], phase["number"]), "orders", f"Nobody handed in the orders of {player}."


def _votes(record: Json) -> Iterator[Found]:
    """Find ends by agreement that players did not agree on, and campaigns that end without a word of it."""
    said: dict[tuple[int, str], str] = {}
    votes: dict[int, Json] = {}
    rows = sorted(
        record["interventions"], key=lambda row: (_time(row["made_at"]), row["branch"], row["phase_number"], row["seq"])
    )
    for row in rows:
        told, place = row["public"], (row["branch"], row["phase_number"])
        if row["kind"] == PROPOSED:
            votes[told["number"]] = told
        elif row["kind"] in (VOTED_YES, VOTED_NO):
            said[told["number"], told["seat"]] = row["kind"]
        elif row["kind"] == KIND and row["details"]["about"] != ABANDONED:
            ended = row["details"]
            vote = votes.get(ended["number"])
            if vote is None or (vote["about"], vote.get("winner", "")) != (ended["about"], ended["winner"]):
                yield place, "intervention", "The campaign ended by a vote that nobody opened."
            if any(said.get((ended["number"], player)) != VOTED_YES for player in ended["yes"]):
                yield place, "intervention", "The campaign ended by a vote to which a player never agreed."
            if any(said.get((ended["number"], player)) == VOTED_NO for player in ended["absent"]):
                yield place, "intervention", "The campaign ended by a vote that a player refused."
    own = record["campaign"]
    last = (own["branch"], own["phase_number"])
    broken_off = any((row["branch"], row["number"]) == last and not row["resolved_at"] for row in record["phases"])
    ends = {row["kind"] for row in rows if (row["branch"], row["phase_number"]) == last}
    if broken_off and own["status"] in ("finished", "archived") and not ends & {"finish", "delete", KIND}:
        yield last, "intervention", "The campaign ended in the middle of a phase, and no intervention says why."


def _interventions(record: Json) -> Iterator[Found]:
    """Find what only a game master can have done, without a word of it."""
    done = {(row["branch"], row["phase_number"], row["kind"]) for row in record["interventions"]}
    for branch in record["branches"]:
        begun = (branch["number"], (branch["from_phase"] or 0) + 1)
        if branch["from_branch"] is not None and (*begun, "rollback") not in done:
            yield begun, "intervention", "A line of play begins, and nobody went back."
    for phase in record["phases"]:
        place = (phase["branch"], phase["number"])
        if phase["why"] == "gm" and (*place, "advance") not in done:
            yield place, "intervention", "The game master ended the phase, and no intervention says so."
