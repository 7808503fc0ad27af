"""Battles on the table before and beside their acts: made, joined, armies, dice, started, confirmed, put away."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Query, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.endpoints import CallDep, Endpoints, revised
from server.api.pages import Cursor, Limit, Page, decode, page
from server.http.responses import created
from server.http.signing import check_sign_in
from server.play.battles import battle_results
from server.play.battles.battle_results import TableDiceInfo
from server.play.tables import acts, info, seats, setting_up, starting
from server.play.tables.armies import Brought
from server.play.tables.info import TableInfo
from server.play.tables.seats import Invited
from server.play.tables.setting_up import NewTable

router = Endpoints("table", "/tables")
invitations = Endpoints("table", "/table-invitations")

Side = Literal["red", "blue"]
Watch = Annotated[str | None, Query(max_length=32, description="The code with which one watches.")]
Name = Annotated[str, Field(max_length=200)]
_BATTLE = {"hex": "0605", "from": "0505", "kind": "attack", "terrain": "plains"}


class TableChanges(Body):
    """What a game is made from; in a change, what is given."""

    mission: Annotated[str | None, Field(max_length=40, description="Its id.", examples=["scorched_earth"])] = None
    roll: Annotated[
        str | None, Field(max_length=40, description="A family instead: the dice draw the mission at the start.")
    ] = None
    agree: Annotated[
        str | None, Field(max_length=40, description="A family instead: both propose at the table, sealed.")
    ] = None
    name: Name = ""
    table: Annotated[
        dict[str, Any],
        Field(max_length=5, description="`width`, `height` (inches), `terrain`, where they are not the mission's own."),
    ] = {}  # noqa: RUF012
    settings: Annotated[
        dict[str, Any],
        Field(
            max_length=10,
            description="`secured`, `jop_distance`, ... (docs/tables.md).",
        ),
    ] = {}  # noqa: RUF012
    battle: Annotated[
        dict[str, Any] | None,
        Field(max_length=20, description=f"For a normal battle, what a campaign would say of it: `{_BATTLE}`."),
    ] = None
    minutes: Annotated[int | None, Field(description="Minutes on each side's clock; null: no clocks.")] = None
    campaign: Annotated[
        str | None, Field(max_length=32, description="The campaign whose own missions may be played, too.")
    ] = None


class TableWanted(TableChanges):
    """A new game."""

    take: Annotated[
        Literal["red", "blue", "both", "none"],
        Field(description="The side one plays; `both`: two people with one device; `none`: one is the game master."),
    ] = "red"
    player: Annotated[Name | None, Field(description="What the others call one; left out: one's name.")] = None
    other: Annotated[
        Name | None,
        Field(description="With `both`: what the second player is called; left out: as the first, with a number."),
    ] = None


class Joining(Body):
    """An invitation's code."""

    code: Annotated[str, Field(max_length=40, examples=["k3mq8x2a"])]
    side: Side | None = None
    name: Annotated[Name | None, Field(description="What the others call one; left out: one's name.")] = None


class ArmyBrought(Body):
    """Where an army comes from: exactly one of the first five."""

    sample: Annotated[bool, Field(description="The mission's sample army of that side.", examples=[True])] = False
    saved: Annotated[str | None, Field(max_length=32, description="Id of a saved army.")] = None
    template: Annotated[str | None, Field(max_length=32, description="Id of a detachment saved for campaigns.")] = None
    army: Annotated[
        dict[str, Any] | None,
        Field(
            max_length=10,
            description="`units` and, where wanted, `painted`, `battle_forged`, `force_morale`, `strategy`, `cp`. "
            "Units are those of the table, or as in a `build_detachment` order.",
        ),
    ] = None
    lines: Annotated[
        str | None,
        Field(
            max_length=20_000,
            description="One unit a line: `10 Rifle Squad, battleline, 120 points`; or a list pasted from a program.",
        ),
    ] = None

    def brought(self) -> Brought:
        """Return it as the use cases take it."""
        return Brought(self.sample, self.saved, self.template, self.army, self.lines)


class ArmyChosen(ArmyBrought):
    """An army for a game."""

    save_as: Annotated[Name | None, Field(description="Also save it under this name.")] = None


class Committed(Body):
    """A commitment to a salt."""

    commitment: Annotated[str, Field(max_length=100, description="SHA-256 of the salt, hexadecimal.")]


class Salted(Body):
    """A salt."""

    salt: Annotated[str, Field(max_length=300, description="16 to 200 visible ASCII characters.")]


class Archived(Body):
    """Whether a game is put away."""

    archived: bool = True


class Paused(Body):
    """Whether the clocks of a game stand still."""

    paused: bool = True


class Confirmed(Body):
    """For which side a result is confirmed."""

    side: Annotated[Side | None, Field(description="Left out: all one plays.")] = None


@router.get("", Page[TableInfo], "not_signed_in", guests=True)
def list_tables(
    call: CallDep, status: Annotated[Literal["open", "playing", "over", "closed"] | None, Query()] = None,
    archived: Annotated[bool, Query(description="Those one has put away.")] = False, limit: Limit = 50,
    cursor: Cursor = "",
) -> Response:  # fmt: skip
    """Return the games on the table that you play or made, newest first."""
    key = decode(cursor, (str, str))
    after = None if key is None else (_instant(key[0]), str(key[1]))
    found = info.mine(call.ctx, call.actor, status=status, archived=archived, limit=limit + 1, after=after)
    return call.answer(page(found, limit, lambda game: (game.created_at.isoformat(), game.id)))


@router.post("", TableInfo, "not_signed_in", "limit_reached", "unknown_mission", status=201, guests=True)
def create_table(call: CallDep, body: TableWanted) -> Response:
    """Make a game on the table and take a side. The hash of the dice's secret is in the answer."""
    address = call.address
    return created(setting_up.create(call.ctx, call.actor, NewTable(**body.model_dump()), address))


@invitations.get("/{code}", Invited, guests=True)
def look_at_invitation(call: CallDep, code: str) -> Response:
    """Return what a code invites to."""
    check_sign_in(call.server, call.request)
    return call.answer(seats.invitation(call.ctx, code))


@router.post("/join", TableInfo, "not_signed_in", "seat_taken", "wrong_status", guests=True)
def join_table(call: CallDep, body: Joining) -> Response:
    """Take a free side of the game of a code."""
    check_sign_in(call.server, call.request)
    return created(seats.join(call.ctx, call.actor, body.code, body.side, body.name), 200)


@router.get("/{table_id}", TableInfo, guests=True)
def get_table(call: CallDep, table_id: str, watch: Watch = None) -> Response:
    """Return a game: who plays, how it is set up, its status. How it stands is in its view."""
    return call.answer(setting_up.get(call.ctx, call.actor, table_id, watch))


@router.patch("/{table_id}", TableInfo, "wrong_status", "unknown_mission", "forbidden", guests=True, if_match=True)
def change_table(call: CallDep, table_id: str, body: TableChanges) -> Response:
    """Change what is given of a game that has not started. Another mission takes away both armies."""
    given = frozenset(body.model_fields_set)
    return revised(
        setting_up.change(call.ctx, call.actor, table_id, NewTable(**body.model_dump()), given, call.revision)
    )


@router.delete("/{table_id}", None, "forbidden", guests=True)
def delete_table(call: CallDep, table_id: str) -> None:
    """Delete a single game that has not started, or that nobody else plays."""
    setting_up.remove(call.ctx, call.actor, table_id)


@router.delete("/{table_id}/seats/{side}", None, "wrong_status", "forbidden", guests=True)
def leave_table(call: CallDep, table_id: str, side: str) -> None:
    """Give up a side. Before the start the maker of the game may free the other side, too."""
    seats.leave(call.ctx, call.actor, table_id, side)


@router.put(
    "/{table_id}/seats/{side}/army", TableInfo, "army_refused", "wrong_status", "forbidden", "limit_reached",
    guests=True,
)  # fmt: skip
def choose_table_army(call: CallDep, table_id: str, side: str, body: ArmyChosen) -> Response:
    """Bring an army. Against the dice one brings theirs, too."""
    return created(seats.choose_army(call.ctx, call.actor, table_id, side, body.brought(), body.save_as), 200)


@router.put("/{table_id}/seats/{side}/commitment", TableInfo, "wrong_status", "forbidden", guests=True)
def commit_to_salt(call: CallDep, table_id: str, side: str, body: Committed) -> Response:
    """Commit to a salt for the dice."""
    return created(seats.commit(call.ctx, call.actor, table_id, side, body.commitment), 200)


@router.put("/{table_id}/seats/{side}/salt", TableInfo, "wrong_status", "forbidden", guests=True)
def reveal_salt(call: CallDep, table_id: str, side: str, body: Salted) -> Response:
    """Send the salt, once both sides have committed to theirs."""
    return created(seats.reveal(call.ctx, call.actor, table_id, side, body.salt), 200)


@router.post("/{table_id}/start", TableInfo, "not_ready", "army_refused", "wrong_status", "forbidden", guests=True)
def start_table(call: CallDep, table_id: str) -> Response:
    """Start a game whose sides are taken, with armies and salts."""
    return created(starting.start(call.ctx, call.actor, table_id), 200)


@router.post("/{table_id}/confirm", TableInfo, "wrong_status", "forbidden", guests=True, if_match=True)
def confirm_table(call: CallDep, table_id: str, body: Confirmed) -> Response:
    """Confirm the result. When both sides have, the game is closed, and its dice are published."""
    return revised(battle_results.confirm(call.ctx, call.actor, table_id, body.side, call.revision))


@router.put("/{table_id}/archived", TableInfo, "forbidden", guests=True)
def archive_table(call: CallDep, table_id: str, body: Archived) -> Response:
    """Put a game away in your own list, or back."""
    return created(battle_results.archive(call.ctx, call.actor, table_id, body.archived), 200)


@router.put("/{table_id}/clock", TableInfo, "forbidden", "wrong_status", "limit_reached", guests=True)
def pause_table(call: CallDep, table_id: str, body: Paused) -> Response:
    """Stop the clocks of a game, or let them run again. They follow the player who has to act."""
    return created(acts.pause(call.ctx, call.actor, table_id, body.paused), 200)


@router.get("/{table_id}/dice", TableDiceInfo, guests=True)
def get_table_dice(call: CallDep, table_id: str, watch: Watch = None) -> Response:
    """Return what is published of a game's dice: the hash at once, the salts with the start, the secret at the end."""
    return call.answer(battle_results.dice(call.ctx, call.actor, table_id, watch))


def _instant(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return datetime.max
