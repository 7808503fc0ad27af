"""What the campaign takes from a table game that is over: the ``report`` of its battle (6.2.3, T-82, T-83).

When both have confirmed the result, the dice are published and everything is open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from server.play import access
from server.play.battles import battles
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, check_revision
from server.play.resolution.resolution import resolve_when_due
from server.play.tables.access import Access, load
from server.play.tables.battle_facts import defence_of, lost_as_brought
from server.play.tables.battle_opening import close_game
from server.play.tables.folding import held
from server.play.tables.info import TableInfo, info
from server.play.tables.telling import announce
from server.referee.battle import battle_of
from server.referee.game import Game
from server.referee.normal_battle.battle_end import BattleEnd
from server.referee.units import CONCEALED, DESTROYED, RESERVE, UNPLACED, Unit
from server.rules.losses import UnitLoss, attacker_wins
from server.store.tables import SIDES, TableBattleRow, TableBeginningRow, TableResultRow

NOT_FIELDED = (UNPLACED, CONCEALED, RESERVE)
"""Where a unit is that has not taken the field when the battle ends."""
NOBODY_LEFT, RETREATED, DRAW = "nobody_left", "retreated", "draw"
"""Why the campaign's winner is not the mission's (D-67, 6.2.3.3)."""
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TableReport:
    """What a game that is over comes to."""

    result: Json
    """``winner``, ``losses``, ``took_part`` and so on, as a report of the battle has them."""
    reason: str
    """Why its winner is not the mission's: ``nobody_left``, ``retreated`` or ``draw``; empty: it is the mission's."""


@dataclass(frozen=True, slots=True)
class TableDiceInfo:
    """The dice of a game: what fixed them, and what they were made of as far as it is published."""

    game: str
    commitment: str
    """SHA-256 of the secret, hexadecimal."""
    commitments: dict[str, str]
    salts: dict[str, str] | None
    """Once the game has started."""
    secret: str | None
    """When the game is closed, as the seed; hexadecimal."""
    seed: str | None


def read(ctx: AppContext, actor: Actor, game_id: str) -> TableReport:
    """Return what the campaign takes when both sides confirm it."""
    with ctx.database.read() as session:
        may = load(session, actor, game_id)
        may.require_battle()
        if not (may.sides or may.gm):
            raise PlayError("forbidden", "You take no part in this game.")
        may.require_status("The battle is not over.", "over", "closed")
        beginning = session.get_one(TableBeginningRow, may.row.id).beginning
    return _result_of(ctx, may, beginning)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game after a number of actions."""

    acts: int
    order: Json


def _at_the_end(ctx: AppContext, actor: Actor, game_id: str) -> Result | None:
    """Return the result of a battle of a campaign that is over; None for other games. Call it without a session."""
    with ctx.database.read() as session:
        may = load(session, actor, game_id)
        if may.battle is None or may.row.status != "over":
            return None
        beginning = session.get_one(TableBeginningRow, may.row.id).beginning
    return Result(may.row.acts, _result_of(ctx, may, beginning).result)


def _hand_in(
    ctx: AppContext, session: Session, campaign: access.Access, may: Access, sides: tuple[str, ...], result: Result
) -> None:
    """Hand the result to the campaign for each side that confirms it; it is settled when both have."""
    if result.acts != may.row.acts:
        raise PlayError("stale_act", "The battle went on meanwhile.", field="acts", value=may.row.acts)
    players = _players(may.require_battle())
    for side in sides:
        battles.take_from_table(ctx, session, campaign, players[side], str(may.row.hex), result.order)


# --- inside ---


def _result_of(ctx: AppContext, may: Access, beginning: Json) -> TableReport:
    units = may.require_battle().units
    fielded = [unit for side in SIDES for unit in beginning["players"][side]["units"] if unit["id"] in units]
    brought = [unit for seat in may.seats.values() for unit in (seat.army or {}).get("units", ())]
    with held(ctx, may.row.id, may.row.acts) as folded:
        return _Result(folded.table.game, may.require_battle(), fielded, brought).report()


def _players(battle: TableBattleRow) -> dict[str, str]:
    return dict(zip(SIDES, (battle.red_player, battle.blue_player), strict=True))


def _models_of(unit: Json) -> int:
    now: int = unit["models"] if unit.get("models_now") is None else unit["models_now"]
    return now


def _counts_as_destroyed(unit: Unit) -> bool:
    """True for a unit that was destroyed at least once, however often it came back (N-15)."""
    return unit.state == DESTROYED or unit.returns > 0


class _Result:
    """The end of one game, in the campaign's words."""

    def __init__(self, game: Game, battle: TableBattleRow, fielded: list[Json], brought: list[Json]) -> None:
        self.game = game
        self.battle = battle
        self.players = _players(battle)
        self.fielded = fielded
        """Units as the game began with them."""
        self.brought = brought
        """All units of both sides as the campaign has them."""
        end = game.find(BattleEnd)
        self.told: Json = end.order(game) if end is not None and end.report is not None else {}
        """What the players have reported, where the mission asks them to (T-82)."""

    def report(self) -> TableReport:
        """Return the fields of a ``report``, and why its winner is not the mission's."""
        bombarded = list(self.told.get("bombarded", ()))
        withheld = [id_ for id_ in self.told.get("withheld", ()) if id_ not in bombarded]
        told = self.told.get("took_part")
        # without their word all that took the field, supporters that came among them
        came = told or [field["id"] for field in self.fielded if self._took_the_field(field["id"])]
        fought = [id_ for id_ in came if id_ not in (*bombarded, *withheld)]
        named = (*fought, *bombarded, *withheld)
        never_came = [unit["id"] for unit in self.fielded if unit["id"] not in (*named, *self.battle.secret["ordered"])]
        if self.game.version == 1:
            took_part, withheld = fought, withheld + never_came
        else:
            took_part = fought + never_came  # the strength is the detachment's that fought (T-82a)
        losses = self._losses()
        winner, reason = self._winner(took_part, losses)
        order: Json = {
            "winner": self.players[winner],
            "losses": {self.battle.units[id_]: loss for id_, loss in losses.items() if loss},
        }
        if self.told.get("retreated"):
            order["retreated"] = self.players[self.told["retreated"]]
        for name, ids in (("took_part", took_part), ("withheld", withheld), ("bombarded", bombarded)):
            order[name] = [self.battle.units[id_] for id_ in ids]
        works = self._works()
        return TableReport(order | ({"works": works} if works else {}), reason)

    def _winner(self, took_part: list[str], losses: Mapping[str, Json]) -> tuple[str, str]:
        """Return who has won, and why not the mission's winner where it is another (:attr:`TableReport.reason`).

        A draw is the campaign's defender's (T-28, 6.2.3.3), but for D-67. The Defender of the mission is another one
        where Power Levels have given the roles (N-12).
        """
        attacker, defender = SIDES
        result = self.game.result
        mission = self.told["winner"] if self.told else result.winner if result else ""
        said = mission or defender
        ran = self.told.get("retreated")
        ready = {unit["id"]: _models_of(unit) for unit in self.brought}
        nobody_left = {
            side == attacker: all(
                UnitLoss(**losses[id_]).leaves_nobody(ready[id_]) for id_ in took_part if id_.startswith(side[0])
            )
            for side in SIDES
        }
        attacked = attacker_wins(
            reported=said == attacker,
            retreated=ran == attacker if ran else None,
            raid=battle_of(self.game).raid,
            nobody_left=nobody_left,
        )
        winner, loser = (attacker, defender) if attacked else (defender, attacker)
        if winner == mission:
            return winner, ""
        if nobody_left[loser == attacker]:
            return winner, NOBODY_LEFT
        return winner, RETREATED if winner != said else DRAW

    def _parts(self, id_: str) -> list[Unit]:
        """Return what a unit of the army is in the game: itself, or the Sentries or squads that were made of it."""
        return [unit for unit in self.game.units.values() if id_ in (unit.id, unit.part_of)]

    def _took_the_field(self, id_: str) -> bool:
        return any(unit.state not in NOT_FIELDED for unit in self._parts(id_))

    def _losses(self) -> dict[str, Json]:
        """Return each unit's losses as the campaign counts them, and its other fate."""
        told: Mapping[str, Json] = self.told.get("losses", {})
        lost: dict[str, int] = {}
        for field in self.fielded:
            id_ = field["id"]
            if self._took_the_field(id_):
                left = sum(unit.models_now for unit in self._parts(id_) if not _counts_as_destroyed(unit))
                lost[id_] = max(0, _models_of(field) - left)
        own = lost_as_brought(self.brought, self.battle.moved, lost)
        return {id_: self._loss(id_, own.get(id_, 0), told.get(id_, {})) for id_ in self.battle.units}

    def _loss(self, id_: str, lost: int, told: Json) -> Json:
        parts = self._parts(id_)
        vehicle = any("vehicle" in unit.keywords for unit in parts)
        gone = bool(parts) and all(_counts_as_destroyed(unit) for unit in parts)
        loss: Json = {}
        if lost and not (vehicle and gone):
            loss["lost"] = lost
        if vehicle and (gone or told.get("destroyed")):
            loss["destroyed"] = True
        for word in ("damaged", "immobilised") if vehicle else ("broken",):
            if told.get(word) and not gone:
                loss[word] = True
        if gone and any(unit.state != DESTROYED for unit in parts):
            loss["returned"] = True
        return loss

    def _works(self) -> dict[str, int]:
        """Return how many of each defence were lost."""
        works: dict[str, int] = {}
        for work, lost in self.told.get("works", {}).items():
            id_ = defence_of(work) if work in self.battle.secret["works"] else work
            works[id_] = works.get(id_, 0) + int(lost)
        return works


def confirm(
    ctx: AppContext, actor: Actor, game_id: str, side: str | None = None, revision: int | None = None
) -> TableInfo:
    """Confirm the result for a side (None: for all one plays). When both have, the game is closed."""
    result = _at_the_end(ctx, actor, game_id)
    with ctx.database.write() as session:
        # a battle's campaign is held before its game is
        of = None if result is None else str(load(session, actor, game_id).row.campaign_id)
        campaign = None if of is None else access.load_shared(session, actor, of)
        may = load(session, actor, game_id, lock=True)
        check_revision(revision, may.row.revision)
        may.require_status("There is no result to confirm.", "over")
        sides = may.sides if side is None else (may.seat(side).side,)
        if not sides and (not may.gm or may.battle is not None):
            raise PlayError("forbidden", "You take no part in this game.")
        now = ctx.now()
        if campaign is not None and result is not None:
            _hand_in(ctx, session, campaign, may, sides, result)
        for name in sides:
            may.seats[name].confirmed_at = now
        if may.gm or all(seat.confirmed_at is not None or seat.solo for seat in may.seats.values()):
            close_game(may.row, now)
        may.row.revision += 1
        announce(session, [game_id], "closed" if may.closed else "confirmed", now, may.row.acts)
        session.flush()
        confirmed = info(may, session.get(TableResultRow, game_id))
    if campaign is not None:
        resolve_when_due(ctx, str(confirmed.campaign))
    return confirmed


def archive(ctx: AppContext, actor: Actor, game_id: str, archived: bool = True) -> TableInfo:
    """Archive a game in the person's list, or put it back."""
    with ctx.database.write() as session:
        may = load(session, actor, game_id, lock=True).require_part()
        for side in may.sides:
            may.seats[side].archived = archived
        if not may.sides:
            may.row.archived = archived
        session.flush()
        return info(may, session.get(TableResultRow, game_id))


def dice(ctx: AppContext, actor: Actor, game_id: str, watch: str | None = None) -> TableDiceInfo:
    """Return what is known of a game's dice."""
    with ctx.database.read() as session:
        may = load(session, actor, game_id, watch)
        begun = session.get(TableBeginningRow, game_id) if may.closed else None
    row = may.row
    return TableDiceInfo(
        row.id,
        row.commitment,
        {side: seat.commitment for side, seat in may.seats.items()},
        {side: seat.salt for side, seat in may.seats.items()} if row.status != "open" else None,
        row.dice_secret.hex() if may.closed else None,
        begun.seed if begun else None,
    )
