"""Claiming hexes, what is found in them, and what is lost with them (3.6)."""

from __future__ import annotations

from dataclasses import dataclass, field

from server.rules.board import Hex
from server.rules.elimination import eliminate
from server.rules.movement import destroy
from server.rules.orders.setup import resource_fits
from server.rules.scene import Scene
from server.rules.state import Convoy, Detachment, PlayerId, State, Stronghold, Urban
from server.rules.treasury import carry_home


@dataclass(slots=True)
class Claims:
    """The claims of a movement phase, until all moves are made."""

    hexes: dict[Hex, dict[PlayerId, list[Detachment]]] = field(default_factory=dict)
    """The claimants of each hex and their detachments."""

    def claim(self, hex_: Hex, claimer: Detachment) -> None:
        """Note a claim."""
        self.hexes.setdefault(hex_, {}).setdefault(claimer.owner, []).append(claimer)


Failed = dict[Hex, dict[PlayerId, str]]
"""Whose claim of each hex failed, and why (D-48)."""


def claim_area(state: State, claims: Claims, detachment: Detachment) -> None:
    """2.1.5: claim the hex and all around it, nothing in enemy ZOC. To be called after all moves."""
    if not state.readings.claims_after_moves and state.enemy_zoc(detachment.at, detachment.owner):
        return
    for hex_ in state.board.within(detachment.at, 1):
        claims.claim(hex_, detachment)


def settle_claims(scene: Scene, claims: Claims) -> None:
    """Decide all claims (3.6): several players' claims of one hex negate each other.

    Claims are simultaneous: a player who loses their capital to one is eliminated after all of them.
    """
    losers: list[PlayerId] = []
    failed: Failed = {}
    before = list(scene.state.owner)
    for hex_ in sorted(claims.hexes):
        claimants: list[PlayerId] = []
        for player, by in claims.hexes[hex_].items():
            reason = _why_not(scene.state, hex_, player, by)
            if reason is None:
                claimants.append(player)
            elif reason:
                failed.setdefault(hex_, {})[player] = reason
        if len(claimants) > 1:
            scene.emit("claim_negated", claimants, hex=scene.label(hex_))
            failed.setdefault(hex_, {}).update(dict.fromkeys(claimants, "contested"))
        elif claimants:
            losers += _take(scene, hex_, claimants[0])
    if scene.state.readings.claims_after_moves:
        _tell_failed(scene, failed)
    if scene.state.readings.claimed_resources_wait:
        for hex_ in sorted(scene.state.harvest):
            if before[hex_] != scene.state.owner[hex_]:
                carry_home(scene, hex_, before[hex_])
    for loser in losers:
        eliminate(scene, loser, "capital", keep=not scene.state.settings.capital_eliminates)


def _why_not(state: State, hex_: Hex, player: PlayerId, claimers: list[Detachment]) -> str | None:
    """3.6, D-08, D-48: return why a claim fails; None: it does not; empty: there is nothing to claim.

    A detachment without an adjacent enemy claims land without others' forces, and another player's settlement
    only if it stands in it.
    """
    owner = state.owner[hex_]
    ally = owner not in ("", player) and state.friendly(player, owner)
    if ally or not state.ruleset.terrain[state.board.terrain[hex_]].land:
        return ""
    if state.in_truce(player, hex_):
        return "truce"
    able = claimers
    if state.readings.claims_after_moves:
        able = [claimer for claimer in claimers if not state.enemy_zoc(claimer.at, player)]
    if not able:
        return "enemy_near"
    if any(force.owner != player for force in state.forces_at(hex_)):
        return "occupied"
    if owner in ("", player) or hex_ not in state.urban or any(claimer.at == hex_ for claimer in able):
        return None
    return "urban"


def _tell_failed(scene: Scene, failed: Failed) -> None:
    """D-48: tell each claimer which of their claims failed, and why; not of sound land that is theirs anyway."""
    state = scene.state
    for hex_, reasons in failed.items():
        for player, reason in reasons.items():
            theirs = state.owner[hex_] == player and hex_ not in state.corrupted and hex_ not in state.infested
            if not theirs or reason == "contested":
                scene.emit("claim_failed", (player,), hex=scene.label(hex_), reason=reason)


def _take(scene: Scene, hex_: Hex, player: PlayerId) -> list[PlayerId]:
    """Give a hex to its claimant; return the former owner if it was their capital."""
    state = scene.state
    before = state.owner[hex_]
    if before == player:
        if hex_ in state.corrupted or hex_ in state.infested:
            state.corrupted.pop(hex_, None)
            state.infested.pop(hex_, None)
            scene.emit_public("cleansed", hex=scene.label(hex_), by=player)
        return []
    state.owner[hex_] = player
    scene.emit_public("claimed", hex=scene.label(hex_), by=player, before=before)
    if state.corrupted.get(hex_) == player:
        del state.corrupted[hex_]
    if state.faction(player).pure_land:
        state.corrupted.pop(hex_, None)
        state.infested.pop(hex_, None)
    if before and state.faction(player).infests and not state.faction(before).pure_land:
        state.infested[hex_] = player
    raising = state.raising_at.get(hex_)
    if raising is not None and raising.owner != player:
        destroy(scene, raising, "hex_lost", player)
    _spoils(scene, player, before)
    if not state.discovered[hex_]:
        state.discovered[hex_] = 1
        _discover(scene, hex_, player)
    return _take_capital(scene, hex_, player) if before else []


def _spoils(scene: Scene, player: PlayerId, before: PlayerId) -> None:
    """8: BP in the capital of factions that live on new land."""
    state, faction = scene.state, scene.state.faction(player)
    bp = faction.claim_income + (faction.enemy_claim_income if before else 0)
    capital = state.capital(player) if bp else None
    if capital is not None:
        state.pay(capital, bp)
        scene.emit("spoils", (player,), hex=scene.label(capital), bp=bp)


def _take_capital(scene: Scene, hex_: Hex, player: PlayerId) -> list[PlayerId]:
    state = scene.state
    urban = state.urban.get(hex_)
    if urban is None or not urban.capital or urban.capital == player:
        return []
    loser, urban.capital = urban.capital, ""
    state.players[player].vp += state.ruleset.capital_vp
    scene.emit_public("capital_captured", hex=scene.label(hex_), by=player, of=loser, vp=state.ruleset.capital_vp)
    if not state.settings.capital_eliminates:
        state.ended_by = "capital"
    return [loser]


# --- 3.6.1: undiscovered hexes ---


def _discover(scene: Scene, hex_: Hex, player: PlayerId) -> None:
    state, label = scene.state, scene.label(hex_)
    if scene.roll_one(f"discovery/{label}", (player,)) < state.ruleset.discovery_on:
        return
    face = scene.roll_one(f"discovery-find/{label}", (player,), len(state.ruleset.discovery))
    what, _, value = state.ruleset.discovery[face - 1].partition(":")
    if what == "resource" and not value:
        sizes = state.ruleset.start_resource
        value = sizes[scene.roll_one(f"discovery-size/{label}", (player,), len(sizes)) - 1]
    if not _fits(state, hex_, what):
        what = "cache"
    find, bp = what, 0
    if what == "resource":
        state.resource[hex_] = value
    elif what == "urban":
        find = value
        state.urban[hex_] = Urban(value, changed=state.turn)
    elif what == "stronghold":
        find = value
        state.stronghold[hex_] = Stronghold(value, changed=state.turn)
    elif what == "vp":
        find = "relics"
        state.players[player].vp += int(value)
    else:
        bp = scene.roll_one(f"discovery-cache/{label}", (player,)) * state.ruleset.cache_bp
        state.add_convoy(Convoy(state.new_id(player), player, hex_, bp))
    scene.emit("discovered", (player,), hex=label, find=find, bp=bp)


def _fits(state: State, hex_: Hex, what: str) -> bool:
    """Say whether the hex can hold the find (D-49)."""
    if what == "resource":
        return resource_fits(state, hex_)
    if what == "urban":
        return hex_ not in state.urban and hex_ not in state.resource
    return what != "stronghold" or hex_ not in state.stronghold
