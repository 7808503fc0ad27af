"""The table game of a campaign's battle as the battle's page shows it: what is proposed and agreed, its result."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from server.play.battles import battle_results
from server.play.battles.battles import ReportInfo
from server.play.errors import PlayError
from server.play.tables import missions, setting_up
from server.play.tables.battle_info import ProposalInfo
from server.play.tables.info import SeatInfo, TableInfo
from server.web.page_context import PageContext

PLAYED_LATELY = timedelta(hours=24)
FAMILIES = ("battle", "combat_patrol", "crucible_of_war", "patrol")
"""Families of missions for battles of campaigns, in the order in which they are offered; a club's own come last."""


@dataclass(frozen=True, slots=True)
class TableCard:
    """A table game beside its battle."""

    info: TableInfo
    mission: str
    """The name of the mission."""
    side: str
    """The viewer's; empty: they play none."""
    open: tuple[ProposalInfo, ...]
    """Proposals that wait for an answer."""
    missions: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """What may be proposed: family, and its missions by id and name."""
    result: ReportInfo | None
    """What the campaign takes when both confirm, as a report; None: the game is not over."""
    late: bool
    """It is being played."""
    reason: str
    """Why the winner of the result is not the mission's; empty: it is."""

    @property
    def mine(self) -> SeatInfo | None:
        """The viewer's seat."""
        return next((seat for seat in self.info.seats if seat.side == self.side), None)

    @property
    def verdict(self) -> dict[str, str]:
        """Winner and loser for the campaign, by the names of their seats, for the sentence with the reason."""
        battle = self.info.battle
        assert battle is not None
        assert self.result is not None
        names = {seat.side: seat.name for seat in self.info.seats}
        won = {player: side for side, player in battle.players.items()}[self.result.content["winner"]]
        return {"winner": names[won], "loser": next(name for side, name in names.items() if side != won)}

    @property
    def may_confirm(self) -> bool:
        """The viewer may confirm the result with one click."""
        return self.info.status == "over" and self.mine is not None and not self.mine.confirmed


def table_card(page: PageContext, game_id: str, seat: str | None) -> TableCard | None:
    """Return a table game as the viewer knows it; None where they may not know of it any more."""
    try:
        info = setting_up.get(page.ctx, page.actor, game_id)
    except PlayError as error:
        if error.code != "not_found":
            raise
        return None
    assert info.battle is not None
    players = info.battle.players
    own = [side for side in info.sides if seat is None or players[side] == seat]
    known = missions.listed(page.ctx, page.actor, info.campaign)
    names = {mission.id: mission.name.get(page.t.language) or mission.name["en"] for mission in known}
    families = [*FAMILIES, *sorted({mission.family for mission in known if mission.campaign} - {*FAMILIES})]
    offered = tuple(
        (family, tuple((mission.id, names[mission.id]) for mission in known if mission.family == family))
        for family in families
    )
    result, reason = _result(page, info) if info.status == "over" else (None, "")
    late = (
        info.status == "playing" and info.last_act_at is not None and info.last_act_at + PLAYED_LATELY > page.ctx.now()
    )
    return TableCard(
        info,
        names.get(info.mission, ""),
        own[0] if own else "",
        tuple(proposal for proposal in info.battle.proposals if proposal.status == "open"),
        offered,
        result,
        late,
        reason,
    )


def named(page: PageContext, card: TableCard, proposal: ProposalInfo) -> str:
    """Return what a proposal of a mission is called."""
    names = dict(pair for _, family in card.missions for pair in family)
    if proposal.mission:
        return names.get(proposal.mission, proposal.mission)
    return page.t("table_battle.rolled", family=page.t.name("table_battle.family", proposal.roll or ""))


def _result(page: PageContext, info: TableInfo) -> tuple[ReportInfo | None, str]:
    try:
        report = battle_results.read(page.ctx, page.actor, info.id)
    except PlayError:
        return None, ""
    at = info.finished_at or page.ctx.now()
    return ReportInfo("table", info.hex or "", None, report.result, "", "table", at, None, "", 0), report.reason
