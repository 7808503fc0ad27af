"""``sealed-orders view``: the position as you know it, in the terminal.

Of the map, one hex is a cell of two lines, its label above and what is there below. Colours help, but everything is
also said by letters: without colour, brackets take the place of light.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from rich.style import Style
from rich.table import Table
from rich.text import Text

from server.commands.printing import moment, phase_name, table, until
from server.commands.remote import CampaignArgument, Chosen, ServerOption, TokenOption, at_server, choose, plain
from server.commands.terminal import AsJson, Code, Wrong, console, print_json
from server.computer_player import view_of, world_of
from server.render.drawing.styles import ground_colour, player_colour
from server.rules.board import Hex
from server.rules.sight import View
from server.rules.state import Convoy, Detachment, Garrison, State

app = typer.Typer(rich_markup_mode="markdown")


@app.command()
def view(
    campaign: CampaignArgument = None,
    phase: Annotated[
        int | None, typer.Option(min=0, help="Finished phase to show. Default: the current position.")
    ] = None,
    as_: Annotated[
        str | None, typer.Option("--as", help="View after the end: a seat id, `gm` or `spectator`.")
    ] = None,
    around: Annotated[str | None, typer.Option(help="Hex to centre on, if the map is too wide.")]
    = None,
    width: Annotated[
        int | None, typer.Option(min=20, help="Terminal width in columns. Default: this terminal's.")
    ] = None,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Show the position as you know it: the map, the forces, your settlements.

    Each hex shows its number, terrain, owner, buildings and forces.
    In colour, hexes in sight are lighter; without (`NO_COLOR=1`), they are in brackets.

    Examples: `sealed-orders view` · `sealed-orders view Towers --phase 3` · `sealed-orders view --around 0405`

    Exits 1 when there is no such campaign or phase, 2 when the map has no such hex, 3 when the server does not answer.
    """
    with at_server(server, token, as_json=as_json) as client:
        chosen = choose(client, campaign)
        if phase is None:
            position = chosen.campaign.position(as_=as_)
            shown: dict[str, Any] = plain(position)
            heading = f"{moment(position.turn, position.phase)} (phase {position.number})"
            heading += f" · {until(position.deadline)}" if position.deadline else ""
        else:
            past = chosen.campaign.phase(phase, as_=as_)
            shown = dict(past.view) | {"number": past.number, "turn": past.turn, "phase": past.phase}
            heading = f"after {moment(past.turn, past.phase)} (phase {past.number})"
        if as_json:
            print_json(shown)
            return
        info = chosen.info
        world = world_of(info.scenario, chosen.campaign.board(), info.ruleset, chosen.campaign.ruleset())
        known = view_of(shown["viewer"], shown["sees"], shown["state"], world)
        _print(known, chosen, heading, around, width)


def _print(known: View, chosen: Chosen, heading: str, around: str | None, width: int | None) -> None:
    state, out = known.state, console()
    home = state.capital(known.viewer)
    if around is not None:
        home = state.board.find(around)
        if home is None:
            raise Wrong(f"The map has no hex {around!r}.", Code.UNUSABLE)
    maximum = width or (out.width if sys.stdout.isatty() else 10_000)
    part = window(state, home, maximum, None if around is None else 13)
    out.print(f"[bold]{chosen.info.name}[/] · {heading}")
    for line in (*draw(known, part, colour=out.color_system is not None and not out.no_color), ""):
        out.print(line, soft_wrap=True)
    if not part.whole(state):
        out.print("A part of the map; another: --around HEX, more: --width COLUMNS.")
    for line in legend(known, part, chosen.names):
        out.print(line, soft_wrap=True)
    for rows in _tables(known, chosen.names):
        if rows.row_count:
            out.print()
            out.print(rows)


def _tables(known: View, names: dict[str, str]) -> Iterator[Table]:
    yield _forces(known, names)
    yield _places(known)


def _forces(known: View, names: dict[str, str]) -> Table:
    """List forces, your own first: ids are what orders name them by."""
    state, label = known.state, known.state.board.label
    rows = table("Hex", "Force", "Of", "Ready", "", "Id")
    forces: list[Detachment | Garrison | Convoy] = [
        *state.detachments.values(),
        *state.garrisons.values(),
        *state.convoys.values(),
    ]
    for force in sorted(forces, key=lambda thing: (thing.owner != known.viewer, thing.owner, thing.at, thing.id)):
        ready, notes = "", ""
        if isinstance(force, Convoy):
            what, ready = "convoy", f"{force.bp} BP"
        else:
            what = force.name if isinstance(force, Detachment) else "garrison"
            ready = f"{state.ready_points(force)} of {force.points} points"
        if isinstance(force, Detachment):
            marks = (
                f"ready in {force.ready_in} turns" if force.ready_in else "",
                phase_name(force.battle_order), "pinned" if force.pinned else "", "mounted" if force.mounted else "",
            )  # fmt: skip
            notes = ", ".join(mark for mark in marks if mark)
        rows.add_row(label(force.at), what, names.get(force.owner, force.owner), ready, notes, force.id)
    return rows


def _places(known: View) -> Table:
    """List your own urban hexes and strongholds, and what they hold."""
    state = known.state
    rows = table("Hex", "Place", "Store", "Holds")
    for at in sorted({*state.urban, *state.stronghold}):
        if state.owner[at] != known.viewer:
            continue
        urban, stronghold = state.urban.get(at), state.stronghold.get(at)
        what = [urban.size + (", capital" if urban.capital else "")] if urban else []
        what += [stronghold.type] if stronghold else []
        holds = [*urban.buildings] if urban else []
        holds += [f"{count} {defence}" for defence, count in sorted(stronghold.defences.items())] if stronghold else []
        row = (state.board.label(at), ", ".join(what), f"{state.store.get(at, 0)} BP", ", ".join(holds))
        rows.add_row(*(cell.replace("_", " ") for cell in row))
    return rows


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
    for sign, there in ((GARRISON, state.garrison_at), (RAISING, state.raising_at), (CONVOY, state.convoys_at)):
        if there.get(at):
            return sign
    return " "


def _force_owner(state: State, at: Hex) -> str:
    there: Sequence[object] = (state.detachment_at.get(at), state.garrison_at.get(at), state.raising_at.get(at))
    convoys = state.convoys_at.get(at, [])
    return next((str(getattr(thing, "owner", "")) for thing in (*there, *convoys) if thing is not None), "")
