"""``sealed-orders create``, ``join``, ``start``, ``leave``, ``away``, ``vote``: campaigns at a server, as a player."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import typer

from sealed_orders import Client, NotFound, Refused
from server.commands.remote import CampaignArgument, ServerOption, TokenOption, at_server, choose, plain
from server.commands.terminal import AsJson, Code, Wrong, Yes, confirmed, fail, print_json, tell

app = typer.Typer(rich_markup_mode="markdown")


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="Name of the campaign.")],
    scenario: Annotated[str, typer.Option("--map", metavar="ID", help="Map to play on, such as the-pass.")],
    faction: Annotated[
        str | None, typer.Option("--faction", metavar="ID", help="Take the first seat with this faction.")
    ] = None,
    ruleset: Annotated[
        str | None, typer.Option("--ruleset", metavar="ID", help="Ruleset to play by. Default: the map's own.")
    ] = None,
    unlisted: Annotated[bool, typer.Option("--unlisted", help="Keep it off the list of open campaigns.")] = False,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: AsJson = False,
) -> None:
    """Create a campaign and become its game master.

    Example: `sealed-orders create "The Long March" --map the-pass --faction orks`

    Exits 1 when the server refuses it, 3 when the server does not answer.
    """
    with at_server(server, token, as_json=as_json) as client:
        plays = None if faction is None else {"gm_plays": True}
        info = client.create_campaign(name, scenario, ruleset=ruleset, listed=not unlisted, options=plays)
        if faction is not None:
            info = client.campaign(info.id).join(faction)
    tell(
        as_json,
        plain(info),
        f"Created {info.name} ({info.id}). Start it when all seats are taken: sealed-orders start {info.id}",
    )


@app.command()
def join(
    wanted: Annotated[str, typer.Argument(metavar="CAMPAIGN", help="Id of the campaign, or an invitation code.")],
    faction: Annotated[
        str | None,
        typer.Option("--faction", metavar="ID", help="Faction to play. A seat of a campaign that runs keeps its army."),
    ] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="ID", help="Seat to take, such as p2. Default: the first free one.")
    ] = None,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: AsJson = False,
) -> None:
    """Take a seat in a campaign, by its id or by an invitation code. Once it runs, take over a free seat.

    Examples: `sealed-orders join k3v9x2m4qp7rw8ta --faction eldar` · `sealed-orders join k3v9x2m4qp7rw8ta --seat p3`

    Exits 1 when there is no such campaign or no free seat, 3 when the server does not answer.
    """
    with at_server(server, token, as_json=as_json) as client:
        campaign_id, code = _invited(client, wanted)
        info = client.campaign(campaign_id).join(faction, seat=seat, code=code)
    tell(as_json, plain(info), f"You play {info.your_seats[0]} in {info.name} ({info.id}).")


@app.command()
def start(
    campaign: CampaignArgument = None,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: AsJson = False,
) -> None:
    """Start a campaign you run.

    Example: `sealed-orders start k3v9x2m4qp7rw8ta`

    Exits 1 when it cannot start yet, 3 when the server does not answer.
    """
    with at_server(server, token, as_json=as_json) as client:
        chosen = choose(client, campaign)
        chosen.campaign.start()
        info = chosen.campaign.info()
    tell(
        as_json,
        plain(info),
        f"Started {info.name} ({info.id}). Give your orders: sealed-orders orders options {info.id}",
    )


@app.command()
def leave(
    campaign: CampaignArgument = None,
    yes: Yes = False,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: AsJson = False,
) -> None:
    """Give up your seat. Once the campaign runs, the stand-in orders until someone takes the seat.

    Example: `sealed-orders leave k3v9x2m4qp7rw8ta --yes`

    Exits 1 when you have no seat there, or the answer was no, 3 when the server does not answer.
    """
    with at_server(server, token, as_json=as_json) as client:
        chosen = choose(client, campaign)
        info = chosen.campaign.info()
        confirmed(f"You leave {info.name}. Your forces stay for whoever takes the seat.", yes)
        chosen.campaign.leave()
    tell(as_json, {"campaign": info.id, "left": True}, f"You have left {info.name} ({info.id}).")


@app.command()
def away(
    campaign: CampaignArgument = None,
    until: Annotated[
        datetime | None,
        typer.Option("--until", formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M"], help="End of the holiday, in local time."),
    ] = None,
    back: Annotated[bool, typer.Option("--back", help="End the holiday.")] = False,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: AsJson = False,
) -> None:
    """Go on holiday, or come back. Your stand-in orders, and no missed deadline counts.

    Example: `sealed-orders away --until 2026-08-01`

    Exits 1 when you have no seat or no days of holiday left, 3 when the server does not answer.
    """
    if (until is None) != back:
        fail("give --until or --back", Code.UNUSABLE)
    with at_server(server, token, as_json=as_json) as client:
        chosen = choose(client, campaign)
        chosen.campaign.holiday(None if until is None else until.astimezone())
        info = chosen.campaign.info()
    ends = next((seat.holiday_until for seat in info.seats if seat.player_id in info.your_seats), None)
    if as_json:
        print_json({"campaign": info.id, "holiday_until": None if ends is None else ends.isoformat()})
    elif ends is None:
        typer.echo(f"Welcome back to {info.name}.")
    else:
        typer.echo(f"You are away from {info.name} until {ends.astimezone():%d %b %Y %H:%M}.")


def _invited(client: Client, wanted: str) -> tuple[str, str | None]:
    """Return the campaign's id, and the code where *wanted* is an invitation code."""
    try:
        return client.campaign(wanted).info().id, None
    except NotFound:
        pass
    try:
        return client.campaign_of_code(wanted), wanted
    except Refused:
        raise Wrong(f"No campaign you can see has the id or the invitation code {wanted!r}.") from None


@app.command()
def vote(
    campaign: CampaignArgument = None,
    propose: Annotated[
        str | None, typer.Option("--propose", metavar="END", help="Open a vote: draw, peace or concede.")
    ] = None,
    to: Annotated[
        str, typer.Option("--to", metavar="SEAT", help="Player that the others concede to, such as p2.")
    ] = "",
    why: Annotated[str, typer.Option("--why", help="Reason, shown to all players.")] = "",
    agree: Annotated[bool, typer.Option("--agree", help="Agree to the open vote.")] = False,
    refuse: Annotated[bool, typer.Option("--refuse", help="Refuse; that ends the vote.")] = False,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Close the vote that you opened.")] = False,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: AsJson = False,
) -> None:
    """Show the votes on the end of a campaign, open one, or answer it. The absent do not block.

    Exits 1 when the server refuses it, 3 when the server does not answer.

    Examples: `sealed-orders vote --propose draw --why "The club has moved on."` · `sealed-orders vote --agree`
    """
    if bool(propose) + agree + refuse + withdraw > 1:
        fail("give one of --propose, --agree, --refuse and --withdraw", Code.UNUSABLE)
    with at_server(server, token, as_json=as_json) as client:
        chosen = choose(client, campaign).campaign
        if propose:
            chosen.open_vote(propose, winner=to, why=why)
        elif agree or refuse or withdraw:
            still = [vote for vote in chosen.votes() if not vote.outcome]
            if not still:
                fail("no vote is open; open one with --propose", Code.REFUSED)
            if withdraw:
                chosen.withdraw_vote(still[0].number)
            else:
                chosen.answer_vote(still[0].number, agree)
        votes, info = chosen.votes(), chosen.info()
    if as_json:
        print_json({"campaign": info.id, "status": info.status, "votes": [plain(vote) for vote in votes]})
        return
    names = {seat.player_id: seat.name for seat in info.seats}
    if not votes:
        typer.echo(f"{info.name}: there are no votes on its end.")
    for vote in votes:
        end = f"{vote.about} to {names[vote.winner]}" if vote.winner else vote.about
        agreed = ", ".join(names[player] for player in vote.agreed) or "nobody"
        until = vote.outcome or f"open until {vote.ends_at.astimezone():%d %b %H:%M}"
        typer.echo(f"{vote.number}. {end}, proposed by {names[vote.proposed_by]}: {until}. Agreed: {agreed}.")
