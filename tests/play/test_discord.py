"""What Discord is told."""

from __future__ import annotations

from server.play import discord
from server.play.notices import KINDS

BASE = "https://play.example.org/"
LINK = "<https://play.example.org/campaigns/abc>"


def said(kind: str, campaign: str = "The Long March", **data: object) -> str:
    return discord.text({"kind": kind, "campaign": campaign, "campaign_id": "abc", "data": data}, BASE)


def test_a_phase_with_its_deadline() -> None:
    opened = {"turn": 3, "phase": "battle_movement", "number": 12}
    assert said("phase_opened", **opened, deadline=None) == (
        f"**The Long March**: turn 3, battle movement is open. {LINK}"
    )
    assert said("phase_opened", **opened, deadline="2026-03-01T20:00:00+00:00") == (
        f"**The Long March**: turn 3, battle movement is open. Until <t:1772395200:f> (<t:1772395200:R>). {LINK}"
    )


def test_setup_comes_before_any_turn() -> None:
    assert said("phase_opened", turn=0, phase="setup", number=1) == f"**The Long March**: setup is open. {LINK}"


def test_nobody_writes_formatting_or_mentions() -> None:
    assert said("paused", "*Red* @here", why="See <@&7>\n# _now_").startswith(
        "**\\*Red\\* \\@here**: the campaign is paused. See \\<\\@&7\\> \\# \\_now\\_"
    )


def test_every_kind_of_notice_has_a_sentence_and_the_link() -> None:
    for kind in KINDS:
        told = said(kind, "x" * 3000, turn=1, phase="build", hex="0405", name="Al_bert", gm="Al_bert", version=2)
        assert len(told) <= 2000
        assert told.endswith(LINK)
        assert kind in discord._SENTENCES
