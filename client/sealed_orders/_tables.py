"""Table games: games created and found (``client.tables``), one game played (``client.table``)."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sealed_orders._account import ClientConfig
from sealed_orders._following import Follower
from sealed_orders._operation import iteration, operation
from sealed_orders._plans import Flow, Plan, RetryPolicy, Send, pages, request_and_read, send_with_retries
from sealed_orders._reading import Read, as_it_is, integer, nothing, one, several
from sealed_orders.records import Event, Json, LogEntry, TableAct, TableGuest, TableInfo, TablePosition

SIDES = ("red", "blue")


class Asking:
    """What the operations of tables and of the chronicle need."""

    _config: ClientConfig

    def _get(self, path: str, read: Read[Any], params: Mapping[str, Any] | None = None) -> Plan[Any]:
        return request_and_read(Send("GET", path, params or {}), read, self._config.patience)

    def _write(self, method: str, path: str, read: Read[Any] = nothing, body: Any = None) -> Plan[Any]:
        return request_and_read(Send(method, path, {}, body), read, self._config.patience)


class TablesOperations(Asking):
    """Operations on your table games, armies and missions."""

    # --- games ---

    @operation
    def mine(
        self, *, status: str | None = None, archived: bool = False, limit: int | None = None
    ) -> Plan[tuple[TableInfo, ...]]:
        """Return the games one plays or made, newest first."""
        send = Send("GET", "/tables", {"status": status, "archived": archived})
        return pages(send, several(TableInfo), self._config.patience, limit)

    @operation
    def create(self, /, mission: str | None = None, **wanted: Any) -> Plan[TableInfo]:
        """Make a game: of a *mission*, or with ``roll`` or ``agree`` of a family; ``take`` says which side."""
        return self._write("POST", "/tables", one(TableInfo), {"mission": mission, **wanted})

    @operation
    def look(self, code: str) -> Plan[Json]:
        """Return what an invitation's code invites to."""
        return self._get(f"/table-invitations/{code}", as_it_is)

    @operation
    def join(self, code: str, *, side: str | None = None, name: str | None = None) -> Plan[TableInfo]:
        """Take a free side of the game of a code."""
        return self._write("POST", "/tables/join", one(TableInfo), {"code": code, "side": side, "name": name})

    # --- without an account ---

    @operation
    def guest(self, name: str) -> Plan[TableGuest]:
        """Make a guest; a client with its token plays as them."""
        return self._write("POST", "/tables/guests", one(TableGuest), {"name": name})

    @operation
    def invite_device(self) -> Plan[Json]:
        """Return a ``code`` with which another device continues as the same guest: good once, for ten minutes."""
        return self._write("POST", "/tables/guests/devices", as_it_is)

    @operation
    def take_device(self, code: str) -> Plan[TableGuest]:
        """Go on as the guest whose code you have, with a token of your own."""
        return self._write("POST", "/tables/guests/devices/join", one(TableGuest), {"code": code})

    @operation
    def claim(self, token: str) -> Plan[int]:
        """Take over everything of a guest; returns how many games it were."""
        return self._write("POST", "/tables/claim", integer("games"), {"token": token})

    # --- armies and missions ---

    @operation
    def armies(self) -> Plan[tuple[Json, ...]]:
        """Return the armies one has saved."""
        return self._get("/armies", items)

    @operation
    def save_army(self, name: str, army: Mapping[str, Any]) -> Plan[Json]:
        """Save an army: ``{"army": {...}}``, ``{"lines": "..."}`` or ``{"template": id}``."""
        return self._write("POST", "/armies", as_it_is, {"name": name, **army})

    @operation
    def drop_army(self, army_id: str) -> Plan[None]:
        """Delete a saved army."""
        return self._write("DELETE", f"/armies/{army_id}")

    @operation
    def missions(self, campaign: str | None = None) -> Plan[tuple[Json, ...]]:
        """Return the missions you may play."""
        return self._get("/missions", items, {"campaign": campaign})

    @operation
    def sample_armies(self, mission: str) -> Plan[Json]:
        """Return the sample armies of a mission by side."""
        return self._get(f"/missions/{mission}/samples", as_it_is)

    @operation
    def upload_mission(self, source: str, campaign: str | None = None) -> Plan[Json]:
        """Keep a club's own mission (TOML), for yourself or for a campaign you run."""
        return self._write("POST", "/missions", as_it_is, {"source": source, "campaign": campaign})

    @operation
    def uploaded_mission(self, upload_id: str) -> Plan[Json]:
        """Return a club's own mission as it was uploaded."""
        return self._get(f"/mission-uploads/{upload_id}", as_it_is)

    @operation
    def drop_mission(self, upload_id: str) -> Plan[None]:
        """Delete a club's own mission; games that were made by it keep it."""
        return self._write("DELETE", f"/mission-uploads/{upload_id}")


class TableOperations(Asking):
    """Operations on one table game."""

    id: str
    side: str | None
    watch: str | None

    @operation
    def info(self) -> Plan[TableInfo]:
        """Return who plays, how the game is set up, its status."""
        return self._get(self._path(""), one(TableInfo), self._watching())

    @operation
    def change(self, /, **wanted: Any) -> Plan[TableInfo]:
        """Change what is given of a game that has not started."""
        return self._write("PATCH", self._path(""), one(TableInfo), wanted)

    @operation
    def delete(self) -> Plan[None]:
        """Delete a single game that has not started, or that nobody else plays."""
        return self._write("DELETE", self._path(""))

    @operation
    def leave(self, side: str) -> Plan[None]:
        """Give up a side."""
        return self._write("DELETE", self._path(f"/seats/{side}"))

    @operation
    def choose_army(self, side: str, army: Mapping[str, Any], *, save_as: str | None = None) -> Plan[TableInfo]:
        """Bring an army: ``{"sample": True}``, ``{"saved": id}``, ``{"lines": "..."}``, ``{"army": {...}}``."""
        return self._write("PUT", self._path(f"/seats/{side}/army"), one(TableInfo), {**army, "save_as": save_as})

    @operation
    def commit(self, side: str, salt: str) -> Plan[TableInfo]:
        """Commit to a salt for the dice, by its SHA-256. Keep the salt: :meth:`reveal` sends it."""
        commitment = hashlib.sha256(salt.encode()).hexdigest()
        return self._write("PUT", self._path(f"/seats/{side}/commitment"), one(TableInfo), {"commitment": commitment})

    @operation
    def reveal(self, side: str, salt: str) -> Plan[TableInfo]:
        """Send the salt, once both sides have committed to theirs."""
        return self._write("PUT", self._path(f"/seats/{side}/salt"), one(TableInfo), {"salt": salt})

    @operation
    def start(self) -> Plan[TableInfo]:
        """Start: both sides are taken, with armies and salts."""
        return self._write("POST", self._path("/start"), one(TableInfo))

    @operation
    def view(self, *, as_: str | None = None, at: int | None = None) -> Plan[TablePosition]:
        """Return your view of the game and your possible actions; *at*: after that many actions."""
        params = {"as": as_ or self.side, "at": at} | self._watching()
        return self._get(self._path("/view"), one(TablePosition), params)

    @operation
    def log(self, after: int = -2) -> Plan[tuple[LogEntry, ...]]:
        """Return the acts after a number with what happened; number -1 is the beginning."""
        params = {"as": self.side, "after": after} | self._watching()
        return self._get(self._path("/acts"), several(LogEntry), params)

    @operation
    def act(self, /, expected: int, do: str, **fields: Any) -> Plan[TableAct]:
        """Do an act; *expected* is ``acts`` of the view (:class:`StaleRevision` where someone acted meanwhile)."""
        body = {"expected": expected, "act": {"do": do, **fields}, "side": self.side}
        return self._write("POST", self._path("/acts"), one(TableAct), body)

    @operation
    def confirm(self) -> Plan[TableInfo]:
        """Confirm the result; when both sides have, the game is closed."""
        return self._write("POST", self._path("/confirm"), one(TableInfo), {"side": self.side})

    @operation
    def propose_mission(self, /, mission: str | None = None, **wanted: Any) -> Plan[TableInfo]:
        """Propose the mission of a campaign's battle, or with ``roll`` or ``agree`` a family of missions."""
        given = wanted if mission is None else {"mission": mission, **wanted}
        return self._write("POST", self._path("/missions"), one(TableInfo), {**given, "side": self.side})

    @operation
    def propose_date(self, at: datetime | str, place: str = "") -> Plan[TableInfo]:
        """Propose when (with its time zone) and where to fight a campaign's battle."""
        when = at.isoformat() if isinstance(at, datetime) else at
        body = {"at": when, "place": place, "side": self.side}
        return self._write("POST", self._path("/dates"), one(TableInfo), body)

    @operation
    def answer(self, number: int, agree: bool = True) -> Plan[TableInfo]:
        """Accept or decline a proposal of the other side, or withdraw your own."""
        body = {"agree": agree, "side": self.side}
        return self._write("POST", self._path(f"/proposals/{number}"), one(TableInfo), body)

    @operation
    def keep_models(self, keep: bool = True) -> Plan[TableInfo]:
        """Leave your models in their units before a campaign's battle, or have them moved together again."""
        return self._write("PUT", self._path("/models"), one(TableInfo), {"keep": keep, "side": self.side})

    @operation
    def report(self) -> Plan[Json]:
        """Return the result that the campaign takes when both sides confirm it (``result``)."""
        return self._get(self._path("/report"), as_it_is)

    @operation
    def calendar(self) -> Plan[str]:
        """Return the agreed date as an iCalendar file."""
        response = yield from send_with_retries(Send("GET", self._path("/meeting.ics"), {}), self._config.patience)
        return response.text

    @operation
    def archive(self, archived: bool = True) -> Plan[TableInfo]:
        """Put the game away in your own list, or back."""
        return self._write("PUT", self._path("/archived"), one(TableInfo), {"archived": archived})

    @operation
    def pause(self, paused: bool = True) -> Plan[TableInfo]:
        """Stop the clocks of the game, or let them run again."""
        return self._write("PUT", self._path("/clock"), one(TableInfo), {"paused": paused})

    @operation
    def dice(self) -> Plan[Json]:
        """Return what is published of the dice."""
        return self._get(self._path("/dice"), as_it_is, self._watching())

    @operation
    def picture(self, *, at: int | None = None, language: str = "en") -> Plan[str]:
        """Return the table as you may know it as an SVG picture."""
        params = {"as": self.side, "at": at, "language": language} | self._watching()
        response = yield from send_with_retries(Send("GET", self._path("/picture.svg"), params), self._config.patience)
        return response.text

    @operation
    def png(self, *, at: int | None = None, width: int = 1000) -> Plan[bytes]:
        """Return the same as a PNG picture."""
        params = {"as": self.side, "at": at, "width": width} | self._watching()
        response = yield from send_with_retries(Send("GET", self._path("/picture.png"), params), self._config.patience)
        return response.content

    @operation
    def export(self) -> Plan[bytes]:
        """Return a closed game as a file; ``sealed-orders verify`` checks it offline."""
        send = Send("GET", self._path("/record"), self._watching())
        response = yield from send_with_retries(send, self._config.patience)
        return response.content

    @iteration
    def follow(self, last_id: str = "") -> Flow[Event]:
        """Follow the game without end: ``state`` first, then ``act`` with how many acts there are, ``closed`` ..."""

        def load() -> Plan[Json]:
            return request_and_read(Send("GET", self._path(""), self._watching()), as_it_is, RetryPolicy(0.0))

        path = self._path("/stream") + (f"?watch={self.watch}" if self.watch else "")
        return Follower(path, load, self._config.patience, self._config.poll, last_id).events()

    def _path(self, below: str) -> str:
        return f"/tables/{self.id}{below}"

    def _watching(self) -> Json:
        return {} if self.watch is None else {"watch": self.watch}


def new_salt() -> str:
    """Return a salt for the dice of a game: random, for :meth:`TableOperations.commit`, then ``reveal``."""
    return secrets.token_urlsafe(24)


def items(given: Any) -> tuple[Json, ...]:
    """Return a list of the server's as plain JSON."""
    return tuple(as_it_is(item) for item in given["items"])
