"""The detachment editor: a roster from a spreadsheet, saved as a template, raised."""

from __future__ import annotations

from playwright.sync_api import expect

from server.play import orders
from tests.web.browser.conftest import CheckAxe, OpenPage, Site
from tests.web.browser.war import begin, click, open_table, saved

TABLE = "Name;Slot;Models;Points\nChief;HQ;1;90\nMob A;Troops;20;160\nMob B;Troops;20;160\n<b>no line</b>"


def test_a_roster_becomes_a_detachment(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    war = begin(server.play)
    orders.replace(war.play, war.ann, war.id, [{"type": "place", "what": "capital", "at": "1003"}])
    seen = page("Ann")
    open_table(seen, war)
    click(seen, "1003")
    seen.get_by_role("button", name="A new detachment …").click()
    seen.get_by_role("button", name="Import a roster ...").click()
    importing = seen.get_by_role("dialog", name="Import a roster")
    importing.get_by_label("Or paste a table").fill(TABLE)
    importing.get_by_role("button", name="Read it").click()
    expect(importing).to_contain_text("3 units understood")
    expect(importing).to_contain_text("Line not understood: <b>no line</b>")
    axe(seen)
    importing.get_by_role("button", name="Take over 3 units").click()
    editor = seen.get_by_role("dialog", name="A detachment in")
    editor.get_by_role("button", name="Save as template").click()
    saving = seen.get_by_role("dialog", name="Save as template")
    saving.get_by_label("Name").fill("Mobs")
    saving.get_by_role("button", name="Save as template").click()
    expect(seen.get_by_text("Saved.", exact=True)).to_be_visible()
    editor.get_by_role("button", name="From a template ...").click()
    for before, after in (("Mobs", "Gangs"), ("Gangs", "Gangs"), ("Gangs", "Mobs")):
        seen.get_by_role("button", name=f"Rename: {before}").click()
        naming = seen.get_by_role("dialog", name="Rename")
        naming.get_by_label("Name").fill(after)
        naming.get_by_role("button", name="Rename").click()
        expect(seen.get_by_role("button", name="Take: ")).to_have_count(1)
        expect(seen.get_by_role("button", name=f"Take: {after}")).to_be_visible()
    axe(seen)
    seen.get_by_role("button", name="Take: Mobs").click()
    expect(editor).to_contain_text("410 BP")
    editor.get_by_role("button", name="From a template ...").click()
    for answer, left in (("Cancel", 1), ("Throw away", 0)):
        seen.get_by_role("button", name="Remove: Mobs").click()
        seen.get_by_role("dialog", name="Remove: Mobs").get_by_role("button", name=answer).click()
        expect(seen.get_by_role("button", name="Take: Mobs")).to_have_count(left)
    expect(seen.get_by_text("You have saved no templates yet.")).to_be_visible()
    seen.get_by_role("dialog", name="Your templates").get_by_role("button", name="Close").click()
    editor.get_by_role("button", name="Give the order").click()
    saved(seen)
    order = war.given()[1]
    assert (order["type"], order["name"]) == ("build_detachment", "Mobs")
    assert [each["name"] for each in order["units"]] == ["Chief", "Mob A", "Mob B"]
