"""One call to a game: a token that may only give orders starts a campaign against computer players."""

from __future__ import annotations

import pytest

from sealed_orders import Client, Refused
from tests.client.club import Club, new_name


def test_a_bot_is_in_a_game_with_one_call(club: Club) -> None:
    owner = club.players[0]
    bot = owner.create_bot(new_name("Bot"))
    token = owner.create_token("plays", ["read", "orders"], bot=bot.id, days=30)
    with Client(club.url, token.secret) as client:
        info = client.start_practice("the-pass", level="recruit", faction="orks", rules={"turn_limit": 5})
        assert (info.status, info.your_seats, info.rules["turn_limit"]) == ("running", ("p1",), 5)
        assert client.campaign(info.id).orders().wanted
        session = client.request("GET", "/sessions/current")
        assert session["scopes"] == ["read", "orders"]
        assert session["expires_at"] is not None
        for scenario, faction, level in (("nowhere", "", "recruit"), ("", "nobody", "recruit"), ("", "", "godlike")):
            with pytest.raises(Refused) as refused:
                client.start_practice(scenario or "the-pass", faction=faction, level=level)
            assert refused.value.field in ("scenario", "faction", "level")
