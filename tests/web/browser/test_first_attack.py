"""An attack by two clicks, with the odds before the click; and that a complete order stays when one looks elsewhere."""

from __future__ import annotations

from playwright.sync_api import expect

from server.play.context import AppContext
from server.play.game_masters import game_master
from server.play.views import positions
from tests.web import battlefield
from tests.web.browser.conftest import CheckAxe, OpenPage, Site
from tests.web.browser.test_first_path import Clicks
from tests.web.browser.war import War, open_table, saved, where


def _face_to_face(ctx: AppContext) -> tuple[War, dict[str, str], dict[str, str]]:
    """Put two columns of Ann's next to one of Ben's, far from all others; returns their ids and hexes by name."""
    field = battlefield.begin(ctx)
    war = War(ctx, field.players["p1"], field.players["p2"], field.id).until(1, "battle_movement")
    state = positions.position(ctx, field.gm, war.id).view.state
    board, terrain = state.board, state.ruleset.terrain

    def beside(hex_: int) -> list[int]:
        """Open country around a hex where nobody stands, two hexes of it at least."""
        around = [] if any(each in state.detachment_at for each in board.adjacent[hex_]) else board.adjacent[hex_]
        return [each for each in around if terrain[board.terrain[each]].name == "Prairie"]

    open_country = [each for each in range(board.size) if terrain[board.terrain[each]].name == "Prairie"]
    enemy = next(each for each in open_country if each not in state.detachment_at and len(beside(each)) > 1)
    places = zip(("p2", "p1", "p1"), ("Enemy", "First", "Second"), (enemy, *beside(enemy)[:2]), strict=True)
    squad = {"name": "Squad", "slot": "troops", "models": 10, "points": 100, "mobility": "infantry"}
    scout = squad | {"slot": "fast", "flags": ["scout"]}
    column = {"do": "add", "what": "detachment", "units": [squad | {"slot": "hq"}, squad, squad, scout]}
    at = {name: (owner, board.label(hex_)) for owner, name, hex_ in places}
    edits = [column | {"owner": owner, "hex": hex_, "name": name} for name, (owner, hex_) in at.items()]
    game_master.edit(ctx, field.gm, war.id, edits, "To battle")
    known = positions.position(ctx, war.ann, war.id).view.state.detachments.values()
    return war, {each.name: each.id for each in known}, {name: hex_ for name, (_, hex_) in at.items()}


def test_an_attack_takes_two_clicks_and_says_its_odds_before(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    war, columns, at = _face_to_face(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    mouse = Clicks(seen)
    mouse.hex(at["First"])
    expect(seen.locator(".chips legend")).to_contain_text("Order for")
    seen.mouse.move(*where(seen, at["Enemy"]))
    expect(seen.locator("#map-hint")).to_contain_text(f"First attacks {at['Enemy']}: ")
    expect(seen.locator("#map-hint")).to_contain_text("% alone, ")
    expect(seen.locator("#map-hint")).to_contain_text("% if Second helps")
    mouse.hex(at["Enemy"])
    saved(seen)
    assert mouse.count == 2
    attack = {"type": "attack", "detachment": columns["First"], "target": war.given()[0]["target"]}
    assert war.given() == [attack]
    expect(seen.locator(".dock-said")).to_contain_text("attacks")
    shown = seen.locator(".chance-line")
    expect(shown).to_contain_text(f"{seen.locator('.chance strong').inner_text()} alone")
    axe(seen)
    # another own force is chosen, and the order that was given stays
    mouse.hex(at["Second"])
    expect(seen.get_by_role("heading", name="Second")).to_be_visible()
    saved(seen)
    assert war.given() == [attack]
    mouse.hex(at["First"])
    seen.get_by_role("button", name="Let Second help").click()
    saved(seen)
    assert war.given()[1:] == [{"type": "support", "detachment": columns["Second"], "target": columns["First"]}]
    mouse.hex(at["Second"])
    mouse.hex(at["First"])  # the support is complete: this chooses the other force again
    expect(seen.get_by_role("heading", name="Second")).to_have_count(0)
    saved(seen)
    assert len(war.given()) == 2
    seen.locator(".dock-said").get_by_role("button", name="Undo").click()
    saved(seen)
    assert war.given() == [attack]
