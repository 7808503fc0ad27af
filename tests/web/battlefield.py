"""A campaign of two that stands at a battle, for tests of the pages about battles and the past."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi.testclient import TestClient

from server.bots import commander
from server.http.signing import COOKIE
from server.play.accounts import accounts, tokens
from server.play.campaigns import campaign_start, campaigns, seats
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.orders import orders
from server.play.views import positions
from server.rules.state import Battle
from tests.api.people import PASSWORD
from tests.stages import staged
from tests.web.visitor import Visitor

MAX_COUNT = 80
"""Phases in which a battle must have come."""


@dataclass(slots=True)
class Battlefield:
    """A campaign of Ann (p1) against Ben (p2), run by Gwen."""

    ctx: AppContext
    gm: Actor
    players: dict[str, Actor]
    id: str
    secrets: dict[str, str]
    """Of everybody's session, by name: what a browser keeps as its cookie."""

    @property
    def path(self) -> str:
        """Where its pages are."""
        return f"/campaigns/{self.id}"

    def visitor(self, client: TestClient, name: str = "", language: str = "en") -> Visitor:
        """Let one of them come, or a stranger."""
        found = Visitor(client, language=language)
        if name:
            found.cookies[COOKIE] = self.secrets[name]
            found.get("/")
        return found

    def info(self) -> CampaignInfo:
        """Return how it stands."""
        return campaigns.get(self.ctx, self.gm, self.id)

    def battles(self) -> dict[str, Battle]:
        """Return the battles that are still to be fought, by hex."""
        state = positions.position(self.ctx, self.gm, self.id).view.state
        return {state.board.label(at): each for at, each in state.battles.items() if not each.winner}

    def pass_phase(self, *, tabletop: bool = False) -> None:
        """Have both order like computer players and declare final."""
        number = self.info().phase_number
        fights = [{"type": "fight", "battle": hex_, "mode": "tabletop"} for hex_ in self.battles()]
        for actor in self.players.values():
            if self.info().phase_number != number or self.info().phase is None:
                return
            try:
                if not orders.read(self.ctx, actor, self.id).wanted:
                    continue
            except PlayError:
                continue
            view = positions.position(self.ctx, actor, self.id).view
            chosen: list[Any] = fights if tabletop and view.state.phase == "battles" else commander.choose(view)
            orders.replace(self.ctx, actor, self.id, chosen, final=True, lenient=True, salt=f"{actor.name} {number}")

    def until_battle(self) -> tuple[str, Battle]:
        """Play on until there is a battle to order for; return its hex and what it is."""
        for _ in range(MAX_COUNT):
            if self.info().phase == "battles" and self.battles():
                return next(iter(self.battles().items()))
            self.pass_phase()
        raise AssertionError(f"no battle in {MAX_COUNT} phases")

    def until_report(self) -> tuple[str, Battle]:
        """Play on until a result of the table is awaited."""
        self.until_battle()
        self.pass_phase(tabletop=True)
        assert self.info().phase == "reports"
        return next(iter(self.battles().items()))

    def to_the_end(self) -> None:
        """Play on until it is over."""
        for _ in range(200):
            if self.info().status != "running":
                return
            self.pass_phase()
        raise AssertionError("it does not end")


def begin(
    ctx: AppContext, *, name: str = "The Long March", ann: str = "Ann", until: str = "", **rules: Any
) -> Battlefield:
    """Make a campaign and begin it; play on *until* a ``battle``, a ``report``, or the ``end``."""
    names = ("Gwen", ann, "Ben")

    def prepare() -> tuple[dict[str, str], str]:
        secrets = {each: accounts.sign_up(ctx, each, PASSWORD).token.secret for each in names}
        people = [tokens.authenticate(ctx, secret) for secret in secrets.values()]
        new = NewCampaign(name, scenario="the-pass", ruleset="frontier", rules={"turn_limit": 30} | rules)
        made = campaigns.create(ctx, people[0], new)
        for seat, actor, faction in (("p1", people[1], "homesteaders"), ("p2", people[2], "skyguard")):
            seats.join(ctx, actor, made.id, faction=faction, seat=seat)
        campaign_start.start(ctx, people[0], made.id)
        field = _battlefield(ctx, secrets, made.id)
        if until:
            {"battle": field.until_battle, "report": field.until_report, "end": field.to_the_end}[until]()
        return secrets, made.id

    secrets, id_ = staged(ctx, (*names, name, until, repr(rules)), prepare)
    return _battlefield(ctx, dict(secrets), id_)


def _battlefield(ctx: AppContext, secrets: dict[str, str], id_: str) -> Battlefield:
    gm, ann, ben = [tokens.authenticate(ctx, secret) for secret in secrets.values()]
    return Battlefield(ctx, gm, {"p1": ann, "p2": ben}, id_, secrets)
