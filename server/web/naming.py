"""What players, forces and units are called, for sentences and tables."""

from __future__ import annotations

from collections.abc import Iterable

from server.play.campaign_info import CampaignInfo, SeatInfo
from server.render.forces import Named, told_apart
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


def names_in(campaign: CampaignInfo, states: Iterable[State], language: str) -> dict[str, str]:
    """Return the names of all that views show, by id; places as ``hex/<label>``, owners as ``owner/<id>``."""
    found = player_names(campaign)
    forces: dict[str, Named] = {}
    for state in states:
        stand: list[Force] = [*state.detachments.values(), *state.garrisons.values()]
        for force in stand:
            forces[force.id] = Named(force.id, force_name(force, language), force.owner)
            found.update((unit.id, unit.name) for unit in force.units)
        convoy = Translations(language).name("word", "convoy")
        for id_, each in state.convoys.items():
            found[id_] = convoy
            found[f"owner/{id_}"] = each.owner
        found |= {f"hex/{label}": name for label, name in place_names(state).items()}
    return found | told_apart(forces.values(), player_names(campaign))


def place_names(state: State) -> dict[str, str]:
    """Return what hexes with a name are called, by label: the name and the label, as everywhere."""
    label = state.board.label
    return {label(at): f"{name} ({label(at)})" for at, name in state.board.names}
