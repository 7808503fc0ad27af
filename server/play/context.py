"""What every use case needs: the database, the settings, the clock; and who asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play.background import Background
from server.play.caches import Caches
from server.play.errors import PlayError
from server.settings import Settings
from server.store.database import Database
from server.store.tables import ServerValue

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")

SCOPES = ("read", "orders", "gm")
"""What a personal token may be for: read; give orders and write messages; run campaigns."""


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class AppContext:
    """One server process's way to the use cases. Several may share one database."""

    database: Database
    settings: Settings
    clock: Callable[[], datetime] = utc_now
    """Now, with a time zone."""
    background: Background = field(default_factory=Background)
    """Where resolutions run; the default resolves at once, in the caller's thread."""
    caches: Caches = field(default_factory=Caches)
    on_resolved: Callable[[float], None] = lambda _seconds: None
    """Told after each phase how long it took from gathering to commit."""
    chat_post: Callable[[ChatNotice, str], dict[str, Any]] = lambda said, _base: {"content": said.kind}
    """Return the body that is posted to a chat for a notice; the second argument is the server's public address."""
    translate: Callable[[str, str, Callable[[str], str]], str] = lambda _language, sentence, _known: sentence
    """Says a sentence of the rules or of a use case, which are in English, in a language, with what its reader calls
    hexes and players."""

    def now(self) -> datetime:
        """Return the time, with a time zone."""
        return self.clock()

    def close(self) -> None:
        """Wait for what runs in the background. The database stays open: it is the caller's."""
        self.background.close()


@dataclass(frozen=True, slots=True)
class Actor:
    """The person or program behind a request."""

    user_id: str = ""
    """Empty: nobody is signed in."""
    name: str = ""
    admin: bool = False
    """Runs the server."""
    bot: bool = False
    scopes: tuple[str, ...] = SCOPES
    """What the token is for; everything for a session."""
    token_id: str = ""
    session: bool = False
    """Signed in on the web; a token may not manage tokens and passwords."""
    guest: bool = False
    """An account without credentials: its browser's session is the only key."""

    @property
    def signed_in(self) -> bool:
        """True for everyone with an account."""
        return bool(self.user_id)

    def require(self, scope: str) -> Actor:
        """Refuse who is not signed in or has a token for other things; returns the same."""
        if not self.signed_in:
            raise PlayError("not_signed_in")
        if scope not in self.scopes:
            raise PlayError(
                "missing_scope", say("The token is not for: {scope}.", scope=scope), field="scope", value=scope
            )
        return self

    def require_account(self) -> Actor:
        """Refuse guests: what reaches other people or outlasts the browser needs a whole account; returns the same."""
        if self.guest:
            raise PlayError("guest_account")
        return self

    def require_admin(self) -> Actor:
        """Refuse everyone but a person with an admin account who signed in; returns the same."""
        if not self.require_session().admin:
            raise PlayError("forbidden", "Only admins may do that.")
        return self

    def require_session(self, *, guests: bool = False) -> Actor:
        """Refuse tokens and (but for *guests*) guests: what makes or takes rights needs a person who signed in."""
        if not self.signed_in:
            raise PlayError("not_signed_in")
        if not guests:
            self.require_account()
        if not self.session:
            raise PlayError("missing_scope", "This needs somebody who signed in, not a token.")
        return self


NOBODY = Actor()
"""Someone who reads without an account."""


@dataclass(frozen=True, slots=True)
class ChatNotice:
    """A notification for a chat, in words."""

    kind: str
    campaign_id: str
    campaign: str
    data: Mapping[str, Any]
    language: str
    """Of who made the webhook; empty where they never chose one."""
    personal: bool
    """Someone's own webhook, not a campaign's channel."""
    announcement: tuple[str, str] = ("", "")
    """Subject and words of an announcement."""
    map_at: int = 0
    """When the map changed, in seconds since 1970; 0 if it did not or strangers cannot see it."""


def check_limit(
    session: Session, table: Any, where: Iterable[ColumnElement[bool]], most: int, message: str, field: str = ""
) -> None:
    """Refuse (``limit_reached``) another row of a table where there are *most* already."""
    if (session.scalar(select(func.count()).select_from(table).where(*where)) or 0) >= most:
        raise PlayError("limit_reached", message, field=field)


def kept_value(session: Session, name: str, draw: Callable[[], bytes]) -> bytes:
    """Return a value that the server keeps in its database, drawn the first time."""
    kept = session.get(ServerValue, name)
    if kept is None:
        kept = ServerValue(name=name, value=draw())
        session.add(kept)
        session.flush()
    return kept.value


def taken_from(row: object, kind: type[T], /, **others: Any) -> T:
    """Return what is shown of a row: the fields of *kind* are its columns of the same names, but for the *others*."""
    return kind(**{part.name: getattr(row, part.name) for part in fields(kind) if part.name not in others}, **others)
