"""The dice of a table game: by label, rolled once, from a seed that neither side nor the server can steer alone.

Seen to fail: with the salts joined without their lengths, and with a fold that rolls anew.
"""

from __future__ import annotations

import hashlib
import hmac

from server.core.dice import SeededDice
from server.referee.dice_log import DiceLog, table_seed


def test_a_vector_that_anybody_can_check() -> None:
    """``hmac(secret, "game|5:salt1|2:ab")``, written out."""
    expected = hmac.new(b"secret", b"game|5:salt1|2:ab", hashlib.sha256).digest()
    assert table_seed(b"secret", "game", ["salt1", "ab"]) == expected


def test_everything_enters_the_seed() -> None:
    given = [
        (b"secret", "game", ["a", "b"]),
        (b"other", "game", ["a", "b"]),
        (b"secret", "game2", ["a", "b"]),
        (b"secret", "game", ["ab", ""]),
        (b"secret", "game", ["a|1:b", ""]),
        (b"secret", "game", ["b", "a"]),
    ]
    assert len({table_seed(*each) for each in given}) == len(given)


def test_a_label_goes_on_and_a_new_fold_reads_from_the_start() -> None:
    faces = DiceLog(SeededDice(b"seed"))
    first = [faces.roll("a", 6) for _ in range(5)] + [faces.roll("b", 10)]
    assert all(new for _, new in first)
    again = faces.from_the_start()
    assert [again.roll("a", 6)[0] for _ in range(5)] == [face for face, _ in first[:5]]
    assert again.roll("b", 10) == (first[5][0], False)
    assert again.roll("b", 10)[1]


def test_one_label_does_not_move_another() -> None:
    one, other = DiceLog(SeededDice(b"seed")), DiceLog(SeededDice(b"seed"))
    for _ in range(7):
        other.roll("noise", 6)
    assert one.roll("a", 6) == other.roll("a", 6)
