"""Words that ask for something, each in English and in German, as people write them."""

from __future__ import annotations

import pytest

from server.mail.inbound import verbs

WORDS = {
    "final": ("FINAL", "final!", "- final", "FERTIG", "endgültig", "Endgueltig."),
    "not_final": ("NOT FINAL", "not final", "NICHT FERTIG", "nicht endgültig"),
    "forecast": ("FORECAST", "check", "VORSCHAU", "prüfen"),
    "keep": ("KEEP", "BEHALTEN", "aufheben"),
    "report": ("REPORT", "REPORT 3", "report turn 3", "BERICHT", "BERICHT 3", "Bericht Runde 3"),
    "orders": ("ORDERS", "ORDERS 3", "BEFEHLE", "BEFEHLE 3"),
    "map": ("MAP", "KARTE"),
    "help": ("HELP", "?", "HILFE"),
    "holiday": ("HOLIDAY until 2026-05-09", "HOLIDAY", "URLAUB bis 9.5.", "Urlaub bis zum 9. Mai"),
    "message": ("MESSAGE to Bob", "NACHRICHT an Bob: hallo"),
    "confirm": ("CONFIRM 0505", "BESTÄTIGE 0505", "bestaetige 0505"),
    "dispute": ("DISPUTE 0505 why", "BESTREITE 0505 warum"),
    "ally": ("ALLY WITH Bob", "BÜNDNIS MIT Bob", "Buendnis mit Bob"),
    "end_alliance": ("END ALLIANCE with Bob", "end alliance Bob", "BÜNDNIS BEENDEN mit Bob", "Bündnis aufkündigen Bob"),
    "luck": ("LUCK any words", "GLÜCK drei Worte", "Glueck auf"),
    "mail": ("MAIL phase", "MAIL turn", "mails each turn", "MAIL reminders", "MAIL nothing", "MAIL Runde",
             "MAIL nur Erinnerungen", "MAIL nichts"),
    "stop": ("STOP", "STOPP", "abbestellen"),
    "advance": ("ADVANCE", "WEITER"),
    "extend": ("EXTEND 24", "VERLÄNGERN 24", "verlaengern 24"),
    "yes": ("YES", "JA", "ja!"),
    "join": ("JOIN as Wardens", "join Wardens", "BEITRETEN als Hüter", "mitspielen als Orks"),
}  # fmt: skip


def test_every_word_is_tried() -> None:
    assert set(WORDS) == set(verbs._WORDS)


@pytest.mark.parametrize(("name", "line"), [(name, line) for name, lines in WORDS.items() for line in lines])
def test_a_word_is_understood(name: str, line: str) -> None:
    found = verbs.part(f"Hello,\n\n{line}\nmove 0404 0505")
    assert verbs.names(found.verbs) == (name,)
    assert found.orders.split("\n")[0] == "Hello,"
    if name != "message":
        assert found.orders.endswith("move 0404 0505")


@pytest.mark.parametrize(
    "line", ["final answer: peace", "map of the west please", "stop that", "ja, gern", "Help me, Bob", "report to me",
             "Weiter so", "check 0404", "mail me tomorrow", "orders are below"]
)  # fmt: skip
def test_a_sentence_that_begins_like_a_word_asks_for_nothing(line: str) -> None:
    assert verbs.part(line).verbs == ()


def test_a_message_takes_the_lines_below_up_to_a_dot() -> None:
    found = verbs.part("NACHRICHT an Bob\nFINAL\nJA\n.\nFERTIG")
    assert [(verb.name, verb.body) for verb in found.verbs] == [("message", "FINAL\nJA"), ("final", "")]


BULLETS = ("1. ", "2) ", "(3) ", "- ", "* ", "• ", "– ", "- 1. ", "4: ")


@pytest.mark.parametrize("bullet", BULLETS)
@pytest.mark.parametrize("word", ["FORECAST", "NOT FINAL", "report 3", "HOLIDAY until 2026-05-09", "?"])
def test_a_bullet_before_a_word_does_not_matter(bullet: str, word: str) -> None:
    """As before orders. Seen to fail with a reader of its own for words: ``2. FORECAST`` stored all."""
    plain = verbs.part(word).verbs
    assert verbs.part(f"{bullet}{word}").verbs == plain != ()


def test_a_message_in_a_list_is_sent_without_its_bullets() -> None:
    found = verbs.part("1. MESSAGE to Ben\n2. hello\n3. it is me")
    assert [(verb.rest, verb.body) for verb in found.verbs] == [("to Ben", "hello\nit is me")]
    kept = verbs.part("MESSAGE to Ben\n1. hello\n2. it is me")
    assert kept.verbs[0].body == "1. hello\n2. it is me"
