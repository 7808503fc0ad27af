"""From a state, or from events, to canonical bytes, and the hashes over them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import orjson

from server.core.errors import RulesError
from server.core.events import Event
from server.rules.board import Board
from server.rules.codec import layout
from server.rules.codec.layout import FORMAT, Json, Kinds
from server.rules.ruleset import Ruleset
from server.rules.state import Force, Settings, State


def encode(state: State) -> bytes:
    """Return the canonical bytes of a state. Raises :class:`RulesError` where a value is none of JSON's."""
    return _dump(_state_out(state))


def state_hash(state: State) -> str:
    """Return the SHA-256 of the canonical bytes of a state, hexadecimal."""
    return hashlib.sha256(encode(state)).hexdigest()


def chain_hash(previous: str, state_hash: str) -> str:
    """Return the next link of a campaign's record: SHA-256 of ``previous|state_hash``, hexadecimal.

    *previous* is the link of the phase before, empty for the first.
    """
    return hashlib.sha256(f"{previous}|{state_hash}".encode()).hexdigest()


def event_to_json(event: Event) -> Json:
    """Return an event as a plain JSON object."""
    return {"type": event.type, "fields": dict(event.fields), "to": list(event.to), "public": event.public}


def encode_events(events: Iterable[Event]) -> bytes:
    """Return the canonical bytes of a list of events, in the order given."""
    return _dump([event_to_json(event) for event in events])


def _dump(value: object) -> bytes:
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError as error:
        raise RulesError(f"this cannot be written as JSON: {error}") from error


def _state_out(state: State) -> Json:
    label, labels = state.board.label, state.board.labels
    return {
        "format": FORMAT,
        "board": board_out(state.board),
        "ruleset": ruleset_out(state.ruleset),
        "settings": _settings_out(state.settings),
        "players": [_plain(player, layout.PLAYER) | {"met": sorted(player.met)} for player in state.players.values()],
        "turn": state.turn,
        "phase": state.phase,
        "owner": {labels[at]: player for at, player in enumerate(state.owner) if player},
        "discovered": [labels[at] for at, known in enumerate(state.discovered) if known],
        "urban": {label(at): _plain(urban, layout.URBAN) for at, urban in state.urban.items()},
        "stronghold": {label(at): _plain(stronghold, layout.STRONGHOLD) for at, stronghold in state.stronghold.items()},
        "resource": {label(at): size for at, size in state.resource.items()},
        "store": {label(at): bp for at, bp in state.store.items()},
        "harvest": {label(at): bp for at, bp in state.harvest.items()},
        "roads": [[labels[a], labels[b]] for a, b in sorted(state.roads)],
        "corrupted": {label(at): player for at, player in state.corrupted.items()},
        "infested": {label(at): player for at, player in state.infested.items()},
        "detachments": {
            id_: _plain(detachment, layout.DETACHMENT) | {"at": label(detachment.at), "units": _units_out(detachment)}
            for id_, detachment in state.detachments.items()
        },
        "garrisons": {
            id_: {"owner": garrison.owner, "at": label(garrison.at), "units": _units_out(garrison)}
            for id_, garrison in state.garrisons.items()
        },
        "convoys": {
            id_: {"owner": convoy.owner, "at": label(convoy.at), "bp": convoy.bp}
            for id_, convoy in state.convoys.items()
        },
        "battles": [
            _plain(battle, layout.BATTLE) | {"hex": label(battle.hex), "origin": label(battle.origin)}
            for battle in state.battles.values()
        ],
        "lost_characters": sorted(state.lost_characters),
        "system_control": state.system_control,
        "winners": list(state.winners),
        "ended_by": state.ended_by,
        "id_key": state.id_key.hex(),
    }


def board_out(board: Board) -> Json:
    """Return what is written of a board: enough to know it again."""
    return {"columns": board.columns, "rows": board.rows, "digest": board.digest}


def ruleset_out(ruleset: Ruleset) -> Json:
    """Return what is written of a ruleset: enough to know it again."""
    return {"id": ruleset.id, "version": ruleset.version, "digest": ruleset.digest}


def _plain(thing: object, kinds: Kinds) -> Json:
    return {name: getattr(thing, name) for name in kinds}


def _settings_out(settings: Settings) -> Json:
    """Return the settings; those that later versions brought are left out where they say nothing new."""
    plain = _plain(settings, layout.SETTINGS)
    later = {name: getattr(settings, name) for name in layout.LATER_SETTINGS}
    return plain | {name: value for name, value in later.items() if value != layout.LATER_SETTINGS[name]}


def _units_out(force: Force) -> orjson.Fragment:
    """Return a force's units, which are most of a state: written once for as long as the force has the same."""
    if force.written is None or force.written[0] is not force.units:
        units = [  # naming their fields takes half as long as looking them up
            {"id": unit.id, "name": unit.name, "slot": unit.slot, "models": unit.models, "points": unit.points,
             "mobility": unit.mobility, "flags": unit.flags, "bombardment": unit.bombardment, "ready": unit.ready,
             "wounded": unit.wounded, "damaged": unit.damaged}
            for unit in force.units
        ]  # fmt: skip
        force.written = force.units, _dump(units)
    return orjson.Fragment(force.written[1])
