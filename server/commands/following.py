"""``sealed-orders history`` and ``watch``: what happened, and what happens."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

import orjson
import typer

from sealed_orders import Event as LiveEvent
from sealed_orders.records import PastPhase
from server.commands.printing import headline
from server.commands.remote import CampaignArgument, ServerOption, TokenOption, at_server, choose, plain
from server.commands.terminal import AsJson, console, print_json
from server.core.events import Event
from server.render import story
from server.render.messages import english
from server.render.naming import Named, distinct_names

app = typer.Typer(rich_markup_mode="markdown")

SENTENCES: Mapping[str, str] = {
    "campaign_started": "The campaign has started.",
    "phase_opened": "{moment} is open (phase {number}){until}.",
    "finality": "{player} {is_final}.",
    "orders_changed": "Your orders of phase {number} were changed (revision {revision}).",
    "deadline_near": "Phase {number} ends soon: {deadline}.",
    "deadline_changed": "The deadline is now {deadline}.",
    "paused": "The campaign is paused. {why}",
    "resumed": "The campaign continues. {why}",
    "intervention": "The game master changed the position.",
    "announcement": "The game master has sent an announcement. Read your messages.",
    "rolled_back": "The campaign went back to phase {number}, as branch {branch}.",
    "finished": "The campaign is over.",
    "message": "You have a new message.",
    "declaration": "A player has made a declaration.",
    "battle_reported": "A result was reported for the battle of {hex} ({status}).",
    "battle_settled": "Battle of {hex}: the result is final.",
    "invited": "You are invited to a campaign.",
    "new_readings": "From the next turn, rules version {version} applies (0: no change).",
    "seat_changed": "The seat {seat} has a new player or stand-in.",
    "missed_deadline": "A deadline was missed.",
    "gm_offered": "You are asked to be its game master. {why}",
    "gm_declined": "{name} declined to take over the campaign.",
    "gm_changed": "{gm} is now the game master.",
    "start_failed": "The campaign could not start: not enough players have joined.",
    "vote_opened": "A vote on the campaign's end is open ({about}): sealed-orders vote.",
    "vote_closed": "The vote on the campaign's end is over ({outcome}).",
    "table_opened": "Battle of {hex}: the table game {table} is open.",
    "table_agreement": "Battle of {hex}, table game: {about} {status}.",
    "table_waits": "The phase waits for a tabletop battle until {deadline}.",
}
"""One line for each kind of news."""


@app.command()
def history(
    campaign: CampaignArgument = None,
    turn: Annotated[int | None, typer.Option(min=0, help="Turn to show.")] = None,
    last: Annotated[int, typer.Option(min=1, help="Number of phases to show.")] = 10,
    all_: Annotated[bool, typer.Option("--all", help="Show all phases.")] = False,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: AsJson = False,
) -> None:
    """Tell what happened, phase by phase, as you can see it. With `--json`, every event with its fields.

    Examples: `sealed-orders history` · `sealed-orders history --turn 3`

    Exits 1 when there is no such campaign.
    """
    with at_server(server, token, as_json=as_json) as client:
        chosen = choose(client, campaign)
        over = [phase for phase in chosen.campaign.phases() if phase.resolved_at is not None]
        wanted = [phase for phase in over if turn is None or phase.turn == turn]
        wanted = wanted if all_ or turn is not None else wanted[-last:]
        found = [chosen.campaign.phase(phase.number, branch=phase.branch) for phase in wanted]
    if as_json:
        print_json({"phases": [_phase_data(phase_) for phase_ in found]})
        return
    if not found:
        typer.echo("Nothing has happened yet." if turn is None else f"Turn {turn} has no finished phases.")
    out = console()
    for phase_ in found:
        out.print(f"[bold]{headline(phase_.turn, phase_.phase)}[/] (phase {phase_.number})")
        names = chosen.names | _force_names(phase_, chosen.names)
        events = [Event(one["type"], one["fields"], (), False) for one in phase_.events]
        told = [one for one in events if one.type not in ("claimed", "dice")]
        for event in told:
            style = None if event.type in story.WORTH else "dim"
            out.print(f"  {story.sentence(event, names)}", soft_wrap=True, markup=False, style=style)
        claims = list(story.summarize((one for one in events if one.type == "claimed"), names))
        for sentence in claims:
            out.print(f"  {sentence}", soft_wrap=True, markup=False)
        if not told and not claims:
            out.print("  Nothing you know of.")
        for refused in _refused(phase_):
            out.print(f"  One of your orders failed: {refused}", soft_wrap=True, markup=False)


@app.command()
def watch(
    campaign: Annotated[
        str | None,
        typer.Argument(metavar="[CAMPAIGN]", help="Campaign id, or part of its name. Default: all your campaigns."),
    ] = None,
    count: Annotated[int | None, typer.Option(min=1, help="Number of events to wait for.")] = None,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: AsJson = False,
) -> None:
    """Watch a campaign, one line per event, until Ctrl-C. After an interruption it shows what you missed.

    With `--json` it prints one object a line.

    Example: `sealed-orders watch "Thirteen Towers"`

    Exits 1 when there is no such campaign, 3 when the server does not answer at first, 130 after Ctrl-C.
    """
    with at_server(server, token, as_json=as_json) as client:
        names: dict[str, str] = {}
        if campaign is None:
            titles = {campaign.id: campaign.name for campaign in client.campaigns(mine=True)}
            events = client.follow()
        else:
            chosen = choose(client, campaign)
            titles, names = {chosen.info.id: chosen.info.name}, chosen.names
            events = chosen.campaign.follow()
        for place, event in enumerate(events, 1):
            if as_json:
                sys.stdout.write(orjson.dumps(plain(event)).decode() + "\n")
            else:
                print(_sentence(event, titles, names))
            sys.stdout.flush()
            if place == count:
                events.close()
                break


def _sentence(event: LiveEvent, titles: Mapping[str, str], names: Mapping[str, str]) -> str:
    at = (event.at or datetime.now().astimezone()).astimezone()
    campaign_id = event.data.get("campaign_id")
    where = f"{titles.get(campaign_id, campaign_id)}: " if campaign_id else ""
    if event.kind == "state":
        return f"{at:%d %b %H:%M:%S}  Watching {', '.join(titles.values()) or 'nothing yet'}."
    said: dict[str, Any] = dict.fromkeys(
        ("why", "status", "hex", "seat", "gm", "name", "branch", "number", "turn", "revision"), "?"
    )
    said |= event.data | {"moment": headline(event.data.get("turn"), event.data.get("phase"))}
    said["why"] = event.data.get("why", "")
    deadline = event.data.get("deadline")
    due = f"{datetime.fromisoformat(deadline).astimezone():%a %d %b %H:%M}" if deadline else ""
    said |= {"deadline": due or "none", "until": f" until {due}" if due else ""}
    said["player"] = names.get(event.data.get("player", ""), event.data.get("player", ""))
    said["is_final"] = "is final" if event.data.get("final") else "takes final back"
    known = SENTENCES.get(event.kind, event.kind.replace("_", " ").capitalize() + ".")
    return f"{at:%d %b %H:%M:%S}  {where}{known.format_map(said)}".rstrip()


def _force_names(past: PastPhase, players: Mapping[str, str]) -> dict[str, str]:
    known = past.view["state"]["detachments"].items()
    return distinct_names((Named(id_, force["name"], force["owner"]) for id_, force in known), players)


def _phase_data(past: PastPhase) -> dict[str, Any]:
    """Return a phase without its position, which `view --phase` shows."""
    whole = plain(past)
    del whole["view"]
    return whole


def _refused(past: PastPhase) -> list[str]:
    own: Any = past.problems.get(past.viewer, [])
    return [english(str(event.get("message", ""))) for event in own]
