"""Army rosters made elsewhere, read into units: BattleScribe, New Recruit, a table from a spreadsheet.

Everything in a roster is hostile until read: archives may be bombs, XML may hold entities, numbers may be anything.
Unreadable parts are listed, never guessed silently.
"""

from __future__ import annotations

import zlib
from io import BytesIO
from zipfile import BadZipFile, ZipFile

from server.core.sentences import say
from server.play.errors import PlayError
from server.play.rosters import as_json, as_xml, tables
from server.play.rosters.roster import Roster, bad_roster

MAX_BYTES = 1_500_000
"""Of a file as it is sent."""
MAX_INSIDE = 10_000_000
"""Of a file inside an archive."""
MAX_ELEMENTS = 20_000
"""Selections; all that describes them may be ten times as many."""
_SIGNS = {
    b"<": ((b"<selection ", 1), (b"<", 10), (b"=", 10)),
    b"{": ((b"{", 10), (b"[", 10), (b",", 40)),
}
"""By its first sign, what is counted of a file, and how many of it weigh as much as a selection."""
_BEFORE = b"\xef\xbb\xbf \t\r\n"


def read_roster(content: bytes) -> Roster:
    """Return what is understood of a file or a pasted text; raises PlayError where nothing is."""
    if len(content) > MAX_BYTES:
        raise PlayError(
            "too_large", say("A roster has at most {most} bytes.", most=MAX_BYTES), field="roster", value=len(content)
        )
    if content[:2] == b"PK":
        content = _unpacked(content)
    first = content.lstrip(_BEFORE)[:1]
    counted = _SIGNS.get(b"{" if first == b"[" else first, ())
    elements = max((content.count(sign) // weight for sign, weight in counted), default=0)
    if elements > MAX_ELEMENTS:
        raise PlayError(
            "too_large", say("A roster has at most {most} elements.", most=MAX_ELEMENTS), field="roster", value=elements
        )
    read = as_xml.read if first == b"<" else as_json.read if first in (b"{", b"[") else tables.read
    roster = read(content)
    if not roster.units:
        raise bad_roster("No unit was found in it.")
    roster.compare()
    return roster


def _unpacked(content: bytes) -> bytes:
    """Return the one roster in an archive, however large the archive says it is."""
    try:
        with ZipFile(BytesIO(content)) as archive:
            names = [member for member in archive.infolist() if not member.is_dir()]
            if len(names) != 1 or names[0].flag_bits & 1:
                raise bad_roster("A .rosz file holds exactly one roster.")
            with archive.open(names[0]) as inside:
                found = inside.read(MAX_INSIDE + 1)
    except (BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError, EOFError, ValueError) as error:
        raise bad_roster("The archive is broken.") from error
    if len(found) > MAX_INSIDE:
        raise PlayError("too_large", say("A roster has at most {most} bytes.", most=MAX_INSIDE), field="roster")
    return found
