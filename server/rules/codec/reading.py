"""From canonical bytes back to a state on its board and ruleset, or to their first problem."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import orjson

from server.core.errors import RulesError
from server.core.events import Event
from server.rules.board import ORBIT, Board, Hex
from server.rules.codec import layout
from server.rules.codec.layout import FORMAT, TYPE_NAMES, Json, Kinds
from server.rules.codec.writing import board_out, ruleset_out
from server.rules.ruleset import Ruleset
from server.rules.state import Battle, Convoy, Detachment, Garrison, Player, Settings, State, Stronghold, Unit, Urban
from server.rules.versions import VERSIONS

T = TypeVar("T")


class Malformed(Exception):
    """A problem and its place: the path grows on the way out."""

    def __init__(self, what: str, *path: str) -> None:
        super().__init__(what)
        self.what = what
        self.path = path

    def below(self, *path: str) -> Malformed:
        """Return the same, seen from further out: *path* leads to where it was found."""
        return Malformed(self.what, *path, *self.path)

    def error(self, thing: str) -> RulesError:
        """Return it as the caller of this package gets it; *thing*: what was read."""
        return RulesError(f"not a valid {thing}: {'.'.join(self.path) or 'top level'}: {self.what}")


def read_object(value: object, kinds: Kinds) -> Json:
    """Return *value* when it is an object with just these fields, each of its kind, else raise :class:`Malformed`."""
    if type(value) is not dict:
        raise Malformed(f"this must be an object, not {shown(value)}")
    if value.keys() != kinds.keys():
        missing = sorted(kinds.keys() - value.keys())
        unknown = sorted(value.keys() - kinds.keys())
        told = [f"{word} {', '.join(names)}" for word, names in (("missing", missing), ("unknown", unknown)) if names]
        raise Malformed("; ".join(told))
    for name, allowed in kinds.items():
        if type(value[name]) not in allowed:
            raise Malformed(
                f"this must be {' or '.join(TYPE_NAMES[kind] for kind in allowed)}, not {shown(value[name])}", name
            )
    return value


def check_same(given: Json, ours: Json, name: str) -> None:
    """Raise :class:`Malformed` unless what is *given* of a board or ruleset is *ours*, field by field."""
    for key, value in ours.items():
        if given.get(key) != value:
            told = f"the state belongs to another {name}: its {key} is {shown(given.get(key))}, here it is {value!r}"
            raise Malformed(told, name)
    if given.keys() != ours.keys():
        raise Malformed(f"unknown {', '.join(sorted(given.keys() - ours.keys()))}", name)


def below(path: str, read: Callable[[Any], T], value: object) -> T:
    """Return what *read* makes of *value*; what it finds wrong stands below *path*."""
    try:
        return read(value)
    except Malformed as bad:
        raise bad.below(path) from None


def read_text(value: object) -> str:
    """Return *value* when it is a text, else raise :class:`Malformed`; likewise the three below."""
    if not isinstance(value, str):
        raise Malformed(f"this must be a text, not {shown(value)}")
    return value


def read_integer(value: object) -> int:
    """Return *value* when it is a whole number, which true and false are not."""
    if type(value) is not int:
        raise Malformed(f"this must be a whole number, not {shown(value)}")
    return value


def read_kind(kind: type, value: object) -> Any:
    """Return *value* when it is of a kind, else raise :class:`Malformed`."""
    if type(value) is not kind:
        raise Malformed(f"this must be {TYPE_NAMES[kind]}, not {shown(value)}")
    return value


def read_texts(values: list[Any], name: str) -> tuple[str, ...]:
    """Return *values* when all are texts; *name* is the list's."""
    for value in values:
        if type(value) is not str:
            raise Malformed(f"this must be a text, not {shown(value)}", name)
    return tuple(values)


def read_key(value: str) -> bytes:
    """Return the bytes of a hexadecimal text."""
    try:
        return bytes.fromhex(value)
    except ValueError:
        raise Malformed("this must be hexadecimal") from None


def shown(value: object) -> str:
    """Return *value* as an error shows it: at most 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


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
            raise Malformed(f"this is {given.get('format')!r}, only format {FORMAT} can be read", "format")
        given = read_object(given, layout.STATE)
        check_same(given["board"], board_out(board), "board")
        check_same(given["ruleset"], ruleset_out(ruleset), "ruleset")
        return _Reader(board, ruleset, given).state()
    except Malformed as bad:
        raise bad.error("state") from bad


def event_from_json(data: object) -> Event:
    """Return the event that :func:`event_to_json` wrote; raises :class:`RulesError` when it is malformed."""
    try:
        given = read_object(data, layout.EVENT)
        return Event(given["type"], given["fields"], read_texts(given["to"], "to"), given["public"])
    except Malformed as bad:
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
            settings=Settings(**below("settings", _settings, given["settings"])),
            players=self.players,
            turn=given["turn"],
            phase=given["phase"],
            owner=owner,
            discovered=discovered,
            urban=self._by_hex("urban", self._urban),
            stronghold=self._by_hex("stronghold", _stronghold),
            resource=self._by_hex("resource", read_text),
            store=self._by_hex("store", read_integer),
            harvest=self._by_hex("harvest", read_integer),
            roads=self._roads(),
            corrupted=self._by_hex("corrupted", self._player_or_none),
            infested=self._by_hex("infested", self._player_or_none),
            detachments=self._by_id("detachments", self._detachment),
            garrisons=self._by_id("garrisons", self._garrison),
            convoys=self._by_id("convoys", self._convoy),
            battles=self._battles(),
            lost_characters=dict.fromkeys(read_texts(given["lost_characters"], "lost_characters")),
            system_control=below("system_control", self._player_or_none, given["system_control"]),
            winners=tuple(below("winners", self._player, winner) for winner in given["winners"]),
            ended_by=given["ended_by"],
            id_key=below("id_key", read_key, given["id_key"]),
        )

    # --- what may be named ---

    def _hex(self, label: object) -> Hex:
        found = self.board.find(label)
        if found is None:
            raise Malformed(f"the map has no hex {label!r}")
        return found

    def _place(self, label: str) -> Hex:
        return ORBIT if label == "orbit" else self._hex(label)

    def _player(self, id_: object) -> str:
        if not isinstance(id_, str) or id_ not in self.players:
            raise Malformed(f"there is no player {id_!r}")
        return id_

    def _player_or_none(self, id_: object) -> str:
        return "" if id_ == "" else self._player(id_)

    # --- tables ---

    def _by_hex(self, name: str, read: Callable[[Any], T]) -> dict[Hex, T]:
        found: dict[Hex, T] = {}
        for label, value in self.given[name].items():
            try:
                found[self._hex(label)] = read(value)
            except Malformed as bad:
                raise bad.below(name, label) from None
        return found

    def _by_id(self, name: str, read: Callable[[str, Any], T]) -> dict[str, T]:
        found: dict[str, T] = {}
        for id_, value in self.given[name].items():
            try:
                found[id_] = read(id_, value)
            except Malformed as bad:
                raise bad.below(name, id_) from None
        return found

    def _ground(self) -> tuple[list[str], bytearray]:
        owner = [""] * self.board.size
        for at, player in self._by_hex("owner", self._player).items():
            owner[at] = player
        discovered = bytearray(self.board.size)
        for label in self.given["discovered"]:
            discovered[below("discovered", self._hex, label)] = 1
        return owner, discovered

    def _players(self) -> dict[str, Player]:
        players: dict[str, Player] = {}
        for place, given in enumerate(self.given["players"]):
            player = below(f"players.{place}", _player, given)
            if player.id in players:
                raise Malformed(f"there are two players {player.id!r}", "players")
            players[player.id] = player
        return players

    def _roads(self) -> dict[tuple[Hex, Hex], None]:
        roads: dict[tuple[Hex, Hex], None] = {}
        for edge in self.given["roads"]:
            if not isinstance(edge, list) or len(edge) != 2:
                raise Malformed(f"a road joins two hexes, not {edge!r}", "roads")
            a, b = (below("roads", self._hex, label) for label in edge)
            if a > b or b not in self.board.adjacent[a]:
                raise Malformed(f"a road joins adjacent hexes, the upper left first, not {edge!r}", "roads")
            roads[a, b] = None
        return roads

    def _battles(self) -> dict[Hex, Battle]:
        battles: dict[Hex, Battle] = {}
        for place, given in enumerate(self.given["battles"]):
            battle = below(f"battles.{place}", self._battle, given)
            if battle.hex in battles:
                raise Malformed(f"there are two battles in {given['hex']}", "battles")
            battles[battle.hex] = battle
        return battles

    # --- nouns ---

    def _urban(self, value: object) -> Urban:
        given = read_object(value, layout.URBAN)
        given["buildings"] = read_texts(given["buildings"], "buildings")
        self._player_or_none(given["capital"])
        return Urban(**given)

    def _detachment(self, id_: str, value: object) -> Detachment:
        given = read_object(value, layout.DETACHMENT)
        self._player(given["owner"])
        given["at"] = self._place(given["at"])
        given["units"] = _units(given["units"])
        return Detachment(id=id_, **given)

    def _garrison(self, id_: str, value: object) -> Garrison:
        given = read_object(value, layout.GARRISON)
        return Garrison(id_, self._player(given["owner"]), self._hex(given["at"]), _units(given["units"]))

    def _convoy(self, id_: str, value: object) -> Convoy:
        given = read_object(value, layout.CONVOY)
        return Convoy(id_, self._player(given["owner"]), self._hex(given["at"]), given["bp"])

    def _battle(self, value: object) -> Battle:
        given = read_object(value, layout.BATTLE)
        self._player(given["attacking"])
        self._player(given["defended_by"])
        self._player_or_none(given["winner"])
        given["hex"] = self._hex(given["hex"])
        given["origin"] = self._place(given["origin"])
        for side in given["supporters"].values():
            below("supporters", read_text, side)
        return Battle(**given)


def _settings(value: object) -> Json:
    later = dict(layout.LATER_SETTINGS)
    if isinstance(value, dict):
        given = [name for name in later if name in value]
        later |= {name: below(name, partial(read_kind, type(later[name])), value[name]) for name in given}
        value = {name: item for name, item in value.items() if name not in later}
    for name, minimum in (("readings", 1), ("next_readings", 0)):
        if later[name] not in VERSIONS and later[name] != minimum:
            raise Malformed(f"there is no version {later[name]} of the readings here", name)
    return read_object(value, layout.SETTINGS) | later


def _player(value: object) -> Player:
    given = read_object(value, layout.PLAYER)
    for name in ("allies", "declared", "start_urban", "start_resource"):
        given[name] = read_texts(given[name], name)
    given["met"] = dict.fromkeys(read_texts(given["met"], "met"))
    return Player(**given)


def _stronghold(value: object) -> Stronghold:
    given = read_object(value, layout.STRONGHOLD)
    given["weapons"] = read_texts(given["weapons"], "weapons")
    for count in given["defences"].values():
        below("defences", read_integer, count)
    return Stronghold(**given)


def _units(values: list[Any]) -> tuple[Unit, ...]:
    return tuple([_unit(value, place) for place, value in enumerate(values)])


def _unit(value: object, place: int) -> Unit:
    try:
        given = read_object(value, layout.UNIT)
        flags = given["flags"]
        given["flags"] = read_texts(flags, "flags") if flags else ()
        return Unit(**given)
    except Malformed as bad:
        raise bad.below(f"units.{place}") from None
