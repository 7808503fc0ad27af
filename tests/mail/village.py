"""A post office and people with mailboxes in it, for campaigns that are played by mail."""

from __future__ import annotations

import re
import smtplib
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import make_msgid
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session

from server.bots import commander
from server.rules.sight import View
from server.rules.text import write_orders
from tests.mail.conftest import text_of
from tests.mail.dovecot import Dovecot

MAP: dict[str, Any] = {
    "format": 1,
    "title": "Three Villages",
    "author": "Tests",
    "ruleset": "wh40k-2001",
    "conditions": {"bp": 600, "urban": 0, "resources": 0},
    "starts": [
        {"name": "West", "centre": "0203", "radius": 1},
        {"name": "East", "centre": "0803", "radius": 1},
        {"name": "South", "centre": "0507", "radius": 1},
    ],
    "terrain": {".": "plains", "f": "forest"},
    "board": [". . . . . . . . ."] * 4 + [". . . f f f . . ."] + [". . . . . . . . ."] * 3,
}
"""A map that is soon played."""


@dataclass
class PostOffice:
    """What takes all mails by SMTP and puts them into mailboxes, as Postfix does."""

    mailboxes: Dovecot
    taken: list[tuple[str, bytes]] = field(default_factory=list)
    """Recipient and mail."""

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Deliver to every recipient."""
        assert isinstance(envelope.content, bytes)
        for recipient in envelope.rcpt_tos:
            self.taken.append((recipient, envelope.content))
            self.mailboxes.deliver(envelope.content, recipient)
        return "250 OK"


@dataclass
class Writer:
    """Somebody who plays with a mail program and nothing else."""

    address: str
    post_port: int
    mailboxes: Dovecot
    newest: EmailMessage | None = None
    """The newest mail that wants an answer; answers to one's own mails do not."""
    subjects: list[str] = field(default_factory=list)
    """Of all mails read."""

    def read(self) -> list[EmailMessage]:
        """Read what is new."""
        found = self.mailboxes.unread(self.address)
        for mail in found:
            self.subjects.append(str(mail["Subject"]))
            if mail["Reply-To"] is not None and not str(mail["Subject"]).startswith("Re:"):
                self.newest = mail
        return found

    def answer(self, text: str, to: EmailMessage | None = None) -> None:
        """Answer a mail (else the newest) as mail programs do: above, with the whole quoted below."""
        asked = to or self.newest
        assert asked is not None
        mail = EmailMessage()
        mail["From"], mail["To"] = self.address, str(asked["Reply-To"])
        mail["Subject"] = re.sub(r"^(?:Re: )?", "Re: ", str(asked["Subject"]).replace("\n", " "))
        mail["Message-ID"], mail["In-Reply-To"] = make_msgid(domain="home.example"), str(asked["Message-ID"])
        quoted = "\n".join(f"> {line}" for line in text_of(asked).splitlines())
        mail.set_content(f"Hello,\n\n{text}\n\nOn 3 May 2031, Sealed Orders <orders@example.org> wrote:\n\n{quoted}\n")
        with smtplib.SMTP("127.0.0.1", self.post_port) as there:
            there.send_message(mail, self.address, [str(asked["Reply-To"])])

    def order(self, view: View) -> None:
        """Answer with the orders a computer player would give, and declare them final."""
        self.answer(f"{write_orders(list(commander.choose(view)), view)}\n\nFINAL")
