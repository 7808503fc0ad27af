"""``sealed-orders campaign``: look after the campaigns in the database of this machine."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer
from rich.markup import escape

from server.commands import campaign_records
from server.commands.machine import app_context
from server.commands.printing import table, until
from server.commands.standing import (
    As,
    Named,
    acting,
    changing,
    final,
    left_waiting,
    open_phase,
    orders,
    plain,
    report,
    stands,
    what_rollback_does,
)
from server.commands.terminal import AsJson, Code, Yes, confirmed, console, fail, print_json, tell
from server.play.campaigns import campaigns, catalog
from server.play.campaigns.campaigns import NewCampaign
from server.play.errors import PlayError
from server.play.game_masters import game_master, handover, rollback
from server.play.operating import campaign_overview
from server.play.options import Options, settings_to
from server.rules.state import Settings
from server.rules.versions import NEWEST
from server.scenarios import library
from server.scenarios.problems import MapError
from server.scenarios.reader import good_id
from server.scenarios.writer import FILE

app = typer.Typer(
    name="campaign",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="Look after the campaigns of this machine's server.",
)
app.add_typer(campaign_records.app)


OPTIONS = ", ".join(option.name for option in fields(Options))
RULES = ", ".join(settings_to(Settings()))
"""The names of all that may be set, for help."""


Why = Annotated[str, typer.Option("--why", help="Reason, shown to all players.")]


@app.command("create")
def create(
    name: Annotated[str, typer.Argument(help="Name of the campaign.")],
    scenario: Annotated[
        str, typer.Option(help="One of `sealed-orders map list`, or a file or folder of your own.")
    ] = "four-corners",
    ruleset: Annotated[
        str, typer.Option(help="frontier, wh40k-2001 or a TOML file of your own; the scenario's own if left out.")
    ] = "",
    gm: Annotated[str, typer.Option("--gm", metavar="NAME", help="Account of the game master. Default: yours.")] = "",
    hours: Annotated[int, typer.Option(min=0, help="Hours a phase is open; 0: until all are final.")] = 0,
    hidden: Annotated[bool, typer.Option("--hidden", help="Show it only to invited players.")] = False,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help=f"An option (docs/api.md): {OPTIONS}."),
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option("--rule", metavar="NAME=VALUE", help=f"A rule, like turn_limit=12: {RULES}."),
    ] = None,
    as_: As = "",
    as_json: AsJson = False,
) -> None:
    """Create a campaign. Players join on its page, and its game master starts it there.

    Exits 1 when something it was given makes no campaign.

    Examples: `sealed-orders campaign create "The Long March" --scenario four-corners --hours 72` ·
    `sealed-orders campaign create Duel --scenario the-pass --gm Gwen --rule turn_limit=10 --option anonymous=true` ·
    `sealed-orders campaign create Islands --scenario islands/scenario.json --ruleset club.toml`
    """
    options = _values(option or [], "--option")
    if hours:
        options["deadlines"] = {"kind": "rolling", "hours": hours}
    with app_context() as ctx:
        actor = campaign_overview.account(ctx, gm) if gm else campaign_overview.operator(ctx, as_)
        rules = _values(rule or [], "--rule")
        new = NewCampaign(
            name, *_own_scenario(scenario), listed=not hidden, options=options, rules=rules, **_own_ruleset(ruleset)
        )
        made = campaigns.create(ctx, actor, new)
        page = f"{ctx.settings.public_url}/campaigns/{made.id}"
        if as_json:
            print_json({**plain(campaign_overview.campaign(ctx, made.id)), "page": page})
            return
    seats = " or ".join(map(str, made.player_counts))
    typer.echo(f"{made.name} ({made.id}): {made.scenario_title}, for {seats} players, run by {made.gm}")
    typer.echo(f"Players join it at {page}")


def _own_scenario(named: str) -> tuple[str, dict[str, Any] | None]:
    """Return the id of a scenario, and what it holds where it is a file or folder of your own."""
    if not library.is_there(named):
        return named, None
    path = Path(named)
    file = path / FILE if path.is_dir() else path
    id_ = file.resolve().parent.name
    try:
        content = library.read_bytes(file)
    except MapError as error:
        raise PlayError("invalid_request", str(error), field="--scenario", value=named) from None
    return id_ if good_id(id_) else catalog.SCENARIO_ID, catalog.read_scenario(content)


def _own_ruleset(named: str) -> dict[str, Any]:
    """Return the fields of a new campaign that say which ruleset is meant."""
    if not named or not library.is_there(named):
        return {"ruleset": named or None}
    content = catalog.read_ruleset(Path(named).read_bytes())
    return {"ruleset": Path(named).stem, "ruleset_data": content}


@app.command("list")
def list_(
    status: Annotated[str, typer.Option(help="Status: open, running, paused, finished, archived or deleted.")] = "",
    text: Annotated[str, typer.Option(help="Only campaigns whose name contains this.")] = "",
    as_json: AsJson = False,
) -> None:
    """List all campaigns and their missing orders.

    Examples: `sealed-orders campaign list` · `sealed-orders campaign list --status running --json`
    """
    with app_context() as ctx:
        found = campaign_overview.campaigns(ctx, status=status, text=text)
    if as_json:
        print_json({"campaigns": [plain(overview) for overview in found]})
        return
    if not found:
        typer.echo("There are no campaigns." if not (status or text) else "There are no such campaigns.")
        return
    rows = table("Campaign", "Stands at", "Final", "Until", "Id")
    for overview in found:
        rows.add_row(
            escape(overview.name),
            stands(overview),
            final(overview),
            until(overview.deadline) if overview.phase else "",
            overview.id,
        )
    console().print(rows)


@app.command("status")
def status(named: Named, as_json: AsJson = False) -> None:
    """Show a campaign's phase and the state of everyone's orders (never the orders).

    Example: `sealed-orders campaign status "long march"`
    """
    with app_context() as ctx:
        found = campaign_overview.campaign(ctx, named)
    if as_json:
        print_json(plain(found))
        return
    terminal = console()
    terminal.print(f"[bold]{escape(found.name)}[/] ({found.id})")
    run_by = escape(", ".join(found.game_masters) or "nobody")
    terminal.print(f"{found.scenario}, {found.ruleset}; run by {run_by}; {stands(found)}")
    if found.phase:
        terminal.print(f"Phase {found.number}, until {until(found.deadline)}")
    rows = table("Seat", "Player", "Faction", "Orders", "Missed", "Away until")
    for seat in found.seats:
        sits = "nobody" if seat.user is None else seat.name if seat.name == seat.user else f"{seat.name} ({seat.user})"
        away = f"{seat.away_until.astimezone():%d %b %H:%M}" if seat.away_until else ""
        rows.add_row(seat.player_id, escape(sits), seat.faction or "", orders(seat, found), str(seat.missed), away)
    terminal.print(rows)


@app.command("advance")
def advance(named: Named, why: Why = "", yes: Yes = False, as_: As = "", as_json: AsJson = False) -> None:
    """Resolve the open phase now, with the orders received so far. Lists the players who are not final and asks first.

    Exits 1 when no phase is open, or the answer was no.

    Example: `sealed-orders campaign advance "long march" --why "All have agreed." --yes`
    """
    with changing(named, as_, as_json) as (ctx, actor, found):
        if found.phase:
            confirmed(f"{found.name}: {open_phase(found)} is resolved now. {left_waiting(found)}", yes)
        game_master.advance(ctx, actor, found.id, number=found.number, why=why)


@app.command("extend")
def extend(
    named: Named,
    hours: Annotated[
        int, typer.Option(min=0, max=24 * 90, help="Hours to add (from now, if there is no deadline).")
    ] = 0,
    to: Annotated[
        datetime | None,
        typer.Option(
            "--to", formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"], help="New deadline, in this machine's time."
        ),
    ] = None,
    never: Annotated[bool, typer.Option("--never", help="Remove the deadline.")] = False,
    why: Why = "",
    as_: As = "",
    as_json: AsJson = False,
) -> None:
    """Move or remove the open phase's deadline.

    Examples: `sealed-orders campaign extend "long march" --hours 24 --why "Ada is ill."` ·
    `sealed-orders campaign extend "long march" --to "2026-03-01 20:00"`
    """
    if (hours > 0) + (to is not None) + never != 1:
        fail("give one of --hours, --to and --never", Code.UNUSABLE)
    with changing(named, as_, as_json) as (ctx, actor, found):
        due = None if never else to.astimezone() if to else (found.deadline or ctx.now()) + timedelta(hours=hours)
        game_master.set_due(ctx, actor, found.id, due.astimezone(UTC) if due else None, why)


@app.command("readings")
def readings(
    named: Named,
    version: Annotated[
        int, typer.Option(min=0, help="Rules version. 0: keep the current one. Default: the newest.")
    ] = NEWEST.version,
    why: Why = "",
    as_: As = "",
    as_json: AsJson = False,
) -> None:
    """Switch a campaign to a later rules version from its next turn. All players are notified.

    Example: `sealed-orders campaign readings "long march" --why "All have agreed."`
    """
    with changing(named, as_, as_json) as (ctx, actor, found):
        game_master.choose_readings(ctx, actor, found.id, version, why)


@app.command("pause")
def pause(named: Named, why: Why = "", as_: As = "", as_json: AsJson = False) -> None:
    """Pause a campaign's clock. No orders are lost; `resume` gives the phase as much time as it had left.

    Example: `sealed-orders campaign pause "long march" --why "Summer holidays."`
    """
    with changing(named, as_, as_json) as (ctx, actor, found):
        campaigns.pause(ctx, actor, found.id, why)


@app.command("resume")
def resume(named: Named, why: Why = "", as_: As = "", as_json: AsJson = False) -> None:
    """Resume a paused campaign.

    Example: `sealed-orders campaign resume "long march"`
    """
    with changing(named, as_, as_json) as (ctx, actor, found):
        campaigns.resume(ctx, actor, found.id, why)


@app.command("hand-over")
def hand_over(
    named: Named,
    to: Annotated[str, typer.Argument(metavar="[NAME]", help="Account to ask.")] = "",
    take_back: Annotated[bool, typer.Option("--take-back", help="Withdraw the offer.")] = False,
    role: Annotated[
        str, typer.Option(help="gm: instead of you; partner: together; successor: if all game masters are away.")
    ] = handover.GM,
    remove: Annotated[bool, typer.Option("--remove", help="Remove this partner or successor.")] = False,
    why: Why = "",
    as_: As = "",
    as_json: AsJson = False,
) -> None:
    """Ask someone to be the game master, instead or too. Nothing changes until they accept, on the campaign's page.

    Exits 1 when there is no such account, or the campaign is over.

    Examples: `sealed-orders campaign hand-over "long march" Hal --why "Gwen has moved away."` ·
    `sealed-orders campaign hand-over "long march" Hal --role partner` ·
    `sealed-orders campaign hand-over "long march" --take-back`
    """
    if bool(to) == take_back:
        fail("give a name or --take-back", Code.UNUSABLE)
    with changing(named, as_, as_json) as (ctx, actor, found):
        if take_back:
            handover.take_back(ctx, actor, found.id)
        elif remove:
            handover.leave(ctx, actor, found.id, to)
        else:
            handover.offer(ctx, actor, found.id, to, why, role=role)
            if not as_json:
                typer.echo(f"{to} is asked at {ctx.settings.public_url}/campaigns/{found.id}/offer")


@app.command("seat")
def seat(
    named: Named,
    player: Annotated[str, typer.Argument(metavar="SEAT", help="Id of the seat, such as p2.")],
    to: Annotated[str, typer.Argument(metavar="[NAME]", help="Account of the new player.")] = "",
    nobody: Annotated[
        bool, typer.Option("--nobody", help="Leave the seat free. Its stand-in gives the orders.")
    ] = False,
    drop_orders: Annotated[
        bool, typer.Option("--drop-orders", help="Drop the orders of the player who had the seat.")
    ] = False,
    why: Why = "",
    as_: As = "",
    as_json: AsJson = False,
) -> None:
    """Put another player into a seat, or nobody. Saved orders count unless they are changed or dropped.

    Exits 1 when there is no such seat or account, or the account plays in the campaign.

    Examples: `sealed-orders campaign seat "long march" p2 Cat --why "Ben has moved away."` ·
    `sealed-orders campaign seat "long march" p2 --nobody --drop-orders`
    """
    if bool(to) == nobody:
        fail("give a name or --nobody", Code.UNUSABLE)
    with changing(named, as_, as_json) as (ctx, actor, found):
        game_master.replace_player(ctx, actor, found.id, player, to or None, why, drop_orders=drop_orders)


@app.command("rollback")
def roll_back(
    named: Named,
    number: Annotated[int, typer.Argument(metavar="PHASE", min=1, help="Number of the phase to reopen.")],
    why: Annotated[str, typer.Option("--why", help="Reason, shown to all players. Required.")],
    yes: Yes = False,
    as_: As = "",
    as_json: AsJson = False,
) -> None:
    """Go back to an earlier phase, on a new branch. The old branch stays readable.

    Exits 1 when there is no such phase, or the answer was no.

    Example: `sealed-orders campaign rollback "long march" 8 --why "The map was wrong." --yes`
    """
    with changing(named, as_, as_json) as (ctx, actor, found):
        confirmed(what_rollback_does(ctx, actor, found, number), yes)
        rollback.roll_back(ctx, actor, found.id, number, why)


@app.command("delete")
def delete(
    named: Named,
    restore: Annotated[bool, typer.Option("--restore", help="Bring a deleted campaign back, by its id.")] = False,
    yes: Yes = False,
    as_: As = "",
    as_json: AsJson = False,
) -> None:
    """Delete a campaign. For a few days `--restore` brings it back; then it is deleted for good.

    Exits 1 when there is no such campaign, or the answer was no.

    Examples: `sealed-orders campaign delete "long march" --yes` ·
    `sealed-orders campaign delete k3v9x2m4qp7rw8ta --restore`
    """
    with acting(as_) as (ctx, actor):
        if restore:
            campaigns.restore(ctx, actor, named)
            report(campaign_overview.campaign(ctx, named), as_json)
            return
        found = campaign_overview.campaign(ctx, named)
        days = ctx.settings.deletion_grace_days
        confirmed(f"{found.name} is deleted for everyone. You can bring it back for {days} days.", yes)
        gone_at = campaigns.remove(ctx, actor, found.id)
    tell(
        as_json,
        {"campaign": found.id, "gone_at": gone_at.isoformat()},
        f"Deleted {found.name} ({found.id}). It is gone for good on {gone_at.astimezone():%d %b %Y %H:%M}.",
    )


# --- inside ---


def _values(given: list[str], option: str) -> dict[str, Any]:
    """Read NAME=VALUE; a value is JSON where it can be, otherwise a text."""
    found: dict[str, Any] = {}
    for word in given:
        name, sign, value = word.partition("=")
        if not sign:
            fail(f"{option} must be like NAME=VALUE, not {word!r}", Code.UNUSABLE)
        try:
            found[name] = orjson.loads(value)
        except orjson.JSONDecodeError:
            found[name] = value
    return found
