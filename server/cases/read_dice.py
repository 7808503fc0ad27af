"""Reads the ``[dice]`` part of a case: faces by label."""

from __future__ import annotations

from server.cases.model import DicePart
from server.cases.table import Table, shown


def read_dice(table: Table) -> DicePart:
    """Return the faces of a case."""
    faces: dict[str, tuple[int, ...]] = {}
    open_: list[str] = []
    default = table.integer("default", 1) if table.has("default") else None
    for label, rolled in table.given.items():
        if label == "default":
            continue
        if isinstance(rolled, list) and rolled[-1:] == ["default"]:
            open_.append(label)
            rolled = rolled[:-1]
        if not isinstance(rolled, list) or any(type(face) is not int or face < 1 for face in rolled):
            must = 'this must be a list of faces from 1, the last word may be "default"'
            table.note(label, f"{must}, not {shown(rolled)}")
            continue
        faces[label] = tuple(rolled)
    for label in open_ if default is None else ():
        table.note(label, "it ends in default, but the case has no default")
    return DicePart(faces, frozenset(open_), default)
