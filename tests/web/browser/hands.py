"""Three ways to use a page: by mouse, by keys alone, by finger.

A hand does what a person's can, nothing that only a script could: the mouse clicks what is in sight, the finger
taps it, the keys walk there by Tab, see where they are at every stop, and press what the page documents.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

from playwright.sync_api import Locator, Page, expect

from tests.web.browser.war import where

MAX_STOPS = 250
"""Presses of Tab after which something counts as out of reach."""

SAME_STOP = 8
"""Presses of Tab that a single field may take: a date has this many parts."""

_ASK = f"(goal, more) => ({(Path(__file__).parent / 'keys.js').read_text()}).%s(goal, more)"
_OPTIONS = "(each) => ({ now: each.selectedIndex, all: [...each.options].map((one) => [one.value, one.label.trim()]) })"


class Hand:
    """One way to use a page. What it finds wrong fails the test."""

    name: ClassVar[str]
    device: ClassVar[dict[str, Any]]
    """Of the browser: what ``page`` of the tests' fixtures is given."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, place: Locator) -> None:
        """Press a button, a link, a tab, or the line that opens details."""
        raise NotImplementedError

    def write(self, place: Locator, text: str) -> None:
        """Write something into a field instead of what is there."""
        raise NotImplementedError

    def choose(self, place: Locator, value: str) -> None:
        """Choose in a list that unfolds; *value* is what the page sends, or the words shown."""
        raise NotImplementedError

    def mark(self, place: Locator) -> None:
        """Mark a tick box, or one of several."""
        raise NotImplementedError

    def slide(self, place: Locator, to: int) -> None:
        """Move a slider."""
        raise NotImplementedError

    def pick(self, label: str) -> None:
        """Look at a hex of the map."""
        raise NotImplementedError

    def march(self, label: str, to: str) -> None:
        """Send the force in a hex to another one."""
        raise NotImplementedError

    def aim(self, label: str) -> None:
        """Take a hex as the target of the order being written."""
        raise NotImplementedError


class Pointer(Hand):
    """What mouse and finger have in common: they go straight to what they see."""

    def touch(self, place: Locator) -> None:
        """Click or tap something."""
        raise NotImplementedError

    def point(self, x: float, y: float) -> None:
        """Click or tap a point of the window."""
        raise NotImplementedError

    def press(self, place: Locator) -> None:
        self.touch(place)

    def write(self, place: Locator, text: str) -> None:
        self.touch(place)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)
        expect(place).to_have_value(text)

    def choose(self, place: Locator, value: str) -> None:
        # the list that unfolds is the system's, not the page's: it cannot be clicked from here
        chosen, _ = _found(place, value)
        place.select_option(chosen)

    def mark(self, place: Locator) -> None:
        self.touch(place)
        expect(place).to_be_checked()

    def slide(self, place: Locator, to: int) -> None:
        place.scroll_into_view_if_needed()
        box = place.bounding_box()
        assert box is not None
        maximum = int(place.get_attribute("max") or 0)
        knob = 16
        self.point(box["x"] + knob / 2 + (box["width"] - knob) * to / maximum, box["y"] + box["height"] / 2)
        expect(place).to_have_value(str(to))

    def pick(self, label: str) -> None:
        x, y = self._at_rest(label)
        if not self.page.evaluate("([x, y]) => Boolean(document.elementFromPoint(x, y)?.closest('#surface'))", [x, y]):
            self.press(self.page.get_by_role("button", name="Whole map"))
            x, y = self._at_rest(label)
        self.point(x, y)

    def _at_rest(self, label: str) -> tuple[float, float]:
        """Return where a hex is once the map does not move any more."""
        before, now = None, where(self.page, label)
        while now != before:
            self.page.wait_for_timeout(150)
            before, now = now, where(self.page, label)
        return now

    def march(self, label: str, to: str) -> None:
        self.pick(label)
        expect(self.page.get_by_role("tabpanel").get_by_text("Order for")).to_be_visible()
        self.pick(to)

    def aim(self, label: str) -> None:
        self.pick(label)


class Mouse(Pointer):
    """A mouse."""

    name = "mouse"
    device: ClassVar[dict[str, Any]] = {"width": 1440}

    def touch(self, place: Locator) -> None:
        place.click()

    def point(self, x: float, y: float) -> None:
        self.page.mouse.click(x, y)


class Finger(Pointer):
    """A finger on a phone, in the dark."""

    name = "finger"
    device: ClassVar[dict[str, Any]] = {"width": 390, "height": 844, "touch": True, "dark": True}

    def touch(self, place: Locator) -> None:
        place.tap()

    def point(self, x: float, y: float) -> None:
        self.page.touchscreen.tap(x, y)


class Keys(Hand):
    """A keyboard and nothing else."""

    name = "keys"
    device: ClassVar[dict[str, Any]] = {"width": 1024, "height": 768}

    def reach(self, place: Locator, entry: str = "itself") -> None:
        """Go to something by Tab, the shorter way; every stop must be in sight, uncovered and marked.

        *entry* names what in ``keys.js`` finds the element where Tab stops, if it is another than the place.
        """
        goal = place.evaluate_handle(_ASK % entry)
        key, turned = "", False
        for _ in range(MAX_STOPS):
            stop = goal.evaluate(_ASK % "stop", SAME_STOP)
            if stop["way"] == "gone":  # drawn anew meanwhile
                goal = place.evaluate_handle(_ASK % entry)
                stop = goal.evaluate(_ASK % "stop", SAME_STOP)
            if stop["way"] == "there":
                return
            assert not stop["trouble"], f"{self.page.url}, on the way to {place}: {stop['trouble']}"
            wanted = "Shift+Tab" if stop["way"] == "before" else "Tab"
            if not key:
                key = wanted
            elif wanted != key and stop["way"] != "nowhere":
                assert not turned, f"{self.page.url}: Tab passes {place}"
                key, turned = wanted, True
            self.page.keyboard.press(key)
        raise AssertionError(f"{self.page.url}: Tab never comes to {place}")

    def press(self, place: Locator) -> None:
        if place.get_attribute("role") == "tab":
            beyond = place.evaluate(_ASK % "tabSteps")
            self.reach(place, "tabEntry")
            self._step(beyond, "ArrowRight", "ArrowLeft")
            expect(place).to_be_focused()
            return
        self.reach(place)
        self.page.keyboard.press("Enter")

    def write(self, place: Locator, text: str) -> None:
        self.reach(place)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)
        expect(place).to_have_value(text)

    def choose(self, place: Locator, value: str) -> None:
        chosen, steps = _found(place, value)
        self.reach(place)
        self._step(steps)
        expect(place).to_have_value(chosen)

    def mark(self, place: Locator) -> None:
        if place.is_checked():
            return
        if place.get_attribute("type") == "radio":
            beyond = place.evaluate(_ASK % "radioSteps")
            self.reach(place, "radioEntry")
            self._step(beyond)
            if not place.is_checked():
                self.page.keyboard.press("Space")
        else:
            self.reach(place)
            self.page.keyboard.press("Space")
        expect(place).to_be_checked()

    def slide(self, place: Locator, to: int) -> None:
        self.reach(place)
        now = int(place.input_value())
        self._step(to - now, "ArrowRight", "ArrowLeft")
        expect(place).to_have_value(str(to))

    def pick(self, label: str) -> None:
        finder = self.page.get_by_role("tabpanel").get_by_label("Go to a hex")
        if not finder.is_visible():
            self.page.keyboard.press("Escape")
        expect(finder).to_be_visible()
        self.write(finder, label)
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_role("tabpanel").get_by_role("heading").first).to_contain_text(re.compile(label))

    def march(self, label: str, to: str) -> None:
        self.page.keyboard.press("n")
        self.choose(self.page.get_by_label("Destination"), to)

    def aim(self, label: str) -> None:
        self.choose(self.page.get_by_label("Target"), label)

    def _step(self, steps: int, on: str = "ArrowDown", back: str = "ArrowUp") -> None:
        for _ in range(abs(steps)):
            self.page.keyboard.press(on if steps > 0 else back)


def _found(place: Locator, value: str) -> tuple[str, int]:
    """Return the value of an option, and how many steps it is away from the chosen one."""
    expect(place).to_be_enabled()
    options = place.evaluate(_OPTIONS)
    at = next((at for at, words in enumerate(options["all"]) if value in words), None)
    assert at is not None, f"there is no {value!r} among {options['all']}"
    return options["all"][at][0], at - options["now"]


HANDS: tuple[type[Hand], ...] = (Mouse, Keys, Finger)
