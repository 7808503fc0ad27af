"""The notebook: a note of the turn and a pin in the map, kept without a button, there again in the replay."""

from __future__ import annotations

from playwright.sync_api import expect

from server.play.messages import notebook
from tests.web.browser.conftest import CheckAxe, OpenPage, Site
from tests.web.browser.war import begin, click, open_table, ready

NOTE, PIN = "Ben comes over the ridge", "A stronghold is being built here"


def test_notes_and_pins(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    war = begin(server.ctx)
    ann = page("Ann")
    open_table(ann, war)
    ann.get_by_role("tab", name="Notes").click()
    ann.get_by_label("Notes from turn").fill(NOTE)
    expect(ann.get_by_text("Saved.")).to_be_visible()
    click(ann, "0906")
    ann.locator(".pin-form summary").click()
    ann.get_by_label("What is here?").fill(PIN)
    ann.get_by_role("button", name="Add a pin").click()
    expect(ann.locator(".mark-pins g")).to_have_count(1)
    axe(ann)
    kept = notebook.read(war.ctx, war.ann, war.id)
    assert ([note.text for note in kept.notes], [pin.text for pin in kept.pins]) == ([NOTE], [PIN])
    ann.reload()
    ready(ann)
    expect(ann.locator(".mark-pins g")).to_have_count(1)
    ann.get_by_role("tab", name="Notes").click()
    expect(ann.get_by_label("Notes from turn")).to_have_value(NOTE)
    axe(ann)
    ann.goto(f"/campaigns/{war.id}/reports/history?hex=0906")
    expect(ann.locator("#noted")).to_contain_text(NOTE)
    expect(ann.locator("#place")).to_contain_text(PIN)
    expect(ann.locator(".mark-pins g")).to_have_count(1)
    ben = page("Ben")
    open_table(ben, war)
    ben.get_by_role("tab", name="Notes").click()
    expect(ben.get_by_label("Notes from turn")).to_have_value("")
    expect(ben.locator(".mark-pins g")).to_have_count(0)
    open_table(ann, war)
    ann.get_by_role("tab", name="Notes").click()
    ann.get_by_role("button", name="Remove the pin from").click()
    expect(ann.locator(".mark-pins g")).to_have_count(0)
    assert notebook.read(war.ctx, war.ann, war.id).pins == ()
