"""Orders and words that come back by mail: what they do, what is answered, and that nobody else can do it."""

from __future__ import annotations

from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import count
from typing import Any

import orjson
import pytest
from sqlalchemy import func, select

from server.core.dice import commitment
from server.mail.answering.receive import MAX_ANSWERS, receive
from server.play.battles import battles
from server.play.campaigns import campaigns
from server.play.context import AppContext
from server.play.dice import salt_keeping
from server.play.messages import messages
from server.play.notices import reply_tags, webhooks
from server.play.notices.reply_tags import Tag
from server.play.orders import orders, orders_in_advance
from server.store.database import Database
from server.store.tables import InboundMail, Outbox, ServerValue
from tests.mail.conftest import Post, PostOffice, addressed, drain, informed, mail_settings, text_of
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock


@pytest.fixture
def ctx(database: Database, clock: Clock, post: Post) -> Any:
    settings = mail_settings(post, mail_orders="orders@example.org", mail_limit=2_000_000)
    own = AppContext(database, settings, clock)
    yield own
    own.close()


@pytest.fixture
def made(ctx: AppContext, office: PostOffice) -> Club:
    found = informed(ctx)
    office.got.clear()
    return found


def seat_tag(made: Club, seat: str = "p1", number: int | None = None) -> str:
    number = made.info.phase_number if number is None else number
    actor = made.players[seat]
    return reply_tags.address(made.ctx, Tag("seat", made.id, seat, made.info.branch, number), actor.user_id)


def mail(to: str, text: str, id_: str = "<one@example.org>", **headers: str) -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Message-ID"] = "Eve <eve@evil.example>", to, id_
    message["Date"] = "Sun, 3 May 2026 18:04:05 +0200"
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message.as_bytes()


def answer_to(office: PostOffice, name: str) -> str:
    """Return the newest mail to somebody, without its line breaks."""
    return " ".join(text_of(office.to(name)[-1]).split())


def chosen(made: Club, seat: str = "p1") -> list[Any]:
    """Return orders that are good for the open phase."""
    from server.bots import commander

    return list(commander.choose(made.view(seat)))


def as_lines(given: list[Any]) -> str:
    return "\n".join(orjson.dumps(order).decode() for order in given)


def test_reports_say_where_answers_go(ctx: AppContext, office: PostOffice) -> None:
    made = club(ctx)
    addressed(ctx)
    drain(ctx)
    report = office.to("Ada")[-1]
    assert report["Reply-To"] == seat_tag(made)
    assert report["List-Unsubscribe"].startswith(f"<mailto:{seat_tag(made)}?subject=STOP")


def test_orders_are_stored_and_answered(made: Club, office: PostOffice) -> None:
    wanted = chosen(made)
    text = f"Hello,\n\n{as_lines(wanted)}\nFINAL\n\nThank you\nAda\n\nOn 3 May 2026, Sealed Orders wrote:\n> help\n"
    assert receive(made.ctx, mail(seat_tag(made), text)) == "answered"
    kept = orders.read(made.ctx, made.players["p1"], made.id)
    assert (list(kept.orders), kept.final, kept.source) == (wanted, True, "mail")
    drain(made.ctx)
    assert office.recipients[-1] == "ada@example.org"
    assert "Your orders for Setup are final." in answer_to(office, "Ada")
    assert "refused" not in answer_to(office, "Ada")
    assert office.to("Ada")[-1]["Auto-Submitted"] == "auto-replied"
    assert office.to("Ada")[-1]["In-Reply-To"] == "<one@example.org>"


def test_answers_say_whether_the_orders_are_final(made: Club, office: PostOffice) -> None:
    """Seen to fail where nothing is said of orders without FINAL, and where FINAL alone names no phase."""
    receive(made.ctx, mail(seat_tag(made), as_lines(chosen(made))))
    drain(made.ctx)
    assert "saved, but not final. Reply with the line FINAL" in " ".join(answer_to(office, "Ada").split())
    for number, (word, told) in enumerate({"FINAL": "are final.", "NOT FINAL": "are no longer final."}.items()):
        receive(made.ctx, mail(seat_tag(made), word, id_=f"<word{number}@example.org>"))
        drain(made.ctx)
        assert f"Your orders for Setup {told}" in answer_to(office, "Ada")
        assert "but not final" not in answer_to(office, "Ada")


def test_a_refused_order_keeps_the_rest_and_is_not_final(made: Club, office: PostOffice) -> None:
    wanted = chosen(made)
    bad = {"type": "place", "what": "castle in the air", "at": "0101"}
    receive(made.ctx, mail(seat_tag(made), as_lines([*wanted, bad]) + "\nFINAL"))
    kept = orders.read(made.ctx, made.players["p1"], made.id)
    assert (list(kept.orders), kept.final) == (wanted, False)
    drain(made.ctx)
    assert "castle in the air" in answer_to(office, "Ada")
    assert "are not final" in answer_to(office, "Ada")


def test_a_forecast_stores_nothing(made: Club, office: PostOffice) -> None:
    receive(made.ctx, mail(seat_tag(made), as_lines(chosen(made)) + "\nVORSCHAU"))
    assert orders.read(made.ctx, made.players["p1"], made.id).revision == 0
    drain(made.ctx)
    assert "nothing has been saved" in answer_to(office, "Ada")


@pytest.mark.parametrize("change", ["forged", "other seat", "unsigned"])
def test_only_a_genuine_tag_is_obeyed(made: Club, office: PostOffice, change: str) -> None:
    """Seen to fail when ``reply_tags.read`` does not compare the signature."""
    address = seat_tag(made)
    if change == "forged":
        at = address.index("@") - 1
        address = address[:at] + ("a" if address[at] != "a" else "b") + address[at + 1 :]
    elif change == "other seat":
        address = reply_tags.address(
            made.ctx, Tag("seat", made.id, "p2", 1, made.info.phase_number), made.players["p1"].user_id
        )
    else:
        address = "orders@example.org"
    assert receive(made.ctx, mail(address, as_lines(chosen(made)) + "\nFINAL")) == "no_tag"
    drain(made.ctx)
    assert office.got == []
    assert all(orders.read(made.ctx, actor, made.id).revision == 0 for actor in made.players.values())


def test_a_mail_counts_once(made: Club, office: PostOffice) -> None:
    """Seen to fail when a mail is known by its Message-ID alone."""
    text = as_lines(chosen(made))
    outcomes = [
        receive(made.ctx, mail(seat_tag(made), text, id_))
        for id_ in ("<one@example.org>", "<one@example.org>", "<two@example.org>")
    ]
    assert outcomes == ["answered", "repeated", "repeated"]
    assert orders.read(made.ctx, made.players["p1"], made.id).revision == 1
    drain(made.ctx)
    assert len(office.got) == 1


def test_what_was_begun_and_not_done_is_done_again_with_one_answer(made: Club, office: PostOffice) -> None:
    receive(made.ctx, mail(seat_tag(made), "HELP"))
    with made.ctx.database.write() as session:  # as if the process had ended before the last commit
        for row in session.scalars(select(InboundMail)):
            row.outcome = ""
    assert receive(made.ctx, mail(seat_tag(made), "HELP")) == "answered"
    drain(made.ctx)
    assert len(office.got) == 1


def test_old_tags_are_late_and_still_read(made: Club, office: PostOffice) -> None:
    old = seat_tag(made)
    late = as_lines(chosen(made))
    made.play_phase()
    drain(made.ctx)
    office.got.clear()
    receive(made.ctx, mail(old, late + "\nFINAL"))
    drain(made.ctx)
    assert "are too late" in answer_to(office, "Ada")
    assert orders.read(made.ctx, made.players["p1"], made.id).revision == 0
    receive(made.ctx, mail(old, "ORDERS\nREPORT\nMAP", "<two@example.org>"))
    drain(made.ctx)
    newest = office.to("Ada")[-1]
    assert "Positions:" in text_of(newest)
    pictures = [part for part in newest.walk() if part.get_content_type() == "image/png"]
    assert pictures[0]["Content-ID"] == "<map>"
    assert 0 < len(pictures[0].get_content()) <= 200_000


@pytest.mark.parametrize("headers", [{"Auto_Submitted": "auto-replied"}, {"Precedence": "auto_reply"}])
def test_automatic_mails_are_never_answered(made: Club, office: PostOffice, headers: dict[str, str]) -> None:
    assert receive(made.ctx, mail(seat_tag(made), "HELP", **headers)) == "auto"
    drain(made.ctx)
    assert office.got == []


def test_our_own_answer_is_not_answered(made: Club, office: PostOffice) -> None:
    receive(made.ctx, mail(seat_tag(made), "HELP"))
    drain(made.ctx)
    assert receive(made.ctx, office.got[-1].as_bytes(), [seat_tag(made)]) == "auto"


def test_of_a_flood_nothing_is_lost_and_the_last_mail_is_answered_once(
    made: Club, office: PostOffice, clock: Clock
) -> None:
    for number in range(MAX_ANSWERS):
        assert receive(made.ctx, mail(seat_tag(made), f"HELP\n{number}", f"<{number}@example.org>")) == "answered"
    wanted = chosen(made)
    first = receive(made.ctx, mail(seat_tag(made), as_lines(wanted[:1]), "<first@example.org>"))
    last = receive(made.ctx, mail(seat_tag(made), as_lines(wanted) + "\nSTOP", "<last@example.org>"))
    assert (first, last) == ("answered_later", "answered_later")
    assert list(orders.read(made.ctx, made.players["p1"], made.id).orders) == wanted
    assert webhooks.mail_choice(made.ctx, made.players["p1"]) == "nothing"
    drain(made.ctx)
    assert len(office.got) == MAX_ANSWERS
    clock.forward(seconds=3601)
    drain(made.ctx)
    assert len(office.to("Ada")) == MAX_ANSWERS + 1
    assert "this is the answer to the last one" in answer_to(office, "Ada")
    assert office.to("Ada")[-1]["In-Reply-To"] == "<last@example.org>"


def test_a_mail_under_the_tag_of_a_campaign_that_has_ended_is_answered(made: Club, office: PostOffice) -> None:
    """A mail server would hand the mail over for days if what is refused left ``receive``."""
    late = as_lines(chosen(made))
    campaigns.finish(made.ctx, made.gm, made.id)
    assert receive(made.ctx, mail(seat_tag(made), late + "\nFINAL")) == "answered"
    campaigns.remove(made.ctx, made.gm, made.id)
    assert receive(made.ctx, mail(seat_tag(made), late, "<two@example.org>")) == "answered"


def test_a_mail_that_is_too_large_is_answered_and_not_read(made: Club, office: PostOffice) -> None:
    huge = mail(seat_tag(made), as_lines(chosen(made)) + "\nFINAL\n" + "x" * 3_000_000)
    assert receive(made.ctx, huge) == "answered"
    assert orders.read(made.ctx, made.players["p1"], made.id).revision == 0
    drain(made.ctx)
    assert "too large" in answer_to(office, "Ada")


def bounce(to: str, number: int = 0) -> bytes:
    return (
        f"From: MAILER-DAEMON@mx.example\nTo: {to}\nSubject: Undelivered Mail\nMessage-ID: <b{number}@mx.example>\n"
        "Return-Path: <>\nContent-Type: text/plain\n\n"
        f"<ada@example.org>: 550 5.1.1 User unknown ({number})\n"
    ).encode()


def test_bounces_switch_mail_off_and_the_game_master_is_told(made: Club, office: PostOffice) -> None:
    assert receive(made.ctx, bounce(seat_tag(made))) == "bounce"
    assert webhooks.mail_choice(made.ctx, made.players["p1"]) == "nothing"
    drain(made.ctx)
    assert [str(found["Subject"]) for found in office.to("Gwen")] == [
        "[The Long March] Email to Ada could not be delivered"
    ]


def test_messages_go_and_answers_come_back_into_the_thread(made: Club, office: PostOffice) -> None:
    receive(made.ctx, mail(seat_tag(made), "MESSAGE to Bob:\nShall we?\nYours"))
    drain(made.ctx)
    letter = office.to("Bob")[-1]
    receive(made.ctx, mail(str(letter["Reply-To"]), "We shall.\n\n> Shall we?", "<two@example.org>"))
    first, answer = sorted(
        messages.listed(made.ctx, made.players["p1"], made.id), key=lambda message: message.sender or ""
    )
    assert (answer.sender, answer.body, answer.to) == ("p2", "We shall.", ("p1",))
    assert answer.reply_to == first.id


def test_tags_of_messages_in_earlier_mails_are_read(made: Club) -> None:
    """They had the whole id of the message, and not its campaign."""
    asked = messages.send(made.ctx, made.players["p2"], made.id, ["p1"], "Shall we?")
    tag, user_id = Tag("message", made.id, "p1", message_id=asked.id), made.players["p1"].user_id
    now = reply_tags.make(made.ctx, tag, user_id)
    with made.ctx.database.read() as session:
        facts = f"m{asked.id}b"
        before = facts + reply_tags._sign(session.get_one(ServerValue, "mail_key").value, facts, user_id)
    for text in (now, before):
        found = reply_tags.read(made.ctx, text)
        assert found is not None
        assert (found[0], found[1].user_id) == (tag, user_id)
    assert reply_tags.read(made.ctx, now.replace(asked.id[:8], "a" * 8)) is None


def test_the_game_master_confirms_what_cannot_be_undone(made: Club, office: PostOffice) -> None:
    tag = Tag("game_master", made.id, "", made.info.branch, made.info.phase_number)
    receive(made.ctx, mail(reply_tags.address(made.ctx, tag, made.gm.user_id), "WEITER"))
    before = made.info.phase_number
    drain(made.ctx)
    asked = office.to("Gwen")[-1]
    assert made.info.phase_number == before
    receive(made.ctx, mail(str(asked["Reply-To"]), "JA", "<two@example.org>"))
    assert made.info.phase_number > before


def test_a_player_is_no_game_master(made: Club, office: PostOffice) -> None:
    receive(made.ctx, mail(seat_tag(made), "ADVANCE"))
    drain(made.ctx)
    assert "Only the game master may do that." in answer_to(office, "Ada")


def test_stop_and_holiday(made: Club, office: PostOffice) -> None:
    receive(made.ctx, mail(seat_tag(made), "HOLIDAY until 9.9.2031\nSTOP"))
    seat = next(seat for seat in made.info.seats if seat.player_id == "p1")
    assert seat.holiday_until is not None
    assert seat.holiday_until.year == 2031
    assert webhooks.mail_choice(made.ctx, made.players["p1"]) == "nothing"


@pytest.mark.parametrize(("words", "choice"), [
    ("MAIL turn", "turn"), ("mail: jede Runde", "turn"), ("Mail reminders", "reminders"), ("MAIL nichts", "nothing"),
])  # fmt: skip
def test_how_much_comes_by_mail_is_chosen_by_mail(made: Club, office: PostOffice, words: str, choice: str) -> None:
    assert receive(made.ctx, mail(seat_tag(made), words)) == "answered"
    assert webhooks.mail_choice(made.ctx, made.players["p1"]) == choice
    receive(made.ctx, mail(seat_tag(made), "MAIL phase", "<two@example.org>"))
    assert webhooks.mail_choice(made.ctx, made.players["p1"]) == "phase"
    drain(made.ctx)
    assert "a report after each phase" in answer_to(office, "Ada")


def test_keep_keeps_late_orders_for_the_next_phase_of_that_kind(made: Club, office: PostOffice) -> None:
    made.play_phase()  # the setup
    old = seat_tag(made)
    kind, turn = made.info.phase, made.info.turn
    made.play_phase()
    ally = {"type": "declare_alliance", "with": "p2"}
    receive(made.ctx, mail(old, as_lines([ally]) + "\nKEEP"))
    drain(made.ctx)
    assert "Your orders are saved for" in answer_to(office, "Ada")
    left = orders_in_advance.listed(made.ctx, made.players["p1"], made.id)
    assert [(one.phase, one.turn, list(one.orders)) for one in left] == [(kind, (turn or 0) + 1, [ally])]


@pytest.mark.parametrize("words", ["ALLY WITH Bob", "BÜNDNIS MIT p2"])
def test_alliances_are_orders(made: Club, office: PostOffice, words: str) -> None:
    made.play_phase()
    receive(made.ctx, mail(seat_tag(made), words))
    assert list(orders.read(made.ctx, made.players["p1"], made.id).orders) == [
        {"type": "declare_alliance", "with": "p2"}
    ]


def test_an_alliance_that_is_none_cannot_be_ended(made: Club, office: PostOffice) -> None:
    made.play_phase()
    receive(made.ctx, mail(seat_tag(made), "END ALLIANCE with Bob\nALLY WITH Nobody"))
    drain(made.ctx)
    assert "Refused:" in answer_to(office, "Ada")
    assert 'No player is called "Nobody".' in answer_to(office, "Ada")


def test_luck_goes_into_the_next_salt_and_keeps_the_orders(made: Club, office: PostOffice) -> None:
    wanted = chosen(made)
    receive(made.ctx, mail(seat_tag(made), as_lines(wanted)))
    receive(made.ctx, mail(seat_tag(made), "LUCK seven black cats", "<two@example.org>"))
    kept = orders.read(made.ctx, made.players["p1"], made.id)
    assert (list(kept.orders), kept.revision) == (wanted, 2)
    with made.ctx.database.read() as session:
        now = salt_keeping.rows_of(session, made.id, kept.branch, kept.number)["p1"]
        (following,) = salt_keeping.waiting_of(session, made.id, "p1")
    assert "cats" not in now.salt, "the dice of the open phase stand"
    assert following.salt.endswith(" seven black cats"), "with a part that only the server knows before the words"
    assert following.commitment == commitment(following.salt.encode())
    drain(made.ctx)
    assert "Lucky phrase saved. It goes into the dice of the next phase." in answer_to(office, "Ada")


def test_the_game_master_extends_the_deadline_once_confirmed(made: Club, office: PostOffice) -> None:
    tag = Tag("game_master", made.id, "", made.info.branch, made.info.phase_number)
    receive(made.ctx, mail(reply_tags.address(made.ctx, tag, made.gm.user_id), "EXTEND 36"))
    assert made.info.deadline is None
    drain(made.ctx)
    receive(made.ctx, mail(str(office.to("Gwen")[-1]["Reply-To"]), "YES", "<two@example.org>"))
    assert made.info.deadline == made.ctx.now() + timedelta(hours=36)


@pytest.mark.parametrize(
    ("words", "status"), [("CONFIRM {hex}", "confirmed"), ("DISPUTE {hex} I won that", "disputed")]
)
def test_results_of_battles_are_answered(ctx: AppContext, office: PostOffice, words: str, status: str) -> None:
    made = club(ctx, rules={"battles": "tabletop", "capital_eliminates": True})
    addressed(ctx)
    for _ in range(80):
        if made.info.phase == "reports" or made.info.status != "running":
            break
        made.play_phase()
    battle = next(found for found in battles.listed(ctx, made.gm, made.id) if not found.winner)
    told = battles.report(ctx, made.players[battle.attacking], made.id, battle.hex, {"winner": battle.attacking})
    receive(ctx, mail(seat_tag(made, battle.defended_by), words.format(hex=battle.hex)))
    found = next(found for found in battles.listed(ctx, made.gm, made.id) if found.hex == battle.hex)
    assert next(report.status for report in found.reports if report.id == told.id) == status


def test_once_a_turn_is_enough(made: Club, office: PostOffice) -> None:
    webhooks.choose_mail(made.ctx, made.players["p1"], "turn")
    for _ in range(3):
        made.play_phase()
        drain(made.ctx)
    subjects = [str(found["Subject"]) for found in office.to("Ada")]
    assert [subject for subject in subjects if "Movement" in subject] == []
    assert [subject for subject in subjects if "Build" in subject] != []


def test_accounts_without_an_address_leave_no_failures(ctx: AppContext) -> None:
    club(ctx)
    drain(ctx)
    with ctx.database.read() as session:
        assert session.scalar(select(func.count()).select_from(Outbox).where(Outbox.kind == "mail")) == 0


def test_any_bytes_come_to_nothing(made: Club) -> None:
    for raw in (b"", b"\xff\x00", b"To: orders+aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@example.org\n\nFINAL"):
        assert receive(made.ctx, raw) == "no_tag"


def test_a_mail_is_written_alike_for_every_program(made: Club, office: PostOffice) -> None:
    """Complete without pictures and styles, at most 72 columns, nothing from elsewhere."""
    numbers = count(2)
    columns = [
        order | {"name": f"Column {next(numbers)}"} if order["type"] == "build_detachment" else order
        for order in chosen(made)
    ]
    orders.replace(made.ctx, made.players["p1"], made.id, columns, final=True)
    for seat in ("p2", "p3", "p4"):
        made.order(seat)
    drain(made.ctx)
    report = message_from_bytes(office.to("Ada")[-1].as_bytes(), policy=policy.default)
    html = str(report.get_body(("html",)).get_content())  # type: ignore[union-attr]
    assert "<style" not in html
    assert 'src="http' not in html
    assert "<div" not in html
    plain = text_of(report)
    prose = [line for line in plain.split("\n") if not line.startswith(("  ", "https://"))]
    assert max(map(len, prose)) <= 72
    assert "Leader, Trackers, 4 x Company, Squad" in plain
    assert "Squad, Squad" not in plain
    assert "Company, Company" not in plain
    assert plain.index("\n- Column 2:") < plain.index("\n- Column 3:")
    assert "Your map:" not in plain
    for words in ("Your forces:", "Positions:", "Reply with one order per line"):
        assert words in plain
        assert words in html


def rich(to: str, html: str, plain: str = "") -> bytes:
    """Write a mail in HTML, beside plain text where there is some."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"], message["Message-ID"] = "a@example.org", to, "Re", "<r@x.org>"
    if plain:
        message.set_content(plain)
        message.add_alternative(html, subtype="html")
    else:
        message.set_content(html, subtype="html")
    return message.as_bytes()


@pytest.mark.parametrize("form", ["{}\n1. FORECAST", "{}\n2) FORECAST", "<ol>{}<li><p>FORECAST</p></li></ol>"])
def test_a_forecast_in_a_numbered_list_stores_nothing(made: Club, office: PostOffice, form: str) -> None:
    wanted, tag = chosen(made), seat_tag(made)
    if form.startswith("<"):
        given = rich(tag, form.format("".join(f"<li><p>{line}</p></li>" for line in as_lines(wanted).split("\n"))))
    else:
        given = mail(tag, form.format(as_lines(wanted)))
    assert receive(made.ctx, given) == "answered"
    assert orders.read(made.ctx, made.players["p1"], made.id).orders == ()
    drain(made.ctx)
    assert "would be (nothing has been saved)" in answer_to(office, "Ada")
    assert "refused" not in answer_to(office, "Ada")


@pytest.mark.parametrize("strike", ["<s>{}</s>", "<strike>{}</strike>", "<del><b>{}</b></del>",
                                    '<span style="color: red; text-decoration: line-through">{}</span>'])  # fmt: skip
@pytest.mark.parametrize("plain", [False, True])
def test_what_is_struck_out_is_not_ordered_and_the_answer_says_so(
    made: Club, office: PostOffice, strike: str, plain: bool
) -> None:
    """Also where plain text beside it does not show it."""
    *wanted, last = as_lines(chosen(made)).split("\n")
    html = "".join(f"<p>{line}</p>" for line in wanted) + f"<p>{strike.format(last)}</p>"
    beside = "\n".join([*wanted, last]) if plain else ""
    assert receive(made.ctx, rich(seat_tag(made), html, beside)) == "answered"
    assert as_lines(list(orders.read(made.ctx, made.players["p1"], made.id).orders)).split("\n") == wanted
    drain(made.ctx)
    assert f"You struck this out, so we did nothing with it: - {last}"[:90] in answer_to(office, "Ada")
