"""State and events as canonical bytes and back, and the hashes over them.

Canonical means: UTF-8 JSON, object keys sorted, no white space, every field always written,
hexes as labels (D-01). Two equal states give the same bytes however they came about: what is a
set or a table in the rules is an object or a sorted array here. Order is kept only where it
has meaning: players stand in seat order, battles in the order in which they were opened,
units as they stand in their force.

Boards and rulesets are not part of it; their digests are, and must match when a state is read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from types import NoneType
from typing import Any, TypeVar

import orjson

from server.rules.board import ORBIT, Board, Hex
from server.rules.errors import RulesError
from server.rules.events import Event
from server.rules.ruleset import Ruleset
from server.rules.state import (
    Battle,
    Convoy,
    Detachment,
    Garrison,
    Player,
    Settings,
    State,
    Stronghold,
    Unit,
    Urban,
)

FORMAT = 1
"""Number of the layout written here; raised when a reader of the old one would go wrong."""

T = TypeVar("T")
Json = dict[str, Any]
Kinds = Mapping[str, tuple[type, ...]]

# --- the layout: the fields of each noun and their kinds ---

_TEXT, _WHOLE, _TRUTH, _LIST, _TABLE, _MAYBE = (str,), (int,), (bool,), (list,), (dict,), (int, NoneType)

_STATE: Kinds = {
    "format": _WHOLE, "board": _TABLE, "ruleset": _TABLE, "settings": _TABLE, "players": _LIST, "turn": _WHOLE,
    "phase": _TEXT, "owner": _TABLE, "discovered": _LIST, "urban": _TABLE, "stronghold": _TABLE, "resource": _TABLE,
    "store": _TABLE, "harvest": _TABLE, "roads": _LIST, "corrupted": _TABLE, "infested": _TABLE,
    "detachments": _TABLE, "garrisons": _TABLE, "convoys": _TABLE, "battles": _LIST, "lost_characters": _LIST,
    "system_control": _TEXT, "winners": _LIST, "ended_by": _TEXT, "id_key": _TEXT,
}  # fmt: skip
_SETTINGS: Kinds = {
    "alliances": _TRUTH, "shared_sight": _TRUTH, "capital_eliminates": _TRUTH, "victory_points": _WHOLE,
    "territory": _WHOLE, "turn_limit": _WHOLE, "last_standing": _TRUTH, "muster": _TRUTH, "battles": _TEXT,
    "fleet": _TRUTH, "start_bp": _MAYBE, "start_urban_count": _MAYBE, "start_resource_count": _MAYBE,
    "named_ids": _TRUTH,
}  # fmt: skip
_PLAYER: Kinds = {
    "id": _TEXT, "faction": _TEXT, "strategy": _WHOLE, "vp": _WHOLE, "eliminated": _TRUTH, "allies": _LIST,
    "declared": _LIST, "serial": _WHOLE, "start_urban": _LIST, "start_resource": _LIST, "met": _LIST,
}  # fmt: skip
_URBAN: Kinds = {
    "size": _TEXT, "buildings": _LIST, "race": _TEXT, "capital": _TEXT, "changed": _WHOLE, "road": _WHOLE,
    "disbanded": _WHOLE,
}  # fmt: skip
_STRONGHOLD: Kinds = {"type": _TEXT, "defences": _TABLE, "weapons": _LIST, "changed": _WHOLE}
_UNIT: Kinds = {
    "id": _TEXT, "name": _TEXT, "slot": _TEXT, "models": _WHOLE, "points": _WHOLE, "mobility": _TEXT, "flags": _LIST,
    "bombardment": _WHOLE, "ready": _WHOLE, "wounded": _WHOLE, "damaged": _TRUTH,
}  # fmt: skip
_DETACHMENT: Kinds = {
    "owner": _TEXT, "name": _TEXT, "type": _TEXT, "at": _TEXT, "units": _LIST, "dxp": _WHOLE, "mounted": _TRUTH,
    "battle_order": _TEXT, "ready_in": _WHOLE, "pinned": _TRUTH,
}  # fmt: skip
_GARRISON: Kinds = {"owner": _TEXT, "at": _TEXT, "units": _LIST}
_CONVOY: Kinds = {"owner": _TEXT, "at": _TEXT, "bp": _WHOLE}
_BATTLE: Kinds = {
    "hex": _TEXT, "attacker": _TEXT, "defender": _TEXT, "kind": _TEXT, "attacking": _TEXT, "defended_by": _TEXT,
    "origin": _TEXT, "defending": _TRUTH, "supporters": _TABLE, "tabletop": _TRUTH, "attacker_modifier": _MAYBE,
    "defender_modifier": _MAYBE, "attacker_damage": _MAYBE, "defender_damage": _MAYBE, "winner": _TEXT, "vp": _WHOLE,
    "pillage": _WHOLE,
}  # fmt: skip
_EVENT: Kinds = {"type": _TEXT, "fields": _TABLE, "to": _LIST, "public": _TRUTH}
_WORDS = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
    NoneType: "null",
}
_unit_values = attrgetter(*_UNIT)

# --- writing ---


def encode(state: State) -> bytes:
    """Return the canonical bytes of a state."""
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
    return _dump([event_to_json(each) for each in events])


def _dump(value: object) -> bytes:
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError as error:
        raise RulesError(f"this cannot be written as JSON: {error}") from error


def _state_out(state: State) -> Json:
    label, labels = state.board.label, state.board.labels
    return {
        "format": FORMAT,
        "board": _board_out(state.board),
        "ruleset": _ruleset_out(state.ruleset),
        "settings": _plain(state.settings, _SETTINGS),
        "players": [_player_out(each) for each in state.players.values()],
        "turn": state.turn,
        "phase": state.phase,
        "owner": {labels[at]: player for at, player in enumerate(state.owner) if player},
        "discovered": [labels[at] for at, known in enumerate(state.discovered) if known],
        "urban": {label(at): _plain(each, _URBAN) for at, each in state.urban.items()},
        "stronghold": {label(at): _plain(each, _STRONGHOLD) for at, each in state.stronghold.items()},
        "resource": {label(at): size for at, size in state.resource.items()},
        "store": {label(at): bp for at, bp in state.store.items()},
        "harvest": {label(at): bp for at, bp in state.harvest.items()},
        "roads": [[labels[a], labels[b]] for a, b in sorted(state.roads)],
        "corrupted": {label(at): player for at, player in state.corrupted.items()},
        "infested": {label(at): player for at, player in state.infested.items()},
        "detachments": {id_: _detachment_out(each, label) for id_, each in state.detachments.items()},
        "garrisons": {id_: _garrison_out(each, label) for id_, each in state.garrisons.items()},
        "convoys": {id_: _convoy_out(each, label) for id_, each in state.convoys.items()},
        "battles": [_battle_out(each, label) for each in state.battles.values()],
        "lost_characters": sorted(state.lost_characters),
        "system_control": state.system_control,
        "winners": list(state.winners),
        "ended_by": state.ended_by,
        "id_key": state.id_key.hex(),
    }


def _board_out(board: Board) -> Json:
    return {"columns": board.columns, "rows": board.rows, "digest": board.digest}


def _ruleset_out(ruleset: Ruleset) -> Json:
    return {"id": ruleset.id, "version": ruleset.version, "digest": ruleset.digest}


def _plain(thing: object, kinds: Kinds) -> Json:
    return {name: getattr(thing, name) for name in kinds}


def _player_out(player: Player) -> Json:
    return _plain(player, _PLAYER) | {"met": sorted(player.met)}


def _units_out(units: tuple[Unit, ...]) -> list[Json]:
    return [dict(zip(_UNIT, _unit_values(unit), strict=True)) for unit in units]


def _detachment_out(detachment: Detachment, label: Callable[[Hex], str]) -> Json:
    changed = {"at": label(detachment.at), "units": _units_out(detachment.units)}
    return _plain(detachment, _DETACHMENT) | changed


def _garrison_out(garrison: Garrison, label: Callable[[Hex], str]) -> Json:
    return {"owner": garrison.owner, "at": label(garrison.at), "units": _units_out(garrison.units)}


def _convoy_out(convoy: Convoy, label: Callable[[Hex], str]) -> Json:
    return {"owner": convoy.owner, "at": label(convoy.at), "bp": convoy.bp}


def _battle_out(battle: Battle, label: Callable[[Hex], str]) -> Json:
    return _plain(battle, _BATTLE) | {"hex": label(battle.hex), "origin": label(battle.origin)}


# --- reading ---


class _Malformed(Exception):
    """What is wrong, and where: the path grows on the way out."""

    def __init__(self, what: str, *path: str) -> None:
        super().__init__(what)
        self.what = what
        self.path = path

    def below(self, *path: str) -> _Malformed:
        return _Malformed(self.what, *path, *self.path)

    def error(self, thing: str) -> RulesError:
        return RulesError(f"not a valid {thing}: {'.'.join(self.path) or 'top level'}: {self.what}")


def decode(data: bytes, board: Board, ruleset: Ruleset) -> State:
    """Return the state that :func:`encode` wrote, on the same board and ruleset.

    Raises :class:`RulesError` where the bytes are damaged, of another format, or belong to another
    board or another version of the ruleset.
    """
    try:
        given = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise RulesError(f"not a valid state: not JSON ({error})") from error
    try:
        if isinstance(given, dict) and given.get("format") != FORMAT:
            raise _Malformed(f"this is {given.get('format')!r}, only format {FORMAT} can be read", "format")
        given = _read(given, _STATE)
        _same(given["board"], _board_out(board), "board")
        _same(given["ruleset"], _ruleset_out(ruleset), "ruleset")
        return _Reader(board, ruleset, given).state()
    except _Malformed as bad:
        raise bad.error("state") from bad


def event_from_json(data: object) -> Event:
    """Return the event that :func:`event_to_json` wrote; raises :class:`RulesError` when it is malformed."""
    try:
        given = _read(data, _EVENT)
        return Event(given["type"], given["fields"], _texts(given["to"], "to"), given["public"])
    except _Malformed as bad:
        raise bad.error("event") from bad


class _Reader:
    """Builds one state; knows the hexes and players that may be named in it."""

    def __init__(self, board: Board, ruleset: Ruleset, given: Json) -> None:
        self.board = board
        self.ruleset = ruleset
        self.given = given
        self.players: dict[str, Player] = {}

    def state(self) -> State:
        given = self.given
        self.players = self._players()
        owner, discovered = self._ground()
        return State(
            board=self.board,
            ruleset=self.ruleset,
            settings=Settings(**_below("settings", _settings, given["settings"])),
            players=self.players,
            turn=given["turn"],
            phase=given["phase"],
            owner=owner,
            discovered=discovered,
            urban=self._by_hex("urban", self._urban),
            stronghold=self._by_hex("stronghold", _stronghold),
            resource=self._by_hex("resource", _text),
            store=self._by_hex("store", _whole),
            harvest=self._by_hex("harvest", _whole),
            roads=self._roads(),
            corrupted=self._by_hex("corrupted", self._player_or_none),
            infested=self._by_hex("infested", self._player_or_none),
            detachments=self._by_id("detachments", self._detachment),
            garrisons=self._by_id("garrisons", self._garrison),
            convoys=self._by_id("convoys", self._convoy),
            battles=self._battles(),
            lost_characters=dict.fromkeys(_texts(given["lost_characters"], "lost_characters")),
            system_control=_below("system_control", self._player_or_none, given["system_control"]),
            winners=tuple(_below("winners", self._player, each) for each in given["winners"]),
            ended_by=given["ended_by"],
            id_key=_below("id_key", _key, given["id_key"]),
        )

    # --- what may be named ---

    def _hex(self, label: object) -> Hex:
        found = self.board.find(label)
        if found is None:
            raise _Malformed(f"the map has no hex {label!r}")
        return found

    def _place(self, label: str) -> Hex:
        return ORBIT if label == "orbit" else self._hex(label)

    def _player(self, id_: object) -> str:
        if not isinstance(id_, str) or id_ not in self.players:
            raise _Malformed(f"there is no player {id_!r}")
        return id_

    def _player_or_none(self, id_: object) -> str:
        return "" if id_ == "" else self._player(id_)

    # --- tables ---

    def _by_hex(self, name: str, read: Callable[[Any], T]) -> dict[Hex, T]:
        found: dict[Hex, T] = {}
        for label, value in self.given[name].items():
            try:
                found[self._hex(label)] = read(value)
            except _Malformed as bad:
                raise bad.below(name, label) from None
        return found

    def _by_id(self, name: str, read: Callable[[str, Any], T]) -> dict[str, T]:
        found: dict[str, T] = {}
        for id_, value in self.given[name].items():
            try:
                found[id_] = read(id_, value)
            except _Malformed as bad:
                raise bad.below(name, id_) from None
        return found

    def _ground(self) -> tuple[list[str], bytearray]:
        owner = [""] * self.board.size
        for at, player in self._by_hex("owner", self._player).items():
            owner[at] = player
        discovered = bytearray(self.board.size)
        for label in self.given["discovered"]:
            discovered[_below("discovered", self._hex, label)] = 1
        return owner, discovered

    def _players(self) -> dict[str, Player]:
        players: dict[str, Player] = {}
        for place, given in enumerate(self.given["players"]):
            player = _below(f"players.{place}", _player, given)
            if player.id in players:
                raise _Malformed(f"there are two players {player.id!r}", "players")
            players[player.id] = player
        return players

    def _roads(self) -> dict[tuple[Hex, Hex], None]:
        roads: dict[tuple[Hex, Hex], None] = {}
        for edge in self.given["roads"]:
            if not isinstance(edge, list) or len(edge) != 2:
                raise _Malformed(f"a road joins two hexes, not {edge!r}", "roads")
            a, b = (_below("roads", self._hex, label) for label in edge)
            if a > b or b not in self.board.adjacent[a]:
                raise _Malformed(f"a road joins adjacent hexes, the upper left first, not {edge!r}", "roads")
            roads[a, b] = None
        return roads

    def _battles(self) -> dict[Hex, Battle]:
        battles: dict[Hex, Battle] = {}
        for place, given in enumerate(self.given["battles"]):
            battle = _below(f"battles.{place}", self._battle, given)
            if battle.hex in battles:
                raise _Malformed(f"there are two battles in {given['hex']}", "battles")
            battles[battle.hex] = battle
        return battles

    # --- nouns ---

    def _urban(self, value: object) -> Urban:
        given = _read(value, _URBAN)
        given["buildings"] = _texts(given["buildings"], "buildings")
        self._player_or_none(given["capital"])
        return Urban(**given)

    def _detachment(self, id_: str, value: object) -> Detachment:
        given = _read(value, _DETACHMENT)
        self._player(given["owner"])
        given["at"] = self._place(given["at"])
        given["units"] = _units(given["units"])
        return Detachment(id=id_, **given)

    def _garrison(self, id_: str, value: object) -> Garrison:
        given = _read(value, _GARRISON)
        return Garrison(id_, self._player(given["owner"]), self._hex(given["at"]), _units(given["units"]))

    def _convoy(self, id_: str, value: object) -> Convoy:
        given = _read(value, _CONVOY)
        return Convoy(id_, self._player(given["owner"]), self._hex(given["at"]), given["bp"])

    def _battle(self, value: object) -> Battle:
        given = _read(value, _BATTLE)
        self._player(given["attacking"])
        self._player(given["defended_by"])
        self._player_or_none(given["winner"])
        given["hex"] = self._hex(given["hex"])
        given["origin"] = self._place(given["origin"])
        for side in given["supporters"].values():
            _below("supporters", _text, side)
        return Battle(**given)


def _settings(value: object) -> Json:
    return _read(value, _SETTINGS)


def _player(value: object) -> Player:
    given = _read(value, _PLAYER)
    for name in ("allies", "declared", "start_urban", "start_resource"):
        given[name] = _texts(given[name], name)
    given["met"] = dict.fromkeys(_texts(given["met"], "met"))
    return Player(**given)


def _stronghold(value: object) -> Stronghold:
    given = _read(value, _STRONGHOLD)
    given["weapons"] = _texts(given["weapons"], "weapons")
    for count in given["defences"].values():
        _below("defences", _whole, count)
    return Stronghold(**given)


def _units(values: list[Any]) -> tuple[Unit, ...]:
    return tuple([_unit(value, place) for place, value in enumerate(values)])


def _unit(value: object, place: int) -> Unit:
    try:
        given = _read(value, _UNIT)
        flags = given["flags"]
        given["flags"] = _texts(flags, "flags") if flags else ()
        return Unit(**given)
    except _Malformed as bad:
        raise bad.below(f"units.{place}") from None


# --- checked values ---


def _read(value: object, kinds: Kinds) -> Json:
    """Return *value* when it is an object with exactly the fields of *kinds*, each of its kind."""
    if type(value) is not dict:
        raise _Malformed(f"this must be an object, not {_shown(value)}")
    if value.keys() != kinds.keys():
        missing = sorted(kinds.keys() - value.keys())
        unknown = sorted(value.keys() - kinds.keys())
        told = [f"{word} {', '.join(names)}" for word, names in (("missing", missing), ("unknown", unknown)) if names]
        raise _Malformed("; ".join(told))
    for name, allowed in kinds.items():
        if type(value[name]) not in allowed:
            raise _Malformed(
                f"this must be {' or '.join(_WORDS[each] for each in allowed)}, not {_shown(value[name])}", name
            )
    return value


def _same(given: Json, ours: Json, name: str) -> None:
    for key, value in ours.items():
        if given.get(key) != value:
            told = f"the state belongs to another {name}: its {key} is {_shown(given.get(key))}, here it is {value!r}"
            raise _Malformed(told, name)
    if given.keys() != ours.keys():
        raise _Malformed(f"unknown {', '.join(sorted(given.keys() - ours.keys()))}", name)


def _below(path: str, read: Callable[[Any], T], value: object) -> T:
    try:
        return read(value)
    except _Malformed as bad:
        raise bad.below(path) from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _Malformed(f"this must be a text, not {_shown(value)}")
    return value


def _whole(value: object) -> int:
    if type(value) is not int:
        raise _Malformed(f"this must be a whole number, not {_shown(value)}")
    return value


def _texts(values: list[Any], name: str) -> tuple[str, ...]:
    for value in values:
        if type(value) is not str:
            raise _Malformed(f"this must be a text, not {_shown(value)}", name)
    return tuple(values)


def _key(value: str) -> bytes:
    try:
        return bytes.fromhex(value)
    except ValueError:
        raise _Malformed("this must be hexadecimal") from None


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
