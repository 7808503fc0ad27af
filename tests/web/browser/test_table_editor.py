"""The detachment editor: a roster from a spreadsheet, saved as a template, raised; what is begun is kept."""

from __future__ import annotations

from playwright.sync_api import Locator, Response, expect

from server.play.orders import orders
from tests.web.browser.conftest import CheckAxe, OpenPage, Site
from tests.web.browser.war import begin, click, open_table, saved

TABLE = "Name;Slot;Models;Points\nChief;HQ;1;90\nMob A;Troops;20;160\nMob B;Troops;20;160\n<b>no line</b>"


def _list_of_templates(answer: Response) -> bool:
    """Say whether the list is redrawn from this answer."""
    return answer.request.method == "GET" and answer.url.endswith("/me/templates")


def test_a_roster_becomes_a_detachment(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    war = begin(server.ctx)
    orders.replace(war.ctx, war.ann, war.id, [{"type": "place", "what": "capital", "at": "1003"}])
    seen = page("Ann")
    open_table(seen, war)
    click(seen, "1003")
    seen.get_by_role("button", name="New detachment").click()
    seen.get_by_role("button", name="Import a roster…").click()
    importing = seen.get_by_role("dialog", name="Import a roster")
    importing.get_by_label("Or paste a table").fill(TABLE)
    importing.get_by_role("button", name="Preview").click()
    expect(importing).to_contain_text("3 units recognised")
    expect(importing).to_contain_text("Line not recognised: <b>no line</b>")
    axe(seen)
    importing.get_by_role("button", name="Import 3 units").click()
    expect(seen.get_by_role("button", name="Import a roster…")).to_be_focused()
    editor = seen.get_by_role("dialog", name="A detachment in")
    editor.get_by_role("button", name="Save as template").click()
    saving = seen.get_by_role("dialog", name="Save as template")
    saving.get_by_label("Name").fill("Mobs")
    saving.get_by_role("button", name="Save as template").click()
    expect(seen.locator("#toasts").get_by_text("Saved.", exact=True)).to_be_visible()  # the orders are saved, too
    editor.get_by_role("button", name="From a template…").click()
    for before, after in (("Mobs", "Gangs"), ("Gangs", "Gangs"), ("Gangs", "Mobs")):
        seen.get_by_role("button", name=f"Rename: {before}").click()
        naming = seen.get_by_role("dialog", name="Rename")
        naming.get_by_label("Name").fill(after)
        with seen.expect_response(_list_of_templates):
            naming.get_by_role("button", name="Rename").click()
        expect(seen.get_by_role("button", name="Use: ")).to_have_count(1)
        expect(seen.get_by_role("button", name=f"Use: {after}")).to_be_visible()
    axe(seen)
    seen.get_by_role("button", name="Use: Mobs").click()
    expect(editor).to_contain_text("410 BP")
    editor.get_by_role("button", name="From a template…").click()
    for answer, left in (("Cancel", 1), ("Delete", 0)):
        seen.get_by_role("button", name="Remove: Mobs").click()
        seen.get_by_role("dialog", name="Remove: Mobs").get_by_role("button", name=answer).click()
        expect(seen.get_by_role("button", name="Use: Mobs")).to_have_count(left)
    expect(seen.get_by_text("You have saved no templates yet.")).to_be_visible()
    seen.get_by_role("dialog", name="Your templates").get_by_role("button", name="Close").click()
    editor.get_by_role("button", name="Give the order").click()
    saved(seen)
    order = war.given()[1]
    assert (order["type"], order["name"]) == ("build_detachment", "Mobs")
    assert [unit["name"] for unit in order["units"]] == ["Chief", "Mob A", "Mob B"]


def test_what_is_begun_is_not_lost(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    war = begin(server.ctx)
    orders.replace(war.ctx, war.ann, war.id, [{"type": "place", "what": "capital", "at": "1003"}])
    seen = page("Ann", width=1024, height=768)

    def editor() -> Locator:
        open_table(seen, war)
        click(seen, "1003")
        seen.get_by_role("button", name="New detachment").click()
        return seen.get_by_role("dialog", name="A detachment in 1003")

    begun = editor()
    begun.get_by_label("Name", exact=True).first.fill("Iron Fist")
    for _ in range(4):
        begun.get_by_role("button", name="Add a unit").click()
    begun.get_by_label("Name", exact=True).last.fill("Bikes")
    begun.get_by_label("Models", exact=True).last.fill("0")
    # however long it is, what it comes to and what is wrong with it is in sight
    expect(begun.get_by_text("680 of 1500 points")).to_be_in_viewport()
    expect(begun.get_by_text("Bikes: A number in this order must be")).to_be_in_viewport()
    axe(seen)
    seen.keyboard.press("Escape")
    expect(begun).to_have_count(0)
    again = editor()
    expect(again).to_contain_text("Your draft has been restored.")
    expect(again.get_by_label("Name", exact=True).first).to_have_value("Iron Fist")
    expect(again.get_by_label("Name", exact=True).last).to_have_value("Bikes")
    axe(seen)
    again.get_by_role("button", name="Start over").click()
    expect(again.get_by_label("Name", exact=True).first).to_have_value("")
    expect(again).to_contain_text("280 of 1500 points")
    again.get_by_label("Name", exact=True).first.fill("Second thoughts")
    again.get_by_role("button", name="Cancel").click()
    assert war.given() == [{"type": "place", "what": "capital", "at": "1003"}]
    expect(editor().get_by_label("Name", exact=True).first).to_have_value("")
