"""What people read stays plain: the check of ``make lint`` runs with the tests, too, and is itself tested."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.plain_english import (
    CEILINGS,
    ROOT,
    ceilings,
    everything,
    found_phrases,
    limited,
    paragraphs,
    problems,
)


def test_nothing_needs_a_translation() -> None:
    """Seen to fail with "Everybody is told anew" in a text of the pages."""
    assert list(everything()) == []


def test_long_sentences_and_banned_words_are_found() -> None:
    long = " ".join(["word"] * 31) + "."
    assert [problem.split(":")[1] for problem in problems("x", f"Short. {long}")] == [" 31 words"]
    assert list(problems("x", "Whoever comes first waits.")) == ["x: 'Whoever': Whoever comes first waits."]
    assert list(problems("x", "The code `he` is fine.")) == []


def test_code_is_no_running_text() -> None:
    document = "Read this.\n\n```\nhe he he\n```\n\n    he he\n\n* one\n* two\n\n| a | b |\n"
    assert not any("he he" in paragraph for paragraph in paragraphs(document))


def test_phrases_are_found() -> None:
    kinds = ("everywhere", "players")
    assert [hit.split(",")[0] for hit in found_phrases("x", "Everybody is told anew.", *kinds)] == [
        "x: told-passive",
        "x: anew",
        "x: somebody",
        "x: everybody",
        "x: told",
    ]
    assert list(found_phrases("x", "`Everybody` gets {store} BP.", *kinds)) == []


def test_phrases_in_guides_and_docstrings_become_fewer() -> None:
    """Seen to fail with ceilings as low as can be and a docstring that began with "Say what comes of it, anew"."""
    allowed = ceilings()
    too_many = {kind: len(hits) for kind, hits in limited().items() if len(hits) > allowed[kind]}
    assert too_many == {}, "python -m tests.plain_english --phrases"


def test_no_commit_raises_a_ceiling() -> None:
    """Seen to fail with a ceiling raised by one: not committed, committed, and lowered by a later commit."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    name = CEILINGS.relative_to(ROOT)

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    versions = [
        ceilings(git("show", f"{commit}:{name}")) for commit in git("log", "--format=%H", "--", str(name)).split()
    ]
    for newer, older in zip([ceilings(), *versions], versions, strict=False):
        assert [kind for kind in older if newer[kind] > older[kind]] == []
