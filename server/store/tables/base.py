"""What all tables share: ids, folded names, naming of constraints, column types that behave alike on both databases."""

from __future__ import annotations

import json
import secrets
import unicodedata
from datetime import UTC, datetime
from typing import Any, ClassVar

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    DateTime,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, declared_attr, mapped_column
from sqlalchemy.types import TypeDecorator

from server.store import packing

BIG_INTEGER = BigInteger().with_variant(Integer, "sqlite")
"""A whole number of 64 bits on both databases."""

CLUSTERED = {"sqlite_with_rowid": False}
"""Table option: SQLite keeps the rows in the order of their key, and the key once. For small rows."""

GROWING = {"sqlite_autoincrement": True}
"""Table option: numbers of rows that are gone are never given out again, as on PostgreSQL."""

StringList = tuple[str, ...]
"""A short list of strings in one column, as JSON text."""


_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
"""32 characters nobody mixes up when reading aloud."""
ID_LENGTH = 16
"""Characters of an id."""


def new_id() -> str:
    """Return a random id of 80 bits that reveals nothing about its thing or its time."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(ID_LENGTH))


def fold(name: str) -> str:
    """Return what two names have in common that people would take for the same (case, width, composition)."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).strip()


class UtcDateTime(TypeDecorator[datetime]):
    """An instant: aware datetimes in, aware UTC datetimes out; a naive one is a :class:`ValueError`."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Turn an aware datetime into UTC; SQLite, which knows no zones, gets it without one."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a time without a time zone cannot be stored: {value!r}")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Return the instant in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class StringListType(TypeDecorator[StringList]):
    """A tuple of texts as a JSON array, read back through a memo: the same few lists come again and again."""

    impl = Text
    cache_ok = True
    _known: ClassVar[dict[str, StringList]] = {"[]": ()}
    _MAX_KNOWN = 4096

    def process_bind_param(self, value: StringList | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Write the words."""
        if value is None:
            return None
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else "[]"

    def process_result_value(self, value: str | None, dialect: Dialect) -> StringList | None:  # noqa: ARG002
        """Read the words."""
        if value is None:
            return None
        found = self._known.get(value)
        if found is None:
            found = tuple(json.loads(value))
            if len(self._known) < self._MAX_KNOWN:
                self._known[value] = found
        return found


class PackedJson(TypeDecorator[Any]):
    """Objects and lists as the bytes of JSON, compressed if long (:mod:`server.store.packing`)."""

    impl = LargeBinary
    cache_ok = True
    SHORT = 120
    """Bytes up to which it stays as it is: an operator can read it."""

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:  # noqa: ARG002
        """Compress what is long."""
        if value is None:
            return None
        text = json.dumps(value, separators=(",", ":")).encode()
        return text if len(text) <= self.SHORT else packing.pack(text)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:  # noqa: ARG002
        """Return the object or the list."""
        if value is None:
            return None
        return json.loads(packing.unpack(value) if bytes(value[:4]) == packing.SIGN else bytes(value))


class Base(DeclarativeBase):
    """Every table of the server."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        int: BIG_INTEGER,
        str: Text(),
        bytes: LargeBinary(),
        datetime: UtcDateTime(),
        StringList: StringListType(),
        dict[str, Any]: JSON(none_as_null=True),
        list[Any]: JSON(none_as_null=True),
    }


def one_of(column: str, *words: str) -> CheckConstraint:
    """Return the constraint that a column holds one of a few words."""
    listed = ", ".join(f"'{word}'" for word in words)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


# --- what rows belong to ---


class OfCampaign(Base):
    """A row that belongs to a campaign."""

    __abstract__ = True

    campaign_id: Mapped[str] = mapped_column(
        ForeignKey("campaigns.id", ondelete="CASCADE"), primary_key=True, sort_order=-3
    )


class OfHex(OfCampaign):
    """A row that belongs to a hex."""

    __abstract__ = True

    hex: Mapped[str] = mapped_column(primary_key=True, sort_order=-2)

    @declared_attr.directive
    def __table_args__(cls) -> tuple[Any, ...]:
        return (on_hex(), CLUSTERED)


class OfForce(OfCampaign):
    """A detachment, garrison or convoy: it has an id and an owner, and is in a hex."""

    __abstract__ = True

    id: Mapped[str] = mapped_column(primary_key=True, sort_order=-2)
    owner: Mapped[str] = mapped_column(sort_order=-1)

    @declared_attr.directive
    def __table_args__(cls) -> tuple[Any, ...]:
        indexes = (Index(None, "campaign_id", "hex"), Index(None, "campaign_id", "owner"))
        return (on_hex(), of_player(), *indexes, CLUSTERED)


class OfPhase(Base):
    """A row that belongs to a phase; an intervention, to the one that was open."""

    __abstract__ = True

    campaign_id: Mapped[str] = mapped_column(primary_key=True, sort_order=-3)
    branch: Mapped[int] = mapped_column(primary_key=True, sort_order=-2)
    phase_number: Mapped[int] = mapped_column(primary_key=True, sort_order=-1)


def on_hex(column: str = "hex") -> ForeignKeyConstraint:
    """Return the foreign key of a column that names a hex of the map."""
    return ForeignKeyConstraint(["campaign_id", column], ["hexes.campaign_id", "hexes.hex"])


def of_player(column: str = "owner") -> ForeignKeyConstraint:
    """Return the foreign key of a column that names a player."""
    return ForeignKeyConstraint(["campaign_id", column], ["players.campaign_id", "players.id"])
