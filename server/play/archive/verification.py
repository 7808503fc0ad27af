"""Checking a campaign's record offline: everything is done once more, from the first dice on.

For each phase: the link belongs to the dice chain and is the one the turn uses, the seed follows from link and
salts, the rules give the same events (every roll among them), refusals and state, the state's hash and the
chain are right. Edits of the position are made again. The data beside the chain follow from it
(:mod:`server.play.archive.verification_rows`), and each row has its place
(:mod:`server.play.archive.verification_rows`). What differs first is named.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from server.core import dice_scheme_1
from server.core.dice import SCHEME, chain, commitment
from server.core.errors import RulesError
from server.core.events import Event
from server.play import access
from server.play.archive.record_files import Json, read, read_file, row_from_json, table_of
from server.play.archive.verification_rows import NOT_COVERED, ReplayMismatch, Rows, first_flaw, same
from server.play.campaigns import votes
from server.play.edits import edits
from server.play.errors import PlayError
from server.play.game_data import GameData, game_data_from, id_key
from server.play.game_masters import game_master
from server.play.records.phase_dice import PhaseDice, keys_of, link_offset
from server.play.records.records import PRACTICE, START, edit_inputs, next_link, phase_inputs
from server.play.resolution.engine import play_phase
from server.play.resolution.version import RULES_VERSION
from server.rules.codec import decode, encode, event_to_json
from server.rules.phases import begin
from server.rules.state import OVER, State
from server.scenarios.begin import initial_state
from server.scenarios.problems import MapError
from server.store import tables
from server.store.position import settings_from_json
from server.store.snapshots import DamagedSnapshot, unpack

Progress = Callable[[int, int], None]
"""Called with how many records are checked, and how many there are."""

_MISSHAPEN = (KeyError, TypeError, ValueError, AttributeError)
"""What reading rows raises that are not shaped as they should be."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A fault of a record."""

    branch: int
    number: int
    what: str
    """``campaign``, ``link``, ``seed``, ``roll``, ``events``, ``problems``, ``state``, ``chain``, ``snapshot``,
    ``intervention``, ``orders`` or ``standings``."""
    message: str


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """What came of checking a record."""

    campaign_id: str
    name: str
    checked: int
    """Records that are as they should be: phases and edits of the position."""
    total: int
    first: Difference | None
    """What differs first; None: everything is as it should be."""
    other_versions: tuple[str, ...]
    """Versions of the rules' program, other than this one, that resolved phases."""
    scheme: int = SCHEME
    """Of the dice; see ``docs/dice.md``."""
    not_covered: tuple[str, ...] = NOT_COVERED
    """What the record says and nothing proves."""

    @property
    def ok(self) -> bool:
        """True when nothing differs."""
        return self.first is None


def verify(path: str | Path, progress: Progress | None = None) -> VerifyReport:
    """Check the record in a file; raises ``bad_record`` where it cannot be read at all."""
    return verify_record(read_file(path), progress)


def verify_bytes(data: bytes, progress: Progress | None = None) -> VerifyReport:
    """Check a record from its bytes."""
    return verify_record(read(data), progress)


def verify_record(record: Json, progress: Progress | None = None, *, now: datetime | None = None) -> VerifyReport:
    """Check a record that was read; with *now* no time in it may be still to come."""
    campaign = record["campaign"]
    try:
        checking = _Checking(record, progress or (lambda _done, _total: None), now)
    except _MISSHAPEN as error:
        raise PlayError("bad_record", f"The record cannot be understood: {type(error).__name__} {error}") from None
    first = checking.run()
    versions = {str(phase.get("rules_version")) for phase in record["phases"] if phase.get("resolved_at")}
    return VerifyReport(
        str(campaign.get("id")),
        str(campaign.get("name")),
        checking.done,
        checking.total,
        first,
        tuple(sorted(versions - {RULES_VERSION})),
        checking.scheme,
    )


@dataclass(frozen=True, slots=True)
class _Known:
    """A state that was found to be right, and the chain up to it."""

    state: State
    chained: str


class _Checking:
    """One check of one record."""

    def __init__(self, record: Json, progress: Progress, now: datetime | None) -> None:
        self.record, self.now = record, now
        self.progress = progress
        self.done = 0
        self.known: dict[tuple[int, int], _Known] = {}
        self.phases = self._sorted("phases", "branch", "number")
        self.branches = {branch["number"]: branch for branch in self._sorted("branches", "number")}
        self.edits = self._by_phase("interventions", "seq")
        self.events = self._by_phase("events", "seq")
        self.total = sum(phase.get("resolved_at") is not None for phase in self.phases)
        self.total += sum(edit.get("chain_hash") is not None for group in self.edits.values() for edit in group)
        self.rows = Rows(record)
        self.at = (1, 0)
        self.scheme: int = next((row["scheme"] for row in record["campaign_dice"]), dice_scheme_1.SCHEME)

    def run(self) -> Difference | None:
        try:
            self._campaign()
            for phase in self.phases:
                self.at = (phase["branch"], phase["number"])
                self._phase(phase)
            self.rows.check_end({place: known.state for place, known in self.known.items()})
            flaw = first_flaw(self.record, self.scheme, self.now)
            return None if flaw is None else Difference(*flaw[0], *flaw[1:])
        except ReplayMismatch as found:
            return Difference(*self.at, found.what, str(found))
        except (RulesError, DamagedSnapshot) as error:
            return Difference(*self.at, "state", str(error))
        except (*_MISSHAPEN, IndexError, OverflowError, RecursionError, PlayError, MapError) as error:
            return Difference(
                *self.at, "campaign", f"The record cannot be understood here: {type(error).__name__} {error}"
            )

    # --- once ---

    def _campaign(self) -> None:
        own = row_from_json(table_of(tables.Campaign), self.record["campaign"], "")
        self.id: str = own["id"]
        self.own = own
        self.world: GameData = game_data_from(own["scenario_id"], own["board"], own["ruleset_id"], own["ruleset_data"])
        for name, given, found in (
            ("board", own["board_digest"], self.world.board.digest),
            ("ruleset", own["ruleset_digest"], self.world.ruleset.digest),
        ):
            same("campaign", f"The {name} is not the one the campaign was made with.", given, found)
        self.chain = chain(own["dice_secret"])
        if self.scheme not in (dice_scheme_1.SCHEME, SCHEME):
            raise ReplayMismatch("campaign", f"Dice of scheme {self.scheme} are unknown to this version.")
        seats = [seat["player_id"] for seat in self._sorted("seats", "number")]
        self.keys = keys_of(own["dice_secret"], seats, self.scheme)
        self.salts: dict[tuple[int, int], dict[str, Json]] = {}
        for salt in self.record["salts"]:
            if salt["phase_number"] is not None:
                self.salts.setdefault((salt["branch"], salt["phase_number"]), {})[salt["player_id"]] = salt
        same(
            "link",
            "Link 0, published at the beginning, does not follow from the dice's secret.",
            own["link0"],
            self.chain[0].hex(),
        )
        numbers = [(phase["branch"], phase["number"]) for phase in self.phases]
        if not numbers or numbers[0] != (1, 0) or len(set(numbers)) != len(numbers):
            raise ReplayMismatch("campaign", "The record does not begin with phase 0, or has a phase twice.")
        if [*self.branches] != [*range(1, len(self.branches) + 1)] or not {on for on, _ in numbers} <= {*self.branches}:
            raise ReplayMismatch("campaign", "The branches are not numbered one after the other, or one is missing.")

    # --- each phase ---

    def _phase(self, phase: Json) -> None:
        before = None if phase["number"] == 0 else self._edited(phase, self._before(phase))
        if phase["resolved_at"] is None:
            return
        dice = self._dice(phase)
        if before is None:
            state, events, problems = self._first(phase, dice)
            chained = ""
        else:
            same(
                "state",
                "The phase is not the one the position stands at.",
                [phase["turn"], phase["phase"]],
                [before.state.turn, before.state.phase],
            )
            outcome = play_phase(before.state, phase["orders"], dice.roll_with())
            state, events, problems = outcome.state, outcome.events, outcome.problems
            chained = before.chained
        self._check(phase, dice, state, events, problems, chained)
        if before is None:
            self.rows.check_start(phase["orders"], state)
        else:
            self.rows.check_phase(phase, state)
        self._count()

    def _before(self, phase: Json) -> _Known:
        """Return what the phase began from: the record before it on its branch."""
        branch, number = phase["branch"], phase["number"] - 1
        while (branch, number) not in self.known:
            left = self.branches[branch]
            if left["from_branch"] is None or number > left["from_phase"] or left["from_branch"] >= branch:
                raise ReplayMismatch("campaign", "The phase before it is missing.")
            branch = left["from_branch"]
        return self.known[branch, number]

    def _dice(self, phase: Json) -> PhaseDice:
        rows = [(phase["branch"], phase["turn"], phase["resolved_at"] is not None) for phase in self.phases]
        link = self.chain[phase["turn"] + link_offset(rows, phase["branch"], self.scheme)]
        same("link", "The link is not the one of the dice chain that the turn uses.", phase["link"], link.hex())
        salts = phase["salts"]
        if not isinstance(salts, list) or not all(isinstance(salt, str) for salt in salts):
            raise ReplayMismatch("seed", "The salts are no list of texts.")
        name = START if phase["number"] == 0 else phase["phase"]
        dice = PhaseDice(
            self.scheme,
            self.id,
            phase["branch"],
            phase["turn"],
            name,
            link,
            tuple(salts),
            self._commitments(phase, salts),
            self.keys,
        )
        same("seed", "The seed does not follow from link and salts.", phase["seed"], dice.seed.hex())
        return dice

    def _commitments(self, phase: Json, salts: Sequence[str]) -> tuple[str, ...]:
        """Return what was committed for a phase, in seat order, after comparing it with the salts."""
        if self.scheme == dice_scheme_1.SCHEME:
            return ()
        rows = self.salts.get((phase["branch"], phase["number"]), {})
        kept = [rows.get(seat, {"salt": "", "commitment": ""}) for seat in self.keys]
        same("seed", "The salts are not those that the seats sent.", list(salts), [row["salt"] for row in kept])
        for seat, row in zip(self.keys, kept, strict=True):
            if row["salt"] and commitment(row["salt"].encode()) != row["commitment"]:
                raise ReplayMismatch("seed", f"The salt of {seat} is not the one that was committed.")
        return tuple(row["commitment"] for row in kept)

    def _first(self, phase: Json, dice: PhaseDice) -> tuple[State, list[Event], Json]:
        given = phase["orders"]
        players = [(player[0], player[1]) for player in given["players"]]
        settings = settings_from_json(given["settings"])
        key = id_key(self.own["dice_secret"])
        if PRACTICE in given:  # a practice: its position is what it begins from
            position = orjson.dumps(given[PRACTICE]["position"])
            state = decode(position, self.world.board, self.world.ruleset)
            same(
                "state",
                "The practice does not begin with its players, settings and key.",
                [[[player.id, player.faction] for player in state.players.values()], state.settings, state.id_key],
                [given["players"], settings, key],
            )
            return state, [], {}
        initial = initial_state(self.world.scenario, self.world.ruleset, settings, players, key)
        begun = begin(initial, dice.roll_with())
        return begun.state, begun.events, {}

    def _check(
        self, phase: Json, dice: PhaseDice, state: State, events: list[Event], problems: Mapping[str, Any], chained: str
    ) -> None:
        self._check_events(phase, events)
        same("problems", "Other orders are refused than the record says.", phase["problems"], problems)
        written = encode(state)
        hashed = hashlib.sha256(written).hexdigest()
        same("state", "The rules give another state than the record says.", phase["state_hash"], hashed)
        self._check_snapshot(phase["snapshot"], written)
        inputs = phase_inputs(dice, phase["orders"], problems, events)
        link = next_link(chained, inputs, hashed)
        same("chain", "The chain's hash does not follow from the record before.", phase["chain_hash"], link)
        self.known[phase["branch"], phase["number"]] = _Known(state, link)

    def _check_events(self, phase: Json, events: Sequence[Event]) -> None:
        kept = self.events.get((phase["branch"], phase["number"]), [])
        for place, event in enumerate(events):
            told = event_to_json(event)
            row = kept[place] if place < len(kept) else {}
            noted = {
                "type": row.get("type"),
                "fields": row.get("fields"),
                "to": row.get("told"),
                "public": row.get("public"),
            }
            if noted != told or row.get("seq") != place:
                roll = event.type == "dice" and noted["type"] == "dice"
                label = f" ({event.fields['label']})" if roll else ""
                what = "A roll" if roll else "An event"
                raise ReplayMismatch(
                    "roll" if roll else "events", f"{what}{label} is not as the record says: event {place}."
                )
        if len(kept) > len(events):
            raise ReplayMismatch("events", f"The record has {len(kept) - len(events)} events that did not happen.")

    def _check_snapshot(self, kept: Any, written: bytes) -> None:
        if unpack(base64.b64decode(kept, validate=True)) != written:
            raise ReplayMismatch("snapshot", "The snapshot is not the state.")

    # --- edits of the position ---

    def _edited(self, phase: Json, before: _Known) -> _Known:
        known = before
        own = self.own
        for edit in self.edits.get((phase["branch"], phase["number"]), []):
            if edit["kind"] in ("edit", game_master.READINGS, votes.KIND):
                known = self._edit(edit, known)
                self._count()
            elif any(edit.get(name) is not None for name in ("state_hash", "chain_hash", "snapshot")):
                raise ReplayMismatch("intervention", "Something that is no edit claims to have changed the position.")
        here = (own["branch"], own["phase_number"]) == (phase["branch"], phase["number"])
        if here and known.state.phase == OVER and own["status"] in access.NOT_FINISHED:
            raise ReplayMismatch("intervention", "The players ended the campaign, and it goes on.")
        return known

    def _edit(self, row: Json, before: _Known) -> _Known:
        written = encode(self._edited_state(row, before.state))
        hashed = hashlib.sha256(written).hexdigest()
        same("intervention", "An edit gives another state than the record says.", row["state_hash"], hashed)
        self._check_snapshot(row["snapshot"], written)
        link = next_link(before.chained, edit_inputs(row["details"]), hashed)
        same("intervention", "An edit's place in the chain is wrong.", row["chain_hash"], link)
        return _Known(decode(written, self.world.board, self.world.ruleset), link)

    @staticmethod
    def _edited_state(row: Json, before: State) -> State:
        if row["kind"] == game_master.READINGS:
            return game_master.with_next_readings(before, row["details"]["version"])
        if row["kind"] == votes.KIND:
            try:
                return votes.ended(before, row["details"])
            except votes.NotAgreed as error:
                raise ReplayMismatch("intervention", str(error)) from None
        done = edits.apply(before, row["details"]["edits"])
        if done.problems:
            raise ReplayMismatch("intervention", f"An edit cannot be made: {done.problems[0]['message']}")
        return done.state

    # --- rows ---

    def _count(self) -> None:
        self.done += 1
        self.progress(self.done, self.total)

    def _sorted(self, name: str, *keys: str) -> list[Json]:
        rows: list[Json] = self.record[name]
        return sorted(rows, key=lambda row: tuple(int(row.get(key) or 0) for key in keys))

    def _by_phase(self, name: str, key: str) -> dict[tuple[int, int], list[Json]]:
        found: dict[tuple[int, int], list[Json]] = {}
        for row in self._sorted(name, "branch", "phase_number", key):
            found.setdefault((row.get("branch", 0), row.get("phase_number", 0)), []).append(row)
        return found
