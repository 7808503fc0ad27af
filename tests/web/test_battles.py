"""The battles page: what both sides know, ordering, reporting, confirming. Nothing typed is lost or breaks out."""

from __future__ import annotations

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from server.play.battles import battles
from server.play.battles.battles import ReportInfo
from server.play.campaigns import seats
from server.play.game_masters import game_master
from server.play.orders import orders
from server.play.views import positions
from server.rules.state import Battle, Stronghold
from server.web.forms import Form
from server.web.presenters.report_form import (
    PRIMARY_PARTS,
    SUPPORTER_PARTS,
    Fielded,
    defence_rows,
    read_parts,
    typed_parts,
)
from tests.api.club import found as club_of
from tests.web.battlefield import Battlefield, begin
from tests.web.visitor import Visitor

NAMES = {"p1": "Ann", "p2": "Ben"}
HOSTILE = '<script>alert(1)</script> \u202e & "quotes" \''


@pytest.fixture
def field(client: TestClient) -> Battlefield:
    """A campaign that stands at a battle."""
    return begin(client.app.state.server.ctx, until="battle")  # type: ignore[attr-defined]


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page)))


def units_of(field: Battlefield, battle: Battle, seat: str, *, halves: bool = False) -> list[str]:
    state = positions.position(field.ctx, field.players[seat], field.id).view.state
    force = state.force(battle.attacker if battle.attacking == seat else battle.defender)
    assert force is not None
    fit = [unit for unit in force.units if (state.can_be_halved(unit) if halves else state.unit_points(unit))]
    return [each.id for each in fit]


def test_before_there_is_a_battle(client: TestClient) -> None:
    field = begin(client.app.state.server.ctx)  # type: ignore[attr-defined]
    assert "No battles that you can see" in field.visitor(client, "Ann").get(f"{field.path}/battles")
    assert "Keine Schlachten in Sicht" in field.visitor(client, "", "de").get(f"{field.path}/battles")


def test_final_is_declared_and_taken_back_here(client: TestClient, field: Battlefield) -> None:
    """Seen to fail where the form's number is not looked at: an old page would end another phase."""
    field.until_battle()
    ann, path = field.visitor(client, "Ann"), f"{field.path}/battles"
    number = orders.read(field.ctx, field.players["p1"], field.id).number
    page = text_of(ann.get(path))
    assert "Your orders are not final yet" in page
    assert re.search(r"No order yet: [^.]+\. Without one, dice decide\.", page)
    ann.post(f"{path}/final", 409, number=str(number - 1), final="yes")
    assert not orders.read(field.ctx, field.players["p1"], field.id).final
    ann.post(f"{path}/final", number=str(number), final="yes")
    assert orders.read(field.ctx, field.players["p1"], field.id).final
    assert "Your orders are final" in text_of(ann.get(path))
    ann.post(f"{path}/final", number=str(number), final="back")
    assert not orders.read(field.ctx, field.players["p1"], field.id).final
    assert "not final yet" not in text_of(field.visitor(client, "").get(path))


def test_both_sides_see_forces_modifiers_and_odds(client: TestClient, field: Battlefield) -> None:
    hex_, battle = field.until_battle()
    found = positions.odds_of_battle(field.ctx, field.players["p1"], field.id, hex_)
    for seat, name in NAMES.items():
        page = field.visitor(client, name).get(f"{field.path}/battles")
        text = text_of(page)
        assert re.search(rf"Battle of [^<]*{hex_}", text)
        assert f"{round(float(found.attacker.wins) * 100)}%" in text
        assert f"{found.ways[0]:,} of {found.ways[1]:,} possible rolls" in text
        assert "not given yet" in text
        for word in re.findall(r"\w+", battle.kind.replace("_", " ")):
            assert word.lower() in text.lower()
        mine = units_of(field, battle, seat)
        assert all(f'name="casualties/{each}"' in page for each in mine)


def test_a_battle_is_ordered_and_other_orders_stay(client: TestClient, field: Battlefield) -> None:
    hex_, battle = field.until_battle()
    ann, actor = field.visitor(client, "Ann"), field.players["p1"]
    second, first, *_ = units_of(field, battle, "p1", halves=True)
    page = ann.get(f"{field.path}/battles")
    number = re.search(r'name="number" value="(\d+)"', page)
    assert number is not None
    form = {f"casualties/{first}": "2", f"casualties/{second}": "1", f"half/{first}": "1", "mode": "tabletop"}
    where = ann.post(f"{field.path}/battles/{hex_}/order", 303, number=number[1], **form)
    assert where == f"{field.path}/battles#b{hex_}"
    order = {"type": "fight", "battle": hex_, "mode": "tabletop", "casualties": [second, f"{first}:half"]}
    assert list(orders.read(field.ctx, actor, field.id).orders) == [order]
    page = ann.get(f"{field.path}/battles")
    assert "Battle order saved" in page
    assert re.search(rf'name="casualties/{re.escape(second)}"[^>]*value="1"', page)
    assert re.search(rf'name="half/{re.escape(first)}"[^>]*checked', page)
    ann.post(f"{field.path}/battles/{hex_}/order", 303, number=number[1], mode="quick")
    assert list(orders.read(field.ctx, actor, field.id).orders) == [{"type": "fight", "battle": hex_, "mode": "quick"}]
    assert orders.read(field.ctx, field.players["p2"], field.id).orders == ()


def test_a_substitute_for_two_orders_and_reports_for_each(client: TestClient, field: Battlefield) -> None:
    hex_, battle = field.until_battle()
    cat = Visitor(client, "Cat")
    seats.choose_stand_in(field.ctx, field.players["p1"], field.id, "user", substitute="Cat")
    seats.choose_stand_in(field.ctx, field.gm, field.id, "user", substitute="Cat", seat="p2")
    page = cat.get(f"{field.path}/battles")
    assert re.search(r'href="\?seat=p1" aria-current="true"', page)
    assert f'action="{field.path}/battles/{hex_}/order"' in page
    page = cat.get(f"{field.path}/battles?seat=p2")
    assert re.search(r'href="\?seat=p2" aria-current="true"', page)
    where = cat.post(f"{field.path}/battles/{hex_}/order?seat=p2", 303, mode="tabletop")
    assert where == f"{field.path}/battles?seat=p2#b{hex_}"
    ordered = {seat: orders.read(field.ctx, actor, field.id).orders for seat, actor in field.players.items()}
    assert ordered == {"p1": (), "p2": ({"type": "fight", "battle": hex_, "mode": "tabletop"},)}
    field.pass_phase(tabletop=True)
    cat.post(f"{field.path}/battles/{hex_}/report?seat=p2", 303, winner=battle.attacking)
    (report,) = reports_on(field, hex_)
    assert report.reported_by == "p2"
    page = cat.get(f"{field.path}/battles?seat=p1")
    answer = f"{field.path}/battles/{hex_}/reports/{report.id}?seat=p1"
    assert f'action="{answer}"' in page
    cat.post(answer, 303, answer="confirm", revision=str(report.revision))
    assert [(each.status, each.answered_by) for each in reports_on(field, hex_)] in ([("confirmed", "p1")], [])


def reports_on(field: Battlefield, hex_: str) -> tuple[ReportInfo, ...]:
    """Return what was reported of a battle; nothing any more once the phase is over."""
    found = battles.listed(field.ctx, field.gm, field.id)
    return next((each.reports for each in found if each.hex == hex_), ())


def test_a_seat_of_somebody_else_is_none_of_ones_own(client: TestClient, field: Battlefield) -> None:
    hex_, _ = field.until_battle()
    ann = field.visitor(client, "Ann")
    other, own = (ann.get(f"{field.path}/battles{each}") for each in ("?seat=p2", ""))
    assert "You order for" not in other
    assert other.replace("?seat=p2", "") == own
    ann.post(f"{field.path}/battles/{hex_}/order?seat=p2", 404, mode="quick")
    assert orders.read(field.ctx, field.players["p2"], field.id).orders == ()


def test_a_refused_order_keeps_what_was_typed(client: TestClient, field: Battlefield) -> None:
    hex_, battle = field.until_battle()
    ann = field.visitor(client, "Ann")
    ann.get(f"{field.path}/battles")
    unit = units_of(field, battle, "p1")[0]
    page = ann.post(f"{field.path}/battles/{hex_}/order", 422, mode="tabletop", **{f"casualties/{unit}": "first"})
    assert 'role="alert"' in page
    assert re.search(rf'name="casualties/{re.escape(unit)}"[^>]*value="first"', page)
    page = ann.post(f"{field.path}/battles/{hex_}/order", 422, **{"casualties/nobody": "1"})
    assert "There is nothing here called" in page
    page = ann.post(f"{field.path}/battles/{hex_}/order", 409, number="1")
    assert 'role="alert"' in page
    page = ann.post(f"{field.path}/battles/0101/order", 409, number="1")  # the battle is over
    assert 'role="alert"' in page
    assert orders.read(field.ctx, field.players["p1"], field.id).orders == ()


def test_a_result_is_reported_disputed_and_confirmed(client: TestClient, field: Battlefield) -> None:
    hex_, battle = field.until_report()
    number = field.info().phase_number
    for other in field.battles():
        if other != hex_:
            battles.decide(field.ctx, field.gm, field.id, other, {"winner": "p1"})
    attacker, defender = (field.visitor(client, NAMES[seat]) for seat in (battle.attacking, battle.defended_by))
    unit = units_of(field, battle, battle.attacking)[0]
    page = attacker.get(f"{field.path}/battles")
    assert f'name="lost/{unit}"' in page
    too_many = {f"lost/{unit}": "999", "note": HOSTILE, "winner": battle.attacking}
    page = attacker.post(f"{field.path}/battles/{hex_}/report", 422, **too_many)
    assert "had only" in page
    assert re.search(rf'name="lost/{re.escape(unit)}"[^>]*value="999"[^>]*aria-invalid="true"', page)
    assert "<script>alert" not in page
    assert HOSTILE in unescape(page)
    attacker.post(f"{field.path}/battles/{hex_}/report", 303, **(too_many | {f"lost/{unit}": "1"}))
    page = defender.get(f"{field.path}/battles")
    assert "waiting for the other side" in page
    assert "<script>alert" not in page
    answer = re.search(rf'action="({field.path}/battles/{hex_}/reports/[^"]+)"', page)
    revision = re.search(r'name="revision" value="(\d+)"', page)
    assert answer is not None
    assert revision is not None
    assert answer[1] not in attacker.get(f"{field.path}/battles")
    defender.post(answer[1], 303, answer="dispute", text="No, I held.", revision=revision[1])
    assert "No, I held." in attacker.get(f"{field.path}/battles")
    page = defender.post(answer[1], 412, answer="confirm", text="Well then.", revision=revision[1])
    assert "Well then." in page
    defender.post(answer[1], 303, answer="confirm", revision=str(int(revision[1]) + 1))
    assert field.info().phase_number > number
    page = attacker.get(f"{field.path}/battles")
    assert "Earlier battles" in page
    assert hex_ in text_of(page.split("Earlier battles")[1])


def test_who_does_not_fight_reads_and_writes_nothing(client: TestClient, field: Battlefield) -> None:
    hex_, _ = field.until_battle()
    gwen, stranger = field.visitor(client, "Gwen"), field.visitor(client, "")
    page = gwen.get(f"{field.path}/battles")
    assert re.search(rf"Battle of [^<]*{hex_}", page)
    assert "/order" not in page
    assert f'href="{field.path}/gm/battles/{hex_}"' in page
    assert "/gm/battles/" not in field.visitor(client, "Ann").get(f"{field.path}/battles")
    assert not re.search(rf"Battle of [^<]*{hex_}", stranger.get(f"{field.path}/battles"))
    gwen.post(f"{field.path}/battles/{hex_}/order", 403, mode="quick")
    ann = field.visitor(client, "Ann")
    ann.get(f"{field.path}/battles")
    ann.post(f"{field.path}/battles/9999/report", 422, winner="p1")
    assert ann.post(f"{field.path}/battles/{hex_}/reports/nosuch", 404, answer="confirm")


def test_one_sides_order_is_no_business_of_the_other(client: TestClient, field: Battlefield) -> None:
    hex_, _ = field.until_battle()
    ben = field.visitor(client, "Ben")
    before = re.sub(r'name="csrf[^>]+>|content="[^"]+"', "", ben.get(f"{field.path}/battles"))
    ann = field.visitor(client, "Ann")
    ann.get(f"{field.path}/battles")
    ann.post(f"{field.path}/battles/{hex_}/order", 303, mode="tabletop")
    assert re.sub(r'name="csrf[^>]+>|content="[^"]+"', "", ben.get(f"{field.path}/battles")) == before


def test_there_are_none_before_the_start(client: TestClient) -> None:
    club = club_of(client, start=False)
    stranger = Visitor(client)
    for name in ("battles", "reports", "reports/history", "reports/charts", "reports/dice", "reports/1"):
        stranger.get(f"{club.path}/{name}", 409)
        stranger.get(f"/campaigns/nosuch/{name}", 404)


def test_a_game_master_takes_a_report_over(client: TestClient, field: Battlefield) -> None:
    hex_, battle = field.until_report()
    unit = units_of(field, battle, battle.attacking)[0]
    battles.report(
        field.ctx,
        field.players[battle.attacking],
        field.id,
        hex_,
        {"winner": battle.defended_by, "losses": {unit: {"lost": 1, "destroyed": True}}},
    )
    gwen, form = field.visitor(client, "Gwen"), f"{field.path}/gm/battles/{hex_}"
    page = gwen.get(form)
    link = re.search(rf'href="({form}\?report=[^"#]+)', page)
    assert link is not None
    assert " checked" not in page
    page = gwen.get(link[1])
    assert f'name="winner" value="{battle.defended_by}" required checked' in page
    assert re.search(rf'name="lost.{re.escape(unit)}"[^>]*value="1"', page)
    assert re.search(rf'name="destroyed" value="{re.escape(unit)}" checked', page)
    assert "copied" in text_of(page).lower()
    assert " checked" not in gwen.get(f"{form}?report=nonsense")


def test_a_game_master_is_told_when_his_word_is_the_last(client: TestClient, field: Battlefield) -> None:
    field.until_report()
    gwen, number = field.visitor(client, "Gwen"), field.info().phase_number
    for left in range(len(field.battles()), 0, -1):
        hex_ = next(each.hex for each in battles.listed(field.ctx, field.gm, field.id) if not _settled(each))
        assert ("the phase ends at once" in gwen.get(f"{field.path}/gm/battles/{hex_}")) == (left == 1)
        battles.decide(field.ctx, field.gm, field.id, hex_, {"winner": "p1"})
    assert field.info().phase_number > number


def _settled(battle: battles.BattleInfo) -> bool:
    return bool(battle.winner) or any(report.status == "decided" for report in battle.reports)


def fields_named(page: str, prefix: str) -> dict[str, list[str]]:
    """Return the choices that a page offers, by name, the chosen one first."""
    found = {}
    for name, options in re.findall(rf'<select name="({prefix}[^"]+)"[^>]*>(.*?)</select>', page, re.DOTALL):
        values = re.findall(r'value="([^"]*)"( selected)?', options)
        found[unescape(name)] = [value for value, _ in sorted(values, key=lambda value: not value[1])]
    return found


def build_stronghold(field: Battlefield, hex_: str, owner: str) -> dict[str, int]:
    """Have the game master put a stronghold where a battle is fought; return its defences."""
    state = positions.position(field.ctx, field.gm, field.id).view.state
    defences = dict.fromkeys(list(state.ruleset.defences)[:1], 2)
    edits = [{"do": "set", "what": "owner", "hex": hex_, "owner": owner},
             {"do": "set", "what": "stronghold", "hex": hex_, "type": state.ruleset.strongholds[-1].id,
              "defences": defences}]  # fmt: skip
    game_master.edit(field.ctx, field.gm, field.id, edits, "It was always there.")
    return defences


def test_a_report_says_who_fought_and_which_defences_were_lost(client: TestClient, field: Battlefield) -> None:
    """What is chosen is reported, stays where it is refused, is shown to the other side, and is taken over."""
    hex_, battle = field.until_report()
    (defence,) = build_stronghold(field, hex_, battle.defended_by)
    attacker, defender = (field.visitor(client, NAMES[seat]) for seat in (battle.attacking, battle.defended_by))
    page = attacker.get(f"{field.path}/battles")
    assert all(
        f'name="works/{defence}" min="0" max="2"' in each for each in (page, defender.get(f"{field.path}/battles"))
    )
    parts = fields_named(page, "part/")
    held, fired, *_ = [name for name, choices in parts.items() if choices[0] == "took_part"]
    sent = {name: choices[0] for name, choices in parts.items()} | {held: "withheld", fired: "bombarded"}
    to, form = f"{field.path}/battles/{hex_}/report", sent | {f"works/{defence}": "1", "winner": battle.attacking}
    kept = attacker.post(to, 422, **(form | {"winner": "nobody"}))
    assert fields_named(kept, "part/")[held][0] == "withheld"
    assert re.search(rf'name="works/{defence}"[^>]*value="1"', kept)
    assert "Choose one of the options." in attacker.post(to, 422, **(form | {held: "fled"}))
    attacker.post(to, 303, **form)
    (report,) = reports_on(field, hex_)
    units = [each.removeprefix("part/") for each in (held, fired)]
    content = {"winner": battle.attacking, "withheld": units[:1], "bombarded": units[1:], "works": {defence: 1}}
    assert report.content == content
    text = text_of(defender.get(f"{field.path}/battles"))
    assert all(each in text for each in (": withheld", ": only bombarded", "Defences lost: 1 ×"))
    gwen, decision = field.visitor(client, "Gwen"), f"{field.path}/gm/battles/{hex_}"
    page = gwen.get(f"{decision}?report={report.id}")
    taken = {name: choices[0] for name, choices in fields_named(page, "part.").items()}
    assert (taken[f"part.{units[0]}"], taken[f"part.{units[1]}"]) == ("withheld", "bombarded")
    assert re.search(rf'name="works.{defence}"[^>]*max="2" value="1"', page)
    number = field.info().phase_number
    gwen.post(decision, 303, winner=battle.attacking, **(taken | {f"works.{defence}": "2"}))
    if field.info().phase_number == number:
        decided = next(each.content for each in reports_on(field, hex_) if each.status == "decided")
        assert decided == content | {"losses": {}, "works": {defence: 2}}


@pytest.mark.parametrize("supports", [False, True])
def test_what_a_form_says_is_what_is_reported(supports: bool) -> None:
    """There and back: a unit's part as typed is the part that is shown. Seen to fail with `came_in` left out."""
    for part in SUPPORTER_PARTS if supports else PRIMARY_PARTS:
        typed = Form.of([("part/a", part), ("part/b", "took_part"), ("works/wall", "3"), ("works/gate", "")])
        content = read_parts(typed, "/")
        units = {"a": Fielded("A", supports=supports), "b": Fielded("B", supports=False)}
        shown = dict(typed_parts(content, units, "/"))
        assert shown == {"part/a": part, "part/b": "took_part", "works/wall": "3"}
        assert ("took_part" in content) == (part == "came_in")


def test_of_a_stronghold_nobody_sees_all_may_be_lost(field: Battlefield) -> None:
    """Those who do not know its defences choose among all there are (D-07); its owner has none to lose."""
    state, at = positions.position(field.ctx, field.gm, field.id).view.state, 0
    assert defence_rows(state, "p1", at, "en") == ()
    state.stronghold[at] = Stronghold(state.ruleset.strongholds[0].id)
    state.owner[at] = "p2"
    assert [(row.id, row.count) for row in defence_rows(state, "p1", at, "en")] == [
        (defence, None) for defence in state.ruleset.defences
    ]
    assert defence_rows(state, "p2", at, "en") == ()
