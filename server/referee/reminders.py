"""Rules that are the players' own business: the referee only reminds them (N-63, kind R)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from server.referee.game import Game
from server.referee.reading import LOCALIZED_TEXT, TEXT, Integer, ListOf, LocalizedText, Record, given
from server.referee.rule import Rule, rule_kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """One rule to be remembered, and when."""

    phase: str = given(TEXT, "")
    """Empty: in every phase."""
    until: int = given(Integer(0, 50), 0)
    """The last round; 0: all battle."""
    text: LocalizedText = given(LOCALIZED_TEXT)


@rule_kind("reminders")
class Reminders(Rule):
    """What the players are reminded of."""

    of: tuple[Reminder, ...] = given(ListOf(Record(Reminder), min=1, max=20))

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Return what holds now, in both languages."""
        return {
            self.NAME: [
                {"en": reminder.text.en, "de": reminder.text.de or reminder.text.en}
                for reminder in self.of
                if reminder.phase in ("", game.phase) and (not reminder.until or game.round <= reminder.until)
            ]
        }
