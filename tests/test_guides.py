"""Pages link what exists; the guides name commands, options and settings that exist."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main

from server.cli import main
from server.commands.overview import Listed
from server.settings import PREFIX, Settings

ROOT = Path(__file__).parent.parent
GUIDES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *(ROOT / "docs" / f"{name}.md" for name in ("players", "game-masters", "operators")),
]
PAGES = [*sorted(ROOT.glob("*.md")), ROOT / "client" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
guides = pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)


@cache
def anchors(page: Path) -> frozenset[str]:
    """The addresses of a page's headings, made as code hosts make them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings)


@pytest.mark.parametrize("guide", PAGES, ids=lambda guide: guide.name)
def test_every_link_leads_somewhere(guide: Path) -> None:
    lost = []
    for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", guide.read_text(encoding="utf-8")):
        path, _, anchor = target.partition("#")
        page = (guide.parent / path).resolve() if path else guide
        if not page.exists() or (anchor and anchor not in anchors(page)):
            lost.append(target)
    assert lost == []


def commands(text: str) -> list[list[str]]:
    """Every ``sealed-orders ...`` in a text (``so ...`` in the operators' guide), word by word."""
    found = re.findall(r"(?:(?<!/lib/)\bsealed-orders|^so|`so)((?: +[^\s`|;)]+)+)", text, flags=re.MULTILINE)
    called = [re.split(r" #| &&", each)[0].split() for each in found]
    return [words for words in called if re.match(r"[a-z]", words[0])]


@guides
def test_every_command_exists(guide: Path) -> None:
    for words in commands(guide.read_text(encoding="utf-8")):
        command: Any = typer.main.get_command(main)
        rest = words
        while rest and hasattr(command, "commands"):
            name = rest[0]
            if name.startswith("-") or not re.fullmatch(r"[a-z-]+", name):
                break
            assert name in command.commands, " ".join(words)
            command, rest = command.commands[name], rest[1:]
            command = command.itself() if isinstance(command, Listed) else command
        known = {option for param in command.params for option in (*param.opts, *param.secondary_opts)}
        given = {each.partition("=")[0] for each in rest if each.startswith("--")}
        assert given - known - {"--help"} == set(), " ".join(words)


@guides
def test_every_setting_exists(guide: Path) -> None:
    known = {
        f"{PREFIX}{each.upper()}"
        for each in (*Settings.model_fields, "server", "token", "test_dice", "test_citus", "long")
    }
    named = set(re.findall(rf"{PREFIX}[A-Z_]+[A-Z]", guide.read_text(encoding="utf-8")))
    assert named - known == set()
