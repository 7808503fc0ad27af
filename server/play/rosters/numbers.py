"""Numbers as people and programs write them; doubtful ones do not count as numbers."""

from __future__ import annotations

import re

WRITTEN = re.compile(
    r"(?P<whole>\d{1,3}(?:(?P<mark>[.,' \u00a0\u202f])\d{3}(?:(?P=mark)\d{3})*)|\d{1,9})"
    r"(?:(?P<point>[.,])(?P<part>\d{1,2}))?"
)
AROUND = re.compile(r"^[^\d.,+-]*(?P<number>\d[\d.,' \u00a0\u202f]*\d|\d)[^\d]*$")

TOTAL = re.compile(r"(sub-?|grand )?total|sum\b|summe|zwischensumme|gesamt|insgesamt", re.IGNORECASE)
"""How lines begin that add others up."""


def whole_number(text: str) -> int | None:
    """Return the whole number in a cell such as ``1.250,00``, ``1,250`` or ``100 pts``; None if in doubt.

    Three digits after a sign are thousands, one or two are a fraction, which must be zero. A minus, a fraction, a
    range or several numbers do not count.
    """
    around = AROUND.match(text.strip())
    found = WRITTEN.fullmatch(around["number"]) if around else None
    if found is None or int(found["part"] or 0) or (found["point"] and found["point"] == found["mark"]):
        return None
    return int(re.sub(r"\D", "", found["whole"]))
