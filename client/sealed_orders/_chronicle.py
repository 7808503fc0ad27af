"""The chronicle: the sides' stories of battles (``client.chronicle``)."""

from __future__ import annotations

from sealed_orders._operation import operation
from sealed_orders._plans import Plan, Send, request_and_read, send_with_retries
from sealed_orders._reading import as_it_is, one, several
from sealed_orders._tables import Asking, items
from sealed_orders.records import Json, Story


class ChronicleOperations(Asking):
    """Operations on stories of battles and their pictures."""

    @operation
    def of_campaign(self, campaign: str) -> Plan[tuple[Story, ...]]:
        """Return the stories of a campaign's battles, the last ones first."""
        return self._get(f"/campaigns/{campaign}/chronicle", several(Story))

    @operation
    def of_table(self, table: str, *, watch: str | None = None) -> Plan[tuple[Story, ...]]:
        """Return the stories of both sides of a tabletop game."""
        return self._get(f"/tables/{table}/stories", several(Story), _watching(watch))

    @operation
    def untold(self, campaign: str) -> Plan[tuple[Json, ...]]:
        """Return the battles your seat fought and has told nothing of: ``turn``, ``hex``, ``game``."""
        return self._get(f"/campaigns/{campaign}/untold", items)

    @operation
    def tell_of_table(self, table: str, side: str, title: str, body: str, *, held: bool = False) -> Plan[Story]:
        """Write or change the story of your side of a game that is over."""
        return self._write("PUT", f"/tables/{table}/stories/{side}", one(Story), _story(title, body, held))

    @operation
    def tell_of_battle(
        self, campaign: str, turn: int, hex: str, title: str, body: str, *, held: bool = False
    ) -> Plan[Story]:
        """Write or change the story of your side of a battle that was not played at a table."""
        return self._write(
            "PUT", f"/campaigns/{campaign}/chronicle/{turn}/{hex}", one(Story), _story(title, body, held)
        )

    @operation
    def story(self, story: str, *, watch: str | None = None) -> Plan[Story]:
        """Return a story."""
        return self._get(f"/stories/{story}", one(Story), _watching(watch))

    @operation
    def remove(self, story: str) -> Plan[None]:
        """Delete a story with its pictures: who wrote it, and the game master."""
        return self._write("DELETE", f"/stories/{story}")

    @operation
    def add_picture(self, story: str, content: bytes, alt: str = "") -> Plan[Json]:
        """Add a picture (a JPEG, PNG or WebP file) to a story of your own; *alt* says what it shows."""
        send = Send("POST", f"/stories/{story}/pictures", {"alt": alt}, content)
        return request_and_read(send, as_it_is, self._config.patience)

    @operation
    def picture(self, story: str, picture: str, *, watch: str | None = None) -> Plan[bytes]:
        """Return a picture of a story as a JPEG file."""
        send = Send("GET", f"/stories/{story}/pictures/{picture}", _watching(watch))
        response = yield from send_with_retries(send, self._config.patience)
        return response.content

    @operation
    def drop_picture(self, story: str, picture: str) -> Plan[None]:
        """Take a picture out of a story: who wrote it, and the game master."""
        return self._write("DELETE", f"/stories/{story}/pictures/{picture}")


def _story(title: str, body: str, held: bool) -> Json:
    return {"title": title, "body": body, "held": held}


def _watching(watch: str | None) -> Json:
    return {} if watch is None else {"watch": watch}
