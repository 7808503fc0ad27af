"""What you note for yourself in a campaign: notes of turns, pins in the map."""

from __future__ import annotations

from sealed_orders._one_campaign import OneCampaign
from sealed_orders._operation import operation
from sealed_orders._plans import Plan
from sealed_orders._reading import one
from sealed_orders.records import Notebook, Pin, TurnNote


class NotebookOperations(OneCampaign):
    """Operations on your notebook; nobody else reads it but your substitute."""

    @operation
    def notebook(self) -> Plan[Notebook]:
        """Return all that you noted: notes by turn, pins by hex."""
        return self._get("/notebook", one(Notebook), self._seat())

    @operation
    def write_note(self, turn: int, text: str) -> Plan[TurnNote]:
        """Note something about a turn; it replaces the earlier note."""
        return self._write("PUT", f"/notebook/notes/{turn}", one(TurnNote), {"text": text})

    @operation
    def drop_note(self, turn: int) -> Plan[None]:
        """Throw away what was noted of a turn."""
        return self._write("DELETE", f"/notebook/notes/{turn}")

    @operation
    def put_pin(self, hex_: str, text: str, *, turn: int | None = None) -> Plan[Pin]:
        """Put a pin with a few words into a hex, or change the one there; *turn*: since when it is there."""
        return self._write("PUT", f"/notebook/pins/{hex_}", one(Pin), {"text": text, "turn": turn})

    @operation
    def drop_pin(self, hex_: str) -> Plan[None]:
        """Pull a pin out of the map."""
        return self._write("DELETE", f"/notebook/pins/{hex_}")
