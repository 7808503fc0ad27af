"""A campaign watched again from its record: the snapshots and the events, phase by phase, through anybody's eyes.

Nothing is resolved and nothing is checked here; that is what :mod:`server.play.archive.verification` is for.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from server.bots.memory import Memory, remember
from server.bots.posture import Evaluation
from server.core.errors import RulesError
from server.core.events import Event
from server.play.archive.record_files import Json, row_from_json, table_of
from server.play.computer_players import own_history
from server.play.errors import PlayError
from server.play.game_data import game_data_from
from server.rules.codec import decode, event_from_json
from server.rules.sight import GM, SPECTATOR, View, view_for
from server.rules.state import State
from server.scenarios.problems import MapError
from server.store import tables
from server.store.snapshots import DamagedSnapshot, unpack

MAX_STATE_BYTES = 64_000_000
"""Bytes; a state of a thousand detachments is a fortieth of that."""


@dataclass(frozen=True, slots=True)
class ReplayPhase:
    """The campaign as it was when a phase was over."""

    number: int
    turn: int
    phase: str
    view: View
    """With the events of the phase."""
    felt: tuple[tuple[str, Evaluation], ...] = ()
    """How the computer players felt, where the phase ended a turn and the campaign is over: by seat (P-30)."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A campaign to be watched."""

    name: str
    names: dict[str, str]
    """Of the seats, by id."""
    viewer: str
    """Through whose eyes: a seat, the game master (everything) or a spectator."""
    phases: tuple[Json, ...]
    """Rows of the phases on the line that was played to the end."""
    record: Json

    def __len__(self) -> int:
        """Return how many scenes there are."""
        return len(self.phases)

    def scenes(self) -> Iterator[ReplayPhase]:
        """Yield the scenes, first to last; ``bad_record`` where the record cannot be understood."""
        with _understood():
            own = row_from_json(table_of(tables.Campaign), self.record["campaign"], "")
            world = game_data_from(own["scenario_id"], own["board"], own["ruleset_id"], own["ruleset_data"])
            told = _events(self.record)
            moods = _Moods(_computers(self.record), _diplomats(self.record))
        for phase in self.phases:
            with _understood():
                kept = unpack(base64.b64decode(phase["snapshot"], validate=True), maximum=MAX_STATE_BYTES)
                state = decode(kept, world.board, world.ruleset)
                events = [event_from_json(event) for event in told.get((phase["branch"], phase["number"]), ())]
                if self.viewer not in (*state.players, GM, SPECTATOR):
                    raise PlayError("bad_record", "The record has a seat that no player of it has.")
                scene = ReplayPhase(
                    phase["number"],
                    phase["turn"],
                    phase["phase"],
                    view_for(state, events, self.viewer),
                    moods.after(state, events),
                )
            yield scene


class _Moods:
    """How the computer players feel, as their views come in."""

    def __init__(self, seats: Sequence[str], diplomats: Sequence[str]) -> None:
        self._diplomats = diplomats
        self._memories = {seat: Memory() for seat in seats}

    def after(self, state: State, events: Sequence[Event]) -> tuple[tuple[str, Evaluation], ...]:
        """Return the evaluations that a phase has brought."""
        felt: list[tuple[str, Evaluation]] = []
        for seat, before in self._memories.items():
            now = self._memories[seat] = remember(before, view_for(state, events, seat))
            new = own_history(now.history[len(before.history) :], seat in self._diplomats)
            felt += [(seat, evaluation) for evaluation in new]
        return tuple(felt)


def _computers(record: Json) -> list[str]:
    """Return the seats that computer players ordered for, where the campaign is over: before, nobody reads that."""
    if record["campaign"]["finished_at"] is None:
        return []
    stood_in = {order_set["player_id"] for order_set in record["order_sets"] if order_set["source"] == "bot"}
    return [seat["player_id"] for seat in record["seats"] if seat["player_id"] in stood_in]


def _diplomats(record: Json) -> list[str]:
    """Return the seats that computer players had from the start."""
    if not record["campaign"]["options"].get("computer_seats"):
        return []
    return [seat["player_id"] for seat in record["seats"] if seat["user_id"] is None and seat["stand_in"] == "bot"]


def replay(record: Json, seat: str = "") -> Replay:
    """Return a campaign to be watched as the game master saw it, or as *seat* did: an id, a name, or ``spectator``."""
    with _understood():
        names = {str(seat["player_id"]): str(seat["name"]) for seat in record["seats"]}
        return Replay(str(record["campaign"]["name"]), names, _viewer(seat, names), _line(record), record)


def _viewer(seat: str, names: dict[str, str]) -> str:
    wanted = seat.casefold()
    if wanted in ("", GM):
        return GM
    for id_, name in names.items():
        if wanted in (id_, name.casefold()):
            return id_
    if wanted == SPECTATOR:
        return SPECTATOR
    known = ", ".join(f"{id_} ({name})" for id_, name in names.items())
    raise PlayError(
        "not_found", f"There is no seat {seat!r}; there are {known}, {SPECTATOR}.", field="seat", value=seat
    )


def _line(record: Json) -> tuple[Json, ...]:
    """Return the finished phases from the beginning to the end of the branch that was played last."""
    branches = {branch["number"]: branch for branch in record["branches"]}
    last: dict[int, int | None] = {}
    at, upto = record["campaign"]["branch"], None
    while at is not None and at not in last:
        last[at] = upto
        at, upto = branches[at]["from_branch"], branches[at]["from_phase"]
    done = [phase for phase in record["phases"] if phase["resolved_at"] is not None and phase["branch"] in last]
    ends = {branch: upto for branch, upto in last.items() if upto is not None}
    found = [phase for phase in done if phase["number"] <= ends.get(phase["branch"], phase["number"])]
    if not found:
        raise PlayError("bad_record", "The record has no phase that is over.")
    return tuple(sorted(found, key=lambda phase: int(phase["number"])))


def _events(record: Json) -> dict[tuple[int, int], Sequence[Json]]:
    found: dict[tuple[int, int], list[Json]] = {}
    for row in sorted(record["events"], key=lambda event: int(event["seq"])):
        event = {"type": row["type"], "fields": row["fields"], "to": row["told"], "public": row["public"]}
        found.setdefault((row["branch"], row["phase_number"]), []).append(event)
    return dict(found)


@contextmanager
def _understood() -> Iterator[None]:
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise PlayError("bad_record", f"The record cannot be understood: {type(error).__name__} {error}") from None
    except (RulesError, MapError, DamagedSnapshot) as error:
        raise PlayError("bad_record", f"The record cannot be understood: {error}") from None
