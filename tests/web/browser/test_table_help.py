"""What the table tells a newcomer: where they are, what an attack would bring, names for ids."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from server.play.context import AppContext
from server.play.game_masters import game_master
from server.play.views import positions
from tests.web import battlefield
from tests.web.browser.conftest import CheckAxe, OpenPage, Site
from tests.web.browser.war import War, begin, click, declare_final, open_table, ready, saved


def test_what_comes_after_final(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    war = begin(server.ctx).until(1, "movement")
    seen = page("Ann")
    open_table(seen, war)
    guide = seen.locator(".guide")
    expect(guide.locator("[aria-current=step]")).to_have_text("Movement")
    seen.get_by_text("New here? How a turn works").click()
    expect(guide).to_contain_text("movement points (MV)")
    axe(seen)
    declare_final(seen)
    expect(guide).to_contain_text("The next phase starts when all players are final")
    expect(guide).not_to_contain_text("Waiting for")  # not everybody need have something to move
    expect(guide).to_contain_text("movement points (MV)")
    seen.get_by_role("button", name="Reopen orders").click()
    expect(guide).not_to_contain_text("starts when all players are final")


def test_who_is_waited_for_where_everybody_is_asked(page: OpenPage, server: Site) -> None:
    war = begin(server.ctx).until(1, "build")
    seen = page("Ann")
    open_table(seen, war)
    guide = seen.locator(".guide")
    declare_final(seen)
    expect(guide).to_contain_text("Waiting for: Ben")
    seen.get_by_role("button", name="Reopen orders").click()
    expect(guide).not_to_contain_text("Waiting for")


def face_to_face(ctx: AppContext) -> tuple[War, dict[str, str]]:
    """Begin a war in which two of Ann's columns stand next to one of Ben's; returns their ids by name, too."""
    field = battlefield.begin(ctx)
    war = War(ctx, field.players["p1"], field.players["p2"], field.id).meet()
    squad = {"name": "Squad", "slot": "troops", "models": 10, "points": 100, "mobility": "infantry"}
    leader, scout = squad | {"slot": "hq", "models": 1}, squad | {"slot": "fast", "flags": ["scout"]}
    columns = (("p1", "1109", "First"), ("p1", "1209", "Second"), ("p2", "1110", "Enemy"))
    add = {"do": "add", "what": "detachment", "units": [leader, squad, squad, scout]}
    edits = [add | {"owner": owner, "hex": at, "name": name} for owner, at, name in columns]
    game_master.edit(ctx, field.gm, war.id, edits, "To battle")
    known = positions.position(ctx, war.ann, war.id).view.state
    return war, {detachment.name: detachment.id for detachment in known.detachments.values()}


def test_the_odds_of_an_attack(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    war, columns = face_to_face(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    choose(seen, columns["First"], "Attack")
    targets = seen.get_by_label("Target").locator("option")
    expect(targets.nth(1)).to_have_text("Enemy (Ben, 1110)")
    expect(targets.filter(has_text="1110")).to_have_count(1)
    expect(targets.filter(has_text="yours")).to_have_count(0)
    seen.get_by_label("Target").select_option("Enemy (Ben, 1110)")
    before = chance(seen)
    axe(seen)
    expect(seen.locator(".order-text", has_text=f"{before}%")).to_have_count(1)
    seen.get_by_label("Planned: +1").check()
    expect(seen.locator(".outlook")).to_contain_text("modifier +1")
    expect(seen.locator(".chance")).not_to_contain_text(f"{before}%")
    planned = chance(seen)
    assert planned > before
    choose(seen, columns["Second"], "Support")
    seen.get_by_label("Target").select_option(columns["First"])
    expect(seen.locator(".order-text", has_text="Front")).to_have_count(1)
    expect(seen.locator(".order-text", has_text=f"{planned}%")).to_have_count(0)
    saved(seen)
    seen.get_by_role("tab", name="Orders (2)").click()
    expect(seen.locator(".orders")).to_contain_text("% to win")
    undo = seen.get_by_role("tabpanel").get_by_role("button", name="Undo")
    for _ in range(2):
        undo.click()
    undo.click()
    expect(seen.locator(".order-text")).to_have_count(0)


def choose(seen: Page, force: str, order: str) -> None:
    """Choose a force on the map, and its kind of order."""
    seen.locator(f'[data-thing="{force}"]').focus()
    seen.keyboard.press("Enter")
    seen.get_by_role("radio", name=order, exact=True).check()


def chance(seen: Page) -> int:
    """Return the chance to win that is shown, in percent."""
    said = seen.locator(".chance")
    expect(said).to_be_visible()
    found = re.match(r"(\d+)% to win", said.inner_text())
    assert found is not None
    return int(found[1])


def test_any_order_is_written_by_name(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    war = begin(server.ctx).until(3, "movement")
    known = positions.position(war.ctx, war.ann, war.id).view.state.detachments
    first, second, *_ = (each for each in known.values() if each.owner == "p1" and not each.ready_in)
    seen = page("Ann")
    open_table(seen, war)
    seen.get_by_role("tab", name="Orders").click()
    seen.get_by_role("button", name="Other order…").click()
    form = seen.get_by_role("dialog", name="Other order…")
    form.get_by_label("Order", exact=True).select_option("Follow")
    force = form.get_by_label("Detachment", exact=True)
    force.focus()
    force.select_option(first.id)
    expect(force).to_be_focused()
    form.get_by_label("Target").select_option(second.id)
    axe(seen)
    form.get_by_role("button", name="Give the order").click()
    saved(seen)
    assert war.given() == [{"type": "follow", "detachment": first.id, "target": second.id}]


def test_another_hex_may_still_be_typed(page: OpenPage, server: Site) -> None:
    war = begin(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    seen.get_by_role("tab", name="Orders").click()
    seen.get_by_role("button", name="Other order…").click()
    form = seen.get_by_role("dialog")
    form.get_by_label("What").select_option("Capital")
    form.get_by_label("Hex", exact=True).select_option("Another hex…")
    typed = form.get_by_label("Number of the hex")
    typed.fill("1003")
    expect(form).to_contain_text("1003: Forest")
    form.get_by_role("button", name="Give the order").click()
    saved(seen)
    assert war.given() == [{"type": "place", "what": "capital", "at": "1003"}]


def test_nothing_is_asked_twice_while_it_loads(page: OpenPage, server: Site) -> None:
    war = begin(server.ctx)
    seen = page("Ann")
    asked: list[str] = []
    seen.on("request", lambda request: asked.append(f"{request.method} {request.url.partition(war.id)[2]}"))
    open_table(seen, war)
    ready(seen)
    first = [f"GET /{each}" for each in ("board", "orders", "ruleset", "view")] + ["POST /orders/draft"]
    assert sorted(each for each in asked if each in first) == first


def test_where_a_force_cannot_go_it_is_told_and_not_lost(page: OpenPage, server: Site) -> None:
    war, columns = face_to_face(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    choose(seen, columns["First"], "Raid")
    click(seen, "0306")
    expect(seen.get_by_text("First is not next to this hex and cannot attack it.")).to_be_visible()
    seen.get_by_role("button", name="Back to First").click()
    expect(seen.get_by_role("heading", name="First", exact=True)).to_be_focused()
    expect(seen.get_by_role("radio", name="Raid", exact=True)).to_be_checked()


def test_where_nobody_is_seen_there_are_no_odds(page: OpenPage, server: Site) -> None:
    war, columns = face_to_face(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    choose(seen, columns["First"], "Attack")
    click(seen, "1010")
    expect(seen.get_by_text("You see no enemy there.")).to_be_visible()
    saved(seen)
    expect(seen.locator(".chance")).to_have_count(0)
