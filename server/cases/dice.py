"""The dice of a case: faces by label, as written down."""

from __future__ import annotations

from server.cases.model import CaseError, DicePart
from server.cases.table import Table, shown

LEFT_TO_THE_DICE = ("placement/", "start-urban/", "start-resource/")
"""Labels of the Setup dice for placements a player left out or had refused (D-11). A case
without a default need not give faces for them: they come up 1."""


class CaseDice:
    """Answers each roll with the next face that the case gives for its label.

    A face that no die of so many sides has is an error, and so are more rolls than faces and a label
    that is not listed. The default stands in for those where the case has one; on a die with
    fewer sides it is the highest face.
    """

    def __init__(self, given: DicePart) -> None:
        self._given = given
        self._rolled: dict[str, int] = {}

    def roll(self, label: str, sides: int = 6) -> int:
        """Return the next face, 1..*sides*, of the label."""
        faces = self._given.faces.get(label)
        if faces is None:
            if self._given.default is None and label.startswith(LEFT_TO_THE_DICE):
                return 1
            if self._given.default is None:
                raise CaseError([f'dice: "{label}" is rolled, but the case has neither faces for it nor a default'])
            return min(self._given.default, sides)
        place = self._rolled.get(label, 0)
        self._rolled[label] = place + 1
        if place < len(faces):
            return _checked(label, faces[place], sides)
        if label in self._given.open and self._given.default is not None:
            return min(self._given.default, sides)
        raise CaseError([f'dice: "{label}" is rolled more often than the {len(faces)} times the case has faces for'])


def _checked(label: str, face: int, sides: int) -> int:
    if not 1 <= face <= sides:
        raise CaseError([f'dice: "{label}" is rolled with {sides} sides, so it cannot come up {face}'])
    return face


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
