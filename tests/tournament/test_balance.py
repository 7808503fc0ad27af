"""The balance of army lists: everyone in every seat equally often, and everyone against everyone."""

from __future__ import annotations

from collections import Counter

from server.tournament.balance import balance, fixtures, judged
from server.tournament.game import Arena, Result
from server.tournament.running import arena


def test_each_list_plays_each_seat_equally_often_and_meets_all_others() -> None:
    for seats, rounds in ((2, 5), (3, 7), (4, 3)):
        place = Arena("somewhere", seats, "frontier", ("a", "b", "c", "d", "e", "f"))
        games = list(fixtures(place, rounds, 20, 1))
        assert games == list(fixtures(place, rounds, 20, 1))
        counts = Counter((list_, seat) for game in games for seat, list_ in enumerate(game.factions))
        assert set(counts.values()) == {rounds}
        assert all(len({*game.factions}) == seats for game in games), "nobody plays against their own list"
        met = {(one, other) for game in games for one in game.factions for other in game.factions}
        assert len(met) == 36
        assert len({game.seed for game in games}) == len(games)


def test_shares_are_multiples_of_the_fair_share() -> None:
    place = arena("the-pass", "frontier", 2)
    games = list(fixtures(place, 5, 20, 1))
    results = [
        Result(game, tuple(float(list_ == "skyguard") for list_ in game.factions), (0, 0), (False, False), 20, 0)
        for game in games
    ]
    found = judged("frontier", 1, results)
    shares = {share.name: share for share in found.lists}
    assert shares["skyguard"].ratio == 2
    assert shares["skyguard"].games == 10
    assert found.lists[0].name == "skyguard"
    assert {share.name for share in found.outside} == set(shares)
    low, high = shares["skyguard"].interval
    assert low < 2
    assert high >= 1.99


def test_the_same_seed_gives_the_same_table() -> None:
    played = [balance("frontier", 2, 1, 3, arenas=[("the-pass", 2)], processes=1) for _ in range(2)]
    assert played[0] == played[1]
    assert played[0].games == 6
