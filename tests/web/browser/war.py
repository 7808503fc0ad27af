"""A campaign of two to be played in the browser, and the table as somebody's eyes and hands find it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, expect

from server.bots import commander
from server.play.accounts import accounts, tokens
from server.play.campaigns import campaign_start, campaigns, seats
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.orders import orders
from server.play.views import positions
from tests.api.people import PASSWORD
from tests.web.browser.waiting import asked, shown_phase

WHERE = """async ([label, script]) => {
  const { Grid } = await import(new URL("geometry.js", script));
  const world = document.querySelector(".world"), box = world.querySelector("svg").viewBox.baseVal;
  const [columns, rows] = document.documentElement.dataset.grid.split(" ").map(Number);
  const grid = new Grid(columns, rows), at = world.getBoundingClientRect(), hex = grid.find(label);
  return [at.left + grid.x(hex) * at.width / box.width, at.top + grid.y(hex) * at.height / box.height];
}"""

UNIT = {"slot": "troops", "models": 10, "points": 100, "mobility": "infantry"}
UNITS = [UNIT | {"slot": "hq"}, UNIT, UNIT]
"""What is enough for a detachment."""


@dataclass(slots=True)
class War:
    """A campaign of Ann against Ben, on the map with the pass."""

    ctx: AppContext
    ann: Actor
    ben: Actor
    id: str

    @property
    def address(self) -> str:
        """Where the table is."""
        return f"/campaigns/{self.id}/table"

    def info(self) -> CampaignInfo:
        """Return how it stands."""
        return campaigns.get(self.ctx, self.ann, self.id)

    def given(self) -> list[dict[str, Any]]:
        """Return Ann's orders as they were handed in."""
        return list(orders.read(self.ctx, self.ann, self.id).orders)

    def allowed(self) -> list[dict[str, Any]]:
        """Return what Ann may order."""
        return positions.legal(self.ctx, self.ann, self.id)

    def final(self, *people: Actor) -> None:
        """Have computer players order for some people, and declare it final."""
        for actor in people:
            try:
                if not orders.read(self.ctx, actor, self.id).wanted:
                    continue
            except PlayError:
                continue
            chosen = commander.choose(positions.position(self.ctx, actor, self.id).view)
            orders.replace(self.ctx, actor, self.id, chosen, final=True, lenient=True)

    def until(self, turn: int, phase: str) -> War:
        """Let both be played by the computer until then."""
        while (now := self.info()).phase is not None and (now.turn, now.phase) != (turn, phase):
            self.final(self.ann, self.ben)
        return self

    def meet(self) -> War:
        """Let two detachments march until they stand face to face in the pass: Ann's in 0706, Ben's in 0707."""
        for actor, capital, at in ((self.ann, "1003", "0806"), (self.ben, "0409", "0607")):
            raised = {"type": "build_detachment", "at": at, "units": UNITS}
            orders.replace(
                self.ctx, actor, self.id, [{"type": "place", "what": "capital", "at": capital}, raised], final=True
            )
        for actor in (self.ann, self.ben):
            orders.replace(self.ctx, actor, self.id, [], final=True)
        for actor, to in ((self.ann, "0706"), (self.ben, "0707")):
            march = {"type": "path", "detachment": self.force(actor), "path": [to]}
            orders.replace(self.ctx, actor, self.id, [march], final=True)
        return self

    def force(self, actor: Actor) -> str:
        """Return the id of somebody's first detachment."""
        view = positions.position(self.ctx, actor, self.id).view
        return next(id for id, each in view.state.detachments.items() if each.owner == view.viewer)


def begin(ctx: AppContext, name: str = "Winter War", ann: str = "Ann", ben: str = "Ben") -> War:
    """Make a campaign and begin it."""
    people = []
    for each in (ann, ben):
        accounts.sign_up(ctx, each, PASSWORD)
        people.append(tokens.authenticate(ctx, accounts.sign_in(ctx, each, PASSWORD).token.secret))
    new = NewCampaign(name, scenario="the-pass", ruleset="wh40k-2001", options={"gm_plays": True})
    made = campaigns.create(ctx, people[0], new)
    seats.join(ctx, people[0], made.id, faction="orks")
    seats.invite_user(ctx, people[0], made.id, ben)
    seats.join(ctx, people[1], made.id, faction="eldar")
    campaign_start.start(ctx, people[0], made.id)
    return War(ctx, people[0], people[1], made.id)


def open_table(page: Page, war: War) -> None:
    """Open the table and wait until it can be used."""
    page.goto(war.address)
    ready(page)


def ready(page: Page) -> None:
    """Wait until the table can be used."""
    expect(page.locator("html[data-ready=table]")).to_be_attached()


def where(page: Page, label: str) -> tuple[float, float]:
    """Return where a hex lies in the window."""
    script = page.locator('script[src*="table/main.js"]').evaluate("each => each.src")
    x, y = page.evaluate(WHERE, [label, script])
    return x, y


def click(page: Page, label: str) -> None:
    """Click a hex of the map."""
    page.mouse.click(*where(page, label))


def saved(page: Page) -> None:
    """Wait until all is handed in."""
    expect(page.locator(".dock-foot")).to_contain_text("Saved.")


def declare_final(page: Page) -> None:
    """Finalise the orders, and say yes if asked."""
    saved(page)
    before = shown_phase(page)
    page.locator(".dock-foot").get_by_role("button", name="Finalise orders").click()
    if question := asked(page, before):
        question.get_by_role("button", name=re.compile("Finalise (orders|anyway)")).click()
