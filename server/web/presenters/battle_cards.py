"""A battle as its page shows it: the visible part of both sides, modifiers, odds, the own order; its table game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from server.play.battles import battle_results
from server.play.battles.battles import BattleInfo, ReportInfo
from server.play.errors import PlayError
from server.play.tables import missions, setting_up
from server.play.tables.info import ProposalInfo, SeatInfo, TableInfo
from server.render.naming import force_name
from server.render.naming import place as place_name
from server.render.translations import Translations
from server.rules.board import ORBIT
from server.rules.odds import Odds, SideOdds, UnitOdds
from server.rules.orders.fields import HALF
from server.rules.sides import battle_modifiers, side_of
from server.rules.sight import View
from server.rules.state import BATTLES, REPORTS, Battle, Detachment, Force, State, Unit
from server.web.page_context import PageContext
from server.web.presenters.report_form import DefenceRow, ReportDetails, defence_rows, fielded, report_details


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A unit in a battle."""

    unit: Unit
    points: int
    """Those that count in a fight (D-62)."""
    odds: UnitOdds | None
    half: bool
    """Half of it may fall alone."""
    rank: int
    """Its place among the casualties one has ordered, 0 for none."""
    ordered_half: bool


@dataclass(frozen=True, slots=True)
class ForceRow:
    """A force in a battle."""

    id: str
    name: str
    owner: str
    role: str
    """``primary``, ``beside``, or as what a supporter counts: ``front``, ``flank``, ``rear``, ``defender``."""
    at: str
    """Its hex; empty in orbit."""
    type: str
    ready_points: int
    units: tuple[UnitRow, ...]

    @property
    def supports(self) -> bool:
        """It is next to the battle and can come in."""
        return self.role not in ("primary", "beside")


@dataclass(frozen=True, slots=True)
class ModifierRow:
    """A number added to a side's dice, and why."""

    key: str
    value: int
    rule: str
    force: str
    """Name of the force it belongs to, if any."""
    strength: str
    """Name of the army list's strength it comes from; empty for all others."""


@dataclass(frozen=True, slots=True)
class SideCard:
    """One side of a battle."""

    player: str
    attacking: bool
    yours: bool
    known: bool
    forces: tuple[ForceRow, ...]
    supporters: tuple[ForceRow, ...]
    modifiers: tuple[ModifierRow, ...]
    ready_points: int
    odds: SideOdds | None
    may_pick: bool
    """It picks a part of the other's casualties."""

    @property
    def modifier(self) -> int:
        """All modifiers together."""
        return sum(modifier.value for modifier in self.modifiers)


@dataclass(frozen=True, slots=True)
class Card:
    """A battle."""

    hex: str
    place: str
    """What its hex is called."""
    terrain: str
    info: BattleInfo
    attacker: SideCard
    defender: SideCard
    odds: Odds | None
    planned: bool
    raid: bool
    mode: str
    """The player's choice: ``quick``, ``tabletop``, or empty."""
    may_order: bool
    may_choose: bool
    """Between dice and table."""
    may_report: bool
    reports: tuple[ReportInfo, ...]
    told: Mapping[str, ReportDetails]
    """Reports without winner and losses, by their ids."""
    settled: ReportInfo | None
    defences: tuple[DefenceRow, ...]
    """The stronghold's defences that can be lost; empty without one."""

    @property
    def sides(self) -> tuple[SideCard, SideCard]:
        """Both sides, the attacker first."""
        return self.attacker, self.defender

    @property
    def mine(self) -> SideCard | None:
        """The viewer's side, if they fight."""
        return next((side for side in self.sides if side.yours), None)

    @property
    def theirs(self) -> SideCard:
        """The enemy's side; the defender for onlookers."""
        return self.attacker if self.defender.yours else self.defender


def card(
    view: View,
    battle: Battle,
    info: BattleInfo,
    odds: Odds | None,
    orders: Iterable[Any],
    language: str,
    *,
    open_: bool,
) -> Card:
    """Return a battle as *view* knows it; *orders* are the viewer's own for the open phase, if any."""
    state, called = view.state, Translations(language).called
    label = state.board.label(battle.hex)
    order: Mapping[str, Any] = next((order for order in orders if _is_fight(order, label)), {})
    mine = view.viewer in (battle.attacking, battle.defended_by)
    settled = next((report for report in info.reports if report.status in ("confirmed", "decided")), None)
    reported = state.phase == REPORTS or (state.phase == BATTLES and state.settings.battles != "quick")
    units = fielded(state, battle)
    sides = [
        _side(state, battle, view.viewer, odds, order, language, attacking=attacking) for attacking in (True, False)
    ]
    return Card(
        hex=label,
        place=place_name(state.board, battle.hex, language),
        terrain=called(state.ruleset.terrain[state.board.terrain[battle.hex]].name),
        info=info,
        attacker=sides[0],
        defender=sides[1],
        odds=odds,
        planned=battle.planned,
        raid=battle.raid,
        mode=str(order.get("mode", "quick" if order else "")),
        may_order=open_ and mine and state.phase == BATTLES and not battle.winner,
        may_choose=state.settings.battles == "choice",
        may_report=open_ and mine and reported and not battle.winner and settled is None,
        reports=info.reports,
        settled=settled,
        told={report.id: report_details(state, report.content, units, language) for report in info.reports},
        defences=defence_rows(state, view.viewer, battle.hex, language),
    )


def _is_fight(order: Any, label: str) -> bool:
    return isinstance(order, Mapping) and order.get("type") == "fight" and order.get("battle") == label


def _side(
    state: State, battle: Battle, viewer: str, odds: Odds | None, order: Mapping[str, Any], language: str, *,
    attacking: bool,
) -> SideCard:  # fmt: skip
    player = battle.attacking if attacking else battle.defended_by
    shown = None if odds is None else odds.attacker if attacking else odds.defender
    chances = {unit.unit: unit for unit in (shown.units or () if shown else ())}
    ranks = _ranks(order, "casualties" if player == viewer else "picks")
    primary = battle.attacker if attacking else battle.defender
    rows = [
        _force(state, force, "primary" if force.id == primary else "beside", chances, ranks, language)
        for force in side_of(state, battle, attacking=attacking)
    ]
    support = [
        _force(state, force, side, {}, {}, language)
        for id_, side in battle.supporters.items()
        if (side != "defender") == attacking and (force := state.force(id_)) is not None
    ]
    return SideCard(
        player=player,
        attacking=attacking,
        yours=player == viewer,
        known=state.force(primary) is not None,
        forces=tuple(rows),
        supporters=tuple(support),
        modifiers=tuple(_modifiers(state, battle, language, attacking=attacking)),
        ready_points=sum(row.ready_points for row in rows),
        odds=shown,
        may_pick=battle.planned if attacking else battle.defending,
    )


def _ranks(order: Mapping[str, Any], field: str) -> dict[str, tuple[int, bool]]:
    """Return for each unit one has named its place, and whether only half of it was meant."""
    found: dict[str, tuple[int, bool]] = {}
    given = order.get(field)
    for place, given_order in enumerate(given if isinstance(given, list) else (), 1):
        id_ = str(given_order).removesuffix(HALF)
        found[id_] = (found.get(id_, (place, False))[0], str(given_order).endswith(HALF) and id_ not in found)
    return found


def _force(
    state: State, force: Force, role: str, chances: Mapping[str, UnitOdds], ranks: Mapping[str, tuple[int, bool]],
    language: str,
) -> ForceRow:  # fmt: skip
    units = tuple(
        UnitRow(
            unit,
            state.unit_points(unit),
            chances.get(unit.id),
            state.can_be_halved(unit),
            *ranks.get(unit.id, (0, False)),
        )
        for unit in force.units
    )
    type_ = force.type if isinstance(force, Detachment) else ""
    called = Translations(language).called(state.ruleset.detachment_types[type_].name) if type_ else ""
    return ForceRow(
        force.id,
        force_name(force, language),
        force.owner,
        role,
        "" if force.at == ORBIT else state.board.label(force.at),
        called,
        state.ready_points(force),
        units,
    )


def _modifiers(state: State, battle: Battle, language: str, *, attacking: bool) -> Iterator[ModifierRow]:
    called, strengths = Translations(language).called, state.ruleset.strengths
    for modifier in battle_modifiers(state, battle):
        if modifier.attacking == attacking:
            force = state.force(modifier.force) if modifier.force else None
            yield ModifierRow(
                modifier.key,
                modifier.value,
                modifier.rule,
                force_name(force, language) if force is not None else "",
                called(strengths[modifier.strength].name) if modifier.strength else "",
            )


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
