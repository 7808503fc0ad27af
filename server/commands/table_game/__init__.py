"""``sealed-orders table``: a game on the table, refereed in the terminal.

============ ===============================================================
``command``  the command itself: the loop of question and answer
``saved``    a game as a file: its beginning, its secret, its acts
``asking``   a typed line as an act; questions for the fields that are left
``screen``   what stands on the screen: the state, and what is open
============ ===============================================================
"""

from __future__ import annotations

import typer

from server.commands.table_game.command import play


def mount(main: typer.Typer) -> None:
    """Add the command."""
    main.command(name="table")(play)
