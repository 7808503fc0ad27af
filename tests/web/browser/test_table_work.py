"""How much work a click at the table is: what it does not change is not drawn anew, however large the campaign."""

from __future__ import annotations

from playwright.sync_api import expect

from server.play.context import AppContext
from server.play.game_masters import game_master
from server.play.views import positions
from tests.web import battlefield
from tests.web.browser.conftest import OpenPage, Site
from tests.web.browser.war import UNITS, War, begin, click, open_table, where

MANY = 60
"""Rows of a table that are drawn at once."""
CLICK = """([clientX, clientY]) => {
  const surface = document.getElementById("surface"), found = [];
  const watch = (name, place, deep) => {
    const seen = new MutationObserver(() => {});
    seen.observe(place, { childList: true, subtree: deep });
    found.push([name, seen]);
  };
  watch("panel", document.querySelectorAll("#dock [role=tabpanel]")[1], false);
  watch("marks", document.querySelector(".marks-badges"), true);
  watch("marks", document.querySelector(".marks-orders"), true);
  watch("picture", document.querySelector(".layer-forces"), true);
  surface.setPointerCapture = () => {};
  const mouse = { pointerId: 1, bubbles: true, pointerType: "mouse", clientX, clientY };
  for (const name of ["pointerdown", "pointerup"]) surface.dispatchEvent(new PointerEvent(name, mouse));
  const drawn = { panel: 0, marks: 0, picture: 0 };
  for (const [name, seen] of found) drawn[name] += seen.takeRecords().length;
  return drawn;
}"""
"""Clicks, and counts what the very click drew: what answers of the server bring later is not in it."""
CURSOR = "() => getComputedStyle(document.querySelector('.layer-places .place')).cursor"


def test_a_click_draws_once(page: OpenPage, server: Site) -> None:
    """Seen to fail with a panel drawn by `Dock.show` and by `refresh`, and with badges that are replaced each time."""
    war = begin(server.ctx).meet()
    seen = page("Ann")
    open_table(seen, war)
    click(seen, "0301")
    expect(seen.get_by_role("heading", name="0301")).to_be_visible()
    drawn = seen.evaluate(CLICK, where(seen, "0303"))
    expect(seen.get_by_role("heading", name="0303")).to_be_visible()
    assert drawn == {"panel": 1, "marks": 0, "picture": 0}


def test_a_press_styles_nothing_anew(page: OpenPage, server: Site) -> None:
    """A cursor is inherited: one that changes with each press styles every sign on the map again.

    Seen to fail with the hand that grasps as the cursor of `.surface:active`.
    """
    war = begin(server.ctx).meet()
    seen = page("Ann")
    open_table(seen, war)
    before = seen.evaluate(CURSOR)
    seen.mouse.move(*where(seen, "0303"))
    seen.mouse.down()
    assert seen.evaluate(CURSOR) == before
    seen.mouse.move(*where(seen, "0305"), steps=3)
    expect(seen.locator(".grip")).to_be_visible()
    seen.mouse.up()
    expect(seen.locator(".grip")).to_be_hidden()


def test_a_long_table_begins_with_its_first_rows(page: OpenPage, server: Site) -> None:
    """Seen to fail with a table of all forces: a thousand of them were drawn with every change."""
    war, forces = _crowd(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    rows = seen.locator(".things", has_text="Forces").locator("tbody tr")
    expect(rows).to_have_count(MANY)
    seen.get_by_role("button", name=f"Show all {forces}").click()
    expect(rows).to_have_count(forces)


def _crowd(ctx: AppContext) -> tuple[War, int]:
    """Give Ann more forces than a table shows at once; returns how many."""
    field = battlefield.begin(ctx)
    war = War(ctx, field.players["p1"], field.players["p2"], field.id).until(1, "movement")
    state = positions.position(ctx, field.gm, war.id).view.state
    free = [
        at
        for at in range(state.board.size)
        if state.ruleset.terrain[state.board.terrain[at]].land
        and at not in state.detachment_at
        and at not in state.urban
    ]
    add = {"do": "add", "what": "detachment", "owner": "p1", "units": [unit | {"name": "Squad"} for unit in UNITS]}
    edits = [add | {"hex": state.board.label(at), "name": f"Crowd {at}"} for at in free[: MANY + 5]]
    game_master.edit(ctx, field.gm, war.id, edits, "A crowd.")
    known = positions.position(ctx, war.ann, war.id).view.state
    owners = [
        *(detachment.owner for detachment in known.detachments.values()),
        *(garrison.owner for garrison in known.garrisons.values()),
        *(convoy.owner for convoy in known.convoys.values()),
    ]
    return war, owners.count("p1")
