"""The score strip of the table: standings, end conditions and orders due, in words and numbers."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from server.play.campaigns.campaign_info import CampaignInfo
from server.rules.economy import income
from server.rules.elimination import held, land_hexes
from server.rules.sight import View
from server.rules.state import OVER, PlayerId, Settings, State
from server.web.translations import Translations

RULES = ("victory_points", "territory", "turn_limit", "last_standing")
"""Settings that end a campaign, in display order; a claimed capital always counts, too."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player in the strip."""

    id: str
    number: int
    name: str
    vp: int
    hexes: int
    eliminated: bool
    final: bool | None
    """None where the reader may not know it."""
    you: bool
    winner: bool
    goals: tuple[tuple[str, int, int], ...]
    """How far they are from each end that a player can bring about: the setting, what they have, what it takes."""


@dataclass(frozen=True, slots=True)
class Score:
    """The strip."""

    turn: int
    last_turn: int
    """0: there is no last turn."""
    stage: str
    phase: str
    deadline: datetime | None
    players: tuple[Standing, ...]
    income: int | None
    """BP that the next turn brings the viewer as things stand; None for those who have none. Likewise the store."""
    store: int | None
    victory: tuple[str, ...]
    """What wins, one sentence a rule; the first is the shortest way to say it."""
    how: str
    """How you win, in one sentence, and that land alone does not."""
    wanted: str
    """The reader's next task, in a few words."""
    facts: str
    """All of it in one text: phase, deadline, next task."""

    def as_json(self) -> dict[str, Any]:
        """Return it as the page's script reads it."""
        return asdict(self)


def victory_lines(t: Translations, rules: Settings) -> tuple[str, ...]:
    """Return what wins a campaign, a sentence for each rule that it plays by (3.6, 7.2, D-13)."""
    found = [t(f"score.victory.{name}", value=value) for name in RULES if (value := getattr(rules, name))]
    capital = t("score.victory.capital_eliminates" if rules.capital_eliminates else "score.victory.capital_ends")
    return (*found, capital)


def how_to_win(t: Translations, rules: Settings) -> str:
    """Return how a campaign is won, in one sentence, and that land alone does not win it (D-13)."""
    ends = [t(f"score.end.{name}", value=value) for name in RULES if (value := getattr(rules, name))]
    if not rules.capital_eliminates:
        ends.append(t("score.end.capital"))
    *others, last = ends or [t("score.end.none")]
    return t("score.how_to_win", ends=t("score.end.or", ends=", ".join(others), last=last) if others else last)


def goals(state: State, player: PlayerId, hexes: int, land: int) -> tuple[tuple[str, int, int], ...]:
    """Return how far a player is from each end that they can bring about: VP and percent of the land (D-13)."""
    rules, found = state.settings, []
    if rules.victory_points:
        found.append(("victory_points", state.players[player].vp, rules.victory_points))
    if rules.territory:
        found.append(("territory", hexes * 100 // max(1, land), rules.territory))
    return tuple(found)


def score(t: Translations, campaign: CampaignInfo, view: View, final: dict[str, bool], wanted: bool) -> Score:
    """Return the strip for the viewer of *view*; *final* holds the players whose final state they can see."""
    state, me = view.state, view.viewer
    hexes, land = held(state), land_hexes(state)
    numbers = {seat.player_id: seat for seat in campaign.seats}
    players = tuple(
        Standing(
            player.id,
            numbers[player.id].number,
            numbers[player.id].user or numbers[player.id].name,
            player.vp,
            hexes[player.id],
            player.eliminated,
            final.get(player.id),
            player.id == me,
            player.id in state.winners,
            goals(state, player.id, hexes[player.id], land),
        )
        for player in state.players.values()
        if player.id in numbers
    )
    own = me in state.players
    gains = income(state).get(me) if own else None
    store = sum(bp for at, bp in state.store.items() if state.owner[at] == me) if own else None
    stage = t.stage(state.turn, campaign.phase or state.phase)
    asked = _wanted(t, campaign, over=state.phase == OVER, own=own, final=bool(final.get(me)), wanted=wanted)
    due = t("score.due", when=t.when(campaign.deadline)) if campaign.deadline and campaign.status == "running" else ""
    return Score(
        state.turn,
        state.settings.turn_limit,
        stage,
        t.name("phase", campaign.phase or state.phase),
        campaign.deadline,
        players,
        gains.total if gains else None,
        store,
        victory_lines(t, state.settings),
        how_to_win(t, state.settings),
        asked,
        " ".join(sentence for sentence in (f"{campaign.name}: {stage}.", due, asked) if sentence),
    )


def _wanted(t: Translations, campaign: CampaignInfo, *, over: bool, own: bool, final: bool, wanted: bool) -> str:
    """Say in a few words what the campaign wants of the reader."""
    if over or campaign.status in ("finished", "archived"):
        return t("score.wanted.over")
    if campaign.status == "paused":
        return t("score.wanted.paused")
    if not own:
        return t("score.wanted.watch")
    if final:
        return t("score.wanted.final")
    if not wanted:
        return t("score.wanted.nothing")
    return t(f"score.wanted.{campaign.phase}" if t.has(f"score.wanted.{campaign.phase}") else "score.wanted.orders")
