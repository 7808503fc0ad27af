"""What Discord is told."""

from __future__ import annotations

from typing import Any

from server.play.context import ChatNotice
from server.play.notices.notices import KINDS
from server.web.presenters import discord

BASE = "https://play.example.org/"
LINK = "<https://play.example.org/campaigns/abc>"


def said(kind: str, campaign: str = "The Long March", language: str = "en", personal: bool = False,
         announcement: tuple[str, str] = ("", ""), **data: Any) -> str:  # fmt: skip
    return discord.text(ChatNotice(kind, "abc", campaign, data, language, personal, announcement), BASE)


def test_a_phase_with_its_deadline_by_the_names_of_the_pages() -> None:
    opened: dict[str, Any] = {"turn": 3, "phase": "battle_movement", "number": 12}
    assert said("phase_opened", **opened, deadline=None) == (
        f"**The Long March**: Turn 3, Battle orders is open.\n{LINK}"
    )
    assert said("phase_opened", **opened, deadline="2026-03-01T20:00:00+00:00") == (
        f"**The Long March**: Turn 3, Battle orders is open. Until <t:1772395200:f> (<t:1772395200:R>).\n{LINK}"
    )
    assert "Runde 3, Schlachtbewegung ist offen." in said("phase_opened", language="de-AT", **opened)


def test_why_a_deadline_has_changed() -> None:
    """Seen to fail: a channel was told of a change alone, after downtime and where there is no deadline any more."""
    until = " Until <t:1772395200:f> (<t:1772395200:R>)."
    moved: dict[str, Any] = {"deadline": "2026-03-01T20:00:00+00:00"}
    assert f": The deadline has changed.{until}" in said("deadline_changed", **moved)
    assert f": The server was down for a while. The deadline has moved so that nobody loses a turn.{until}" in said(
        "deadline_changed", **moved, downtime=True
    )
    assert f": There is no deadline any more.\n{LINK}" in said("deadline_changed", deadline=None)
    assert ": Es gibt keine " in said("deadline_changed", language="de", deadline=None)


def test_setup_comes_before_any_turn() -> None:
    assert said("phase_opened", turn=0, phase="setup", number=1) == f"**The Long March**: Setup is open.\n{LINK}"


def test_an_announcement_comes_in_its_own_words() -> None:
    told = said("announcement", announcement=("Tuesday", "We meet at *eight*.\n\nBring dice."), message="m")
    assert told == (
        "**The Long March**: The game master has an announcement.\n> **Tuesday**\n> We meet at \\*eight\\*.\n> \n"
        f"> Bring dice.\n{LINK}"
    )


def test_a_long_announcement_is_cut_where_a_word_ends() -> None:
    told = said("announcement", announcement=("", "word " * 2000), message="m")
    assert told.endswith(f"word …\n{LINK}")
    assert len(told) <= 2000


def test_a_channel_is_reminded_of_the_deadline_and_a_player_of_their_orders() -> None:
    near: dict[str, Any] = {"turn": 3, "phase": "build", "number": 9, "deadline": "2026-03-01T20:00:00+00:00"}
    assert "The deadline is near: Turn 3, Build. Until <t:1772395200:f>" in said("deadline_near", **near)
    assert "you have no orders yet" in said("deadline_near", personal=True, **near)


def test_nobody_writes_formatting_or_mentions() -> None:
    assert said("paused", "*Red* @here", why="See <@&7>\n# _now_").startswith(
        "**\\*Red\\* \\@here**: The campaign is paused. See \\<\\@&7\\> \\# \\_now\\_"
    )
    assert "> \\@everyone" in said("announcement", announcement=("", "@everyone"))


def test_every_kind_of_notice_has_a_sentence_and_the_link() -> None:
    for kind in KINDS:
        for language in ("en", "de"):
            told = said(
                kind, "x" * 3000, language, turn=1, phase="build", hex="0405", name="Al_bert", gm="Al_bert", version=2
            )
            assert len(told) <= 2000
            assert told.endswith(LINK)
