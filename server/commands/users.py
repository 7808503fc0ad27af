"""``sealed-orders user``: look after accounts."""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import Annotated

import typer
from rich.markup import escape

from server.commands.machine import app_context
from server.commands.printing import table
from server.commands.terminal import AsJson, Code, Yes, confirmed, console, fail, print_json, tell
from server.play import audit
from server.play.accounts import accounts, links
from server.play.operating import user_admin

app = typer.Typer(name="user", no_args_is_help=True, rich_markup_mode="markdown", help="Look after accounts.")


Name = Annotated[str, typer.Argument(help="Name of the account.")]
PasswordStdin = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from one line of standard input.")
]


@app.command("add")
def add(
    name: Annotated[str, typer.Argument(help="Name of the account.")],
    email: Annotated[str | None, typer.Option(help="Email address. It counts as confirmed.")] = None,
    admin: Annotated[bool, typer.Option("--admin", help="Make the account an admin.")] = False,
    language: Annotated[str, typer.Option(help="Language of its pages and emails: en or de.")] = "en",
    password_stdin: PasswordStdin = False,
    as_json: AsJson = False,
) -> None:
    """Create an account; asks for its password.

    Exits 1 when the name is taken, or name, password or language cannot be one.

    Examples: `sealed-orders user add Gwen --admin` ·
    `sealed-orders user add Ann --email ann@example.org --password-stdin < secret`
    """
    password = _password(password_stdin)
    with app_context() as ctx:
        account = accounts.make_user(ctx, name, password=password, email=email, admin=admin, locale=language)
    tell(
        as_json,
        {"id": account.id, "name": account.name, "admin": account.admin},
        f"{account.name} has the account {account.id}",
    )


@app.command("password")
def set_password(name: Name, password_stdin: PasswordStdin = False, as_json: AsJson = False) -> None:
    """Set an account's password and end its sessions.

    Example: `sealed-orders user password Ann`
    """
    password = _password(password_stdin)
    with app_context() as ctx:
        user_admin.set_password(ctx, name, password)
    _print_done(name, "has a new password", as_json)


@app.command("disable")
def disable(name: Name, as_json: AsJson = False) -> None:
    """Close an account. It can no longer sign in, its tokens stop working, its seats stay.

    Example: `sealed-orders user disable Ann`
    """
    with app_context() as ctx:
        user_admin.disable(ctx, None, name)
    _print_done(name, "is closed", as_json)


@app.command("ban")
def ban(
    name: Name,
    days: Annotated[int, typer.Option(min=1, max=3650, help="Length of the ban in days.")] = 7,
    why: Annotated[str, typer.Option("--why", help="Reason, for the other admins.")] = "",
    lift: Annotated[bool, typer.Option("--lift", help="End the ban.")] = False,
    as_json: AsJson = False,
) -> None:
    """Ban an account for a time: it cannot sign in, its tokens and bots do nothing, its seats stay.

    Examples: `sealed-orders user ban Ann --days 14 --why "Insults in messages."` · `sealed-orders user ban Ann --lift`
    """
    with app_context() as ctx:
        if lift:
            user_admin.lift_ban(ctx, None, name)
            _print_done(name, "can sign in again", as_json)
            return
        until = user_admin.ban(ctx, None, name, days, why)
    _print_done(name, f"is banned until {until.astimezone():%d %b %Y %H:%M}", as_json)


@app.command("approve")
def approve(name: Name, as_json: AsJson = False) -> None:
    """Approve a new account, if sign-up needs an admin's approval.

    Example: `sealed-orders user approve Ann`
    """
    with app_context() as ctx:
        user_admin.approve(ctx, None, name)
    _print_done(name, "can sign in", as_json)


@app.command("log")
def log(as_json: AsJson = False) -> None:
    """List what admins did to accounts, campaigns and the server, the latest first.

    Example: `sealed-orders user log`
    """
    with app_context() as ctx:
        found = audit.listed(ctx)
    if as_json:
        acts = [{"at": act.at.isoformat(), "admin": act.admin, "act": act.act, "about": act.about, "note": act.note}
                for act in found]  # fmt: skip
        print_json({"acts": acts})
        return
    rows = table("When", "Admin", "Act", "About", "Note")
    for act in found:
        rows.add_row(
            f"{act.at.astimezone():%d %b %Y %H:%M}", escape(act.admin), act.act, escape(act.about), escape(act.note)
        )
    console().print(rows)


@app.command("enable")
def enable(name: Name, as_json: AsJson = False) -> None:
    """Open an account again.

    Example: `sealed-orders user enable Ann`
    """
    with app_context() as ctx:
        user_admin.enable(ctx, None, name)
    _print_done(name, "is open", as_json)


@app.command("admin")
def admin(
    name: Name,
    off: Annotated[bool, typer.Option("--off", help="Remove the admin rights.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make an account an admin, who can manage all campaigns, or remove these rights.

    Examples: `sealed-orders user admin Gwen` · `sealed-orders user admin Gwen --off`
    """
    with app_context() as ctx:
        user_admin.set_admin(ctx, None, name, not off)
    _print_done(name, "is no admin any more" if off else "is an admin", as_json)


@app.command("rename")
def rename(name: Name, new: Annotated[str, typer.Argument(help="New name.")], as_json: AsJson = False) -> None:
    """Give an account another name. The names of its seats in campaigns stay.

    Exits 1 when the name is taken, or cannot be one.

    Example: `sealed-orders user rename Ann Anna`
    """
    with app_context() as ctx:
        kept = user_admin.rename(ctx, None, name, new)
    _print_done(name, f"is called {kept} now", as_json)


@app.command("email")
def email(
    name: Name,
    address: Annotated[str | None, typer.Argument(help="New email address.")] = None,
    confirm: Annotated[bool, typer.Option("--confirm", help="Confirm the existing address.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the address.")] = False,
    as_json: AsJson = False,
) -> None:
    """Change an account's email address (it counts as confirmed), confirm it, or remove it.

    Exits 1 when another account has confirmed that address, 2 unless you name exactly one of these.

    Examples: `sealed-orders user email Ann ann@example.org` · `sealed-orders user email Ann --confirm`
    """
    if [address is not None, confirm, remove].count(True) != 1:
        fail("give an address, --confirm or --remove", Code.UNUSABLE)
    with app_context() as ctx:
        if confirm:
            _print_done(name, f"has the confirmed address {user_admin.confirm_email(ctx, None, name)}", as_json)
            return
        user_admin.set_email(ctx, None, name, address)
    _print_done(name, "has no address" if remove else f"has the confirmed address {address}", as_json)


@app.command("reset-second-factor")
def reset_second_factor(name: Name, yes: Yes = False, as_json: AsJson = False) -> None:
    """Switch off an account's two-factor authentication and end its sessions, if the app and codes are lost.

    Exits 1 when the answer was no.

    Examples: `sealed-orders user reset-second-factor Ann` · `sealed-orders user reset-second-factor Ann --yes`
    """
    with app_context() as ctx:
        confirmed(f"{name} signs in without a code then, and is signed out everywhere.", yes)
        had = user_admin.reset_second_factor(ctx, name)
    _print_done(name, "signs in without a code now" if had else "has no second factor", as_json)


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List all accounts.

    Examples: `sealed-orders user list` · `sealed-orders user list --json`
    """
    with app_context() as ctx:
        found = user_admin.users(ctx)
    if as_json:
        print_json({"users": found})
        return
    if not found:
        typer.echo("There are no accounts.")
        return
    rows = table("Name", "Address", "Since", "", "Id")
    for user in found:
        marks = ", ".join(
            word
            for word, holds in (
                ("unconfirmed", bool(user.email) and not user.email_confirmed),
                ("admin", user.admin),
                ("bot", user.bot),
                ("closed", user.disabled),
            )
            if holds
        )
        rows.add_row(escape(user.name), escape(user.email or ""), f"{user.created_at:%Y-%m-%d}", marks, user.id)
    console().print(rows)


@app.command("link")
def link(
    name: Annotated[str, typer.Argument(help="Account to sign in.")],
    hours: Annotated[int, typer.Option(min=1, max=24 * 30, help="Hours the link is valid.")] = 24,
    as_json: AsJson = False,
) -> None:
    """Print a link that signs an account in once. For clubs without email: pass it on privately.

    Example: `sealed-orders user link Ann --hours 2`
    """
    with app_context() as ctx:
        made = links.sign_in_link(ctx, name, valid=timedelta(hours=hours))
        address = f"{ctx.settings.public_url}/link?token={made}"
    tell(as_json, {"name": name, "link": address}, address)


def _print_done(name: str, what: str, as_json: bool) -> None:
    tell(as_json, {"name": name, "done": what}, f"{name} {what}")


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\n")
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))
