"""Every kind of mail there is, written for one campaign: to be looked at, and to be measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any

from server.bots import commander
from server.mail.answering.receive import receive
from server.mail.compose import compose
from server.mail.letters import Letter
from server.play.accounts import links
from server.play.campaigns import campaigns, seats
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import AppContext
from server.play.messages import messages
from server.play.notices import delivery, reply_tags, webhooks
from server.play.notices.delivery import Item
from server.play.notices.notices import KINDS
from server.play.notices.posting import PermanentFailure
from server.play.notices.reply_tags import Tag
from server.rules.text import write_orders
from tests.play.campaigns import Club

REASON = {"why": "The club has moved, and nobody found the dice in time."}
PLAIN: Mapping[str, dict[str, Any]] = {
    "campaign_started": {}, "finished": {"winners": ["p1"]}, "rolled_back": REASON, "seat_changed": {"seat": "p2"},
    "new_readings": {"version": 2}, "missed_deadline": {"player": "p2", "missed": 2},
    "gm_declined": {"name": "Hal"}, "gm_changed": {}, "mail_bounced": {"name": "Cyd"}, "invited": {},
    "battle_reported": {"hex": "0505", "status": "open"}, "battle_settled": {"hex": "0505", "status": "confirmed"},
    "table_opened": {"hex": "0505"}, "paused": REASON, "resumed": REASON, "intervention": REASON,
    "deadline_changed": REASON, "deadline_near": {}, "table_waits": {},
}  # fmt: skip
"""Notices that need nothing but their own data."""
WRONG = 'rasie "Iron Guard" at 0303: hq Captain 80\nbuild markt in 9999\nattack Nowhere\nbuild market at 0101\nFINAL'


@dataclass(slots=True)
class EveryKind:
    """Writes letters of every kind to Ada, whose account says in which language."""

    ctx: AppContext
    made: Club
    """Its reports wait in the outbox; everybody has a confirmed address."""
    found: dict[str, Letter] = field(default_factory=dict)
    """The letters by what they are."""
    numbers: Iterator[int] = field(default_factory=lambda: iter(range(1, 1000)))

    def write(self) -> dict[str, Letter]:
        """Return the letters by what they are."""
        everything = {kind: {"mail": True} for kind in KINDS}
        webhooks.choose_notifications(self.ctx, self.made.players["p1"], everything)
        self._due()
        for kind, own in PLAIN.items():
            data = {"number": self.made.info.phase_number, "deadline": self.ctx.now().isoformat()} | own
            self._letter({"about": kind, "data": data}, kind)
        self._written_by_people()
        self._answers()
        self._to_strangers()
        return self.found

    def _written_by_people(self) -> None:
        ctx, made = self.ctx, self.made
        subject = "A word " + "longer" * 12
        messages.send(ctx, made.players["p2"], made.id, ["p1"], "Shall we?\n\nBob", subject=subject)
        messages.announce(ctx, made.gm, made.id, f"See https://example.org/{'x' * 60}", subject="Tuesday")
        messages.declare(ctx, made.players["p2"], made.id, "truce", toward="p1", body="For a year.")
        self._due()

    def _answers(self) -> None:
        good = write_orders(list(commander.choose(self.made.view("p1"))), self.made.view("p1"))
        mails = {"wrong": WRONG, "help": "HELP", "map": "MAP\nREPORT\nORDERS", "luck": "LUCK seven black cats",
                 "orders": good + "FINAL", "forecast": good + "FORECAST", "not final": "NOT FINAL",
                 "message": "MESSAGE to Bob:\nShall we?", "holiday": "HOLIDAY until 2031-05-09",
                 "nothing": "Thank you!", "refused": "ADVANCE", "stop": "STOP"}  # fmt: skip
        seat = Tag("seat", self.made.id, "p1", self.made.info.branch, self.made.info.phase_number)
        master = Tag("game_master", self.made.id, "", self.made.info.branch, self.made.info.phase_number)
        for name, text in mails.items():
            self._send(name, text, seat, self.made.players["p1"].user_id)
        self._send("advance", "ADVANCE", master, self.made.gm.user_id)

    def _send(self, name: str, text: str, tag: Tag, user_id: str) -> None:
        mail = EmailMessage()
        mail["To"], mail["Subject"] = reply_tags.address(self.ctx, tag, user_id), "Re: Turn 3, Build: orders due Sun"
        mail["Message-ID"] = f"<{next(self.numbers)}@home.example>"
        mail.set_content(text)
        assert receive(self.ctx, mail.as_bytes()) == "answered"
        self._due(f"answer to {name}")

    def _to_strangers(self) -> None:
        ctx = self.ctx
        new = NewCampaign(
            "March of Gwen", "four-corners", listed=False, description="Every Tuesday.\nNew ones welcome."
        )
        lobby = campaigns.create(ctx, self.made.gm, new).id
        seats.invite_user(ctx, self.made.gm, lobby, "wim@home.example")
        self._due("asked")
        links.request_link(ctx, "wim@home.example")
        self._due("link sign_up")
        for name, reset in (("sign_in", False), ("reset", True)):
            links.request_link(ctx, "ada@example.org", reset=reset)
            self._due(f"link {name}")
        links.request_confirmation(ctx, self.made.players["p1"], "ada@new.example")
        self._due("link")

    def _due(self, name: str = "") -> None:
        def write(item: Item) -> None:
            try:
                letter = compose(self.ctx, item)
            except PermanentFailure:
                return
            known = f"link {item.payload['purpose']}" if name == "link" else name
            if known or letter.name == "Ada":
                self.found[known or str(item.payload["about"])] = letter

        while delivery.deliver(self.ctx, {"mail": write}):
            pass

    def _letter(self, payload: dict[str, Any], name: str) -> None:
        item = Item(
            1, "mail", f"test/{name}", payload, self.made.id, self.made.players["p1"].user_id, self.ctx.now(), 0
        )
        self.found[name] = compose(self.ctx, item)
