"""Anything that can arrive where orders are expected, and much that cannot."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from hypothesis import strategies as st

from server.rules.orders.registry import KINDS

TYPES = tuple(sorted({kind.TYPE for kind in KINDS}))
FIELDS = tuple(sorted({field.name for kind in KINDS for field in kind.FIELDS} | {"as", "type"}))

surrogates = st.text(st.characters(categories=["Cs"]), min_size=1, max_size=4)
texts = (
    st.text(max_size=12) | surrogates | st.sampled_from(["", "0101", "0505", "orbit", "gm", "x" * 5000, "\x00", "٠١٠١"])
)
numbers = (
    st.integers()
    | st.sampled_from([10**30, -(10**30), 2**63, 2**64, 10**4000, -(10**4000)])
    | st.floats()
    | st.sampled_from([math.nan, math.inf, -math.inf, -0.0])
)
leaves = st.none() | st.booleans() | numbers | texts | st.sampled_from(TYPES)
anything = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(FIELDS) | texts, inner, max_size=4),
    max_leaves=12,
)
"""Any JSON value, and what only a careless parser lets through."""

orders = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES)},
    optional={name: anything for name in FIELDS if name != "type"},
)
"""Orders of a known type with anything in their fields."""


@cache
def nested(depth: int) -> Any:
    """Return lists in lists in lists; the same ones each time, for deep ones take long to make."""
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def wide(depth: int) -> Any:
    """Return objects in objects."""
    value: Any = {}
    for _ in range(depth):
        value = {"losses": value, "units": [value]}
    return value


WRONG: Sequence[Callable[[], Any]] = (
    lambda: None, lambda: True, lambda: False, lambda: 0, lambda: -1, lambda: 1, lambda: 505, lambda: 10**30,
    lambda: 10**6000, lambda: 0.5, lambda: math.nan, lambda: math.inf, lambda: -math.inf, lambda: "", lambda: " ",
    lambda: "0505", lambda: "nobody", lambda: "\ud800", lambda: "x\udfff0505", lambda: "a" * 100_000, lambda: "\x00\n",
    list, lambda: [None], lambda: [["0505"]], lambda: ["\ud800"], lambda: [10**6000], lambda: ["0505"] * 10_000,
    dict, lambda: {"": None}, lambda: {"\ud800": {"lost": 1}}, lambda: {"lost": 10**6000},
    lambda: [{"slot": []}], lambda: [{"models": 10**6000, "flags": [{}]}] * 3, lambda: nested(500),
    lambda: nested(50_000), lambda: wide(12), lambda: {"a": nested(2000)}, lambda: b"bytes", lambda: {1: 2},
    lambda: {10**6000: 1}, lambda: (1, 2), lambda: [{10**6000: 1}], lambda: {"a" * 10_000: "b"},
)  # fmt: skip
"""Values no field wants, most of them; most are made anew each time."""


def spoilt(order: Mapping[str, Any], random: Random) -> dict[str, Any]:
    """Return an order with one of its fields missing, wrong, or one too many."""
    broken = dict(order)
    name = random.choice(sorted(broken))
    kind = random.randrange(4)
    if kind == 0:
        del broken[name]
    elif kind == 1:
        broken[random.choice(FIELDS)] = random.choice(WRONG)()
    else:
        broken[name] = random.choice(WRONG)()
    return broken
