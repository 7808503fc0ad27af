"""Letters of computer players, and their acts in a sentence: by temper, in each language, signed with a name."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from server.bots.diplomacy_action import DiplomacyAction
from server.bots.temper import temper_of
from server.rules.state import PlayerId

LANGUAGES = ("en", "de")


def name_of(faction: str) -> str:
    """Return who leads the computer players of a faction; empty where nobody is named."""
    data = tomllib.loads(files("server.bots.data").joinpath("tempers.toml").read_text("utf-8"))
    return str(data["names"].get(faction, ""))


def letter(act: DiplomacyAction, faction: str, names: Mapping[PlayerId, str], language: str = "en") -> str:
    """Return the message about an act, in its writer's manner; *names* are those of the seats."""
    words = _words(language)
    said = [words["letters"][act.kind][temper_of(faction).name].format(toward=names.get(act.toward, act.toward))]
    if act.reason:
        said.append(words["because"][act.reason].format(third=names.get(act.third, act.third)))
    signed = name_of(faction)
    return " ".join(said) + (f"\n\n{signed}" if signed else "")


def act_sentence(act: DiplomacyAction, writer: PlayerId, names: Mapping[PlayerId, str], language: str = "en") -> str:
    """Return an act and its reason in a sentence, for the report at the end."""
    words = _words(language)
    reason = words["reasons"][act.reason].format(third=names.get(act.third, act.third))
    who, toward = names.get(writer, writer), names.get(act.toward, act.toward)
    return str(words["told"][act.kind]).format(who=who, toward=toward, reason=reason)


@cache
def _words(language: str) -> Mapping[str, Any]:
    chosen = language if language in LANGUAGES else LANGUAGES[0]
    return tomllib.loads(files("server.bots.data").joinpath(f"letters.{chosen}.toml").read_text("utf-8"))
