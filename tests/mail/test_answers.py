"""What answers and reports say: in the reader's language, with names, and enough to order by."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from server.core.events import Event
from server.mail.answering import written
from server.mail.answering.receive import receive
from server.mail.briefing import Briefing
from server.mail.report import Report
from server.mail.translations import Translations
from server.play.battles import battles
from server.play.context import AppContext
from server.play.schedule import ticker
from server.play.views import history
from server.rules.orders.fields import HALF
from server.rules.orders.text.names import Names
from server.rules.text import read_orders
from server.store.database import Database
from server.web.translations import Translations as PageTranslations
from tests.mail.conftest import Post, PostOffice, addressed, drain, mail_settings, text_of
from tests.mail.test_answering import answer_to, mail, seat_tag
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock

RHYTHM = {"deadlines": {"kind": "rolling", "hours": 51}}


@pytest.fixture
def kind() -> str:
    """One kind of database is enough: it is the words that are tried."""
    return "sqlite"


@pytest.fixture
def ctx(database: Database, clock: Clock, post: Post) -> Any:
    settings = mail_settings(post, mail_orders="orders@example.org")
    own = AppContext(
        database,
        settings,
        clock,
        translate=lambda language, sentence, known: PageTranslations(language).translate(sentence, known),
    )
    yield own
    own.close()


def ask(made: Club, office: PostOffice, text: str, id_: str = "<1@home.example>", seat: str = "p1") -> str:
    """Send a mail and return the answer without its line breaks."""
    assert receive(made.ctx, mail(seat_tag(made, seat), text, id_)) == "answered"
    drain(made.ctx)
    return answer_to(office, made.players[seat].name)


@pytest.mark.parametrize(("language", "said"), [
    ("en", ['- Line 1: cannot understand "Nowhere". (attack Nowhere)', "reply with all your orders again"]),
    ("de", ["- Zeile 1: „Nowhere“ ist unverständlich. (attack Nowhere)", "noch einmal mit allen Befehlen"]),
])  # fmt: skip
def test_a_refused_line_is_named_once_in_the_language_of_the_reader(
    ctx: AppContext, office: PostOffice, language: str, said: list[str]
) -> None:
    """Seen to fail with the line's number before and in the sentence, and with the sentence in English."""
    made = club(ctx)
    addressed(ctx, Ada=language)
    told = ask(made, office, "attack Nowhere")
    assert all(words in told for words in said), told


@pytest.mark.parametrize(("language", "said"), [
    ("en", ("- Line 1: You do not control 1110. (build barracks at 1110)", "are not final")),
    ("de", ("- Zeile 1: 1110 gehört dir nicht. (build barracks at 1110)", "sind nicht endgültig")),
])  # fmt: skip
def test_what_the_rules_refuse_is_said_likewise(
    ctx: AppContext, office: PostOffice, language: str, said: tuple[str, str]
) -> None:
    made = club(ctx, phases=1)
    addressed(ctx, Ada=language)
    told = ask(made, office, "build barracks at 1110\nFINAL")
    assert all(words in told for words in said), told


def test_a_mail_of_thanks_gets_help_and_no_refusal(ctx: AppContext, office: PostOffice) -> None:
    """Seen to fail when a line that begins like no order is refused even where the mail has no other."""
    made = club(ctx, phases=1)
    addressed(ctx)
    told = ask(made, office, "Thank you!\nAda")
    assert "We found nothing in your email that we could carry out." in told
    assert "refused" not in told
    assert "Examples of what you can order now:" in told
    assert "STOP: no further email, except replies to yours." in told


def test_reports_show_an_order_of_every_kind_that_can_be_given(ctx: AppContext) -> None:
    """Each example reads back. Seen to fail without the shapes of orders whose units are to be filled in."""
    made = club(ctx)
    words = Translations("en", ZoneInfo("UTC"), ctx.now())
    kinds = set()
    for _ in range(6):
        view = made.view("p1")
        names = {"p2": "Bob", "p3": "Cyd", "p4": "Dan"}
        (examples,) = Briefing(view, "p1", names, words).examples()
        read = read_orders(examples.code, Names.of(view, names))
        assert not read.problems, examples.code
        assert len(read.orders) > 1
        assert "disband" not in examples.code
        assert not examples.code.partition("\n")[0].endswith(("guard", "inactive"))
        kinds |= {order["type"] for order in read.orders}
        made.play_phase()
    assert kinds >= {
        "place",
        "build_detachment",
        "build_garrison",
        "add_units",
        "build_road",
        "path",
        "move_and_claim",
        "attack",
        "support",
        "fight",
        "declare_alliance",
    }


def test_units_in_losses_have_their_names_beside_their_ids(ctx: AppContext) -> None:
    """Units are often called alike. Seen to fail when orders are written without what their ids mean."""
    view = club(ctx, phases=8).view("p1")
    force = next(force for force in view.state.detachments.values() if force.owner == "p1" and len(force.units) > 3)
    unit, other = force.units[-2:]
    order = {"type": "fight", "battle": "0303", "mode": "quick", "casualties": [f"{unit.id}{HALF}", other.id]}
    text = written.write([order], view, {})
    assert f"# {unit.id}: {unit.name} ({force.name})\n# {other.id}: {other.name} ({force.name})\n" in text
    assert read_orders(text, view).orders == (order,)
    assert "#" not in written.write([{"type": "guard", "detachment": force.id}], view, {})


@pytest.mark.parametrize(("language", "said"), [
    ("en", ["The attack of Grey Host (0405) on 0505 failed: the target was gone.",
            "The attack of Kite (in orbit) on Foes failed: someone else got there first.",
            "One of your attacks failed: the terrain forbids it."]),
    ("de", ["Der Angriff von Grey Host (0405) auf 0505 ist gescheitert: das Ziel war weg.",
            "Der Angriff von Kite (in der Umlaufbahn) auf Foes ist gescheitert: eine andere Truppe war schneller.",
            "Einer deiner Angriffe ist gescheitert: das Gelände ließ es nicht zu."]),
])  # fmt: skip
def test_an_attack_that_fails_is_told_with_force_hex_and_reason(
    ctx: AppContext, language: str, said: list[str]
) -> None:
    made = club(ctx, phases=8)
    past = history.past(ctx, made.players["p1"], made.id, 8, as_="p1")
    state = past.view.state.copy()
    model = next(force for force in state.detachments.values() if force.owner == "p1")
    at = state.board.find("0405")
    assert at is not None
    for id_, name, owner, where in (
        ("grey", "Grey Host", "p1", at),
        ("kite", "Kite", "p1", -1),
        ("foe", "Foes", "p2", at),
    ):
        state.detachments[id_] = replace(model, id=id_, name=name, owner=owner, at=where)
    given = [
        {"type": "attack", "detachment": "grey", "target": "0505"},
        {"type": "raid", "detachment": "kite", "target": "foe"},
    ]
    failed = (("grey", "target_gone"), ("kite", "contested"), ("lost", "terrain"))
    events = tuple(Event("attack_failed", {"force": force, "reason": reason}, ("p1",)) for force, reason in failed)
    past = replace(past, view=replace(past.view, state=state), events=events, problems={}, orders={"p1": given})
    words = Translations(language, ZoneInfo("UTC"), ctx.now())
    assert list(Report(past, "p1", {}, words).sentences()) == said


def test_a_reminder_holds_all_that_is_needed_to_order(ctx: AppContext, office: PostOffice, clock: Clock) -> None:
    """Who wants reminders only gets nothing else. Seen to fail with the deadline alone."""
    made = club(ctx, options=RHYTHM, phases=7)
    addressed(ctx)
    drain(ctx)
    clock.forward(hours=48)
    ticker.work(ctx, "warning")
    drain(ctx)
    reminder = office.to("Ada")[-1]
    assert "3 hours left to give orders" in reminder["Subject"]
    told = " ".join(text_of(reminder).split())
    for words in ("as you saw it:", "Your forces:", "Positions:", "Reply with one order per line:"):
        assert words in told
    assert [part.get_content_type() for part in reminder.walk()].count("image/png") == 1
    assert made.id in told


def test_results_of_the_table_go_by_mail_and_are_asked_by_mail(ctx: AppContext, office: PostOffice) -> None:
    """Reported by a line, shown to the other side with what to answer; a forecast reports nothing."""
    made = club(ctx, rules={"battles": "tabletop", "capital_eliminates": True})
    addressed(ctx)
    for _ in range(80):
        if made.info.phase == "reports" or made.info.status != "running":
            break
        made.play_phase()
    drain(ctx)
    battle = next(found for found in battles.listed(ctx, made.gm, made.id) if not found.winner)
    mine, theirs = made.players[battle.attacking], made.players[battle.defended_by]
    line = f"result {battle.hex}: {mine.name} won; retreated {theirs.name}"
    told = ask(made, office, f"{line}\nFORECAST", seat=battle.attacking)
    assert "would be (nothing has been saved): " + line in told
    assert not next(found for found in battles.listed(ctx, made.gm, made.id) if found.hex == battle.hex).reports
    told = ask(made, office, line, "<2@home.example>", battle.attacking)
    assert f"Your result of the battle of {battle.hex} has been reported" in told
    (report,) = next(found for found in battles.listed(ctx, made.gm, made.id) if found.hex == battle.hex).reports
    assert (report.content["winner"], report.reported_by) == (battle.attacking, battle.attacking)
    asked = " ".join(text_of(office.to(theirs.name)[-1]).split())
    assert f"{mine.name} reports: {line}" in asked
    assert f"the line CONFIRM {battle.hex}, or with DISPUTE {battle.hex} and your reason" in asked
    wrong = ask(made, office, f"result {battle.hex}: Nobody won", "<3@home.example>", battle.attacking)
    assert 'cannot understand "Nobody"' in wrong


def test_the_first_mails_of_a_campaign_have_no_empty_places(ctx: AppContext, office: PostOffice) -> None:
    """Before there are forces and turns. Seen to fail with a dash for the map, and with "Turn 0, start"."""
    made = club(ctx)
    addressed(ctx)
    drain(ctx)
    report = text_of(office.to("Ada")[-1])
    assert "Positions:" not in report
    assert "  # no orders yet\n" in report
    told = ask(made, office, "REPORT")
    assert "The start - " in told
    assert "Turn 0" not in told
