"""Lines that a mail program wrapped: put together where that, and nothing else, is an order."""

from __future__ import annotations

import textwrap

import pytest

from server.mail.answering import written
from server.rules.sight import view_for
from tests.rules.text.test_orders_as_text import position

PATH = "move Column 1 to " + ", ".join(["0401", "0402", "0403", "0404", "0405"] * 4)


@pytest.mark.parametrize("width", [70, 72, 76, 78])
def test_wrapped_orders_are_understood(width: int) -> None:
    view = view_for(position(), (), "red")
    text = "\n".join(textwrap.fill(line, width) for line in ("Hello Ben,", PATH, "move Column 2 to 0402"))
    found = written.read(text, view, {})
    assert found.orders == written.read(f"{PATH}\nmove Column 2 to 0402", view, {}).orders
    assert len(found.orders) == 2
    assert [problem.text for problem in found.problems] == ["Hello Ben,"]
    assert found.lines == (2, text.count("\n") + 1)


def test_lines_that_were_not_wrapped_stay_apart() -> None:
    """A short line above, or one that is an order itself, is not continued."""
    view = view_for(position(), (), "red")
    path = "move Column 1 to " + ", ".join(["0401"] * 9)
    for below in ("\n0404", "\n- 0404", "\nmove Column 2 to 0404", " " * 12 + "\nThanks 0404"):
        assert "0404" not in str(written.read(path + "\n" + below, view, {}).orders[:1]), below
    assert "0404" not in str(written.read("move Column 1 to 0402\n0403, 0404", view, {}).orders)
    assert "0404" in str(written.read(path + "\n0404", view, {}).orders)
