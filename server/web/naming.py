"""What players, forces and units are called, for sentences and tables."""

from __future__ import annotations

from server.play.campaign_info import CampaignInfo, SeatInfo
from server.render.translations import Translations
from server.rules.state import Detachment, Force, State


def seats_by_player(campaign: CampaignInfo) -> dict[str, SeatInfo]:
    """Return the seats by the players' ids."""
    return {each.player_id: each for each in campaign.seats}


def player_names(campaign: CampaignInfo) -> dict[str, str]:
    """Return what the players are called."""
    return {each.player_id: each.name for each in campaign.seats}


def force_name(force: Force, language: str) -> str:
    """Return what a force is called: a garrison by its kind."""
    return force.name if isinstance(force, Detachment) else Translations(language).name("word", "garrison")


def names_in(campaign: CampaignInfo, state: State, language: str) -> dict[str, str]:
    """Return the names of all that a view shows: players, forces, units, convoys."""
    found = player_names(campaign)
    forces: list[Force] = [*state.detachments.values(), *state.garrisons.values()]
    for force in forces:
        found[force.id] = force_name(force, language)
        found.update((unit.id, unit.name) for unit in force.units)
    convoy = Translations(language).name("word", "convoy")
    found.update((id_, convoy) for id_ in state.convoys)
    return found
