"""``sealed-orders vote``: the players' vote on the end of a campaign, at a server."""

from __future__ import annotations

from typing import Annotated

import typer

from server.commands.remote import CampaignArgument, ServerOption, TokenOption, at_server, choose, plain
from server.commands.terminal import AsJson, Code, fail, print_json


def mount(main: typer.Typer) -> None:
    """Add the command."""
    main.command()(vote)


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
