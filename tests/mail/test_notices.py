"""What mails say: to whom, in which words, and nothing their readers may not know."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from sqlalchemy import select
from starlette.routing import Match

from server.app import create_app
from server.mail.compose import compose
from server.mail.letters import text_of as plain_of
from server.mail.notices import NOTICES
from server.mail.translations import languages
from server.play.accounts import links
from server.play.campaigns import campaigns, seats
from server.play.context import AppContext
from server.play.game_masters import game_master, handover, rollback
from server.play.messages import messages
from server.play.notices import delivery, webhooks
from server.play.notices.delivery import Item
from server.play.notices.notices import KINDS
from server.play.notices.posting import PermanentFailure
from server.play.orders import orders, orders_in_advance
from server.play.schedule import ticker
from server.play.schedule.downtime import Heartbeat
from server.rules.options import instances, legal_orders
from server.rules.state import Force
from server.store.phase_events import events_of
from server.store.tables import Outbox, Phase, User
from tests.english import ENGLISH
from tests.mail.conftest import PostOffice, addressed, drain, html_of, text_of
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person

RHYTHM = {"deadlines": {"kind": "rolling", "hours": 51}}


def letters(ctx: AppContext) -> dict[str, str]:
    """Return all that is due as text, by dedupe key, and why what is not written is not."""
    found: dict[str, str] = {}

    def write(item: Item) -> None:
        try:
            found[item.dedupe] = plain_of(compose(ctx, item))
        except PermanentFailure as error:
            found[item.dedupe] = f"hopeless: {error}"

    while delivery.deliver(ctx, {"mail": write}):
        pass
    return found


def test_a_turn_in_mails(ctx: AppContext, office: PostOffice, clock: Clock) -> None:
    made = club(ctx, options=RHYTHM)
    addressed(ctx, Bob="de-AT")
    drain(ctx)
    begins, setup = office.to("Ada")
    assert begins["Subject"] == "[The Long March] The campaign has started"
    assert made.info.link0 in text_of(begins)
    assert setup["Subject"] == "[The Long March] Setup: orders due Sunday 17:00"
    assert setup["From"] == "The Club <club@example.org>"
    assert "by Sunday 18 May, 17:00 (Europe/Berlin), in 2 days and 3 hours." in re.sub(r"\s+", " ", text_of(setup))
    assert f"https://play.example.org/campaigns/{made.id}/table" in text_of(setup)
    assert setup["List-Unsubscribe"] == "<https://play.example.org/settings>"
    assert office.to("Bob")[1]["Subject"] == "[The Long March] Aufstellung: Befehle bis Sonntag 17:00 Uhr"
    assert office.to("Bob")[1]["Content-Language"] == "de"
    for _ in range(2):
        made.play_phase()
    view = made.view("p1")
    own = {view.state.board.label(at) for at, owner in enumerate(view.state.owner) if owner == "p1"}
    marches = (option for option in legal_orders(view) if option["order"]["type"] == "move_and_claim")
    claims = [order for option in marches for order in instances(option) if order["path"][-1] not in own]
    near, free = claims[0], next(each for each in claims if each["detachment"] != claims[0]["detachment"])
    for seat, player in made.players.items():
        orders.replace(ctx, player, made.id, [near, free] if seat == "p1" else [], final=True)
    drain(ctx)
    march = office.to("Ada")[-1]
    assert march["Subject"] == "[The Long March] Turn 1, Battle orders: orders due Sunday 17:00"
    assert "Movement, as you saw it:" in text_of(march)
    assert f"You claimed {free['path'][-1]}." in text_of(march)
    failed = "Your claim to {} fails: an enemy stands next to the detachment."
    assert failed.format(near["path"][-1]) in re.sub(r"\s+", " ", text_of(march))


def test_mails_of_a_campaign_are_one_thread_for_each_reader(ctx: AppContext, office: PostOffice) -> None:
    made = club(ctx)
    addressed(ctx)
    first = messages.send(ctx, made.players["p1"], made.id, ["p2"], "Peace?")
    messages.send(ctx, made.players["p2"], made.id, ["p1"], "No.", reply_to=first.id)
    other = messages.send(ctx, made.players["p1"], made.id, ["p2"], "Why?", subject="Why not?")
    drain(ctx)
    ada, bob = office.to("Ada"), office.to("Bob")
    assert len({each["Message-ID"] for each in office.got}) == len(office.got)
    assert len({each["References"].split()[0] for each in ada}) == 1
    assert {each["References"].split()[0] for each in ada}.isdisjoint(each["References"].split()[0] for each in bob)
    asked = next(each for each in bob if "Peace?" in text_of(each))
    assert messages.send(ctx, made.players["p2"], made.id, ["p1"], "Because.", reply_to=other.id)
    messages.send(ctx, made.players["p1"], made.id, ["p2"], "And?", reply_to=first.id)
    drain(ctx)
    again = office.to("Bob")[-1]
    assert again["In-Reply-To"] == asked["Message-ID"]
    assert again["Subject"] == "[The Long March] Message from Ada"
    why = next(each for each in office.to("Bob") if "Why?" in text_of(each))
    assert why["Subject"] == "[The Long March] Message from Ada: Why not?"


def test_what_players_write_is_quoted_and_escaped(ctx: AppContext, office: PostOffice) -> None:
    made = club(ctx)
    addressed(ctx)
    messages.send(ctx, made.players["p1"], made.id, ["p2"], "<script>alert(1)</script>\n-- \nfoo", subject="a <b> & c")
    drain(ctx)
    mail = office.to("Bob")[-1]
    assert "> <script>alert(1)</script>" in text_of(mail)
    assert text_of(mail).count("\n-- \n") == 1  # ours: what follows is no signature of anybody's making
    tags: list[str] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            tags.append(tag)

    Tags().feed(html_of(mail))
    assert "script" not in tags
    assert "b" not in tags


def test_mails_tell_only_what_their_readers_were_told(ctx: AppContext) -> None:
    made = club(ctx, options=RHYTHM)
    addressed(ctx)
    everything_mailed(ctx, made)
    ada, told = made.players["p1"].user_id, 0
    for number in range(1, 14):
        made.play_phase()
        with ctx.database.read() as session:
            phases = session.scalars(select(Phase).where(Phase.number == number)).all()
            events = [event for told_of in events_of(session, phases).values() for event in told_of]
        known = {hex_ for each in events if each.public or "p1" in each.to for hex_ in hexes_in(str(each.fields))}
        seen = made.view("p1").state
        standing: list[Force] = [*seen.detachments.values(), *seen.garrisons.values()]
        known |= {seen.board.label(force.at) for force in standing if force.at >= 0} | {
            *map(seen.board.label, seen.store)
        }
        hidden = {hex_ for each in events for hex_ in hexes_in(str(each.fields))} - known
        for key, text in letters(ctx).items():
            if ada in key:
                assert not hexes_in(text) & hidden
                told += len(hexes_in(text) & known)
    assert told >= 10, "the mails told so little that this shows nothing"


def hexes_in(text: str) -> set[str]:
    """Return what may be labels of hexes."""
    return set(re.findall(r"\b0\d0\d\b", text))


def test_links_lead_to_pages(ctx: AppContext) -> None:
    made = club(ctx)
    addressed(ctx)
    everything_mailed(ctx, made)
    made.play_phase()
    messages.send(ctx, made.players["p1"], made.id, ["p2"], "Peace?")
    messages.declare(ctx, made.players["p2"], made.id, "war")
    links.request_link(ctx, "ada@example.org")
    links.request_link(ctx, "new@example.org")
    app = create_app(ctx.settings)
    found = {url.partition("?")[0] for text in letters(ctx).values() for url in re.findall(r"https://\S+", text)}
    assert len(found) == 5  # the campaign, its table, its people, settings, a link
    for url in found:
        path = url.removeprefix("https://play.example.org")
        scope = {"type": "http", "method": "GET", "path": path, "headers": [], "query_string": b"", "root_path": ""}
        assert any(route.matches(scope)[0] == Match.FULL for route in app.router.routes), url


def everything_mailed(ctx: AppContext, made: Club) -> None:
    for actor in (made.gm, *made.players.values()):
        webhooks.choose_notifications(ctx, actor, {kind: {"mail": True} for kind in KINDS})


def test_every_kind_of_notice_has_its_mail(ctx: AppContext, clock: Clock) -> None:
    assert set(NOTICES) == set(KINDS)
    made = club(ctx, options=RHYTHM)
    addressed(ctx, Ada="de")
    everything_mailed(ctx, made)
    bob = made.players["p2"]
    made.play_phase()
    clock.forward(hours=49)
    ticker.work(ctx, "warning")
    messages.announce(ctx, made.gm, made.id, "Tuesday is off.", subject="Tuesday")
    messages.declare(ctx, bob, made.id, "war", body="Now.")
    messages.declare(ctx, bob, made.id, "truce", toward="p1")
    game_master.set_due(ctx, made.gm, made.id, None, why="Holidays.")
    game_master.edit(ctx, made.gm, made.id, [{"do": "set", "what": "store", "hex": "0101", "bp": 7}], why="A gift.")
    campaigns.pause(ctx, made.gm, made.id, "Christmas")
    campaigns.resume(ctx, made.gm, made.id)
    seats.leave(ctx, made.players["p4"], made.id)
    found = letters(ctx)
    mails = [text for text in found.values() if not text.startswith("hopeless")]
    assert any("Christmas" in mail for mail in mails)
    campaigns.finish(ctx, made.gm, made.id, "Tired.")
    found |= letters(ctx)
    with ctx.database.read() as session:
        about = {str(each.payload["about"]) for each in session.query(Outbox).filter(Outbox.kind == "mail")}
        assert not [each.last_error for each in session.query(Outbox) if "Error" in each.last_error]
    assert about >= {"phase_opened", "deadline_near", "announcement", "declaration", "deadline_changed", "intervention",
                     "paused", "resumed", "finished", "campaign_started"}  # fmt: skip
    assert any("Bekanntmachung" in text or "Die Spielleitung schreibt" in text for text in found.values())


def test_mails_of_what_the_game_master_does_give_their_reason(ctx: AppContext, office: PostOffice) -> None:
    """Seen to fail for each of them."""
    made = club(ctx, options=RHYTHM)
    addressed(ctx, Bob="de")
    made.play_phase()
    edits = [{"do": "set", "what": "store", "hex": "0101", "bp": 7}]
    drain(ctx)
    acts: dict[str, Callable[[str], object]] = {
        "Holiday weekend": lambda why: game_master.set_due(ctx, made.gm, made.id, None, why=why),
        "A gift": lambda why: game_master.edit(ctx, made.gm, made.id, edits, why),
        "Wrong map": lambda why: rollback.roll_back(ctx, made.gm, made.id, 1, why),
        "Christmas": lambda why: campaigns.pause(ctx, made.gm, made.id, why),
        "We are back": lambda why: campaigns.resume(ctx, made.gm, made.id, why),
        "Season is over": lambda why: campaigns.finish(ctx, made.gm, made.id, why),
    }
    for why, act in acts.items():
        before = len(office.got)
        act(why)
        drain(ctx)
        new = office.got[before:]
        assert [mail for mail in new if mail in office.to("Ada") and f"Reason: {why}" in text_of(mail)], why
        assert [mail for mail in new if mail in office.to("Bob") and f"Grund: {why}" in text_of(mail)], why


def test_after_downtime_everybody_is_told_of_the_new_deadline(ctx: AppContext, clock: Clock) -> None:
    club(ctx, options=RHYTHM)
    addressed(ctx, Ada="en", Bob="de")
    Heartbeat(ctx).beat()
    clock.forward(hours=52)
    Heartbeat(ctx).beat()
    found = [" ".join(text.split()) for text in letters(ctx).values()]
    assert any("The server was down for a while." in text and "12 hours" in text for text in found), found
    assert any("Der Server war eine Weile nicht erreichbar." in text for text in found)


def test_german_mails_are_german(ctx: AppContext, clock: Clock) -> None:
    """Seen to fail when what is found in a hex, or a faction, goes by the ruleset's English name."""
    made = club(ctx, options=RHYTHM)
    addressed(ctx, **dict.fromkeys(("Gwen", "Ada", "Bob", "Cyd", "Dan"), "de"))
    everything_mailed(ctx, made)
    for _ in range(8):
        made.play_phase()
    clock.forward(hours=49)
    ticker.work(ctx, "warning")
    messages.announce(ctx, made.gm, made.id, "Hurra!", subject="Hurra")
    messages.declare(ctx, made.players["p2"], made.id, "truce", toward="p1")
    game_master.set_due(ctx, made.gm, made.id, None, why="Ferien.")
    campaigns.pause(ctx, made.gm, made.id, "Weihnachten")
    campaigns.resume(ctx, made.gm, made.id)
    campaigns.finish(ctx, made.gm, made.id, "Schluss.")
    mails = [text for text in letters(ctx).values() if not text.startswith("hopeless")]
    assert len(mails) > 10
    assert [found[0] for text in mails if (found := ENGLISH.search(text.replace("The Long March", "")))] == []


def test_a_campaign_is_handed_over(ctx: AppContext, office: PostOffice) -> None:
    made = club(ctx)
    hal, ida = person(ctx, "Hal"), person(ctx, "Ida")
    addressed(ctx, Hal="de", Bob="de")
    drain(ctx)
    for name in ("Ida", "Hal"):  # Ida's is gone before it is written
        handover.offer(ctx, made.gm, made.id, name, "I move away.")
    drain(ctx)
    assert office.to("Ida") == []
    (asked,) = office.to("Hal")
    assert asked["Subject"] == "[The Long March] Übernimmst du die Spielleitung?"
    assert "Gwen bittet dich" in text_of(asked)
    assert "I move away." in text_of(asked)
    assert f"https://play.example.org/campaigns/{made.id}/offer" in text_of(asked)
    handover.decline(ctx, hal, made.id)
    handover.offer(ctx, made.gm, made.id, "Ida")
    handover.accept(ctx, ida, made.id)
    drain(ctx)
    no, yes = office.to("Gwen")[-2:]
    assert no["Subject"] == "[The Long March] Hal declined to take over"
    assert yes["Subject"] == office.to("Ada")[-1]["Subject"] == "[The Long March] Now run by Ida"
    assert office.to("Bob")[-1]["Subject"] == "[The Long March] Spielleitung: Ida"


def test_what_is_out_of_date_is_not_sent(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx, options=RHYTHM)
    addressed(ctx)
    letters(ctx)
    made.play_phase()
    made.play_phase()
    told = letters(ctx)
    late = [key for key, text in told.items() if text == "hopeless: the phase is over"]
    assert late
    assert all("opened/1/2/" in key or key.endswith("opened/1/2") for key in late)
    links.request_link(ctx, "ada@example.org")
    messages.announce(ctx, made.gm, made.id, "Soon.")
    everything_mailed(ctx, made)
    clock.forward(hours=1)
    assert "hopeless: the link is no longer valid" in letters(ctx).values()
    messages.send(ctx, made.players["p1"], made.id, ["p2"], "Hello?")
    clock.forward(days=5)
    assert "hopeless: it is too old to be of use" in letters(ctx).values()


def test_who_has_handed_in_is_not_warned(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx, options=RHYTHM)
    addressed(ctx)
    letters(ctx)
    clock.forward(hours=48)
    ticker.work(ctx, "warning")
    orders.replace(ctx, made.players["p1"], made.id, [])
    told = letters(ctx)
    own = {key: text for key, text in told.items() if key.startswith("mail/") and "/near/" in key}
    ada = made.players["p1"].user_id
    assert {text == "hopeless: the orders are in" for key, text in own.items() if ada in key} == {True}
    rest = [text for key, text in own.items() if ada not in key]
    assert len(rest) == 3
    assert all("3 hours" in each and "the defaults apply" in each for each in rest)


def test_orders_left_in_advance_are_mentioned(ctx: AppContext) -> None:
    made = club(ctx)
    addressed(ctx)
    orders_in_advance.leave(ctx, made.players["p1"], made.id, 1, "build", [])
    made.play_phase()
    told = letters(ctx)
    ada = made.players["p1"].user_id
    opened = next(text for key, text in told.items() if ada in key and key.endswith("opened/1/2"))
    assert "orders you prepared" in opened


def test_links_to_sign_in_work(ctx: AppContext, office: PostOffice) -> None:
    person(ctx, "Ada")
    addressed(ctx)
    links.request_link(ctx, "ada@example.org")
    links.request_link(ctx, "new@example.org")
    drain(ctx)
    known, new = office.got
    assert known["To"] == "Ada <ada@example.org>"
    assert new["To"] == "new@example.org"
    token = re.search(r"/link\?token=(\S+)", text_of(known))
    assert token is not None
    assert links.describe_link(ctx, token[1]).purpose == "sign_in"
    assert "List-Unsubscribe" not in known


def test_only_confirmed_addresses_of_people_are_mailed(ctx: AppContext) -> None:
    made = club(ctx)
    addressed(ctx)
    with ctx.database.write() as session:
        for user in session.query(User):
            if user.name == "Ada":
                user.email_confirmed_at = None
            if user.name == "Bob":
                user.disabled_at = ctx.now()
    assert made.id
    why = sorted({text for text in letters(ctx).values() if text.startswith("hopeless")})
    assert why == ["hopeless: the account has no confirmed mail address", "hopeless: the account is disabled"]


@pytest.mark.parametrize("language", sorted(languages()))
def test_all_languages_say_the_same(language: str) -> None:
    def names(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    english, other = languages()["en"], languages()[language]
    assert other.keys() == english.keys()
    allowed = {"you_claimed.one"}  # the number may be left out where it is one
    wrong = [key for key in english if names(other[key]) != names(english[key]) and key not in allowed]
    assert wrong == []


def test_in_anonymous_campaigns_names_stay_hidden(ctx: AppContext) -> None:
    made = club(ctx, options={"anonymous": True})
    addressed(ctx)
    messages.send(ctx, made.players["p2"], made.id, ["p1"], "Guess who.")
    told = letters(ctx)
    for actor in made.players.values():
        others = {"Ada", "Bob", "Cyd", "Dan"} - {actor.name}
        for text in [text for key, text in told.items() if actor.user_id in key]:
            assert not [other for other in others if other in text], text
