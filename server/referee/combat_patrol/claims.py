"""Claiming sites: Characters in range of a site that their player controls claim it while they stay (T-25)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.core.sentences import say
from server.referee.act import Act, Found
from server.referee.choices import Choice, Offer, offer, one_of, some_of
from server.referee.combat_patrol.control import Control
from server.referee.mission import NO_MANS_LAND
from server.referee.reading import ID, MARKER, PHASE, given
from server.referee.refusals import refuse
from server.referee.rule import Rule
from server.referee.units import DESTROYED, ESCAPED, TABLE

if TYPE_CHECKING:
    from server.referee.game import Game
    from server.referee.markers import Marker
    from server.referee.units import Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave(Act):
    """Report that a claiming model is out of range, or gone: its claim ends (T-25)."""

    DO = "leave"
    STAGES = ("battle",)
    HOLDS = False
    REPORT = True

    marker: str = given(MARKER)
    character: str = given(ID)

    def check(self, game: Game) -> Found:
        """The model must have a claim there."""
        marker = game.markers[self.marker]
        if self.character in marker.claims.get(self.by, {}):
            return
        if self.character in marker.claims.get(game.other(self.by), {}):
            yield refuse("not_yours", say("{model} is not yours.", model=self.character), "character", self.character)
        else:
            message = say("{model} claims nothing there.", model=self.character)
            yield refuse("wrong_target", message, "character", self.character, "T-25")

    def play(self, game: Game) -> None:
        """End the claim."""
        end_claim(game, game.markers[self.marker], self.by, self.character)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer each claim to its own player."""
        for marker in game.markers.values():
            models = list(marker.claims.get(player, {}))
            if models:
                yield offer(marker=one_of([marker.id]), character=one_of(models))


def end_claim(game: Game, marker: Marker, player: str, model: str) -> None:
    """End one model's claim; the others' stand. It is out of range until a report names it again."""
    del marker.claims[player][model]
    game.rule(Control).is_out_of_range(marker.id, model)
    game.emit("claim_ended", marker=marker.id, player=player, model=model)


@dataclass(slots=True, kw_only=True)
class ClaimSites(Rule):
    """At the end of a phase the active player's Characters claim the sites they control; sites lie in No Man's Land."""

    NAME = "claim_sites"
    ACTS = (Leave,)

    phase: str = given(PHASE, "command")

    def sites(self, game: Game) -> list[Marker]:
        """Return the sites that are left."""
        return [marker for marker in game.markers.values() if marker.zone == NO_MANS_LAND and not marker.removed]

    def phase_ending(self, game: Game, phase: str) -> None:
        """End what is out of range, then claim."""
        if phase != self.phase:
            return
        self._out_of_range(game)
        characters = game.rule(Control).characters
        for site in self.sites(game):
            if site.control != game.turn:
                continue
            for model in characters.get(site.id, ()):
                unit = game.units.get(model)
                claims = site.claims.setdefault(game.turn, {})
                own = unit.side == game.turn if unit is not None else not _others(site, game.other(game.turn), model)
                if own and model not in claims:
                    claims[model] = game.round
                    game.emit("claimed", marker=site.id, player=game.turn, model=model)

    def turn_ending(self, game: Game) -> None:
        """End what is out of range."""
        self._out_of_range(game)

    def _out_of_range(self, game: Game) -> None:
        """End the claims of models that a report no longer names (T-25)."""
        characters = game.rule(Control).characters
        for site in self.sites(game):
            in_range = characters.get(site.id)
            if in_range is None:
                continue
            for player, claims in site.claims.items():
                for model in list(claims):
                    if model not in in_range:
                        end_claim(game, site, player, model)

    def unit_changed(self, game: Game, unit: Unit, before: str) -> None:
        """End the claims of a model that is gone."""
        if unit.state not in (DESTROYED, ESCAPED):
            return
        for marker in game.markers.values():
            if unit.id in marker.claims.get(unit.side, {}):
                end_claim(game, marker, unit.side, unit.id)

    def report_fields(self, game: Game, marker: Marker) -> Mapping[str, Choice]:
        """Ask for the Characters in range of a site."""
        if marker.zone != NO_MANS_LAND:
            return {}
        characters = [unit.id for unit in game.units.values() if "character" in unit.flags and unit.state == TABLE]
        return {f"markers.{marker.id}.characters": some_of(characters).optional()} if characters else {}

    def scoring_count(self, game: Game, player: str, what: str) -> int | None:
        """Count a claim, and one that began in an earlier turn of its owner (T-26)."""
        if what not in ("claimed", "claimed_twice"):
            return None
        rounds = [since for site in self.sites(game) for since in site.claims.get(player, {}).values()]
        return int(any(since < game.round for since in rounds) if what == "claimed_twice" else bool(rounds))

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Name the sites."""
        return {"sites": [site.id for site in self.sites(game)]}


def _others(site: Marker, player: str, model: str) -> bool:
    return model in site.claims.get(player, {})
