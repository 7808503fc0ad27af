"""What people read stays plain: the check of ``make lint`` runs with the tests, too, and is itself tested."""

from __future__ import annotations

from tests.plain_english import everything, paragraphs, problems


def test_nothing_needs_a_translation() -> None:
    assert list(everything()) == []


def test_long_sentences_and_banned_words_are_found() -> None:
    long = " ".join(["word"] * 31) + "."
    assert [problem.split(":")[1] for problem in problems("x", f"Short. {long}")] == [" 31 words"]
    assert list(problems("x", "Whoever comes first waits.")) == ["x: 'Whoever': Whoever comes first waits."]
    assert list(problems("x", "The code `he` is fine.")) == []


def test_code_is_no_running_text() -> None:
    document = "Read this.\n\n```\nhe he he\n```\n\n    he he\n\n* one\n* two\n\n| a | b |\n"
    assert not any("he he" in paragraph for paragraph in paragraphs(document))
