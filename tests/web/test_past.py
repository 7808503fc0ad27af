"""Reports, history, charts and dice: what happened as one knew it, the whole truth after the end."""

from __future__ import annotations

import json
import re
from html import unescape
from itertools import pairwise
from typing import Any

import pytest
from fastapi.testclient import TestClient

from server.play.archive.record_files import export, read
from server.play.archive.replay import replay
from server.play.campaigns import seats
from server.play.game_masters import game_master, rollback
from server.play.views import history
from server.web.presenters import phase_reports
from server.web.presenters.charts import HEIGHT, LABEL, charts
from server.web.routers import reports
from tests.web.battlefield import Battlefield, begin

HOSTILE = "<img src=x onerror=alert(1)>"
_PAGES = ("", "/history", "/charts", "/dice", "?kind=battles", "?kind=nosuch&player=p9&hex=%00&until=-5", "?force=Col")


@pytest.fixture
def field(client: TestClient) -> Battlefield:
    return begin(client.app.state.server.ctx, name=HOSTILE, until="battle")  # type: ignore[attr-defined]


def text_of(page: str) -> str:
    main = page.split("<main", 1)[1]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<script.*?</script>|<[^>]+>", " ", main, flags=re.S)))


def data_of(page: str, name: str) -> dict[str, object]:
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.S)
    assert found is not None
    read: dict[str, object] = json.loads(found[1])
    return read


def test_everybody_opens_every_page(client: TestClient, field: Battlefield) -> None:
    for name, language in (("Ann", "en"), ("Gwen", "en"), ("", "de")):
        visitor = field.visitor(client, name, language)
        for page in _PAGES:
            shown = visitor.get(f"{field.path}/reports{page.replace('%00', '9')}")
            assert "<img src=x" not in shown
        for number in (0, 1, 2, field.info().phase_number - 1):
            visitor.get(f"{field.path}/reports/{number}")
            visitor.get(f"{field.path}/reports/{number}/story")
        for strange in ("-1", "99999", str(field.info().phase_number), "99999999999999999999", "x"):
            visitor.get(f"{field.path}/reports/{strange}", 404)
        visitor.get(f"{field.path}/reports/history?number=99999")
        visitor.get(f"{field.path}/reports?branch=7", 404)
        visitor.get(f"{field.path}/reports?as=p2", 200 if name == "Gwen" else 404)


def test_one_is_told_only_what_one_knows(client: TestClient, field: Battlefield) -> None:
    secret = ("detachment_ordered", "income", "maintenance", "moved")
    told = history.read_phases(field.ctx, field.gm, field.id, types=secret)
    assert any(event.to == ("p2",) for _, events in told.phases for event in events)
    ann = field.visitor(client, "Ann")
    for info, events in told.phases:
        page = ann.get(f"{field.path}/reports/{info.number}")
        others = [event for event in events if event.to == ("p2",) and event.type == "income"]
        for event in others:
            mine = [each.fields["total"] for each in events if each.to == ("p1",) and each.type == "income"]
            if event.fields["total"] not in mine:
                assert f"Income: {event.fields['total']} BP" not in text_of(page)
    stranger = text_of(field.visitor(client).get(f"{field.path}/reports"))
    assert "Income" not in stranger


def test_reports_are_filtered(client: TestClient, field: Battlefield) -> None:
    ann = field.visitor(client, "Ann")
    everything = text_of(ann.get(f"{field.path}/reports"))
    assert "Movement" in everything
    land = ann.get(f"{field.path}/reports?kind=land&player=p1")
    claims = re.findall(r"You claim (\d{4})", text_of(land))
    assert claims
    assert "Order of movement" not in text_of(land)
    assert 'value="land" selected' in land
    at = text_of(ann.get(f"{field.path}/reports?hex={claims[0]}"))
    assert f"You claim {claims[0]}" in at
    assert "No" not in at.split(" ")[0]
    assert "No matching events" in ann.get(f"{field.path}/reports?force=no-such-force-anywhere")
    while field.info().phase_number <= reports.A_PAGE + 4:  # the battle may come early
        field.pass_phase()
    older = re.search(r'href="([^"]+\?until=\d+)', ann.get(f"{field.path}/reports"))
    assert older is not None
    assert "Turn 1" in text_of(ann.get(older[1]))


def test_the_report_of_a_battle(client: TestClient, field: Battlefield) -> None:
    hex_, number = next(iter(field.battles())), field.info().phase_number
    field.pass_phase()
    page = field.visitor(client, "Ann").get(f"{field.path}/reports/{number}")
    text = text_of(page)
    place = rf"(?:[A-Z][\w ]* \({hex_}\)|{hex_}(?: \([\w -]+\))?)"
    assert re.search(rf"Battle of {place}", text)
    assert re.search(rf"wins? the battle of {place}", text)
    assert f"#svgView(viewBox({_box(field, hex_)}))" in page
    assert "BP booked" in text
    assert len(re.findall(rf"wins? the battle of {place}", text)) == 1
    assert len(re.findall(rf"Battle of {place}: two dice of", text)) == 2
    german = field.visitor(client, "", "de").get(f"{field.path}/reports/{number}")
    assert "Was geschah" in german


def _box(field: Battlefield, hex_: str) -> str:
    view = history.past(field.ctx, field.gm, field.id, 1).view
    found = phase_reports.map_part(view.state.board, hex_)
    assert found is not None
    return found.box


def test_how_everybody_stood(client: TestClient, field: Battlefield) -> None:
    ann, last = field.visitor(client, "Ann"), field.info().phase_number - 1
    stood = {number: _stood(ann.get(f"{field.path}/reports/{number}/story")) for number in (0, last)}
    assert stood[0] == [("Ann", "0"), ("Ben", "0")]
    now = history.past(field.ctx, field.gm, field.id, last).view.state.players
    assert stood[last] == [(name, str(now[player].vp)) for name, player in (("Ann", "p1"), ("Ben", "p2"))]
    assert _stood(ann.get(f"{field.path}/reports/{last}")) == stood[last]


def _stood(page: str) -> list[tuple[str, str]]:
    return re.findall(r'<li><span class="seat"[^>]*>(\w+)</span> <span class="muted">(\d+) VP · \d+ hex', page)


def test_charts_show_others_only_at_the_end(client: TestClient, field: Battlefield) -> None:
    ann = field.visitor(client, "Ann")
    page = ann.get(f"{field.path}/reports/charts")
    assert "Hidden until the end" in page
    mine = [
        standing
        for standing in history.standings(field.ctx, field.players["p1"], field.id)
        if standing.player_id == "p2"
    ]
    assert all(each.bp is None for each in mine)
    theirs = {
        standing.bp for standing in history.standings(field.ctx, field.gm, field.id) if standing.player_id == "p2"
    }
    table = page.split('id="chart-bp"')[1]
    numbers = {int(each) for each in re.findall(r'<td class="number">(\d+)</td>', table)}
    own = {standing.bp for standing in history.standings(field.ctx, field.gm, field.id) if standing.player_id == "p1"}
    assert numbers <= own
    assert not numbers & (theirs - own)


def test_labels_of_charts_do_not_lie_over_each_other(field: Battlefield) -> None:
    standings = history.standings(field.ctx, field.gm, field.id)
    phases = history.phases(field.ctx, field.gm, field.id)
    for chart in charts(standings, phases, {"p1": 1, "p2": 2}):
        places = sorted(line.label_y for line in chart.lines)
        assert all(below - above >= LABEL for above, below in pairwise(places))
        assert all(0 <= place <= HEIGHT for place in places)
        assert all(row[1] for row in chart.rows)


def test_sealed_links_are_not_on_the_dice_page(client: TestClient, field: Battlefield) -> None:
    data = data_of(field.visitor(client, "Ann").get(f"{field.path}/reports/dice"), "dice-data")
    phases = data["phases"]
    assert isinstance(phases, list)
    now = field.info().turn
    assert {phase["turn"] for phase in phases if phase["link"] is None} == {now}
    assert all(phase["seed"] is None and phase["salts"] is None for phase in phases if phase["link"] is None)
    assert any(phase["rolls"] for phase in phases)


def test_after_the_end_one_may_choose_whose_eyes(client: TestClient) -> None:
    field = begin(client.app.state.server.ctx, turn_limit=2, until="end")  # type: ignore[attr-defined]
    ann, last = field.visitor(client, "Ann"), field.info().phase_number
    whole = ann.get(f"{field.path}/reports/history?number={last}")
    assert '<option value="p2">Ben</option>' in whole
    assert "The campaign is over" in text_of(whole)
    income = {
        viewer: text_of(ann.get(f"{field.path}/reports?kind=supply&as={viewer}")).count("Income:")
        for viewer in ("gm", "p1", "p2")
    }
    assert income["gm"] == income["p1"] + income["p2"]
    assert "Hidden until the end" not in ann.get(f"{field.path}/reports/charts")


def test_how_computer_players_felt_is_told_turn_by_turn_after_the_end(client: TestClient) -> None:
    field = begin(client.app.state.server.ctx, turn_limit=2)  # type: ignore[attr-defined]
    ben = field.players["p2"]
    seats.choose_stand_in(field.ctx, ben, field.id, "bot")
    ann, line = field.visitor(client, "Ann"), "How the computer players felt at the end of the turn:"
    while (field.info().turn or 0) < 2:
        game_master.advance(field.ctx, field.gm, field.id, number=field.info().phase_number)
    assert line not in text_of(ann.get(f"{field.path}/reports"))
    gwen = field.visitor(client, "Gwen")
    assert text_of(gwen.get(f"{field.path}/reports")).count(line) == 1
    while field.info().status == "running":
        game_master.advance(field.ctx, field.gm, field.id, number=field.info().phase_number)
    told = text_of(ann.get(f"{field.path}/reports?until=99"))
    assert re.search(rf"{line} Ben \w+ \([+−]?\d+\)", told)
    assert line in text_of(ann.get(f"{field.path}/reports/{field.info().phase_number}"))
    german = field.visitor(client, "", "de")
    assert "Haltung der Computerspieler am Ende der Runde:" in german.get(f"{field.path}/reports?until=99")
    watched = list(replay(read(export(field.ctx, field.gm, field.id)), "p1").scenes())
    assert [seat for scene in watched for seat, _ in scene.felt] == ["p2", "p2"]


def test_an_abandoned_line_of_play_stays_readable(client: TestClient, field: Battlefield) -> None:
    last = field.info().phase_number - 1
    rollback.roll_back(field.ctx, field.gm, field.id, 2, "The map was wrong.")
    ann = field.visitor(client, "Ann")
    now = ann.get(f"{field.path}/reports/history")
    assert "The map was wrong." in now
    assert len(json.loads(_numbers(now))) < last
    before = ann.get(f"{field.path}/reports/history?branch=1")
    assert "(abandoned)" in before
    assert json.loads(_numbers(before))[-1] == last
    assert "map.svg?branch=1" in before
    ann.get(f"{field.path}/reports/{last}?branch=1")
    ann.get(f"{field.path}/reports/{last}", 404)
    ann.get(f"{field.path}/reports/dice?branch=1")


def _numbers(page: str) -> str:
    phases = data_of(page, "phases")["phases"]
    assert isinstance(phases, list)
    return json.dumps([phase["number"] for phase in phases])


def test_a_position_of_the_past_is_practised(client: TestClient, field: Battlefield) -> None:
    ann, last = field.visitor(client, "Ann"), field.info().phase_number - 1
    page = ann.get(f"{field.path}/reports/history?number={last}")
    assert "Practise from here" in page
    assert f'name="number" value="{last}" id="practice-number"' in page
    shown = ann.get(ann.post(f"{field.path}/practice", number=str(last), level="recruit", give_up="1"))
    assert "A practice" in text_of(shown)
    assert f"after phase {last}." in text_of(shown)
    assert HOSTILE not in shown
    assert "Practise from here" not in client.get(f"{field.path}/reports/history").text
    told = text_of(ann.get(ann.post(f"{field.path}/practice", number="1", level="regular")))
    assert "Nothing you see was invented" in told


def test_a_finished_campaign_is_practised_and_invented_things_are_told_at_its_end(client: TestClient) -> None:
    field = begin(client.app.state.server.ctx, turn_limit=2, until="end")  # type: ignore[attr-defined]
    ann = field.visitor(client, "Ann")
    assert "Practise from here" in ann.get(field.path)
    eyes: dict[str, Any] = {"as": "p1"}
    made = ann.post(f"{field.path}/practice", number="5", level="regular", **eyes)
    path = made.partition("?")[0]
    ann.post(f"{path}/gm/finish", why="Enough.")
    told = text_of(ann.get(path))
    assert re.search(r"Invented, of what you see: \d+", told)
    assert "Detachment ·" in told
