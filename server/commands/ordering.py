"""``sealed-orders orders``: your orders for the open phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, cast

import orjson
import typer
from rich.markup import escape

from sealed_orders import Fault, LegalOrder, OrderSet, OrdersRefused, RepeatedOrders
from server.commands import order_text
from server.commands.order_text import read_order_list
from server.commands.printing import phase_name, until
from server.commands.remote import (
    CampaignArgument,
    Chosen,
    SeatOption,
    ServerOption,
    TokenOption,
    at_server,
    choose,
    ending_on_errors,
    plain,
)
from server.commands.terminal import AsJson, Code, Wrong, console, print_json
from server.computer_player import view_of, world_of
from server.render.messages import for_readers
from server.render.naming import names_in
from server.render.translations import FALLBACK

app = typer.Typer(
    name="orders",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="Your orders for the open phase, at a server.",
)


app.command("text")(order_text.to_text)
app.command("json")(order_text.to_json)


FileArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help='A JSON list of orders (or an object with it as "orders"); `-` for standard input.'
    ),
]
InCampaign = Annotated[
    str | None,
    typer.Option("--campaign", "-c", help="Campaign id, or part of its name. Default: the only one you play in."),
]
Number = Annotated[
    int | None, typer.Option("--phase", min=0, help="Number of the phase. Refused if another one is open.")
]
MANY = 6
"""Values of a choice that are printed; the rest are counted."""
NO_NAMES: Mapping[str, str] = {}


@app.command()
def show(
    campaign: CampaignArgument = None,
    seat: SeatOption = None,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: AsJson = False,
) -> None:
    """Show your orders for the open phase, and whether they are final. With `--json`, `send` takes what is printed.

    Example: `sealed-orders orders show --json > orders.json`

    Exits 1 when no phase is open.
    """
    with at_server(server, token, as_json=as_json) as client:
        orders = choose(client, campaign, seat=seat).campaign.orders()
    _report(orders, as_json)


@app.command()
def options(
    campaign: CampaignArgument = None,
    about: Annotated[str | None, typer.Option("--for", help="Detachment, convoy or hex to show.")] = None,
    seat: SeatOption = None,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: AsJson = False,
) -> None:
    """Show what you can order now, with the values you can choose.

    Example: `sealed-orders orders options --for 5f2c1a90b7de`

    Exits 1 when no phase is open.
    """
    with at_server(server, token, as_json=as_json) as client:
        found = choose(client, campaign, seat=seat).campaign.legal_orders()
    found = tuple(option for option in found if about is None or about in map(str, option.order.values()))
    if as_json:
        print_json({"options": [plain(option) for option in found]})
        return
    if not found:
        typer.echo("You have no orders to give.")
    for option in found:
        console().print(_option(option), soft_wrap=True)


@app.command()
def check(
    file: FileArgument,
    campaign: InCampaign = None,
    seat: SeatOption = None,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: AsJson = False,
) -> None:
    """Check orders without sending them.

    Example: `sealed-orders orders check orders.json`

    Exits 1 when something is wrong with them, 2 when the file is not a JSON list of orders.
    """
    with ending_on_errors(as_json):
        orders = read_order_list(file)
    with at_server(server, token, as_json=as_json) as client:
        chosen = choose(client, campaign, seat=seat)
        problems = chosen.campaign.check(orders)
        names = known_names(chosen) if problems and not as_json else {}
    if as_json:
        print_json({"problems": [plain(problem) for problem in problems]})
    elif problems:
        _print_orders(orders, problems, names)
    else:
        typer.echo(f"{len(orders)} orders, no problems.")
    raise typer.Exit(Code.REFUSED if problems else Code.DONE)


@app.command()
def send(
    file: FileArgument,
    campaign: InCampaign = None,
    final: Annotated[bool, typer.Option("--final", help="Finalise the orders.")] = False,
    temporary: Annotated[
        bool, typer.Option("--temporary", help="Count the orders at the deadline, without ending the phase early.")
    ] = False,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Save the valid orders even if others are refused.")
    ] = False,
    number: Number = None,
    seat: SeatOption = None,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: AsJson = False,
) -> None:
    """Send a full set of orders, in the order they should be carried out.

    It replaces the orders you sent before. You get all problems at once, and nothing is saved if there are any
    (unless `--lenient`).

    Examples: `sealed-orders orders send orders.json --final` · `my-program | sealed-orders orders send -`

    Exits 1 when orders were refused or the phase is over, 2 when the file is not a JSON list of orders.
    """
    with ending_on_errors(as_json):
        orders = read_order_list(file)
    with at_server(server, token, as_json=as_json) as client:
        chosen = choose(client, campaign, seat=seat)
        try:
            meant = chosen.campaign.orders().number if number is None else number
            done = chosen.campaign.send(orders, number=meant, final=final, temporary=temporary, lenient=lenient)
        except OrdersRefused as error:
            if as_json:
                raise
            _print_orders(orders, error.problems, known_names(chosen))
            raise Wrong("Nothing was saved. Correct the orders marked ✗, or save the others with --lenient.") from None
        names = known_names(chosen) if done.problems and not as_json else {}
    if as_json:
        print_json({"orders": plain(done.orders), "problems": [plain(problem) for problem in done.problems]})
        return
    if done.problems:
        _print_orders(orders, done.problems, names)
    typer.echo(_state(done.orders))


@app.command("final")
def declare_final(
    campaign: CampaignArgument = None,
    number: Number = None,
    seat: SeatOption = None,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: AsJson = False,
) -> None:
    """Finalise your orders. The phase ends when all players are final; until then you can reopen them.

    Without orders, name the phase you want to pass.

    Examples: `sealed-orders orders final` · `sealed-orders orders final --phase 7`

    Exits 1 when no phase is open, or you have no orders and name no phase.
    """
    with at_server(server, token, as_json=as_json) as client:
        chosen = choose(client, campaign, seat=seat).campaign
        now = chosen.orders()
        if number is None and not now.revision and now.wanted:
            open_now = f"turn {now.turn}, {phase_name(now.phase)}"
            how = f"sealed-orders orders final --phase {now.number}"
            raise Wrong(f"You have handed in nothing for {open_now}. To pass: {how}")
        orders = chosen.declare_final(number=now.number if number is None else number)
    _report(orders, as_json, briefly=True)


@app.command("take-back")
def take_back(
    campaign: CampaignArgument = None,
    number: Number = None,
    seat: SeatOption = None,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: AsJson = False,
) -> None:
    """Reopen your orders while the phase is open.

    Example: `sealed-orders orders take-back`

    Exits 1 when no phase is open.
    """
    with at_server(server, token, as_json=as_json) as client:
        chosen = choose(client, campaign, seat=seat).campaign
        meant = chosen.orders().number if number is None else number
        orders = chosen.take_back(number=meant)
    _report(orders, as_json, briefly=True)


@app.command()
def repeated(
    campaign: CampaignArgument = None,
    seat: SeatOption = None,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: AsJson = False,
) -> None:
    """Show the orders you repeat until you cancel them, and those that were not possible last time.

    Example: `sealed-orders orders repeated`
    """
    with at_server(server, token, as_json=as_json) as client:
        found = choose(client, campaign, seat=seat).campaign.repeated_orders()
    if as_json:
        print_json({"repeated": [plain(row) for row in found]})
        return
    if not any(row.orders or row.left_out for row in found):
        typer.echo("You repeat no orders.")
    for row in found:
        _print_repeated(row)


@app.command()
def repeat(
    phase: Annotated[str, typer.Argument(metavar="PHASE", help="`build`, `movement` or `battle_movement`.")],
    file: FileArgument,
    campaign: InCampaign = None,
    seat: SeatOption = None,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: AsJson = False,
) -> None:
    """Repeat orders in each phase of one kind, in place of those you repeated so far. An empty list cancels them.

    Guard, recover, follow, claim area and production can be repeated.

    Examples: `sealed-orders orders repeat movement guards.json` · `echo '[]' | sealed-orders orders repeat movement -`

    Exits 1 when an order cannot be repeated, 2 when the file is not a JSON list of orders.
    """
    with ending_on_errors(as_json):
        orders = read_order_list(file)
    with at_server(server, token, as_json=as_json) as client:
        done = choose(client, campaign, seat=seat).campaign.repeat_orders(phase, orders)
    if as_json:
        print_json(plain(done))
        return
    _print_repeated(done)


def _print_repeated(found: RepeatedOrders) -> None:
    typer.echo(f"{phase_name(found.phase)}: {len(found.orders)} repeated.")
    _print_orders(found.orders, ())
    for left in found.left_out:
        what = "ended" if left["ended"] else f"left out in phase {left['number']}"
        why = f"{what}: {left['problem']['message']}"
        console().print(f"    {_line(left['order'])}  [red]{escape(why)}[/]", soft_wrap=True)


def _report(orders: OrderSet, as_json: bool, *, briefly: bool = False) -> None:
    if as_json:
        print_json(plain(orders))
        return
    if not briefly:
        _print_orders(orders.orders, ())
    typer.echo(_state(orders))


def _state(orders: OrderSet) -> str:
    count = f"{len(orders.orders)} order{'s' if len(orders.orders) != 1 else ''}"
    where = f"turn {orders.turn}, {phase_name(orders.phase)} (phase {orders.number})"
    if orders.final:
        return f"{count} for {where}, final."
    if not orders.wanted and not orders.revision:
        return f"You have nothing to order in {where}."
    how = "for the deadline" if orders.temporary else "not final" if orders.revision else "no orders yet"
    return f"{count} for {where}, {how}; {until(orders.deadline)}."


def _print_orders(orders: Sequence[Any], problems: Sequence[Fault], names: Mapping[str, str] = NO_NAMES) -> None:
    """Print orders one a line, numbered from 1, each with its problems below; *names*: of forces and places, by id."""
    out = console()
    for place, order in enumerate(orders):
        mine = [problem for problem in problems if problem.order == place]
        mark = "[red]✗[/]" if mine else "[green]·[/]"
        out.print(f"{place + 1:3} {mark} {_line(order)}", soft_wrap=True)
        for problem in mine:
            out.print(f"      [red]{escape(refusal(problem, order, names))}[/]", soft_wrap=True)
    for problem in problems:
        if problem.order is None or not 0 <= problem.order < len(orders):
            out.print(f"      [red]{escape(refusal(problem, None, names))}[/]", soft_wrap=True)


def _line(order: Any) -> str:
    if not isinstance(order, dict):
        return escape(orjson.dumps(order).decode())
    fields = "  ".join(f"[dim]{escape(name)}[/] {escape(_display(value))}" for name, value in _fields(order))
    return f"[bold]{escape(str(order.get('type', '?')))}[/]  {fields}"


def _fields(order: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((name, value) for name, value in order.items() if name != "type")


def _display(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return " ".join(value)
    if isinstance(value, list) and all(isinstance(item, dict) and "name" in item for item in value):
        return ", ".join(str(item["name"]) for item in value)
    return orjson.dumps(value).decode()


def _option(option: LegalOrder) -> str:
    parts = [_line(option.order)]
    for name, values in cast("dict[str, list[Any]]", option.choices).items():
        shown = " | ".join(_display(value) for value in values[:MANY])
        more = f" | ... {len(values) - MANY} more" if len(values) > MANY else ""
        parts.append(f"[dim]{escape(name)}[/] {escape(shown + more)}")
    if option.needs is not None:
        parts.append(f"[dim]fill in[/] {escape(orjson.dumps(option.needs).decode())}")
    return "  ".join(parts)


def known_names(chosen: Chosen) -> Mapping[str, str]:
    """Return the names of all players, forces and places that the player sees, by id; places as ``hex/<label>``."""
    position = chosen.campaign.position()
    info = chosen.info
    world = world_of(info.scenario, chosen.campaign.board(), info.ruleset, chosen.campaign.ruleset())
    view = view_of(position.viewer, position.sees, position.state, world)
    return names_in(chosen.names, [view.state], FALLBACK)


def refusal(problem: Fault, order: Any, names: Mapping[str, str]) -> str:
    """Return why an order was refused, as the pages say it: force, reason, section of the rulebook."""
    said, params = problem.message, problem.params
    if problem.template and all(isinstance(value, int | float | str) for value in params.values()):
        named = {name: names.get(f"hex/{value}", names.get(str(value), value)) for name, value in params.items()}
        said = for_readers(FALLBACK).get(problem.template, problem.template).format_map(named)
    given = order if isinstance(order, Mapping) else {}
    ids = (str(given.get("detachment", "")), str(given.get("convoy", "")))
    force = next((names[id_] for id_ in ids if id_ in names), "")
    about = f"{force}: " if force and force not in said else ""
    return f"{about}{said}{f' [{problem.rule}]' if problem.rule else ''}"
