"""What the table's scripts say to a German reader: they get refusals in English, with what these are made of."""

from __future__ import annotations

from server.play.accounts import accounts
from tests.web.browser.conftest import OpenPage, Site, Watch
from tests.web.browser.war import begin, open_table

_REFUSED = """async ([path, orders]) => {
  const script = document.querySelector("script[src*='table/main.js']").src;
  const { api } = await import(new URL("../api.js", script));
  const { refusal } = await import(new URL("sentences.js", script));
  const { data } = await api("POST", `${path}/orders/check`, { orders });
  const said = data.problems.map((each) => refusal(each)).map(({ said, exact }) => exact || said);
  const refused = await api("PUT", `${path}/orders`, { orders: orders.slice(0, 1) }).catch((error) => error.message);
  return [...said, refused];
}"""


def test_refusals_are_german(page: OpenPage, server: Site, watch: Watch) -> None:
    watch.forgive("422")
    war = begin(server.ctx)
    accounts.change_profile(server.ctx, war.ann, locale="de")
    seen = page("Ann")
    open_table(seen, war)
    orders = [
        {"type": "place", "what": "capital", "at": "0101"},
        {"type": "place", "what": "urban", "at": "9999"},
        {"type": "guard", "detachment": "nobody"},
        {"type": "dance"},
        {"type": "place", "what": "castle", "at": "1003"},
    ]
    assert seen.evaluate(_REFUSED, [f"/campaigns/{war.id}", orders]) == [
        "In 0101 kannst du nicht bauen. Gelände: Meer.",
        "Auf der Karte gibt es kein Feld 9999.",
        "„guard“ ist ein Befehl für Bewegung, Schlachtbewegung, nicht für Aufstellung.",
        "Einen Befehl „dance“ gibt es nicht.",
        "Etwas zum Setzen namens „castle“ gibt es nicht.",
        "Befehl 1: In 0101 kannst du nicht bauen. Gelände: Meer.",
    ]
