"""Edits of players: VP, elimination, alliances, characters, control of the system."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from server.core.fields import MISSING
from server.core.sentences import say
from server.play.edits.edit_fields import EditFields
from server.rules.elimination import eliminate
from server.rules.orders.sets import HopefulDice
from server.rules.scene import Scene
from server.rules.state import PlayerId, State


def _set_vp(fields: EditFields) -> None:
    player, vp = fields.player("player"), fields.integer("vp", minimum=-100_000)
    if not fields.problems:
        fields.state.players[player].vp = vp


def _set_player(fields: EditFields) -> None:
    player = fields.state.players.get(fields.player("player"))
    if player is None or fields.problems:
        return
    rules = fields.state.ruleset
    eliminated = fields.boolean("eliminated", player.eliminated)
    strategy = fields.integer("strategy", 0, 10, player.strategy)
    urban = _sizes(fields, "start_urban", player.start_urban, [size.id for size in rules.urban])
    resource = _sizes(fields, "start_resource", player.start_resource, [size.id for size in rules.resources])
    if not fields.problems:
        player.eliminated, player.strategy = eliminated, strategy
        player.start_urban, player.start_resource = urban, resource


def _remove_player(fields: EditFields) -> None:
    player = fields.state.players.get(fields.player("player"))
    if player is not None and player.eliminated:
        fields.refuse("eliminated", "That player is out already.", "player", player.id)
    if player is not None and _in_battle(fields.state, player.id):
        fields.refuse("not_allowed", "The player is in a battle. Remove the battle first.", "player", player.id)
    if player is not None and not fields.problems:
        eliminate(Scene(fields.state, HopefulDice()), player.id, "gave_up")


def _in_battle(state: State, player: PlayerId) -> bool:
    """Say whether a player fights, or lends support, in a battle that is not over."""
    for battle in state.battles.values():
        helping = [force.owner for id_ in battle.supporters if (force := state.force(id_)) is not None]
        if not battle.winner and player in (battle.attacking, battle.defended_by, *helping):
            return True
    return False


def _sizes(fields: EditFields, name: str, default: tuple[str, ...], known: Sequence[str]) -> tuple[str, ...]:
    expected = say("A list of: {words}.", words=", ".join(known))
    value = fields.items(name, expected, 0, 40, default)
    if all(size in known for size in value):
        return tuple(value)
    fields.wrong(name, expected, None)
    return ()


def _set_control(fields: EditFields) -> None:
    player = fields.player("player", nobody=True)
    if not fields.problems:
        fields.state.system_control = player


def _set_alliance(fields: EditFields) -> None:
    one, other, allied = fields.player("player"), fields.player("with"), fields.boolean("allied", MISSING)
    if one == other and not fields.problems:
        fields.refuse("not_allowed", "An alliance needs two.", "with", other)
    if fields.problems:
        return
    for me, friend in ((one, other), (other, one)):
        player = fields.state.players[me]
        for name in ("allies", "declared"):
            rest = [other for other in getattr(player, name) if other != friend]
            setattr(player, name, tuple(sorted([*rest, friend] if allied else rest)))
    fields.state.alliances_changed()


def _add_lost_character(fields: EditFields) -> None:
    key = f"{fields.player('player')}/{fields.text('name')}"
    if not fields.problems:
        fields.state.lost_characters[key] = None


def _remove_lost_character(fields: EditFields) -> None:
    key = f"{fields.player('player')}/{fields.text('name')}"
    if not fields.problems and key not in fields.state.lost_characters:
        fields.refuse("unknown_id", "No such character is lost.", "name", fields.given.get("name"))
    if not fields.problems:
        del fields.state.lost_characters[key]


PLAYERS: Mapping[tuple[str, str], Callable[[EditFields], None]] = {
    ("set", "vp"): _set_vp,
    ("set", "player"): _set_player,
    ("remove", "player"): _remove_player,
    ("set", "system_control"): _set_control,
    ("set", "alliance"): _set_alliance,
    ("add", "lost_character"): _add_lost_character,
    ("remove", "lost_character"): _remove_lost_character,
}
