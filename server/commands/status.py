"""``sealed-orders status``: your campaigns, what each wants, and until when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import typer

from sealed_orders import CampaignInfo, Client, OrderSet, PhaseOver
from sealed_orders.records import CampaignSummary
from server.commands.printing import moment, table, until
from server.commands.remote import ServerOption, TokenOption, at_server
from server.commands.terminal import AsJson, console, print_json

app = typer.Typer(rich_markup_mode="markdown")

FIRST = ("running", "paused", "open", "finished", "archived", "deleted")
"""The order in which campaigns are listed."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A campaign and what it wants of its player."""

    id: str
    name: str
    status: str
    turn: int | None
    phase: str | None
    seat: str | None
    game_master: bool
    wants: str
    """``orders``, ``final``, ``report``, or empty: nothing."""
    says: str
    deadline: datetime | None


@app.command()
def status(server: ServerOption = None, token: TokenOption = None, as_json: AsJson = False) -> None:
    """Show your campaigns, the orders they need, and the deadlines.

    Example: `sealed-orders status`

    Exits 1 when you are not signed in, 3 when the server does not answer.
    """
    with at_server(server, token, as_json=as_json) as client:
        mine = sorted(client.campaigns(mine=True), key=lambda campaign: FIRST.index(campaign.status))
        found = [_standing(client, campaign) for campaign in mine]
    if as_json:
        print_json({"campaigns": found})
        return
    if not found:
        typer.echo("You have no campaigns.")
        return
    rows = table("Campaign", "Phase", "You", "Until", "Id")
    for campaign in found:
        phase = moment(campaign.turn, campaign.phase) if campaign.phase else campaign.status
        says = f"[bold yellow]{campaign.says}[/]" if campaign.wants else campaign.says
        rows.add_row(campaign.name, phase, says, until(campaign.deadline) if campaign.phase else "", campaign.id)
    console().print(rows)


def _standing(client: Client, found: CampaignSummary) -> Standing:
    info = client.campaign(found.id).info()
    seat = info.your_seats[0] if info.your_seats else None
    wants, says = _wants(client, info, seat)
    return Standing(
        info.id, info.name, info.status, info.turn, info.phase, seat, info.you_are_gm, wants, says, info.deadline
    )


def _wants(client: Client, info: CampaignInfo, seat: str | None) -> tuple[str, str]:
    if info.status == "open":
        free = sum(not seat.taken for seat in info.seats)
        return "", f"{free} free seat{'s' if free != 1 else ''}" if free else "can begin"
    if info.status != "running":
        return "", ""
    campaign = client.campaign(info.id)
    if seat is None:
        handed_in = [player for player in campaign.finality() if player.wanted or player.final]
        final = sum(player.final for player in handed_in)
        return "", f"game master: {final} of {len(handed_in)} final" if info.you_are_gm else "looking on"
    try:
        orders = campaign.orders()
    except PhaseOver:
        return "", "out of the campaign"
    if info.phase in ("battles", "reports"):
        waiting = [
            battle.hex
            for battle in campaign.battles()
            if battle.yours and any(report.status == "open" and report.reported_by != seat for report in battle.reports)
        ]
        if waiting:
            return "report", f"confirm or dispute {', '.join(waiting)}"
    return _says(orders)


def _says(orders: OrderSet) -> tuple[str, str]:
    if not orders.wanted:
        return "", "nothing to order"
    count = f"{len(orders.orders)} order{'s' if len(orders.orders) != 1 else ''}"
    if orders.final:
        return "", f"{count}, final"
    if orders.temporary:
        return "", f"{count}, for the deadline"
    return ("final", f"{count}, not final") if orders.revision else ("orders", "orders needed")
