"""The scripts of the pages have the guards that the Python code has: short files, checked types, no exceptions.

Seen to fail with a script of 251 lines, and with one that turns its checks off.
"""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).parents[1]
MAX_FILE = 250
SCRIPTS = sorted(
    file
    for folder in ("server/web/static", "tests/scripts")
    for file in (ROOT / folder).rglob("*.js")
    if not file.name.endswith(".min.js")
)
UNCHECKED = ("@ts-nocheck", "@ts-ignore", "@ts-expect-error", "eslint-disable")


def test_scripts_are_short() -> None:
    lengths = {str(file.relative_to(ROOT)): len(file.read_text("utf-8").splitlines()) for file in SCRIPTS}
    assert {name: length for name, length in lengths.items() if length > MAX_FILE} == {}


def test_every_script_is_checked() -> None:
    """By `npm run types`, which `make lint` runs: none is left out, and none leaves itself out."""
    project = json.loads((ROOT / "jsconfig.json").read_text("utf-8"))
    assert project["compilerOptions"]["checkJs"] is True
    assert "server/web/static/**/*.js" in project["include"]
    assert project["exclude"] == ["**/*.min.js"]
    assert [file.name for file in SCRIPTS if any(each in file.read_text("utf-8") for each in UNCHECKED)] == []


def test_the_linter_knows_the_limit_and_no_exception() -> None:
    rules = (ROOT / "eslint.config.js").read_text("utf-8")
    assert rules.count("max-lines") == 1
    assert f'"max-lines": ["error", {{ max: {MAX_FILE} }}]' in rules
