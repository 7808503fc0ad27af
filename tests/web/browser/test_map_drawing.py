"""The table's map and the replay's show what the server draws, element by element; scripts draw arrows as it does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import orjson

from server.play.views import history, positions
from server.render import taper
from server.render.last_phase import DRAWN
from server.render.svg import Options, draw
from tests.web.browser.conftest import OpenPage, Site
from tests.web.browser.waiting import phase
from tests.web.browser.war import begin, open_table

_SHOWN = """() => {
  const svg = document.querySelector("#surface svg"), mine = /^(aria-|role$|tabindex$|data-thing$)/;
  const walk = (each) => /^mark/.test(each.getAttribute("class") ?? "") ? [] : [
    [each.tagName, Object.fromEntries([...each.attributes].filter((one) => one.name !== "xmlns" && !mine.test(one.name))
      .map((one) => [one.name, one.value])), each.childElementCount ? "" : each.textContent],
    ...[...each.children].flatMap(walk)];
  return walk(svg);
}"""
_ARROW = """async ([script, centres]) => {
  const { tapered, way } = await import(new URL("taper.js", script));
  return tapered(way(centres), 4, 9);
}"""
_MODULE = "() => document.querySelector('script[type=module][src*=\"table/\"]').src"


_PATCHED = """async ([before, changes]) => {
  const found = [...document.querySelectorAll("link[rel=modulepreload]")].map((link) => link.href);
  const { patched } = await import(found.find((each) => each.includes("changed_view")));
  return patched(before, changes);
}"""


def drawn(svg: str) -> list[Any]:
    """Return the elements of a picture in the order in which they are drawn."""

    def walk(element: ElementTree.Element) -> list[Any]:
        mine = {name: each for name, each in element.attrib.items() if name not in ("data-thing", "role")}
        text = "" if len(element) else element.text or ""
        return [[element.tag.split("}")[1], mine, text], *(one for each in element for one in walk(each))]

    return walk(ElementTree.fromstring(svg))


def test_table_and_replay_show_what_the_server_draws(page: OpenPage, server: Site) -> None:
    war = begin(server.ctx).until(1, "movement")
    seen = page("Ann")
    open_table(seen, war)
    found = positions.position(war.ctx, war.ann, war.id)
    told = history.last_told(war.ctx, war.ann, war.id, found.number, types=DRAWN)
    assert seen.evaluate(_SHOWN) == drawn(draw(replace(found.view, events=told), Options(live=True)))
    centres = [(100.0, 100.0), (184.0, 100.0), (226.0, 172.7)]
    for some in (centres, centres[:2]):
        script = seen.evaluate(_MODULE)
        assert seen.evaluate(_ARROW, [script, some]) == taper.tapered(taper.way(some), 4, 9)
    number = found.number - 1
    seen.goto(f"{server.url}/campaigns/{war.id}/reports/history?number={number}")
    seen.locator(f'#replay[data-shown="{number}"]').wait_for()
    past = history.past(war.ctx, war.ann, war.id, number)
    assert seen.evaluate(_SHOWN) == drawn(draw(replace(past.view, events=past.events), Options(live=True)))


def test_after_a_phase_the_table_fetches_what_has_changed(page: OpenPage, server: Site) -> None:
    """Seen to fail with a page that fetches the whole view each time."""
    war = begin(server.ctx)
    seen = page("Ann")
    with seen.expect_response(f"**/campaigns/{war.id}/view") as first:
        open_table(seen, war)
    before = first.value.json()
    with seen.expect_response(f"**/campaigns/{war.id}/view/changes?since=*") as later:
        war.final(war.ann, war.ben)
    changes = later.value.json()
    phase(seen, "Build")
    shown = positions.shown(war.ctx, war.ann, war.id)
    assert (changes["whole"], changes["etag"]) == (None, shown.etag)
    assert seen.evaluate(_PATCHED, [before, changes]) == orjson.loads(shown.body)
