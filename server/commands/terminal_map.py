"""The map in a terminal: one hex is a cell of two lines, its label above and what is there below.

Colours help, but everything is also said by letters: without colour, brackets take the place of light.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text

from server.render.style import ground_colour, player_colour
from server.rules.board import Hex
from server.rules.sight import View
from server.rules.state import State

LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""Of players, by seat: small on the hexes they control, capital for their detachments."""
SIGNS = {
    "plains": ".", "forest": "f", "hills": "n", "sea": "~", "jungle": "j", "mountains": "^", "swamp": "s",
}  # fmt: skip
"""Of terrains."""
CAPITAL, TOWN, CITY, STRONGHOLD, RESOURCE = "@", "o", "O", "#", "$"
BATTLE, GARRISON, CONVOY, RAISING = "!", "+", "*", ":"
FOG = 0.8
"""How much darker ground is that is out of sight."""


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the map that is drawn; the ends are not in it."""

    columns: range
    rows: range

    def whole(self, state: State) -> bool:
        """True when it is all of the map."""
        return len(self.columns) == state.board.columns and len(self.rows) == state.board.rows


def cell_width(state: State) -> int:
    """Return the columns of the terminal that one hex takes: its label and a space on each side."""
    return len(state.board.labels[0]) + 2


def window(state: State, around: Hex | None, width: int, rows: int | None) -> Window:
    """Return the whole map where it fits into *width* (and *rows*), else as much as does around a hex."""
    maximum = max(3, (width - cell_width(state) // 2) // cell_width(state))
    board, centre = state.board, around or 0
    return Window(
        _range(centre % board.columns, maximum, board.columns),
        _range(centre // board.columns, rows or board.rows, board.rows),
    )


def _range(centre: int, maximum: int, size: int) -> range:
    first = max(0, min(centre - maximum // 2, size - maximum))
    return range(first, min(size, first + maximum))


def draw(view: View, part: Window, *, colour: bool) -> Iterator[Text]:
    """Yield the map's lines. Hexes in sight are lighter or, without colour, in brackets."""
    state, seen = view.state, frozenset(view.sees)
    shift = cell_width(state) // 2
    for row in part.rows:
        labels, contents = Text(), Text()
        if row & 1:
            labels.append(" " * shift)
            contents.append(" " * shift)
        for column in part.columns:
            at = row * state.board.columns + column
            ground = _ground(state, at, in_sight=at in seen)
            labels.append(f" {state.board.labels[at]} ", Style(color="#554c42", bgcolor=ground) if colour else None)
            _append_content(contents, view, at, ground if colour else None, in_sight=at in seen)
        yield labels
        yield contents


def legend(view: View, part: Window, names: dict[str, str]) -> Iterator[Text]:
    """Yield lines that explain the signs on the part that is drawn, and who the players are."""
    state = view.state
    drawn = [row * state.board.columns + column for row in part.rows for column in part.columns]
    terrains = sorted({state.board.terrain[at] for at in drawn})
    yield Text.assemble(("terrain  ", "bold"), "  ".join(f"{_terrain_sign(terrain)} {terrain}" for terrain in terrains))
    things = {_place_sign(state, at) for at in drawn} | {_force_sign(state, at) for at in drawn}
    known = {
        CAPITAL: "capital", TOWN: "urban hex", CITY: "larger urban hex", STRONGHOLD: "stronghold",
        RESOURCE: "resource", BATTLE: "battle", GARRISON: "garrison", CONVOY: "convoy", RAISING: "being raised",
    }  # fmt: skip
    there = "  ".join(f"{sign} {word}" for sign, word in known.items() if sign in things)
    yield Text.assemble(("signs    ", "bold"), f"{there}  A detachment of player a".strip())
    for seat, player in enumerate(state.players.values()):
        letter = (f"{LETTERS[seat % 26]}        ", Style(color=player_colour(seat), bold=True))
        hexes = state.owner.count(player.id)
        what = "out of the campaign" if player.eliminated else f"{player.vp} VP, {hexes} hexes"
        you = "  (you)" if player.id == view.viewer else ""
        faction = state.ruleset.factions[player.faction].name
        yield Text.assemble(letter, f"{names.get(player.id, player.id)} ({player.id}, {faction}): {what}{you}")


# --- one hex: terrain, whose, what is built there, who stands there ---


def _append_content(line: Text, view: View, at: Hex, ground: str | None, *, in_sight: bool) -> None:
    state = view.state
    seats = list(state.players)
    left, right = ("[", "]") if ground is None and in_sight else (" ", " ")
    back = Style(bgcolor=ground) if ground else Style()
    owner, force = state.owner[at], _force_sign(state, at)
    line.append(left, back)
    line.append(_terrain_sign(state.board.terrain[at]), back + _ink("#4b5a3c", ground))
    if owner:
        seat = seats.index(owner)
        line.append(LETTERS[seat % 26], back + _ink(player_colour(seat), ground) + Style(bold=True))
    else:
        line.append(" ", back)
    line.append(_place_sign(state, at), back + _ink("#1b1b1b", ground) + Style(bold=True))
    mine = _force_owner(state, at)
    if mine and force != " ":
        paint = Style(color="#ffffff", bgcolor=player_colour(seats.index(mine))) if ground else Style()
        line.append(force, paint + Style(bold=True))
    else:
        line.append(force, back + _ink("#b00020", ground))
    line.append(" " * (cell_width(state) - 6) + right, back)


def _ink(colour: str, ground: str | None) -> Style:
    return Style(color=colour) if ground else Style()


def _ground(state: State, at: Hex, *, in_sight: bool) -> str:
    colour = ground_colour(state.board.terrain[at])
    if in_sight:
        return colour
    parts = (round(int(colour[place : place + 2], 16) * FOG) for place in (1, 3, 5))
    return "#" + "".join(f"{part:02x}" for part in parts)


def _terrain_sign(terrain: str) -> str:
    return SIGNS.get(terrain, terrain[:1])


def _place_sign(state: State, at: Hex) -> str:
    urban = state.urban.get(at)
    if urban is not None:
        return CAPITAL if urban.capital else TOWN if state.ruleset.urban_level(urban.size) == 1 else CITY
    if at in state.stronghold:
        return STRONGHOLD
    return RESOURCE if at in state.resource else " "


def _force_sign(state: State, at: Hex) -> str:
    battle = state.battles.get(at)
    if battle is not None and not battle.winner:
        return BATTLE
    detachment = state.detachment_at.get(at)
    if detachment is not None:
        return LETTERS[list(state.players).index(detachment.owner) % 26].upper()
    for sign, table in ((GARRISON, state.garrison_at), (RAISING, state.raising_at), (CONVOY, state.convoys_at)):
        if table.get(at):
            return sign
    return " "


def _force_owner(state: State, at: Hex) -> str:
    there: Sequence[object] = (state.detachment_at.get(at), state.garrison_at.get(at), state.raising_at.get(at))
    convoys = state.convoys_at.get(at, [])
    return next((str(getattr(thing, "owner", "")) for thing in (*there, *convoys) if thing is not None), "")
