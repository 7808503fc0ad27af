"""The operations of a campaign's player or reader."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from sealed_orders._missing_salts import stir_if_possible
from sealed_orders._notebook import NotebookOperations
from sealed_orders._operation import iteration, operation
from sealed_orders._orders import OrderOperations
from sealed_orders._plans import Emit, Flow, Plan, Send, content, request_and_read, send_with_retries
from sealed_orders._reading import as_it_is, nothing, one, several
from sealed_orders._turn_watcher import TurnWatcher
from sealed_orders.changes import patched, position_of
from sealed_orders.records import (
    Battle,
    BattleResult,
    Branch,
    CampaignInfo,
    Declaration,
    Event,
    Finality,
    Intervention,
    Json,
    Message,
    OrderSet,
    PastPhase,
    PhaseInfo,
    Position,
    Posture,
    Practice,
    Report,
    Standing,
    Vote,
)
from sealed_orders.records.campaigns import OVER


class CampaignOperations(OrderOperations, NotebookOperations):
    """Operations on one campaign."""

    # --- the campaign ---

    @operation
    def info(self) -> Plan[CampaignInfo]:
        """Return the campaign: what it is played by, who sits where, what is open and until when."""
        return self._get("", one(CampaignInfo))

    @operation
    def join(
        self, faction: str | None = None, *, seat: str | None = None, name: str | None = None, code: str | None = None
    ) -> Plan[CampaignInfo]:
        """Take a seat (None: the first free one), with an invitation *code* if it needs one.

        Before the start you need a *faction*. Once the campaign runs, you take over a free seat with its army.
        """
        body = {"faction": faction, "seat": seat, "name": name, "code": code}
        return self._write("POST", "/seats", one(CampaignInfo), body)

    @operation
    def decline(self) -> Plan[None]:
        """Turn an invitation down."""
        return self._write("DELETE", "/invitations/mine")

    @operation
    def leave(self) -> Plan[None]:
        """Give up your seat; once the campaign runs, the stand-in orders until someone takes it."""
        return self._write("DELETE", "/seats/mine")

    @operation
    def watch_everything(self) -> Plan[None]:
        """Watch everything from now on (``as_="gm"``), once you are out; you take no other seat and write to nobody."""
        return self._write("PUT", "/seats/mine/watching")

    @operation
    def choose_faction(self, faction: str) -> Plan[None]:
        """Play another faction; before the start."""
        return self._write("PUT", "/seats/mine/faction", nothing, {"faction": faction})

    @operation
    def holiday(self, until: datetime | None) -> Plan[None]:
        """Be away until then (None: back again): the stand-in orders, and no deadline counts as missed."""
        return self._write("PUT", "/seats/mine/holiday", nothing, {"until": until and until.isoformat()})

    @operation
    def stand_in(self, who: str, *, substitute: str | None = None) -> Plan[None]:
        """Say who orders when you do not: ``defaults``, ``bot``, ``user`` (a *substitute*'s account), or empty."""
        body = {"stand_in": who, "substitute": substitute, "seat": self.seat}
        return self._write("PUT", "/stand-in", nothing, body)

    @operation
    def take_over(self) -> Plan[None]:
        """Be the game master from now on, where the one so far offers it; needs the scope ``gm``."""
        return self._write("POST", "/offer/accept")

    @operation
    def decline_offer(self) -> Plan[None]:
        """Do not become the game master; needs the scope ``gm``, too."""
        return self._write("POST", "/offer/decline")

    # --- what one knows ---

    @operation
    def position(self, *, as_: str | None = None, since: Position | None = None) -> Plan[Position]:
        """Return the position as you know it; after the end *as_* any player, ``gm`` or ``spectator``.

        With an earlier position (*since*) only what has changed is fetched, where the server still knows that one.
        """
        if since is None:
            send = Send("GET", self._path("/view"), {"as": as_})
            response = yield from send_with_retries(send, self._config.patience)
            return position_of(content(response), response.headers.get("etag", "").strip('"'))
        send = Send("GET", self._path("/view/changes"), {"as": as_, "since": since.etag})
        changes = yield from request_and_read(send, as_it_is, self._config.patience)
        whole = changes["whole"]
        return position_of(patched(since.document, changes) if whole is None else whole, changes["etag"])

    @operation
    def board(self) -> Plan[Json]:
        """Return the campaign's map as its scenario has it; it never changes."""
        return self._get("/board", as_it_is)

    @operation
    def ruleset(self) -> Plan[Json]:
        """Return the campaign's ruleset: costs, tables, factions; it never changes."""
        return self._get("/ruleset", as_it_is)

    @operation
    def picture(self, *, number: int | None = None, as_: str | None = None) -> Plan[str]:
        """Return an SVG picture of the position, or of the one after the finished phase *number*."""
        path = "/map.svg" if number is None else f"/phases/{number}/map.svg"
        response = yield from send_with_retries(Send("GET", self._path(path), {"as": as_}), self._config.patience)
        return response.text

    @operation
    def finality(self) -> Plan[tuple[Finality, ...]]:
        """Return whose orders are final, if the campaign shows it."""
        return self._get("/finality", several(Finality))

    # --- what was ---

    @operation
    def phases(self, *, branch: int | None = None) -> Plan[tuple[PhaseInfo, ...]]:
        """Return the phases of a branch, first to last, the open one included."""
        return self._phases(branch)

    @operation
    def phase(self, number: int, *, branch: int | None = None, as_: str | None = None) -> Plan[PastPhase]:
        """Return a finished phase: what you know of it, your orders, and the position after it."""
        return self._get(f"/phases/{number}", one(PastPhase), {"branch": branch, "as": as_})

    @operation
    def branches(self) -> Plan[tuple[Branch, ...]]:
        """Return the branches; a rollback begins another."""
        return self._get("/branches", several(Branch))

    @operation
    def interventions(self) -> Plan[tuple[Intervention, ...]]:
        """Return what game masters did by hand, in the order in which it was done."""
        return self._pages("/interventions", several(Intervention), None)

    @operation
    def votes(self) -> Plan[tuple[Vote, ...]]:
        """Return the votes on the end of the campaign, the first one first."""
        return self._pages("/votes", several(Vote), None)

    @operation
    def open_vote(self, about: str, *, winner: str = "", why: str = "") -> Plan[Vote]:
        """Open a vote on the end: a ``draw``, ``peace``, or to ``concede`` to the *winner*."""
        return self._write("POST", "/votes", one(Vote), {"about": about, "winner": winner, "why": why})

    @operation
    def answer_vote(self, number: int, agrees: bool) -> Plan[Vote]:
        """Agree to a vote's proposal, or refuse it."""
        return self._write("PUT", f"/votes/{number}/answer", one(Vote), {"agrees": agrees})

    @operation
    def withdraw_vote(self, number: int) -> Plan[None]:
        """Close a vote that you opened."""
        return self._write("DELETE", f"/votes/{number}")

    @operation
    def standings(self) -> Plan[tuple[Standing, ...]]:
        """Return everyone's standing after each phase, as you can see it."""
        return self._standings()

    @operation
    def standing_rows(self) -> Plan[list[Json]]:
        """Return the standings as a plain list: a row for each phase and player, with turn, phase and names.

        Libraries for tables take it as it is: ``pandas.DataFrame(campaign.standing_rows())``.
        """
        info = yield from self._campaign()
        phases = {phase.number: phase for phase in (yield from self._phases())}
        rows: list[Json] = []
        for standing in (yield from self._standings()):
            phase, seat = phases[standing.number], info.seat(standing.player_id)
            rows.append({"turn": phase.turn, "phase": phase.phase, "player": seat.name, "faction": seat.faction}
                        | asdict(standing))  # fmt: skip
        return rows

    @operation
    def event_rows(self, *, after: int = 0, as_: str | None = None) -> Plan[list[Json]]:
        """Return the events you know of all finished phases later than number *after*, as a plain list.

        A row has ``number``, ``turn``, ``phase`` and ``type``, and the event's fields. A field with one of those names
        has ``_`` behind it. *as_*: see :meth:`position`.
        """
        rows: list[Json] = []
        for info in (yield from self._phases()):
            if info.number <= after or info.resolved_at is None:
                continue
            phase = yield from self._get(f"/phases/{info.number}", one(PastPhase), {"as": as_})
            for event in phase.events:
                row: Json = {"number": phase.number, "turn": phase.turn, "phase": phase.phase, "type": event["type"]}
                rows.append(row | {f"{name}_" if name in row else name: value
                                   for name, value in event["fields"].items()})  # fmt: skip
        return rows

    @operation
    def postures(self) -> Plan[tuple[Posture, ...]]:
        """Return the computer players' postures turn by turn: to a game master without a seat, after the end to all."""
        return self._pages("/postures", several(Posture), None)

    @operation
    def practise(
        self, number: int | None = None, *, branch: int | None = None, as_: str | None = None, seat: str | None = None,
        name: str = "", level: str = "regular", give_up: bool = False,
    ) -> Plan[CampaignInfo]:  # fmt: skip
        """Open the position after a finished phase (None: the last) as a practice; needs the scope ``gm``."""
        body = {"number": number, "branch": branch, "as": as_, "seat": seat, "name": name, "level": level,
                "give_up": give_up}  # fmt: skip
        return self._write("POST", "/practice", one(CampaignInfo), body)

    @operation
    def play_on(self, number: int | None = None, *, branch: int | None = None, name: str = "") -> Plan[CampaignInfo]:
        """Play on from a public record (None: after the last phase) in a new campaign; needs the scope ``gm``."""
        body = {"number": number, "branch": branch, "name": name}
        return self._write("POST", "/continuation", one(CampaignInfo), body)

    @operation
    def practice(self) -> Plan[Practice]:
        """Return where a practice comes from, and what was invented of what you see."""
        return self._get("/practice", one(Practice))

    @operation
    def export(self) -> Plan[bytes]:
        """Return the whole record of a finished campaign as a file; ``sealed-orders verify`` checks it offline."""
        response = yield from send_with_retries(Send("GET", self._path("/record")), self._config.patience)
        return response.content

    # --- battles ---

    @operation
    def battles(self) -> Plan[tuple[Battle, ...]]:
        """Return this turn's battles one knows of."""
        return self._get("/battles", several(Battle))

    @operation
    def odds(self, hex_: str) -> Plan[Json]:
        """Return the odds of a battle should dice decide it, exact for the forces you can see."""
        return self._get(f"/battles/{hex_}/odds", as_it_is)

    @operation
    def report(self, hex_: str, result: BattleResult, *, note: str = "") -> Plan[Report]:
        """Report the ``winner``, ``retreated`` and ``losses`` of a table; it counts once the other side confirms."""
        return self._write("POST", f"/battles/{hex_}/reports", one(Report), {"result": result, "note": note})

    @operation
    def confirm(self, report_id: str, text: str = "") -> Plan[Report]:
        """Confirm what the other side reported: it is settled."""
        return self._write("POST", f"/reports/{report_id}/confirm", one(Report), {"text": text})

    @operation
    def dispute(self, report_id: str, text: str = "") -> Plan[Report]:
        """Dispute what the other side reported: the game master decides, or the dice at the deadline."""
        return self._write("POST", f"/reports/{report_id}/dispute", one(Report), {"text": text})

    # --- people ---

    @operation
    def messages(self, *, most: int | None = 50) -> Plan[tuple[Message, ...]]:
        """Return the messages you may read, newest first; at most *most* of them, None: all."""
        return self._pages("/messages", several(Message), most)

    @operation
    def write(
        self,
        to: Sequence[str],
        body: str,
        *,
        subject: str = "",
        in_character: bool = False,
        reply_to: str | None = None,
        as_gm: bool = False,
    ) -> Plan[Message]:
        """Write to seats, to ``all`` or to ``gm``; *reply_to* is the id of a message you may read."""
        given = {
            "to": list(to), "body": body, "subject": subject, "in_character": in_character, "reply_to": reply_to,
            "as_gm": as_gm,
        }  # fmt: skip
        return self._write("POST", "/messages", one(Message), given)

    @operation
    def mark_read(self, message_id: str) -> Plan[None]:
        """Note that you have read a message."""
        return self._write("PUT", f"/messages/{message_id}/read")

    @operation
    def declarations(self) -> Plan[tuple[Declaration, ...]]:
        """Return the declarations you may know of, oldest first."""
        return self._pages("/declarations", several(Declaration), None)

    @operation
    def declare(
        self, kind: str, *, toward: str | None = None, public: bool = False, body: str = ""
    ) -> Plan[Declaration]:
        """Declare an ``alliance``, ``alliance_ended``, ``war``, ``truce`` or ``statement``: words only."""
        given = {"kind": kind, "toward": toward, "public": public, "body": body}
        return self._write("POST", "/declarations", one(Declaration), given)

    # --- live ---

    @iteration
    def follow(self, last_id: str = "") -> Flow[Event]:
        """Follow what happens in the campaign, as far as you may know of it, until the campaign is over.

        First comes ``state`` (the campaign) or, after *last_id*, what was missed since. A stream that breaks is opened
        again where it was; where no stream can be had, ``state`` comes as often as it changes.
        """
        follower = self._follower(last_id)
        while True:
            event = yield from follower.next()
            yield Emit(event)
            if event.kind == "finished" or event.data.get("status") in OVER:
                return

    def _phases(self, branch: int | None = None) -> Plan[tuple[PhaseInfo, ...]]:
        return self._pages("/phases", several(PhaseInfo), None, {"branch": branch})

    def _standings(self) -> Plan[tuple[Standing, ...]]:
        return self._pages("/standings", several(Standing), None)

    def _turns(self) -> Flow[OrderSet]:
        key = self._config.salt_key or ""

        def stir(_: str) -> Plan[None]:
            return stir_if_possible(self._path("/salts"), key, self._config)

        watcher = TurnWatcher(lambda _: self._campaign(), lambda _: self._orders(), stir if key else None)
        return watcher.of_campaign(self.id, self._follower())

    @operation
    def wait(self, after: CampaignInfo | None = None, *, timeout: float | None = None) -> Plan[CampaignInfo]:
        """Wait until the campaign stands at another phase (or status) than *after*, None: than it does now.

        :class:`TimeoutError` after *timeout* seconds.
        """
        until = None if timeout is None else time.monotonic() + timeout
        before = after if after is not None else (yield from self._campaign())
        follower = self._follower()
        while True:
            yield from follower.next(until)
            now = yield from self._campaign()
            if (now.status, now.branch, now.phase_number, now.phase) != (
                before.status, before.branch, before.phase_number, before.phase,
            ):  # fmt: skip
                return now
