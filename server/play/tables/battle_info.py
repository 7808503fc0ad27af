"""The campaign's side of a battle's table game: its owners, proposals and agreements."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from server.play.tables.access import Access
from server.play.tables.battle_armies import Transfer, moved_in, transfers
from server.store.tables import SIDES, TableBattleRow, TableProposalRow


@dataclass(frozen=True, slots=True)
class ProposalInfo:
    """What a side proposes: a mission, or a date and a place."""

    number: int
    side: str
    about: str
    """``mission`` or ``date``."""
    mission: str | None
    """Id of a mission."""
    roll: str | None
    """Family of missions that the dice draw from."""
    at: datetime | None
    place: str
    status: str
    """``open``, ``agreed``, ``declined`` or ``withdrawn``."""
    made_at: datetime
    answered_at: datetime | None


@dataclass(frozen=True, slots=True)
class BattleInfo:
    """The battle of a campaign on the table."""

    players: dict[str, str]
    """The campaign's player of each side; red attacks."""
    mission_by: str
    """``agreed`` or ``gm``; empty: the rules' own, the normal battle with its situation table."""
    meets_at: datetime | None
    """The agreed date."""
    place: str
    proposals: tuple[ProposalInfo, ...]
    """For both sides and the game master."""
    transfers: dict[str, tuple[Transfer, ...]]
    """Models of the player's own side that change their unit before the battle (6.2.1.3.1)."""
    keeps_models: dict[str, bool]
    """For the player's own side: its models stay where they are."""


def battle_info(may: Access, battle: TableBattleRow) -> BattleInfo:
    """Return what someone may know of a campaign's battle at its table."""
    part = bool(may.sides) or may.gm
    players = dict(zip(SIDES, (battle.red_player, battle.blue_player), strict=True))
    supporters = may.row.setup["battle"]["supporters"]
    moves = {
        side: tuple(transfers(army["units"], moved_in(army["units"], supporters)))
        for side in may.sides
        if (army := may.seats[side].army) is not None
    }
    return BattleInfo(
        players,
        battle.mission_by,
        battle.meets_at if part else None,
        battle.place if part else "",
        tuple(proposal_info(row) for row in may.proposals) if part else (),
        moves,
        {side: bool(battle.keeps_models.get(side)) for side in may.sides},
    )


def proposal_info(row: TableProposalRow) -> ProposalInfo:
    """Return a proposal."""
    content = row.content
    at = content.get("at")
    return ProposalInfo(
        row.number,
        row.side,
        row.about,
        content.get("mission"),
        content.get("roll"),
        None if at is None else datetime.fromisoformat(at),
        content.get("place", ""),
        row.status,
        row.made_at,
        row.answered_at,
    )
