"""What an operator may choose; read once, by :func:`read`, when the server starts.

Each field is the environment variable of its name in capitals after ``SEALED_ORDERS_``; ``docs/settings.md``
lists them. Nothing else in the program looks at the environment.
"""

from __future__ import annotations

import base64
import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "SEALED_ORDERS_"

Seconds = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=0)]


def _push_key(value: SecretStr) -> SecretStr:
    text = value.get_secret_value()
    if text and not (re.fullmatch(r"[A-Za-z0-9_-]{43}", text) and 0 < _number(text) < _P256):
        raise ValueError("this is no key of `sealed-orders push-key`")
    return value


def _number(text: str) -> int:
    return int.from_bytes(base64.urlsafe_b64decode(text + "="))


PushKey = Annotated[SecretStr, AfterValidator(_push_key)]
_P256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""How many private keys the curve P-256 has."""


class Settings(BaseSettings):
    """The server's settings, all with defaults that suit one process on one machine."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore", hide_input_in_errors=True)

    database_url: SecretStr = SecretStr("sqlite:///sealed-orders.db")
    """SQLite file or PostgreSQL server."""
    listen_url: SecretStr = SecretStr("")
    """Where PostgreSQL announces news, if ``database_url`` goes through a pooler; empty: the same address."""
    pool_size: Annotated[int, Field(ge=1)] = 6
    """Connections to PostgreSQL that a process keeps open; one more is for news."""
    pool_overflow: Count = 16
    """Connections beyond these that it opens while there is much to do."""
    prepared_statements: bool = True
    """PostgreSQL keeps statements that are asked often. False behind a pooler that cannot (PgBouncer before 1.21)."""
    public_url: Annotated[str, Field(pattern=r"^https?://[^\s/]+(/[^\s]*)?$")] = "http://127.0.0.1:8000"
    """Where people reach the server; links in mails begin with it. With ``https://`` cookies are secure."""
    sign_up: Literal["open", "confirmed", "approval", "closed"] = "open"
    """``confirmed``: accounts sign in once their address is confirmed. ``approval``: once an admin lets them in.
    ``closed``: only ``sealed-orders user add`` makes accounts. An invitation to a campaign lets people in at once."""

    example_campaign: str = ""
    """Id of a campaign that the first page shows to watch; ``sealed-orders campaign example`` makes one."""

    ticker: bool = True
    """This process looks for due phases and unsent messages. At least one process must."""
    ticker_interval: Seconds = 2.0
    """Seconds between two looks for unsent messages and for what else is due; deadlines are looked for as they come."""
    hold: bool = False
    """No phase ends by its deadline; ``serve --hold`` sets it."""
    downtime_grace_hours: Count = 12
    """Hours that phases get which came due while no server looked."""
    resolver_threads: Count = 2
    """Phases resolved at a time in this process; 0: in the request that finalises the last orders."""
    resolver_processes: Count = 1
    """Further processes in which large campaigns' phases are played and maps for mails are made, so that others do not
    wait; 0: none."""
    deletion_grace_days: Count = 14
    """Days a deleted campaign can be brought back."""
    seal_hours: Count = 72
    """Hours for which the record of a campaign that is over stays sealed, and its game master may go back."""

    body_limit: Annotated[int, Field(ge=1024)] = 2_000_000
    """Largest request body in bytes, imports left out."""
    import_limit: Annotated[int, Field(ge=1024)] = 200_000_000
    """Largest campaign file that may be imported, in bytes."""
    import_unpacked: Annotated[int, Field(ge=1_000_000)] = 10_000_000
    """Bytes that a campaign file may unpack to, and may itself have, for an account that is not an admin."""
    import_seconds: Annotated[int, Field(ge=1)] = 60
    """Seconds of a processor that importing a campaign may take for an account that is not an admin."""
    account_rate: Count = 600
    """Requests an account may make a minute; 0: no limit. Half of it may come at once. Limits hold for each process."""
    address_rate: Count = 1200
    """Requests an address may make a minute, over all accounts; 0: no limit."""
    sign_in_rate: Count = 20
    """Attempts to sign in, sign up or have a link mailed a minute from one address; 0: no limit."""
    guests_per_day: Count = 40
    """Guests (accounts without credentials) that may come from one address in a day, half of them at once; 0: none."""
    guess_rate: Count = 100
    """Attempts a minute to sign in with one name and a password, over all addresses; 0: no limit."""
    trusted_proxies: str = "127.0.0.1"
    """Comma-separated addresses of proxies whose ``X-Forwarded-For`` and ``X-Forwarded-Proto`` are believed."""
    idempotency_hours: Annotated[int, Field(ge=1)] = 24
    """Hours for which the server stores the answer to a write with an ``Idempotency-Key``."""

    table_games_per_account: Annotated[int, Field(ge=1)] = 100
    """Games on the table that are not closed, made by one account or guest."""
    table_games_per_address: Annotated[int, Field(ge=1)] = 50
    """The same, made by guests from one address."""

    practices_per_account: Annotated[int, Field(ge=1)] = 20
    """Practices that one account may have under way, campaigns alone against computer players among them."""

    open_campaigns_per_account: Annotated[int, Field(ge=1)] = 10
    """Campaigns of one account that have not started."""
    own_map_hexes: Annotated[int, Field(ge=100, le=250_000)] = 40_000
    """Hexes that a map of someone's own may have."""
    heavy_per_account: Annotated[int, Field(ge=1)] = 2
    """Heavy requests that one account may have at a time: maps, rosters, pictures and missions read, practices made."""
    heavy_per_process: Annotated[int, Field(ge=1)] = 4
    """The same, of all accounts together, in each process."""

    session_days: Annotated[int, Field(ge=1)] = 30
    """Days until someone who signed in on the web must sign in again."""
    streams_per_account: Annotated[int, Field(ge=1)] = 20
    """Event streams one account may have open at a time, and one address where nobody is signed in."""
    shutdown_grace: Seconds = 30.0
    """Seconds that requests and resolutions get to finish when the server stops."""
    shutdown_drain: Annotated[float, Field(ge=0, le=10)] = 0.0
    """Seconds for which it still serves after SIGTERM while ``/readyz`` answers 503, so that proxies turn to others."""

    smtp_host: str = ""
    """The server mails are handed to; empty: none are sent, they wait."""
    smtp_port: Annotated[int, Field(ge=1, le=65535)] = 587
    smtp_tls: Literal["starttls", "tls", "none"] = "starttls"
    """``tls`` from the first byte on (port 465); ``none`` is for a server on this machine."""
    smtp_user: str = ""
    """Empty: without signing in."""
    smtp_password: SecretStr = SecretStr("")
    smtp_timeout: Seconds = 10.0
    """Seconds the mail server may be silent; three times as many it may take for one mail."""
    mail_from: Annotated[str, Field(pattern=r"^([^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$")] = (
        "Sealed Orders <sealed-orders@localhost>"
    )
    """Sender of the emails."""
    mail_reply_to: Annotated[str, Field(pattern=r"^([^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)?$")] = ""
    """Where answers go; empty: to the sender."""
    mail_orders: Annotated[str, Field(pattern=r"^([A-Za-z0-9._-]{1,20}@[^<>@\s+]+)?$")] = ""
    """The address that takes orders by mail; answers go to it with a tag (``orders+...@host``); empty: none is read."""
    mail_limit: Annotated[int, Field(ge=10_000)] = 10_000_000
    """Largest mail that is read, in bytes."""
    imap_host: str = ""
    """The server of the mailbox that is read; empty: none is."""
    imap_port: Annotated[int, Field(ge=1, le=65535)] = 993
    imap_tls: Literal["tls", "starttls", "none"] = "tls"
    imap_user: str = ""
    imap_password: SecretStr = SecretStr("")
    imap_folder: str = "INBOX"
    imap_interval: Seconds = 30.0
    """Seconds between two looks into the mailbox."""
    lmtp_listen: Annotated[str, Field(pattern=r"^([^\s:]+:\d{1,5})?$")] = ""
    """``host:port`` where a mail server delivers by LMTP; empty: nowhere."""
    mail_to_log: bool = False
    """Without a mail server, write emails into the log, sign-in links included. For trying things out."""

    push_key: PushKey = SecretStr("")
    """The private key (VAPID) with which notices are pushed to browsers, made by ``sealed-orders push-key``; empty:
    none are."""
    webhooks_to_private_addresses: bool = False
    """Allow webhooks to addresses of the local network. For tests."""
    webhook_ports: Annotated[str, Field(pattern=r"^(\d{1,5}(-\d{1,5})?(,\d{1,5}(-\d{1,5})?)*)?$")] = ""
    """Ports for webhooks in addition to 80, 443 and 8000 to 9000: ``9443,10000-10010``."""
    metrics: bool = True
    """Serve ``/metrics``."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["json", "text"] = "json"

    @property
    def secure(self) -> bool:
        """True when people come by HTTPS."""
        return self.public_url.startswith("https://")


def read() -> Settings:
    """Return the settings of this process's environment."""
    return Settings()
