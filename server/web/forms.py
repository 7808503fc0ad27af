"""The values of a form. Everything is a text; whatever arrives is an answer, not an exception."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from server.play.errors import invalid

MAX_FIELDS = 2000


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a form, each with all its values."""

    values: dict[str, list[str]] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]], files: Mapping[str, bytes] | None = None) -> Form:
        """Collect fields."""
        values: dict[str, list[str]] = {}
        for name, value in pairs:
            values.setdefault(name, []).append(value)
        return cls(values, files or {})

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def text(self, name: str, default: str = "") -> str:
        """Return a field's text, trimmed."""
        found = self.values.get(name)
        return found[-1].strip() if found else default

    def secret(self, name: str) -> str:
        """Return a field's text as it was typed."""
        found = self.values.get(name)
        return found[-1] if found else ""

    def optional(self, name: str) -> str | None:
        """Return a field's text, None where it was left empty."""
        return self.text(name) or None

    def many(self, name: str) -> list[str]:
        """Return all values of a field, as of boxes that were ticked."""
        return list(self.values.get(name, ()))

    def flag(self, name: str) -> bool:
        """Say whether a box was ticked."""
        return self.text(name) not in ("", "0", "false", "off")

    def integer(self, name: str, default: int | None = None) -> int | None:
        """Return a whole number; raises PlayError ``invalid_request`` where something else was typed."""
        text = self.text(name)
        if not text:
            return default
        if len(text) > 12 or not text.lstrip("-").isdecimal():
            raise invalid(name, "This must be a whole number.", text[:80])
        return int(text)

    def moment(self, name: str, zone: ZoneInfo) -> datetime | None:
        """Return the instant of a day and time typed in a zone, None where it was left empty."""
        text = self.text(name)
        if not text:
            return None
        try:
            local = datetime.fromisoformat(text[:25])
            return local.replace(tzinfo=local.tzinfo or zone).astimezone(UTC)
        except (ValueError, OverflowError):
            raise invalid(name, "This must be a day and a time.", text[:40]) from None
