"""The position: who holds what, and what is where, as it stands now. One row a noun, hexes as labels (D-01).

Written by :func:`server.store.position.save_position` alone.
"""

from __future__ import annotations

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from server.store.tables.base import CLUSTERED, OfCampaign, OfForce, OfHex, StringList, of_player, on_hex


class PositionRow(OfCampaign):
    """Turn, phase and whatever else a campaign has once."""

    __tablename__ = "positions"

    turn: Mapped[int]
    phase: Mapped[str]
    winners: Mapped[StringList]
    ended_by: Mapped[str]
    """The victory condition that ended it, or empty."""
    system_control: Mapped[str]
    """Player who controls the system (D-73), or empty."""
    id_key: Mapped[bytes]
    """Key of the ids (D-06)."""


class PlayerRow(OfCampaign):
    """A player as the rules know them."""

    __tablename__ = "players"
    __table_args__ = (CLUSTERED,)

    id: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int]
    """Seat order, from 1."""
    faction: Mapped[str]
    strategy: Mapped[int]
    vp: Mapped[int]
    eliminated: Mapped[bool]
    serial: Mapped[int]
    """How many ids were made for them (D-06)."""
    start_urban: Mapped[StringList]
    """Sizes still to be placed in Setup (D-12)."""
    start_resource: Mapped[StringList]


class AllianceRow(OfCampaign):
    """One player's declaration towards another (D-04); an alliance needs both."""

    __tablename__ = "alliances"
    __table_args__ = (of_player("player_id"), CLUSTERED)

    player_id: Mapped[str] = mapped_column(primary_key=True)
    ally: Mapped[str] = mapped_column(primary_key=True)
    in_force: Mapped[bool]
    """This turn."""
    declared: Mapped[bool]
    """From the next Build phase on."""


class EncounterRow(OfCampaign):
    """A force or convoy of another player that a player has ever seen (D-07)."""

    __tablename__ = "encounters"
    __table_args__ = (of_player("player_id"), CLUSTERED)

    player_id: Mapped[str] = mapped_column(primary_key=True)
    met: Mapped[str] = mapped_column(primary_key=True)


class LostCharacterRow(OfCampaign):
    """A special character that is dead for good (6.2.3.6), as ``player/name``."""

    __tablename__ = "lost_characters"
    __table_args__ = (CLUSTERED,)

    character: Mapped[str] = mapped_column(primary_key=True)


class HexRow(OfCampaign):
    """A hex of the map."""

    __tablename__ = "hexes"
    __table_args__ = (of_player(), Index(None, "campaign_id", "owner"), CLUSTERED)

    hex: Mapped[str] = mapped_column(primary_key=True)
    """Its label (D-01)."""
    terrain: Mapped[str]
    place: Mapped[str | None]
    """Its name on the map."""
    owner: Mapped[str | None]
    discovered: Mapped[bool]
    """Claimed before, or someone's at the start (3.6.1)."""
    resource: Mapped[str | None]
    """Size of its resource."""
    store: Mapped[int]
    """BP in its urban hex or stronghold (D-22)."""
    harvest: Mapped[int]
    """BP at its resource until the end of the turn (D-21)."""
    corrupted_by: Mapped[str | None]
    infested_by: Mapped[str | None]


class RoadRow(OfCampaign):
    """A road between two adjacent hexes; each edge once."""

    __tablename__ = "roads"
    __table_args__ = (on_hex("hex_a"), on_hex("hex_b"), Index(None, "campaign_id", "hex_b"), CLUSTERED)

    hex_a: Mapped[str] = mapped_column(primary_key=True)
    """The upper or left one."""
    hex_b: Mapped[str] = mapped_column(primary_key=True)


class UrbanHexRow(OfHex):
    """An urban hex (1.5). Its BP are the hex's store."""

    __tablename__ = "urban_hexes"

    size: Mapped[str]
    race: Mapped[str]
    """The faction that founded it (D-71a)."""
    capital_of: Mapped[str | None]
    changed_turn: Mapped[int]
    """When it was last built or upgraded, -1: never; likewise the two below."""
    road_turn: Mapped[int]
    disbanded_turn: Mapped[int]


class BuildingRow(OfHex):
    """A building of an urban hex (1.5.1)."""

    __tablename__ = "buildings"

    building: Mapped[str] = mapped_column(primary_key=True)


class StrongholdRow(OfHex):
    """A stronghold (1.4). Its BP are the hex's store."""

    __tablename__ = "strongholds"

    type: Mapped[str]
    changed_turn: Mapped[int]
    """When it was last built or upgraded, -1: never."""


class DefenceRow(OfHex):
    """How many of a defence a stronghold has (1.4.2-1.4.5)."""

    __tablename__ = "defences"

    defence: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int]


class TurretWeaponRow(OfHex):
    """How many turrets and turret towers of a stronghold carry a weapon (1.4.2)."""

    __tablename__ = "turret_weapons"

    weapon: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int]


class DetachmentRow(OfForce):
    """A detachment (1.2), ready or under construction."""

    __tablename__ = "detachments"

    name: Mapped[str]
    type: Mapped[str]
    hex: Mapped[str | None]
    """None: in orbit (D-72)."""
    dxp: Mapped[int]
    mounted: Mapped[bool]
    battle_order: Mapped[str]
    ready_in: Mapped[int]
    """Turns still under construction."""
    pinned: Mapped[bool]
    """Guards this turn, whatever is ordered (D-35)."""


class GarrisonRow(OfForce):
    """A garrison (1.3)."""

    __tablename__ = "garrisons"

    hex: Mapped[str]


class UnitRow(OfCampaign):
    """A unit of a detachment or of a garrison (D-30)."""

    __tablename__ = "units"
    __table_args__ = (
        ForeignKeyConstraint(["campaign_id", "detachment_id"], ["detachments.campaign_id", "detachments.id"]),
        ForeignKeyConstraint(["campaign_id", "garrison_id"], ["garrisons.campaign_id", "garrisons.id"]),
        CheckConstraint("(detachment_id IS NULL) <> (garrison_id IS NULL)", name="one_force"),
        Index(None, "campaign_id", "detachment_id"),
        Index(None, "campaign_id", "garrison_id"),
        CLUSTERED,
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    detachment_id: Mapped[str | None]
    garrison_id: Mapped[str | None]
    place: Mapped[int]
    """Within its force, from 0."""
    name: Mapped[str]
    slot: Mapped[str]
    models: Mapped[int]
    """At full strength."""
    points: Mapped[int]
    """Of the whole unit at full strength."""
    mobility: Mapped[str]
    flags: Mapped[StringList]
    bombardment: Mapped[int]
    """Range in hexes, 0 without artillery."""
    ready: Mapped[int]
    """Ready models."""
    wounded: Mapped[int]
    damaged: Mapped[bool]


class ConvoyRow(OfForce):
    """BP on the road (1.1)."""

    __tablename__ = "convoys"

    hex: Mapped[str]
    bp: Mapped[int]


class BattleRow(OfHex):
    """A battle of this turn (D-51). Forces that were destroyed in it are still named."""

    __tablename__ = "battles"

    place: Mapped[int]
    """In the order of opening, from 0."""
    attacker: Mapped[str]
    """The primary attacker's force."""
    defender: Mapped[str]
    kind: Mapped[str]
    attacking: Mapped[str]
    """The primary attacker's player."""
    defended_by: Mapped[str]
    origin: Mapped[str | None]
    """Where the primary attacker came from; None: orbit."""
    defending: Mapped[bool]
    tabletop: Mapped[bool]
    attacker_modifier: Mapped[int | None]
    defender_modifier: Mapped[int | None]
    attacker_damage: Mapped[int | None]
    defender_damage: Mapped[int | None]
    winner: Mapped[str]
    """Empty: not decided."""
    vp: Mapped[int]
    pillage: Mapped[int]


class BattleSupporterRow(OfHex):
    """A force that supports one side of a battle."""

    __tablename__ = "battle_supporters"

    force: Mapped[str] = mapped_column(primary_key=True)
    side: Mapped[str]
    """``front``, ``flank`` or ``rear`` for the attacker's, ``defender`` for the defender's."""
