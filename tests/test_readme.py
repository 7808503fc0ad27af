"""What README and CONTRIBUTING show works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def example(name: str) -> str:
    """Return a page's one example in Python."""
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL)
    return str(code)


def test_the_example_of_the_rules_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(example("CONTRIBUTING.md"), "CONTRIBUTING.md", "exec"), {})
    printed = capsys.readouterr().out
    assert printed.startswith("None (Event(type=")  # nothing was refused


def test_what_make_is_asked_for_are_targets() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = {
        target
        for page in ("README.md", "CONTRIBUTING.md")
        for target in re.findall(r"(?:`|^    )make ([a-z-]+)", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert named >= {"demo", "demo-reset", "test", "lint", "bench"}
    assert [each for each in sorted(named) if f"\n{each}:" not in makefile] == []


def test_pictures_are_there_and_not_too_large() -> None:
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert pictures
    assert [picture for picture in pictures if not 10_000 < (ROOT / picture).stat().st_size < 400_000] == []
