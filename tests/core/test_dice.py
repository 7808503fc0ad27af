"""Labelled rolls and the chain their seeds come from (D-80, D-81).

Seen to fail: with the counter left out of the message (all faces of a label the same), with nothing rolled again
(low faces of a die with very many sides came too often), with the chain the other way round, with the salts joined
without their lengths, and with a wrong pad in the keyed hash.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core import dice_scheme_1
from server.core.dice import (
    CHAIN_LENGTH,
    KeyedHash,
    SeatDice,
    SeededDice,
    chain,
    face,
    follows,
    hidden,
    owner_of,
    phase_seed,
    seat_key,
    seat_seed,
)

SEED = b"seed of a phase"


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_the_keyed_hash_is_hmac(key: bytes, message: bytes) -> None:
    """As everybody's library has it, for keys of any length."""
    assert KeyedHash(key).digest(message) == hmac.digest(key, message, "sha256")


def test_a_face_can_be_reckoned_by_hand() -> None:
    """``label|counter`` under the seed; the first eight bytes, by the number of sides."""
    digest = hmac.digest(SEED, b"initiative/red|0", "sha256")
    assert face(SEED, "initiative/red", 0) == int.from_bytes(digest[:8], "big") % 6 + 1


@given(st.lists(st.sampled_from(["a", "b", "c"]), max_size=30), st.randoms())
def test_only_label_and_count_decide(labels: list[str], random: object) -> None:
    """Two runs that roll in another order get the same results (D-80)."""
    mixed = sorted(labels)
    one, two = SeededDice(SEED), SeededDice(SEED)
    first = [(label, one.roll(label)) for label in labels]
    second = [(label, two.roll(label)) for label in mixed]
    for label in "abc":
        assert [f for name, f in first if name == label] == [f for name, f in second if name == label]


@given(st.text(max_size=10), st.integers(0, 1000), st.integers(1, 1000))
def test_faces_are_on_the_die(label: str, counter: int, sides: int) -> None:
    """From 1 to the number of sides."""
    assert 1 <= face(SEED, label, counter, sides) <= sides


def test_dice_are_fair() -> None:
    """6,000 rolls: every face comes up about as often as any other."""
    dice = SeededDice(SEED)
    counts = Counter(dice.roll("x") for _ in range(6000))
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    assert all(900 < count < 1100 for count in counts.values())


def test_what_is_left_over_is_rolled_again() -> None:
    """A die whose sides leave a third of the range over would else favour its low faces."""
    sides = (1 << 64) // 3 * 2
    low = sum(face(SEED, "x", counter, sides) <= sides // 2 for counter in range(600))
    assert 240 < low < 360


def test_no_die_without_sides() -> None:
    """There is no such thing."""
    with pytest.raises(ValueError, match="at least one side"):
        face(SEED, "x", 0, 0)


def test_the_chain() -> None:
    """Link n is the hash of link n+1, and the last is that of the secret."""
    links = chain(b"secret", 20)
    assert len(links) == 21
    assert links[-1] == hashlib.sha256(b"secret").digest()
    assert all(hashlib.sha256(later).digest() == earlier for earlier, later in pairwise(links))
    assert len(chain(b"secret")) == CHAIN_LENGTH + 1


def test_links_follow() -> None:
    """Anybody can check that a link belongs to one that was published before."""
    links = chain(b"secret", 20)
    assert follows(links[0], links[1])
    assert follows(links[3], links[10], 7)
    assert not follows(links[3], links[10], 6)
    assert not follows(links[1], links[0])


def test_phase_seeds() -> None:
    """Every part counts, and no two lists of salts are taken for each other."""
    base = ("campaign", 1, 3, "build", ["a", "bc"])
    others = [
        ("campaigns", 1, 3, "build", ["a", "bc"]), ("campaign", 1, 4, "build", ["a", "bc"]),
        ("campaign", 2, 3, "build", ["a", "bc"]),
        ("campaign", 1, 3, "battles", ["a", "bc"]), ("campaign", 1, 3, "build", ["ab", "c"]),
        ("campaign", 1, 3, "build", ["a|2:bc"]), ("campaign", 1, 3, "build", ["a|bc"]),
        ("campaign", 1, 3, "build", ["bc", "a"]), ("campaign", 1, 3, "build", ["", "a", "bc"]),
    ]  # fmt: skip
    seeds = {phase_seed(b"link", *each) for each in (base, *others)}
    assert len(seeds) == 1 + len(others)
    assert phase_seed(b"link", *base) not in {phase_seed(b"other", *each) for each in (base, *others)}


def test_the_first_scheme_names_no_branch() -> None:
    """Records of it verify as they were."""
    message = b"campaign|3|build|1:a|2:bc"
    assert dice_scheme_1.phase_seed(b"link", "campaign", 3, "build", ["a", "bc"]) == hmac.digest(
        b"link", message, "sha256"
    )


def test_hidden_rolls_come_from_their_owners_key() -> None:
    """Seen to fail with hidden rolls from the phase's seed, and with one key for all seats."""
    keys = {seat: seat_key(b"secret", seat) for seat in ("red", "blue")}
    dice = SeatDice(SEED, keys)
    labels = [f"discovery/{hex_}" for hex_ in range(40)]
    faces = {seat: [hidden(dice, label, [seat]).roll(label) for label in labels] for seat in keys}
    from_the_seed = [face(SEED, label, 0) for label in labels]
    assert len({*map(tuple, faces.values()), tuple(from_the_seed)}) == 3
    assert [dice.roll(label) for label in labels] == from_the_seed
    for seat, key in keys.items():
        assert faces[seat] == [face(seat_seed(SEED, seat, key), label, 0) for label in labels]


@pytest.mark.parametrize(
    ("label", "known", "owner"),
    [
        ("recovery/u7", ["blue"], "blue"),
        ("quick-battle/0405/red", ["blue", "red"], "red"),
        ("quick-battle/0405/blue", ["blue", "red"], "blue"),
        ("underdog/0405", ["blue", "red"], "blue"),
        ("placement/green", ["green"], "green"),
    ],
)
def test_who_owns_a_roll(label: str, known: list[str], owner: str) -> None:
    """Whom its label ends with, else the first who may know it."""
    assert owner_of(label, known) == owner


def test_dice_that_know_no_seats_roll_everything() -> None:
    """Dice of scheme 1, and those of a rule case."""
    dice = SeededDice(SEED)
    assert hidden(dice, "recovery/u7", ["blue"]) is dice
