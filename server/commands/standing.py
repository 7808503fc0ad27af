"""Where a campaign stands, as ``campaign ...`` prints it, and what an order of its operator would do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Annotated, Any

import typer

from server.commands.machine import app_context
from server.commands.printing import moment, until
from server.commands.terminal import fail, print_json
from server.play.context import Actor, AppContext
from server.play.operating import campaign_overview
from server.play.operating.campaign_overview import Overview, SeatStanding
from server.play.views import history

Named = Annotated[str, typer.Argument(metavar="CAMPAIGN", help="Campaign id, or any part of its name that is unique.")]
As = Annotated[str, typer.Option("--as", metavar="NAME", help="Admin account to act as. Default: the oldest.")]


@contextmanager
def acting(as_: str) -> Iterator[tuple[AppContext, Actor]]:
    """Open this machine's database as an admin, the oldest one unless another is named."""
    with app_context() as ctx:
        yield ctx, campaign_overview.operator(ctx, as_)


@contextmanager
def changing(named: str, as_: str, as_json: bool) -> Iterator[tuple[AppContext, Actor, Overview]]:
    """Find a campaign for an admin who changes it, and print where it stands then, in one line or as JSON."""
    with acting(as_) as (ctx, actor):
        found = campaign_overview.campaign(ctx, named)
        yield ctx, actor, found
        report(campaign_overview.campaign(ctx, found.id), as_json)


def plain(found: Overview) -> dict[str, Any]:
    """Return a campaign's standing as ``--json`` prints it."""
    return {**asdict(found), "waits_for": [player.player_id for player in found.waits_for]}


def report(found: Overview, as_json: bool) -> None:
    """Print where a campaign stands now, in one line or as JSON: the end of every command that changed it."""
    if as_json:
        print_json(plain(found))
        return
    due = f", until {until(found.deadline)}" if found.phase else ""
    typer.echo(f"{found.name} ({found.id}): {stands(found)}{due}")


def stands(found: Overview) -> str:
    """Return where a campaign stands: its turn and phase while it runs, else its status first."""
    at = moment(found.turn, found.phase) if found.phase else ""
    if found.status == "running":
        return at
    taken = sum(seat.user is not None for seat in found.seats)
    more = f"{taken} of {len(found.seats)} seats taken" if found.status == "open" else at
    return f"{found.status}: {more}" if more else found.status


def final(found: Overview) -> str:
    """Return how many of the seats with orders due are final: ``3 of 5``; empty without an open phase."""
    wanted = [seat for seat in found.seats if seat.wanted]
    return f"{len(wanted) - len(found.waits_for)} of {len(wanted)}" if found.phase else ""


def orders(seat: SeatStanding, found: Overview) -> str:
    """Return how far a seat's orders are, never what they are."""
    if not found.phase:
        return ""
    if not seat.wanted:
        return "nothing to order"
    return "final" if seat.final else "handed in" if seat.handed_in else "none yet"


def open_phase(found: Overview) -> str:
    """Return the open phase with its number, for a question."""
    return f"phase {found.number} ({moment(found.turn, found.phase)})"


def left_waiting(found: Overview) -> str:
    """Name the players whose orders are missing if the phase is resolved now."""
    late = [f"{player.name} ({'not final' if player.handed_in else 'no orders'})" for player in found.waits_for]
    return f"It does not wait for {', '.join(late)}." if late else "Everybody is final."


def what_rollback_does(ctx: AppContext, actor: Actor, found: Overview, number: int) -> str:
    """Say what going back to a phase does. Ends the command (code 1) where the campaign has not played it."""
    first = history.phases(ctx, actor, found.id, after=number - 1, limit=1)
    if not first or number > found.number:
        fail(f"{found.name} has no phase {number}; it stands at phase {found.number}")
    return (
        f"{found.name}: phase {number} ({moment(first[0].turn, first[0].phase)}) opens anew. What was "
        f"played since, up to phase {found.number}, stays readable on the line of play that is left ({found.branch}), "
        "but counts no more."
    )
