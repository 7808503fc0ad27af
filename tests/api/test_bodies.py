from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.api.bodies import parse
from server.http.problems import Refused, shown


@pytest.mark.parametrize(
    "body",
    [
        b"{", b"", b"nan", b"[NaN]", b"[Infinity]", b'{"a":1,}', b"'a'", b"\xff", b'"\\ud800"', b'{"a":"\\u0000"}',
        b'{"\\u0000":1}', b"[" * 100_000, b'[["a\\u0000b"]]', b"\x00",
    ],
)  # fmt: skip
def test_what_is_no_json_is_refused(body: bytes) -> None:
    with pytest.raises(Refused) as caught:
        parse(body)
    assert caught.value.code == "malformed_json"


def test_an_escaped_backslash_before_u0000_is_fine() -> None:
    assert parse(b'"\\\\u0000"') == "\\u0000"


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists))
def test_whatever_is_shown_is_short_and_plain(value: object) -> None:
    found = shown(value)
    assert found is None or isinstance(found, bool | int | float | str)
    assert len(str(found)) <= 81
