"""Every method of the library used once on a real server: what it asks for is understood, what comes back is read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from sealed_orders import Client, Conflict, Forbidden, Invalid, NotFound, NotSignedIn
from tests.client.club import PASSWORD, Club, found, new_name
from tests.e2e.processes import ServerProcess

SQUAD = {"name": "Squad", "slot": "troops", "models": 10, "points": 100, "mobility": "infantry"}
LEADER = {"name": "Leader", "slot": "hq", "models": 1, "points": 80, "mobility": "infantry"}


@pytest.fixture
def hall(server: ServerProcess) -> Iterator[Club]:
    """A club before the campaign begins; battles are for the table, and the game master reads orders."""
    options = {"gm_sees_orders": True}
    with found(server.base_url, start=False, rules={"battles": "tabletop"}, options=options) as club:
        yield club


def test_an_account(club: Club) -> None:
    ann = club.players[0]
    assert ann.me().name.startswith("Ann")
    bot = ann.create_bot(new_name("Bot"))
    assert [each.id for each in ann.bots()] == [bot.id]
    token = ann.create_token("general", bot=bot.id, days=30)
    assert token.info.scopes == ("read", "orders")
    assert token.info.expires_at is not None
    mine = ann.create_token("mine", ["read"])
    assert mine.info.id in [each.id for each in ann.tokens()]
    ann.revoke_token(mine.info.id)
    assert mine.info.id not in [each.id for each in ann.tokens()]
    ann.remove_bot(bot.id)
    assert ann.bots() == ()
    ann.sign_in(ann.me().name, PASSWORD)


def test_an_account_that_is_closed(server: ServerProcess) -> None:
    with Client(server.base_url) as eve:
        name = eve.sign_up(new_name("Eve"), PASSWORD).account.name
        assert eve.own_data()["account"] == name
        with pytest.raises(NotSignedIn) as wrong:
            eve.close_account("wrong horse")
        assert wrong.value.code == "wrong_password"
        eve.close_account(PASSWORD)
        assert eve.token is None
        with pytest.raises(NotSignedIn):
            eve.sign_in(name, PASSWORD)


def test_what_the_server_has(club: Club) -> None:
    ann = club.players[0]
    assert club.id in [campaign.id for campaign in ann.campaigns(mine=True, status="running")]
    assert ann.campaigns(text="no such name") == ()
    assert len(ann.campaigns(most=1)) == 1
    scenarios = {scenario.id: scenario for scenario in ann.scenarios()}
    assert scenarios["the-pass"].player_counts == (2,)
    assert ann.scenario("the-pass")["title"] == scenarios["the-pass"].title
    assert "orks" in {ruleset.id: ruleset.factions for ruleset in ann.rulesets()}["wh40k-2001"]


def test_before_it_begins(hall: Club) -> None:
    gm, ann = hall.of(hall.gm), hall.of(hall.players[0])
    assert gm.change_campaign(description="Bring dice.").description == "Bring dice."
    assert hall.players[1].campaign_of_code(gm.invitation_code()) == hall.id
    ann.leave()
    gm.invite(hall.players[0].me().name)
    info = ann.join("chaos", name="Red")
    assert info.seat(info.your_seats[0]).faction == "chaos"
    ann.choose_faction("orks")
    with pytest.raises(Conflict) as again:
        ann.join("chaos")
    assert again.value.code == "already_joined"
    with pytest.raises(Forbidden):
        ann.start()
    gm.start()
    assert ann.info().phase == "setup"
    ann.holiday(datetime.now(UTC) + timedelta(days=2))
    ann.holiday(None)
    ann.stand_in("bot")


def test_what_one_reads_and_says(hall: Club) -> None:
    gm, ann, ben = hall.of(hall.gm), *(hall.of(player) for player in hall.players)
    gm.start()
    position = ann.position()
    assert (position.viewer, position.phase) == ("p1", "setup")
    assert ann.position(since=position) == position
    assert ann.board()["title"] == hall.gm.scenario("the-pass")["title"]
    assert "factions" in ann.ruleset()
    assert ann.picture().startswith("<svg")
    assert {each.player_id for each in ann.finality()} == {"p1", "p2"}
    left = ann.leave_in_advance(1, "movement", [])
    assert [(each.turn, each.phase) for each in ann.orders_in_advance()] == [(left.turn, left.phase)]
    ann.drop_in_advance(1, "movement")
    assert ann.orders_in_advance() == ()
    assert ann.repeat_orders("movement", []).orders == ()
    assert [each.phase for each in ann.repeated_orders()] == ["movement"]
    sent = ann.write(["p2"], "Shall we share the river?", subject="River", in_character=True)
    assert [message.body for message in ben.messages()] == [sent.body]
    ben.mark_read(sent.id)
    assert ben.messages()[0].read_at is not None
    ben.write(["p1"], "No.", reply_to=sent.id)
    gm.announce("Lunch at noon.")
    gm.write(["p1"], "A word.", as_gm=True)
    assert [message.announcement for message in ann.messages()].count(True) == 1
    assert ann.write_note(1, "Hold the river").turn == 1
    assert ann.put_pin("1008", "Their capital?", turn=2).turn == 2
    book = ann.notebook()
    assert (book.seat, [note.text for note in book.notes], [pin.hex for pin in book.pins]) == (
        "p1",
        ["Hold the river"],
        ["1008"],
    )
    ann.drop_note(1)
    ann.drop_pin("1008")
    assert (ann.notebook().notes, ann.notebook().pins) == ((), ())
    declared = ann.declare("truce", toward="p2", public=True)
    assert [declaration.id for declaration in ben.declarations()] == [declared.id]


def test_a_battle_on_the_table(hall: Club) -> None:
    gm, ann, ben = hall.of(hall.gm), *(hall.of(player) for player in hall.players)
    gm.start()
    hall.pass_phase()
    edits = [
        {
            "do": "add",
            "what": "detachment",
            "owner": owner,
            "hex": at,
            "name": "Column",
            "units": [LEADER, SQUAD, SQUAD],
        }
        for owner, at in (("p1", "1008"), ("p2", "1009"))
    ]
    assert gm.check_edits(edits).problems == ()
    gm.edit(edits, "To battle")
    with pytest.raises(Invalid) as refused:
        gm.edit([{"do": "fly"}], "A joke")
    assert refused.value.problems
    assert [(intervention.kind, intervention.why) for intervention in ann.interventions()] == [("edit", "To battle")]
    while (info := gm.info()).phase != "battle_movement":
        assert gm.check_advance()["number"] == info.phase_number
        gm.advance(info.phase_number, "No time")
        info = gm.wait(info, timeout=30)
    gm.set_deadline(datetime.now(UTC) + timedelta(days=1), "A day")
    attack = next(each for each in ann.legal_orders() if each.order["type"] == "attack")
    order: Any = {**attack.order, "target": "1009", "planned": False, "primary": True}
    assert ann.outlook([order]) == {"items": [], "attempt": None}  # Ann does not see who stands there
    ann.send([order])
    assert {set_.player_id: len(set_.orders) for set_ in gm.order_sets()}["p1"] == 1
    while (info := gm.info()).phase != "reports":
        gm.advance(info.phase_number)
        info = gm.wait(info, timeout=30)
    (battle,) = ann.battles()
    assert (battle.hex, battle.attacking, battle.yours) == ("1009", "p1", True)
    assert ann.odds("1009")["hex"] == "1009"
    report = ann.report("1009", {"winner": "p1"}, note="Close")
    assert ben.dispute(report.id, "It was not").status == "disputed"
    report = ben.report("1009", {"winner": "p2"})
    before = gm.info()
    assert ann.confirm(report.id).status == "confirmed"
    gm.wait(before, timeout=30)
    with pytest.raises(Conflict):
        gm.decide("1009", {"winner": "p1"})


def test_another_game_master(club: Club) -> None:
    ann = club.players[0]
    gm, eve = club.of(club.gm), club.of(club.players[1])
    eve.leave()
    gm.hand_over(ann.me().name)
    gm.take_offer_back()
    with pytest.raises(NotFound):
        club.of(ann).take_over()
    name = club.players[1].me().name
    gm.hand_over(name)
    eve.decline_offer()
    gm.hand_over(name, "I move away")
    offer = eve.info().offer
    assert offer is not None
    assert (offer.to, offer.why) == (name, "I move away")
    assert club.of(ann).info().offer is None
    eve.take_over()
    assert eve.info().you_are_gm
    assert [(intervention.kind, intervention.public) for intervention in eve.interventions()] == [
        ("handover", {"gm": name})
    ]
    with pytest.raises(Forbidden):
        gm.pause()


def test_what_was_and_the_end(club: Club) -> None:
    gm, ann = club.of(club.gm), club.of(club.players[0])
    club.pass_phase()
    number = gm.info().phase_number
    assert [phase.number for phase in ann.phases()][:2] == [0, 1]
    past = ann.phase(1)
    assert (past.viewer, past.phase) == ("p1", "setup")
    assert ann.picture(number=1).startswith("<svg")
    assert {standing.player_id for standing in ann.standings()} == {"p1", "p2"}
    assert gm.check_roll_back(1)["number"] == 1
    assert gm.roll_back(1, "A mistake") == 2
    assert [branch.number for branch in ann.branches()] == [1, 2]
    assert gm.info().phase_number == 1 < number
    gm.replace_player("p1", None, "Gone")
    gm.pause("Tea")
    gm.resume()
    gm.finish("Enough")
    assert gm.info().over
    assert gm.export()
    gm.archive()
    assert gm.delete()
    with pytest.raises(NotFound):
        club.of(club.players[1]).info()
    gm.restore()
