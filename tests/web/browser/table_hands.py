"""Somebody who holds a phone at the table: taps what is offered, and counts the taps."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

import httpx2
from fastapi.testclient import TestClient
from playwright.sync_api import Locator, Page, expect

from tests.api.people import Person
from tests.api.tables import get_ready, guest
from tests.web.browser.conftest import WAIT, Site


class Phone:
    """One player's phone."""

    def __init__(self, page: Page, *, last: bool = False) -> None:
        self.page = page
        self.last = last
        """Take the last value where several are offered, else the first."""
        self.taps = 0

    def tap(self, target: str | Locator) -> None:
        """Tap something, once it is there."""
        found = self.page.locator(target).first if isinstance(target, str) else target
        found.click()
        self.taps += 1

    def bring_sample_army(self) -> None:
        """Bring the mission's sample army."""
        self.tap(".tt-army button.primary")
        expect(self.page.locator(".tt-army button.primary")).to_have_count(0)

    def start(self) -> None:
        """Begin the battle."""
        expect(self.page.locator("#start")).to_be_enabled()
        self.tap("#start")
        expect(self.page.locator("#tt-board img")).to_be_visible()

    def status(self) -> str:
        """Return the game's status, as the API has it."""
        return str(self.page.request.get(f"/api/v1/tables{self.id}").json()["status"])

    def acts(self) -> int:
        """Return how many acts there are."""
        return int(self.page.request.get(f"/api/v1/tables{self.id}").json()["acts"])

    def stage(self) -> str:
        """Return the game's stage, as the API has it."""
        return str(self.page.request.get(f"/api/v1/tables{self.id}/view").json()["view"]["stage"])

    def step(self) -> bool:
        """Do the next step, with the first value of every field; False: there is none for this player."""
        self.settle()
        button = self.page.locator("#next-step")
        before = self.acts()
        if self.page.locator("#tt-strip.tap").count():
            self.place(before)
        elif not button.count():
            return self._passes(before)
        else:
            self.tap(button)
            if self._asked(before).locator("#tt-pass-phase").count():
                return self._does_without(before)
            if self._asked(before).count():
                self.fill_sheet()
        self._until(lambda: self.acts() > before)
        self.settle()
        assert self.acts() == before + 1, "one step is one act"
        return True

    def start_solo(self) -> None:
        """Begin a game against the dice: it has no picture of the table."""
        expect(self.page.locator("#start")).to_be_enabled()
        self.tap("#start")
        expect(self.page.locator("#next-step")).to_be_visible()

    def step_solo(self) -> None:
        """Tap the filled button, and what it asks."""
        before = self.acts()
        self.tap("#next-step")
        if self._asked(before).count():
            self.fill_sheet()
        self._until(lambda: self.acts() > before and f"at={self.acts()}&" in self._shown())

    def _asked(self, before: int) -> Locator:
        """Return the sheet that a tap has opened, none where it was an act at once: either takes a moment."""
        sheet = self.page.locator("#tt-sheet[open]")
        self._until(lambda: sheet.count() > 0 or self.acts() > before)
        return sheet

    def _shown(self) -> str:
        return str(self.page.locator("#tt-board img").get_attribute("src"))

    def place(self, before: int) -> None:
        """Tap the picture where something may lie, then the button that names it, until the referee knows all of it."""
        strip, button = self.page.locator("#tt-strip.tap"), self.page.locator("#next-step")
        while True:
            self._until(lambda: self.acts() > before or strip.count() + button.count() > 0)
            if self.acts() > before:
                return
            if strip.count():
                self._until(self._taps_a_place)
            said = button.all_inner_texts()
            if not said:
                continue
            self.tap(button)
            # another marker is next, or all lie and are sealed, or the referee knows
            self._until(
                lambda said=said: (  # type: ignore[misc]
                    self.acts() > before or strip.count() > 0 or button.all_inner_texts() not in (said, [])
                )
            )

    def _taps_a_place(self) -> bool:
        """Tap the middle of each area until the button names what lies there; the page may be drawn anew meanwhile."""
        for x, y in self.page.evaluate(PLACES):
            if self.page.locator("#next-step").count():
                break
            self.page.touchscreen.tap(x, y)
            self.taps += 1
        return self.page.locator("#next-step").count() > 0

    def _passes(self, before: int) -> bool:
        """Do without every reaction that is open; False: none is."""
        react = self.page.locator("#tt-react")
        done = self.page.locator('[id^="tt-done-"]')
        if not react.count() and done.count():  # the other one waits only for this word
            self.tap(done)
            self._until(lambda: self.acts() > before)
            return True
        if not react.count():
            return False
        self.tap(react)
        return self._does_without(before)

    def _does_without(self, before: int) -> bool:
        """Pass what the sheet of reactions offers."""
        self.tap("#tt-pass-phase")
        expect(self.page.locator("#tt-sheet[open]")).to_have_count(0)
        self.settle()
        assert self.acts() > before
        return True

    def settle(self) -> None:
        """Wait until the page shows as many acts as there are."""
        picture = self.page.locator("#tt-board img")
        self._until(lambda: f"at={self.acts()}&" in str(picture.get_attribute("src")))

    def _until(self, is_so: Callable[[], bool]) -> None:
        """Wait in steps: a script's promise would count as true at once."""
        end = time.monotonic() + WAIT / 1000
        while not is_so():
            shown = self.page.locator("#tt-board img").get_attribute("src") if time.monotonic() >= end else ""
            assert not shown, f"the page shows {shown}: {self.page.locator('#tt, #toasts').all_inner_texts()}"
            self.page.wait_for_timeout(50)

    def confirm(self) -> None:
        """Confirm the result."""
        self.tap("#confirm-result")
        expect(self.page.locator("#confirm-result")).to_have_count(0)

    def picture(self, path: Path) -> None:
        """Keep what is on the screen."""
        self.page.screenshot(path=path)

    def fill_sheet(self) -> None:
        """Fill in what an act needs, with the first value of every field, and do it."""
        sheet = self.page.locator("#tt-sheet[open]")
        ways = sheet.locator(".tt-ways-list button")
        if ways.count():
            self.tap(ways.first)
        winner = sheet.locator("#winner-red")
        if winner.count():
            self.tap(winner)
        for field in sheet.locator(".tt-field").all():
            if field.locator("legend small").count():
                continue
            kind = (field.get_attribute("class") or "").split()[-1]
            if kind in ("one_of", "boolean") and not field.locator('[aria-pressed="true"]').count():
                buttons = field.locator("button")
                self.tap(buttons.last if self.last else buttons.first)
            elif kind == "some_of":
                self._some(field)
            elif kind in ("point", "points"):
                self._place(field)
            elif kind == "text":
                field.locator("input").fill("x")
        self.tap("#do-act")
        expect(sheet).to_have_count(0)

    def _some(self, field: Locator) -> None:
        wanted = int((field.locator("small.muted").inner_text().split() or ["0"])[0])
        pressed = field.locator('[aria-pressed="true"]').count()
        for button in field.locator('button[aria-pressed="false"]').all()[: max(0, wanted - pressed)]:
            self.tap(button)

    def _place(self, field: Locator) -> None:
        wanted = field.locator("small.muted")
        times = int(wanted.inner_text().split()[0]) if wanted.count() else 1
        for _ in range(times):
            self.tap(field.locator(".tt-place"))
            self.tap("#placed")

    @property
    def id(self) -> str:
        """The game's address on the site, after ``/tables``."""
        return self.page.url.partition("/tables")[2].partition("?")[0]


class Keyboard(Phone):
    """The same without a finger or a mouse: Tab to what is wanted, then Enter."""

    def tap(self, target: str | Locator) -> None:
        """Go to something by Tab alone, and press Enter."""
        found = self.page.locator(target).first if isinstance(target, str) else target
        expect(found).to_be_enabled()
        for _ in range(MAX_TABS):
            if found.evaluate("element => element === document.activeElement"):
                break
            self.page.keyboard.press("Tab")
        else:
            raise AssertionError(f"Tab does not lead to {target}")
        self.page.keyboard.press("Enter")
        self.taps += 1


MAX_TABS = 150
PLACES = """() => {
  const middle = (shape) => {
    const all = shape.points ? [...shape.points] : [{ x: shape.cx.baseVal.value, y: shape.cy.baseVal.value }];
    const sum = all.reduce((one, other) => ({ x: one.x + other.x, y: one.y + other.y }), { x: 0, y: 0 });
    return new DOMPoint(sum.x / all.length, sum.y / all.length).matrixTransform(shape.getScreenCTM());
  };
  const drawn = [...document.querySelectorAll(".tt-told-markers :is(.allowed, .reach, .wedge)")].map(middle);
  const box = document.querySelector(".tt-stagebox").getBoundingClientRect();
  return [...drawn, { x: box.x + box.width / 2, y: box.y + box.height / 2 }].map((point) => [point.x, point.y]);
}"""
"""Where what is placed may lie on the screen, as the picture shows it: in the middle of each area."""


def invite(phone: Phone, name: str, mission: str, way: str = "mission") -> str:
    """Make a game as a guest; return its code. *way*: ``agree`` or ``roll`` a mission of a family."""
    page = phone.page
    page.goto("/tables/new")
    page.locator('input[name="guest"]').fill(name)
    phone.tap(f'button[name="{way}"][value="{mission}"]')
    code = page.locator(".tt-join-code")
    expect(code).to_be_visible()
    return code.inner_text().replace(" ", "")


def join_as_guest(phone: Phone, code: str, name: str) -> None:
    """Follow an invitation and bring the sample army."""
    phone.page.goto(f"/tables/join/{code}")
    phone.tap('input[name="name"]')
    phone.page.locator('input[name="name"]').fill(name)
    phone.tap('button[value="sample"]')
    expect(phone.page.locator("#start")).to_be_visible()


def ended(site: Site) -> tuple[Person, str]:
    """Return a guest, and the path of their game against the dice that is over and closed."""
    client = cast(TestClient, httpx2.Client(base_url=site.url))
    ann = guest(client, "Ann")
    path = f"/tables/{ann.post('/tables', {'mission': 'posture'})['id']}"
    ann.put(f"{path}/seats/blue/army", {"lines": "12 First Platoon, 100 points"})
    get_ready({"red": ann}, path)
    ann.post(f"{path}/start", status=200)
    for number, do in enumerate(("roll_terrain", "roll_scenario", "end_now")):
        ann.post(f"{path}/acts", {"expected": number, "act": {"do": do}})
    ann.post(f"{path}/confirm", {}, status=200)
    client.close()
    return ann, path
