from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.api.pages import Portion, cut, decode, encode, page
from server.http.problems import Refused


@given(
    st.lists(st.integers(-(2**53), 2**53) | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
)
def test_cursors_come_back(key: list[int | str]) -> None:
    assert key == [] or decode(encode(key), [type(each) for each in key]) == tuple(key)


@given(st.text(min_size=1))
def test_any_text_is_a_cursor_or_refused(text: str) -> None:
    with suppress(Refused):
        found = decode(text, (int, str))
        assert found is not None
        assert [type(each) for each in found] == [int, str]


def test_a_cursor_of_another_list_is_refused() -> None:
    with pytest.raises(Refused):
        decode(encode(["a"]), (int,))


def test_true_is_no_number() -> None:
    with pytest.raises(Refused):
        decode(encode([True]), (int,))


def test_pages_cover_a_list() -> None:
    everything, seen, cursor = list(range(25)), [], ""
    for _ in range(3):
        after = decode(cursor, (int,))
        found = [each for each in everything if after is None or each > after[0]][:11]
        part = page(found, 10, lambda item: (item,))
        seen += part["items"]
        cursor = part["next"] or ""
    assert seen == everything
    assert cursor == ""


def test_cut_covers_a_list() -> None:
    first = cut(list(range(5)), Portion("", 3))
    second = cut(list(range(5)), Portion(first["next"], 3))
    assert first["items"] + second["items"] == list(range(5))
    assert second["next"] is None
