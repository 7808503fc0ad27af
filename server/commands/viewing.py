"""``sealed-orders view``: the position as you know it, in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.table import Table

from server.commands.printing import moment, phase_name, table, until
from server.commands.remote import CampaignArgument, Chosen, ServerOption, TokenOption, at_server, choose, plain
from server.commands.terminal import AsJson, Code, Wrong, console, print_json
from server.commands.terminal_map import draw, legend, window
from server.computer_player import view_of, world_of
from server.rules.sight import View
from server.rules.state import Convoy, Detachment, Garrison


def mount(main: typer.Typer) -> None:
    """Add the command."""
    main.command()(view)


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
