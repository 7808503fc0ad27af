"""The map under fingers: one moves it, two make it larger, a tap chooses; as SVG and, on great maps, on a canvas."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from server.play.views import positions
from server.render import svg
from tests.web.browser.conftest import OpenPage, Site
from tests.web.browser.fingers import Fingers, Point
from tests.web.browser.war import begin, open_table, where

GROUNDS = ("svg", "canvas")
_PIECE = """([x, y]) => {
  const canvas = document.querySelector("canvas.ground");
  if (!canvas) return [];
  const box = canvas.getBoundingClientRect(), k = canvas.width / box.width;
  const [left, top] = [(x - box.left) * k, (y - box.top) * k].map(Math.round);
  return [...canvas.getContext("2d").getImageData(left, top, 12, 12).data];
}"""


@pytest.fixture(params=GROUNDS)
def map_page(request: pytest.FixtureRequest, page: OpenPage, server: Site, monkeypatch: pytest.MonkeyPatch) -> Page:
    """A phone that shows a map."""
    war = begin(server.ctx)
    seen = page("Ann", width=390, height=844, touch=True)
    if request.param == "canvas":  # as where there are very many hexes
        monkeypatch.setattr(svg, "MAX_LIVE", 10)
    open_table(seen, war)
    assert seen.locator("canvas.ground").count() == int(request.param == "canvas")
    return seen


def near(found: Point, wanted: Point) -> bool:
    """Say whether two points are the same but for rounding."""
    return abs(found[0] - wanted[0]) <= 1.5 and abs(found[1] - wanted[1]) <= 1.5


def unmoved_page(page: Page) -> bool:
    """Say whether the page itself stands still: neither scrolled nor enlarged."""
    found: bool = page.evaluate("visualViewport.scale === 1 && scrollX === 0 && scrollY === 0")
    return found


def land(page: Page, at: Point) -> list[int]:
    """Return a piece of the land as it is painted; nothing where it is no painting."""
    found: list[int] = page.evaluate(_PIECE, at)
    return found


def nothing_is_chosen(page: Page) -> None:
    """Check that no finger was taken for a tap."""
    expect(page.get_by_role("tab", name="Selected")).to_have_attribute("aria-selected", "false")


def test_one_finger_moves_the_map(map_page: Page) -> None:
    x, y = where(map_page, "0706")
    painted = land(map_page, (x, y))
    fingers = Fingers(map_page)
    fingers.put(a=(x, y))
    fingers.move(a=(x + 60, y - 40))
    fingers.lift()
    assert near(where(map_page, "0706"), (x + 60, y - 40))
    assert land(map_page, (x + 60, y - 40)) == painted
    assert unmoved_page(map_page)
    nothing_is_chosen(map_page)
    map_page.touchscreen.tap(x + 60, y - 40)
    expect(map_page.get_by_role("tabpanel").get_by_role("heading", level=2)).to_contain_text("Carrick Pass (0706)")


def test_two_fingers_make_it_larger_and_smaller(map_page: Page) -> None:
    x, y = where(map_page, "0706")
    beside = where(map_page, "0806")[0] - x
    fingers = Fingers(map_page)
    fingers.put(a=(x - 40, y), b=(x + 40, y))
    fingers.move(a=(x - 80, y), b=(x + 80, y))
    assert near(where(map_page, "0706"), (x, y))
    assert near(where(map_page, "0806"), (x + 2 * beside, y))
    # the finger that stays moves the map on
    fingers.lift("a")
    fingers.move(b=(x + 110, y + 20))
    fingers.lift()
    assert near(where(map_page, "0706"), (x + 30, y + 20))
    x, y = x + 30, y + 20
    # closer together, and both along: smaller, and moved
    fingers.put(a=(x - 80, y), b=(x + 80, y))
    fingers.move(a=(x - 40, y - 30), b=(x + 40, y - 30))
    fingers.lift()
    assert near(where(map_page, "0706"), (x, y - 30))
    assert near(where(map_page, "0806"), (x + beside, y - 30))
    assert unmoved_page(map_page)
    nothing_is_chosen(map_page)


def test_a_finger_draws_from_the_chosen_force_only(page: OpenPage, server: Site) -> None:
    war = begin(server.ctx).until(1, "movement")
    seen = page("Ann", width=390, height=844, touch=True)
    open_table(seen, war)
    force = next(each for each in war.allowed() if each["order"]["type"] == "path")
    state = positions.position(war.ctx, war.ann, war.id).view.state
    at = state.board.label(state.detachments[force["order"]["detachment"]].at)
    goal = next(each["hex"] for each in force["reach"] if len(each["path"]) == 1)
    seen.get_by_role("button", name="Whole map").tap()
    fingers = Fingers(seen)
    # not chosen: the finger moves the map
    begun, ended = where(seen, at), where(seen, goal)
    fingers.put(a=begun)
    fingers.move(a=ended)
    fingers.lift()
    assert near(where(seen, at), ended)
    nothing_is_chosen(seen)
    # chosen: it draws the way
    seen.touchscreen.tap(*ended)
    expect(seen.get_by_role("tabpanel").get_by_text("Order for")).to_be_visible()
    begun = where(seen, at)
    fingers.put(a=begun)
    fingers.move(a=where(seen, goal))
    fingers.lift()
    assert where(seen, at) == begun
    expect(seen.locator(".walk")).to_contain_text(f"Ends in {goal}.")


def test_a_tall_window_opens_without_empty_ground_above_the_map(page: OpenPage, server: Site) -> None:
    """On a tablet the capital lay in the middle, under a third of nothing. Seen to fail without filling the window."""
    war = begin(server.ctx).until(1, "movement")
    seen = page("Ann", width=820, height=1180, touch=True)
    open_table(seen, war)
    above, below = seen.evaluate(
        """() => {
          const sheet = document.querySelector(".world").getBoundingClientRect();
          const map = document.querySelector("#surface").getBoundingClientRect();
          return [sheet.top - map.top, map.bottom - sheet.bottom];
        }"""
    )
    assert above <= 80 or abs(above - below) <= 80, (above, below)


def test_a_page_enlarged_twice_keeps_a_map_of_some_size(page: OpenPage, server: Site) -> None:
    """A laptop's window at 200 %. Seen to fail with a page that never scrolls: the map was 100 pixels high."""
    war = begin(server.ctx).until(1, "movement")
    seen = page("Ann", width=720, height=450)
    open_table(seen, war)
    surface, dock = seen.locator("#surface").bounding_box(), seen.locator("#dock").bounding_box()
    assert surface is not None
    assert dock is not None
    assert surface["height"] >= 250
    assert dock["height"] >= 200
